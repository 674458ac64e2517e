import { PROOF_SEED } from "../../engine/prove.ts";
import { generalisedEigenproblem } from "../../../lib/papers/null_space/generalised_eigenproblem.ts";
import { cleaningCases } from "../../papers/predictors/checks/cleaning_cases.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Directions: what taking one out whole costs and gains, and their γ = cost/gain. */
interface Directions {
  readonly costs: readonly number[];
  readonly gains: readonly number[];
  readonly gamma: readonly number[];
}

/** A program for the shares α: the power of α in its constraint, and what its objective counts. */
interface Program {
  readonly power: 1 | 2;
  readonly objective: "Σγα², to be small" | "Σα²λ^c a², to be large";
}

/** Algorithm 1: directions in the order of γ, each whole while the budget lasts, the next in part. */
function algorithm({ costs, gamma }: Directions, { power }: Program, budget: number): number[] {
  const alpha = costs.map(() => 0);
  let left = budget;
  for (const i of gamma.map((_, k) => k).sort((a, b) => gamma[a]! - gamma[b]!)) {
    const share = costs[i] === 0 ? 1 : Math.min(1, left / costs[i]!);
    alpha[i] = share ** (1 / power);
    left -= share * costs[i]!;
  }
  return alpha;
}

/** The least Σγα² with Σα^p·cost = budget and 0 ≤ α ≤ 1: for p = 1 by its multiplier, for p = 2 by cost/γ. */
function least({ costs, gamma }: Directions, { power }: Program, budget: number): number {
  if (power === 2) {
    const order = costs.map((_, i) => i).sort((a, b) =>
      gamma[a]! / costs[a]! - gamma[b]! / costs[b]!
    );
    let left = budget, sum = 0;
    for (const i of order) {
      const share = Math.min(1, left / costs[i]!);
      sum += gamma[i]! * share;
      left -= share * costs[i]!;
    }
    return sum;
  }
  const at = (multiplier: number): number[] =>
    costs.map((cost, i) => Math.min(1, multiplier * cost / (2 * gamma[i]!)));
  let low = 0, high = 1;
  const spent = (alpha: readonly number[]): number =>
    alpha.reduce((sum, a, i) => sum + a * costs[i]!, 0);
  while (spent(at(high)) < budget) high *= 2;
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2;
    if (spent(at(middle)) < budget) low = middle;
    else high = middle;
  }
  return at(high).reduce((sum, a, i) => sum + gamma[i]! * a * a, 0);
}

/** The most Σ gains·β with Σ costs·β = budget, β = α² in [0, 1]: the best of all orders, for it is a fractional knapsack. */
function most({ costs, gains }: Directions, budget: number): number {
  const orders = (indices: readonly number[]): number[][] =>
    indices.length === 0
      ? [[]]
      : indices.flatMap((i) => orders(indices.filter((j) => j !== i)).map((rest) => [i, ...rest]));
  return Math.max(
    ...orders(costs.map((_, i) => i)).map((order) => {
      let left = budget, sum = 0;
      for (const i of order) {
        const share = Math.min(1, left / costs[i]!);
        sum += share * gains[i]!;
        left -= share * costs[i]!;
      }
      return sum;
    }),
  );
}

const printed: Program = { power: 1, objective: "Σγα², to be small" };

/** How far Algorithm 1 is from the best of a program, by default the printed one, on generated cases. */
export function farthestFromBest(
  seed: number,
  program: Program = printed,
): { readonly worst: number; readonly witness: string; readonly cases: number } {
  let worst = 1, witness = "", cases = 0;
  for (const { desired, confidential } of cleaningCases(seed, { count: 60 })) {
    const spectrum = generalisedEigenproblem(desired, { confidential });
    const gamma = Array.from(spectrum.gamma), costs = Array.from(spectrum.desired);
    const gains = costs.map((cost, i) => cost / gamma[i]!);
    if (
      gamma.length < 2 ||
      ![...gamma, ...costs, ...gains].every((value) => value > 1e-9 && value < 1e9)
    ) continue;
    const directions = { costs, gains, gamma }, total = costs.reduce((a, b) => a + b);
    for (const part of [0.1, 0.3, 0.5, 0.9]) {
      cases++;
      const alpha = algorithm(directions, program, part * total);
      const ratio = program.objective === "Σγα², to be small"
        ? alpha.reduce((sum, a, i) => sum + gamma[i]! * a * a, 0) /
          least(directions, program, part * total)
        : most(directions, part * total) /
          alpha.reduce((sum, a, i) => sum + gains[i]! * a * a, 0);
      if (!(ratio <= worst)) {
        [worst, witness] = [
          ratio,
          `γ = ${gamma.map((g) => g.toPrecision(3)).join(", ")} at ${part} of all: ${
            ratio.toPrecision(4)
          } times the least`,
        ];
      }
    }
  }
  return { worst, witness, cases };
}

/** The program of the paper, which its algorithm does not solve. */
export const cleaningProgram = falseClaim<Program>({
  id: "false_claims/cleaning_program",
  statement: "Algorithm 1 solves: minimise Σγ_iα_i² subject to 0 < α_i ≤ 1 and Σα_iλ_i^d a_i² = ε.",
  citation:
    "Xu, Shah, Cao, Maung, Schweitzer 2017, after Theorem 1; its e_utility has α_i² where the constraint prints α_i",
  source: "AAAI abstract, privacy of Algorithm 1",
  remember: (): string =>
    `Algorithm 1 is up to ${
      short(farthestFromBest(PROOF_SEED).worst)
    } times from the best of the printed problem, and at the best of the corrected one.`,
  assumptions: [
    "directions that are not taken out have α = 0, which the paper's 0 < α excludes, and which changes no infimum",
  ],
  kind: "sampled",
  subject: printed,
  check: (program, { seed }) => {
    const { worst, witness, cases } = farthestFromBest(seed, program);
    const holds = cases > 20 && worst <= 1 + 1e-9;
    return {
      holds,
      margin: worst,
      detail: `${cases} programs of two and three directions`,
      ...(holds ? {} : { witness }),
    };
  },
  corrected: {
    name: "maximise Σα_i²λ_i^c a_i² subject to Σα_i²λ_i^d a_i² = ε",
    subject: { power: 2, objective: "Σα²λ^c a², to be large" },
  },
  mutants: {
    "with α² in the constraint, the objective as printed": {
      power: 2,
      objective: "Σγα², to be small",
    },
  },
});
