import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import { exponentialMechanism } from "../../dp/mechanisms/exponential_mechanism.ts";

/** Options of the generic learner. */
export interface PrivateLearnerOptions<Row, Hypothesis> {
  /** The finite class to choose from, fixed without looking at the data. */
  readonly hypotheses: readonly Hypothesis[];
  /** Returns true if a hypothesis is wrong about a row. */
  readonly errs: (hypothesis: Hypothesis, row: Row) => boolean;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/**
 * The generic private learner of a finite class (Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith
 * 2008, section 3): a hypothesis with probability ∝ exp(−(ε/2)·mistakes), by the exponential mechanism
 * with exact choice. Between neighbours a number of mistakes moves by at most 1, whatever the class is;
 * time is proportional to hypotheses times rows. Release it with `release`.
 *
 * If neighbours add or remove a row, all numbers of mistakes move in the same direction, and ε in place of
 * ε/2 keeps the claim: the learner uses it. `privateLearnerRows` returns how many rows are enough.
 *
 * @throws {RangeError} when an option is out of range.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { privateLearner } from "./private_learner.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { release } from "../../dp/mechanisms/release.ts";
 * const thresholds = privateLearner<{ x: number; positive: boolean }, number>({
 *   hypotheses: [0, 0.25, 0.5, 0.75, 1],
 *   errs: (threshold, { x, positive }) => (x >= threshold) !== positive,
 *   epsilon: 1,
 *   relation: replaceOne,
 * });
 * const rows = Array.from({ length: 200 }, (_, i) => ({ x: i / 200, positive: i >= 100 }));
 * release(thresholds, rows, { budget: openBudget(thresholds.claim) }); // most likely 0.5
 * ```
 */
export function privateLearner<Row, Hypothesis>(
  options: PrivateLearnerOptions<Row, Hypothesis>,
): Mechanism<Row, Hypothesis> {
  const { hypotheses, errs, epsilon, relation, domain } = requireFields("privateLearner", options, {
    hypotheses: "list",
    errs: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call privateLearner()", options, [
    "hypotheses",
    "errs",
    "epsilon",
    "relation",
    "domain",
  ]);
  requireInteger("make a private learner", "length of hypotheses", hypotheses.length, { min: 1 });
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot make a private learner: relation must be add-remove-one or replace-one: current value is ${relation.name}`,
    );
  }
  return {
    ...exponentialMechanism<Row, Hypothesis>({
      candidates: hypotheses,
      utilities: (rows) => hypotheses.map((hypothesis) => -mistakes(rows, hypothesis, errs)),
      epsilon,
      sensitivity: 1,
      monotone: relation === addRemoveOne,
      relation,
      ...(domain === undefined ? {} : { domain }),
    }),
    name: "private learner",
  };
}

function mistakes<Row, Hypothesis>(
  rows: Dataset<Row>,
  hypothesis: Hypothesis,
  errs: (hypothesis: Hypothesis, row: Row) => boolean,
): number {
  return rows.reduce((sum, row) => errs(hypothesis, row) ? sum + 1 : sum, 0);
}
