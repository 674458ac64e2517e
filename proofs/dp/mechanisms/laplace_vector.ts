import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { vectorLaplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { integerVectors } from "../../engine/finite_check.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** What the changes of the coordinates are measured by, and Δf is the most of. */
type Length = (change: readonly number[]) => number;

const l1: Length = (change) => change.reduce((sum, value) => sum + Math.abs(value), 0);

/** How changes are measured, and what the shipped mechanism is told of ε, as a multiple. */
interface Vector {
  readonly length: Length;
  readonly strength: number;
}

/** The largest loss of the shipped mechanism over outputs near both values, as a share of ε. */
function shippedLoss(change: readonly number[], { length, strength }: Vector): number {
  const mechanism = vectorLaplace<number>({
    query: ([row]) => change.map((value) => row! * value),
    dimension: change.length,
    epsilon: 0.5 * strength,
    sensitivity: length(change),
    granularity: 2 ** -20,
    relation: replaceOne,
  });
  let worst = 0;
  for (const output of integerVectors(change.length, { min: -2, max: 2 })) {
    const [at, beside] = [0, 1].map((row) => mechanism.logDensity!([...output], [row]));
    worst = Math.max(worst, Math.abs(at! - beside!) / 0.5);
  }
  return worst;
}

/** Laplace noise on every coordinate of a vector. */
export const laplaceVector = theorem<Vector>({
  id: "mechanisms/laplace_vector",
  statement:
    "f(x) + (Y₁, …, Y_k) with independent Y_i ~ Lap(Δf/ε) loses ‖f(x) − f(x′)‖₁·ε/Δf and no more: it is ε-differentially private " +
    "for the L1 sensitivity Δf, whatever the dimension.",
  citation: "Dwork, McSherry, Nissim, Smith 2006; Dwork, Roth 2014, Theorem 3.6",
  source: "Haußmann’s slides, Laplace mechanism: (Y₁, …, Y_k), and its proof",
  remember: () =>
    `A change of 1 in each of four coordinates counts as ${
      l1([1, 1, 1, 1])
    }, though its Euclidean length is ${Math.hypot(1, 1, 1, 1)}.`,
  assumptions: [
    "the loss is linear in an output between the coordinates of the two values, so that it is largest where each coordinate is one of the two",
  ],
  kind: "exhaustive",
  checked:
    "every ε at once; all whole changes of up to 3 in each of one to four coordinates, in whole numbers; the shipped mechanism at ε = .5 on those of up to three coordinates with ‖·‖₁ ≤ 2, within 2^−16 for its grid",
  subject: { length: l1, strength: 1 },
  check: (vector) =>
    outcomeOf("2,800 changes", () => {
      for (const size of [1, 2, 3, 4]) {
        for (const change of integerVectors(size, { min: -3, max: 3 })) {
          // In units of ε/Δf: Σ|z − c| − |z| over the corners, each z_i one of 0 and c_i.
          let most = 0;
          for (let corner = 0; corner < 2 ** size; corner++) {
            const loss = change.reduce((sum, c, i) => {
              const z = (corner >> i) & 1 ? c : 0;
              return sum + Math.abs(z - c) - Math.abs(z);
            }, 0);
            most = Math.max(most, loss);
          }
          requireThat(
            most === vector.length(change),
            () => `(${change}) loses ${most}·ε/Δf where ${vector.length(change)} is stated`,
          );
          if (size < 4 && most > 0 && most <= 2) {
            const loss = shippedLoss(change, vector);
            requireThat(
              loss <= 1 + 1e-9 && loss > 1 - 2 ** -16,
              () => `the shipped mechanism loses ${loss} of ε at (${change})`,
            );
          }
        }
      }
    }),
  mutants: {
    "the largest change": {
      length: (change) => Math.max(...change.map(Math.abs)),
      strength: 1,
    },
    "the Euclidean length": { length: (change) => Math.hypot(...change), strength: 1 },
    "twice the largest change": {
      length: (change) => 2 * Math.max(...change.map(Math.abs)),
      strength: 1,
    },
    "the shipped mechanism at 1.05 ε": { length: l1, strength: 1.05 },
    "the shipped mechanism at .95 ε": { length: l1, strength: 0.95 },
  },
});
