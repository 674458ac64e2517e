import { pure } from "../../../lib/core/claims/claim.ts";
import type { Domain } from "../../../lib/core/relations/dataset.ts";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import type { DiscreteSource } from "../../../lib/core/mechanism/discrete_source.ts";
import { checkExactly } from "../../../lib/judge/exact/enumeration/check_exactly.ts";
import {
  datasetsOfDomain,
  neighboursOfDomain,
} from "../../../lib/judge/exact/enumeration/finite_domain.ts";
import { discreteSource } from "../../../lib/core/random/discrete_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** ε of the claim: so large that few paths are likely. */
const EPSILON = 4;

/** The rate of the noise on each answer, and whether the winner's noisy value is released too. */
interface Released {
  readonly rate: number;
  readonly value: boolean;
}

/** The place of the largest noisy answer, and by how much it is above the next one. */
function largestAndGap(
  answers: readonly number[],
  source: DiscreteSource,
  { rate, value }: Released,
): number[] {
  const noisy = answers.map((answer) => answer + source.discreteLaplace({ rate }));
  const most = Math.max(...noisy), place = noisy.indexOf(most);
  const next = Math.max(...noisy.filter((_, i) => i !== place));
  return value ? [place, most - next, most] : [place, most - next];
}

/** The gap between winner and runner-up costs nothing. */
export const noisyMaxGap = theorem<Released>({
  id: "mechanisms/noisy_max_gap",
  statement:
    "The index of the largest answer with noise of scale 2Δ/ε and the gap between it and the runner-up are together ε-differentially private: " +
    "the gap costs nothing.",
  citation: "Ding, Wang, Zhang, Kifer 2019, Theorem 2 with k = 1",
  source: "a standard building block",
  remember: () =>
    `At ε = ${EPSILON} place and gap together lose ${EPSILON} at most, as the place alone may.`,
  assumptions: [
    "answers move by at most Δ = 1, in either direction; noise is that of the grid of 1",
  ],
  kind: "certified",
  checked:
    "ε = 4, three answers that are 0 or 1, all pairs of them: every path of a program with discrete Laplace noise but for a remainder of 1e-9",
  subject: { rate: EPSILON / 2, value: false },
  check: (released) => {
    const relation = changeEach({ by: 1 });
    const domain: Domain = {
      rows: { type: "integer", min: 0, max: 1 },
      size: { min: 3, max: 3 },
    };
    const { report } = checkExactly({
      name: "noisy max and its gap",
      run: (data, source) =>
        largestAndGap(data as readonly number[], discreteSource(source), released),
    }, {
      claim: pure({ epsilon: EPSILON, relation }),
      datasets: datasetsOfDomain(domain),
      neighbours: neighboursOfDomain(domain, relation),
    });
    const { lower } = report.epsilon, { witness } = report;
    const outcome = atMost(EPSILON, {
      value: lower,
      detail: `${report.pairs} pairs, ${report.branches} paths; loses ${
        short(lower / EPSILON)
      } of the claim`,
      witness: `${
        JSON.stringify(witness?.output)
      } on ${witness?.left} and ${witness?.right} loses ${
        short(lower)
      } where ${EPSILON} is claimed`,
    });
    return { ...outcome, holds: outcome.holds && report.verdict === "holds" };
  },
  mutants: {
    "noise of three quarters": { rate: EPSILON / 1.5, value: false },
    "the winner's noisy value too": { rate: EPSILON / 2, value: true },
  },
});
