import type { Highs } from "highs";
import loadHighs from "highs";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";

/** Answers to subset queries about n secret bits: all that the attacker has. */
export interface SubsetAnswers {
  /** n. */
  readonly size: number;
  /**
   * One query a row: the positions that it sums over, 1 where a row is in and 0 where not; n
   * numbers each.
   */
  readonly queries: readonly Uint8Array[];
  /** The answer to every query: the number of ones among its positions, and noise. */
  readonly answers: ArrayLike<number>;
}

/** The database as the attacker guesses it. */
export interface Reconstruction {
  /** The guessed bit of every row. */
  readonly bits: Uint8Array;
  /** Before rounding: n numbers in [0, 1]. */
  readonly shares: Float64Array;
}

/**
 * Reconstructs a database of n bits from noisy subset sums by linear programming (Dinur, Nissim
 * 2003, Theorem 3): with n·log²n random subsets answered within o(√n), all but o(n) rows come out.
 * The program here minimises the sum of absolute residuals Σ|a_q − Σ_{i∈q} x_i| over 0 ≤ x ≤ 1
 * (Dwork, McSherry, Talwar 2007), which need not be told how large the noise is and stands a few
 * wild answers, and rounds x. It is the dual that HiGHS solves: it has n rows and not as many as
 * there are queries.
 *
 * @throws {RangeError} on queries or answers that do not fit together, never showing them.
 * @throws {Error} when the solver does not reach the optimum.
 *
 * @example
 * ```ts
 * import { reconstruct } from "./reconstruction.ts";
 * const queries = [[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0]].map((q) => Uint8Array.from(q));
 * const { bits } = await reconstruct({ size: 3, queries, answers: [1.1, 0.9, 2.1, 1] });
 * bits; // 1, 0, 1
 * ```
 */
export async function reconstruct(
  options: SubsetAnswers,
): Promise<Reconstruction> {
  const { size, queries, answers } = requireFields("reconstruct", options, { queries: "list" });
  const action = "reconstruct";
  requireInteger(action, "size", size, { min: 1 });
  requireInteger(action, "queries", queries.length, { min: 1 });
  if (answers.length !== queries.length) {
    throw new RangeError(
      `Cannot ${action}: answers must be one a query: current numbers are ${answers.length} and ${queries.length}`,
    );
  }
  for (let q = 0; q < queries.length; q++) {
    if (queries[q]!.length !== size || !Number.isFinite(answers[q])) {
      throw new RangeError(
        `Cannot ${action}: query ${q + 1} must have ${size} entries and a finite answer`,
      );
    }
  }
  // The package's types take its module for the function that the module is.
  const load = loadHighs as unknown as () => Promise<Highs>;
  const highs = await load();
  const solution = highs.solve(dualProgram({ size, queries, answers }), {
    solver: "ipm",
    output_flag: false,
  });
  if (solution.Status !== "Optimal") {
    throw new Error(`Cannot ${action}: the solver ended with status ${solution.Status}`);
  }
  // x_i is the price of the i-th row of the dual, whatever sign the solver gives to prices.
  const shares = new Float64Array(size);
  for (const row of solution.Rows) {
    if ("Name" in row && "Dual" in row) {
      shares[Number(row.Name.slice(1))] = Math.min(1, Math.abs(row.Dual));
    }
  }
  return { shares, bits: Uint8Array.from(shares, (share) => share > 0.5 ? 1 : 0) };
}

/**
 * max Σ a_q·y_q − Σ s_i over −1 ≤ y ≤ 1, s ≥ 0 with Σ_{q∋i} y_q ≤ s_i, in the LP format of CPLEX.
 */
function dualProgram({ size, queries, answers }: SubsetAnswers): string {
  const lines = ["Maximize", " obj:"];
  for (let q = 0; q < queries.length; q++) {
    const answer = answers[q]!;
    lines.push(`${answer < 0 ? "-" : "+"} ${Math.abs(answer)} y${q}`);
  }
  for (let i = 0; i < size; i++) lines.push(`- s${i}`);
  lines.push("Subject To");
  for (let i = 0; i < size; i++) {
    lines.push(` r${i}:`);
    for (let q = 0; q < queries.length; q++) if (queries[q]![i] === 1) lines.push(`+ y${q}`);
    lines.push(`- s${i} <= 0`);
  }
  lines.push("Bounds");
  for (let q = 0; q < queries.length; q++) lines.push(` -1 <= y${q} <= 1`);
  lines.push("End", "");
  return lines.join("\n");
}
