import { generalisedEigenproblem } from "../../../lib/papers/null_space/generalised_eigenproblem.ts";
import { theorem } from "../../engine/theorem.ts";
import { cleaningCases } from "./checks/cleaning_cases.ts";

/** In which order directions are taken out, given their γ. */
type Order = (gamma: readonly number[]) => readonly number[];

/** The order of γ buys the most privacy for every budget. */
export const order = theorem<Order>({
  id: "predictors/order",
  statement: "Taking directions out in increasing order of γ_i = λ_i^d/λ_i^c gives the largest " +
    "e_privacy = Σ α_i²λ_i^c a_i² of all orders, for every e_utility.",
  citation: "Xu, Shah, Cao, Maung, Schweitzer 2017, analysis after Theorem 1; Dantzig 1957",
  source: "AAAI abstract, privacy of Algorithm 1",
  remember: () =>
    `A direction of γ = ½ buys ${1 / 0.5} of e_privacy for 1 of e_utility, one of γ = 2 buys ${
      1 / 2
    }.`,
  assumptions: ["in α² it is a fractional knapsack; the paper's constraint prints α for α²"],
  kind: "sampled",
  checked:
    "all orders of up to three directions of 60 generated pairs of predictors, four budgets each",
  subject: (gamma) => gamma.map((_, i) => i).sort((a, b) => gamma[a]! - gamma[b]!),
  check: (rank, { seed }) => {
    let worst = 0, cases = 0;
    for (const { desired, confidential } of cleaningCases(seed, { count: 60 })) {
      const spectrum = generalisedEigenproblem(desired, { confidential });
      const gamma = Array.from(spectrum.gamma);
      const costs = Array.from(spectrum.desired);
      const gains = costs.map((cost, i) => gamma[i] === Infinity ? 0 : cost / gamma[i]!);
      if (!gains.every(Number.isFinite)) continue;
      const bought = (indices: readonly number[], budget: number): number => {
        let left = budget, total = 0;
        for (const i of indices) {
          const share = costs[i] === 0 ? 1 : Math.min(1, left / costs[i]!);
          total += share * gains[i]!;
          left -= share * costs[i]!;
        }
        return total;
      };
      const total = costs.reduce((sum, cost) => sum + cost, 0);
      for (const part of [0.1, 0.3, 0.5, 0.9]) {
        const ours = bought(rank(gamma), part * total);
        for (const other of permutations(gamma.length)) {
          cases++;
          worst = Math.max(worst, bought(other, part * total) - ours * (1 + 1e-9));
        }
      }
    }
    return {
      holds: worst <= 1e-12,
      margin: NaN,
      detail: `${cases} orders and budgets, all orders of up to three directions`,
      ...(worst <= 1e-12 ? {} : { witness: `another order buys ${worst} more` }),
    };
  },
  mutants: {
    "decreasing γ": (gamma) => gamma.map((_, i) => i).sort((a, b) => gamma[b]! - gamma[a]!),
  },
});

function permutations(size: number): number[][] {
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((rest) =>
    Array.from({ length: size }, (_, at) => rest.toSpliced(at, 0, size - 1))
  );
}
