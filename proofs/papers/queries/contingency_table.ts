import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  contingencyTable,
  marginal,
  type TableRow,
} from "../../../lib/dp/mechanisms/contingency_table.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The error that no cell of N exceeds but for a chance of β, from the scale b = Δ/ε. */
type Bound = (
  options: { readonly cells: number; readonly scale: number; readonly failure: number },
) => number;

/** The stated bound. */
export function errorOfTable({ cells, scale, failure }: Parameters<Bound>[0]): number {
  return scale * Math.log(2 * cells / (failure * (1 + Math.exp(-1 / scale))));
}

/** P(|X| ≥ k), from the law that the table states for its cells. */
function tail(
  table: ReturnType<typeof contingencyTable>,
  { cells, from }: { cells: number; from: number },
): number {
  const at = (k: number): number =>
    table.logDensity!(Array.from({ length: cells }, (_, i) => i === 0 ? k : 0), []);
  const none = at(0), one = Math.exp(at(1) - none);
  // P(0)·(1 + 2q/(1 − q)) = 1, for q of one step.
  const zero = (1 - one) / (1 + one);
  let sum = 0;
  for (let k = from; k < from + 4000; k++) {
    const chance = 2 * zero * Math.exp(at(k) - none);
    sum += chance;
    if (chance < 1e-18) break;
  }
  return sum;
}

/** How accurate a noisy contingency table is, and what is summed from it. */
export const contingencyTableAccuracy = theorem<Bound>({
  id: "queries/contingency_table",
  statement:
    "Of a contingency table of N cells with whole Laplace noise of scale b = Δ/ε (Δ = 1 for rows added, 2 for rows replaced) no cell is off by more than b·ln(2N/(β(1 + e^(−1/b)))) with probability 1 − β, " +
    "whatever the number of rows; a marginal that sums m cells has m times a cell's variance.",
  citation:
    "Dwork, McSherry, Nissim, Smith 2006, section 3; Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar 2007 on tables",
  source: "Chaudhuri’s slides, facts: good private approximations for contingency tables",
  remember: () =>
    `At ε = 1 no cell of 96 is off by more than ${
      short(errorOfTable({ cells: 96, scale: 1, failure: 1 / 20 }))
    } in 19 tables of 20, for a hundred people or a million.`,
  assumptions: [
    "false alarms of the marginals: six standard errors of 2,000 tables, 2e-9 for each of 18 numbers (normal law)",
  ],
  kind: "statistical",
  checked:
    "4, 12 and 96 cells, ε = .1, 1 and 4, both relations, β = .3, .05 and 1e-6, from the law that the shipped table states; marginals of 2,000 drawn tables of 12 cells",
  subject: errorOfTable,
  check: (of, { seed }) =>
    outcomeOf("54 settings", () => {
      let most = 0;
      const twelve = { a: [0, 1], b: [0, 1, 2], c: [0, 1] };
      const tables = [{ a: [0, 1], b: [0, 1] }, { a: [0, 1], b: [0, 1, 2], c: [0, 1] }, {
        a: [0, 1, 2, 3],
        b: [0, 1, 2, 3, 4, 5],
        c: [0, 1, 2, 3],
      }];
      for (const attributes of tables) {
        const cells = Object.values(attributes).reduce(
          (product, values) => product * values.length,
          1,
        );
        for (const epsilon of [0.1, 1, 4]) {
          for (const [relation, change] of [[addRemoveOne, 1], [replaceOne, 2]] as const) {
            const table = contingencyTable({ attributes, epsilon, relation }),
              scale = change / epsilon;
            requireNear(table.grid.scaleInSteps, scale, { what: "scale" });
            for (const failure of [0.3, 0.05, 1e-6]) {
              const error = of({ cells, scale, failure });
              // Off by more than the error: by the next whole number at least.
              const one = tail(table, { cells, from: Math.floor(error) + 1 });
              const any = -Math.expm1(cells * Math.log1p(-one));
              requireThat(
                any <= failure * (1 + 1e-9),
                `${cells} cells, ε = ${epsilon}: more than ${error} with probability ${any} where β = ${failure}`,
              );
              most = Math.max(most, any / failure);
            }
          }
        }
      }
      requireThat(most > 0.8, `the bound is far from what is so: ${most}`);
      requireMarginals(twelve, seed);
      return most;
    }),
  mutants: {
    "b·ln(N/β), as for real noise": ({ cells, scale, failure }) =>
      scale * Math.log(cells / failure),
    "b·ln(1/β), for one cell": ({ cells: _, scale, failure }) =>
      errorOfTable({ cells: 1, scale, failure }),
    "noise for rows added in place of replaced": (options) =>
      errorOfTable({ ...options, scale: options.scale / 2 }),
    "twice the error": (options) => 2 * errorOfTable(options),
  },
});

function requireMarginals(
  attributes: { a: number[]; b: number[]; c: number[] },
  seed: number,
): void {
  const draws = 2000, source = new SeededSource(seed).split("marginals");
  const table = contingencyTable({ attributes, epsilon: 0.5, relation: addRemoveOne });
  const rows: TableRow[] = Array.from(
    { length: 30 },
    (_, i) => ({ a: i % 2, b: i % 3, c: (i >> 1) % 2 }),
  );
  const block = table.sampleMany!(rows, draws, source), variance = 1 / (2 * Math.sinh(0.25) ** 2);
  for (const keep of [["a"], ["b", "c"], []] as const) {
    const size = keep.reduce((product, name) => product * attributes[name].length, 1),
      merged = 12 / size;
    const sums = new Float64Array(size), squares = new Float64Array(size);
    const truth = Array.from({ length: size }, () => 0);
    for (const row of rows) {
      truth[
        keep.reduce((index, name) => index * attributes[name].length + (row[name] as number), 0)
      ]!++;
    }
    for (let k = 0; k < draws; k++) {
      marginal([...block.subarray(12 * k, 12 * (k + 1))], { attributes, keep }).forEach(
        (sum, i) => {
          sums[i]! += sum - truth[i]!;
          squares[i]! += (sum - truth[i]!) ** 2;
        },
      );
    }
    for (let i = 0; i < size; i++) {
      requireNear(sums[i]! / draws, 0, {
        absolute: 6 * Math.sqrt(merged * variance / draws),
        what: `mean error of ${keep}`,
      });
      // The fourth moment of one is six squares of its variance at most, and that of a sum is nearer to three.
      requireNear(squares[i]! / draws, merged * variance, {
        relative: 6 * Math.sqrt(5.2 / draws),
        what: `variance of ${keep}`,
      });
    }
  }
}
