import { requireKnown } from "../../../core/text/known_options.ts";
import { approximate, pure, zcdp } from "../../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { openBudget } from "../../accounting/budget/budget.ts";
import { largestRho } from "../../accounting/composition/zcdp.ts";
import { requireFields, requireInteger } from "../../../core/numeric/require.ts";
import { adaptiveRounds, type CodedRow, MOST_ROWS, requireNoise } from "./adaptive_rounds.ts";
import { drawRows } from "./draw_rows.ts";
import type { NoisyMarginal } from "./marginal_model.ts";

/** Privacy budget of the whole: ρ; ε and δ; or ε alone, which takes Laplace noise. */
export type MarginalsCost =
  | { readonly rho: number; readonly epsilon?: undefined; readonly delta?: undefined }
  | { readonly rho?: undefined; readonly epsilon: number; readonly delta?: number | undefined };

/** Options of {@linkcode adaptiveMarginals}; all of it fixed without looking at the data. */
export type AdaptiveMarginalsOptions = MarginalsCost & {
  /** Number of values of each attribute: 1 to 100 attributes. */
  readonly shape: readonly number[];
  /** `addRemoveOne` or `replaceOne`. */
  readonly relation: Relation;
  /** The number of rows, where it is public (`replaceOne` only). Else it is estimated from the noisy counts. */
  readonly rowCount?: number | undefined;
  /** Number of rows to draw. Default: as many as there are, or are estimated to be, up to 2²⁰. */
  readonly drawn?: number | undefined;
  /** The most cells that the cliques of the model have in all, up to 2²⁴: time and memory grow with it. Default 2¹⁷. */
  readonly mostCells?: number | undefined;
  /** The datasets that audits try. */
  readonly domain?: Domain | undefined;
};

/** Output of {@linkcode adaptiveMarginals}; the claim covers all of it. */
export interface SyntheticRows {
  /** Rows like those of the data. */
  readonly rows: readonly CodedRow[];
  /** The number of rows of the data as it is public or was estimated, at least 1. */
  readonly rowCount: number;
  /** Noisy marginals, in the order of measurement. */
  readonly measured: readonly NoisyMarginal[];
}

/** The most of {@linkcode AdaptiveMarginalsOptions.mostCells}. */
const MOST_CELLS = 2 ** 24;
/** The most rows that are drawn, and that are drawn without being asked for: with much noise their number may be anything. */
const MOST_DRAWN = 2 ** 24;
const MOST_UNASKED = 2 ** 20;

/**
 * Returns a mechanism that draws synthetic rows by adaptive and iterative measurement of marginals: AIM (McKenna, Mullins, Sheldon, Miklau 2022) for all pairs of attributes. Noisy
 * counts by attributes and by pairs, chosen where the model so far is most wrong, are fitted by a graphical model (McKenna, Sheldon, Miklau 2019),
 * from which rows are drawn. Counts and choices are exact integers with exact noise; all that follows is computed from them.
 *
 * With `rho`, or `epsilon` and `delta`, noise is discrete Gaussian and the whole ρ-zCDP, by a filter that pays for each count and choice before it
 * is drawn. With `epsilon` alone noise is discrete Laplace, and the whole ε-DP.
 *
 * Deviations: pairs that would make the model larger than `mostCells` are not measured; the pure variant is ours.
 *
 * @throws {RangeError} on options out of range, or at release a row that does not hold one code an attribute.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../../core/relations/relation.ts";
 * import { openBudget } from "../../accounting/budget/budget.ts";
 * import { release } from "../../mechanisms/release.ts";
 * import { adaptiveMarginals } from "./adaptive_marginals.ts";
 * const rows = Array.from({ length: 1000 }, (_, i) => [i % 2, i % 2 === 0 ? 0 : i % 3]);
 * const synthetic = adaptiveMarginals({ shape: [2, 3], rho: 0.1, relation: addRemoveOne });
 * release(synthetic, rows, { budget: openBudget(synthetic.claim) }).rows; // about 1000 pairs of codes
 * ```
 */
export function adaptiveMarginals(
  given: AdaptiveMarginalsOptions,
): Mechanism<CodedRow, SyntheticRows> {
  const action = "make synthetic rows";
  const { relation, rowCount, drawn, mostCells = 2 ** 17, domain, ...options } = requireFields(
    "adaptiveMarginals",
    given,
    { shape: "list", relation: "relation", domain: "record?" },
  );
  requireKnown("call adaptiveMarginals()", given, [
    "rho",
    "epsilon",
    "delta",
    "shape",
    "relation",
    "rowCount",
    "drawn",
    "mostCells",
    "domain",
  ]);
  const shape = Array.from(options.shape);
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be add-remove-one or replace-one: current value is ${relation.name}`,
    );
  }
  requireInteger(action, "number of attributes", shape.length, { min: 1, max: 100 });
  requireInteger(action, "mostCells", mostCells, { min: 1, max: MOST_CELLS });
  shape.forEach((values, i) =>
    requireInteger(action, `shape[${i}]`, values, { min: 1, max: mostCells })
  );
  if (rowCount !== undefined) {
    requireInteger(action, "rowCount", rowCount, { min: 1, max: MOST_ROWS });
    if (relation === addRemoveOne) {
      throw new RangeError(
        `Cannot ${action}: rowCount must be left out where rows are added or removed, for their number is hidden: current value is ${rowCount}`,
      );
    }
  }
  if (drawn !== undefined) requireInteger(action, "drawn", drawn, { min: 0, max: MOST_DRAWN });
  const { claim, whole } = claimsOf(options, relation);
  requireNoise({ shape, relation, whole });
  const check = (data: Dataset<CodedRow>): void => {
    for (const row of data) {
      const isRight = row.length === shape.length && shape.every((values, i) => {
        const code = row[i]!;
        return Number.isInteger(code) && code >= 0 && code < values;
      });
      if (isRight) continue;
      throw new RangeError(
        `Cannot ${action}: each row must hold the code of each attribute's value, an integer from 0`,
      );
    }
  };
  return {
    name: "adaptive marginals",
    claim,
    ...(claim === whole ? {} : { alsoKeeps: [whole] }),
    ...(domain === undefined ? {} : { domain }),
    check,
    sample(data: Dataset<CodedRow>, source: Source): SyntheticRows {
      check(data);
      const budget = openBudget(whole), left = (): typeof budget.remaining => budget.remaining;
      const { model, measured } = adaptiveRounds((mechanism) => {
        budget.spend(mechanism.claim, mechanism.alsoKeeps);
        return mechanism.sample(data, source);
      }, { shape, relation, whole, left, rowCount, mostCells });
      const count = drawn ?? Math.min(MOST_UNASKED, Math.round(model.size));
      return { rows: drawRows(model, source, count), rowCount: model.size, measured };
    },
  };
}

/** The claim, and the one of which its parts add up: the claim itself, or ρ-zCDP that implies ε and δ. */
function claimsOf({ rho, epsilon, delta }: MarginalsCost, relation: Relation): {
  readonly claim: Mechanism["claim"];
  readonly whole: ReturnType<typeof pure> | ReturnType<typeof zcdp>;
} {
  if (rho === undefined && delta === undefined) {
    const whole = pure({ epsilon, relation });
    return { claim: whole, whole };
  }
  const whole = zcdp({ rho: rho ?? largestRho({ epsilon, delta: delta! }), relation });
  return rho === undefined
    ? { claim: approximate({ epsilon, delta: delta!, relation }), whole }
    : { claim: whole, whole };
}
