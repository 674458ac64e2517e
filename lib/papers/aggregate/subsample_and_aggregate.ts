import { requireKnown } from "../../core/text/known_options.ts";
import { claimUnder } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";
import { randomInteger } from "../../core/random/random_integer.ts";
import { shuffle } from "../../core/random/shuffle.ts";

/** Options of subsample and aggregate. */
export interface SubsampleOptions<Row, Estimate, Output> {
  /** k, into how many parts the rows are divided: at least 1, and at most the rows that are replaced. */
  readonly blocks: number;
  /** Any estimator, private or not; it sees one block. */
  readonly estimator: (block: Dataset<Row>) => Estimate;
  /** Stands for a block that is empty, or whose estimate fails or cannot be aggregated. */
  readonly fallback: Estimate;
  /**
   * A mechanism on k estimates, private when one of them is replaced. An estimate is used where its `check` takes k
   * copies of it: k checks, so that the time grows with k² (4 seconds for 10,000 blocks).
   */
  readonly aggregator: Mechanism<Estimate, Output>;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/**
 * Subsample and aggregate (Nissim, Raskhodnikova, Smith 2007, section 4): rows are divided at random
 * into blocks, an estimator runs on each, and a private mechanism aggregates the estimates. A row is in
 * one block only, so one estimate changes, whatever the estimator: the claim is the aggregator's.
 * Release it with `release`.
 *
 * When rows are replaced, blocks are as equal in size as can be; when one is added or removed, each row
 * falls into a block by itself, so that the others stay where they are. The paper aggregates by smooth
 * sensitivity; here the aggregator is any mechanism that keeps its claim when one of k values is
 * replaced: `boundedMean`, `quantile`, `clampedVectorMean`, `pluralityVote`.
 *
 * @throws {RangeError} when an option is out of range, or at release there are fewer rows than blocks
 * and their number is public.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { subsampleAndAggregate } from "./subsample_and_aggregate.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { quantile } from "../../dp/mechanisms/quantile.ts";
 * import { release } from "../../dp/mechanisms/release.ts";
 * const spread = subsampleAndAggregate<number, number, number>({
 *   blocks: 20,
 *   estimator: (block) => Math.max(...block) - Math.min(...block),
 *   fallback: 0,
 *   aggregator: quantile({
 *     level: 0.5,
 *     bounds: { lower: 0, upper: 128 },
 *     epsilon: 1,
 *     relation: replaceOne,
 *   }),
 *   relation: replaceOne,
 * });
 * const rows = Array.from({ length: 200 }, (_, i) => i % 100);
 * release(spread, rows, { budget: openBudget(spread.claim) }); // near 80
 * ```
 */
export function subsampleAndAggregate<Row, Estimate, Output>(
  options: SubsampleOptions<
    Row,
    Estimate,
    Output
  >,
): Mechanism<Row, Output> {
  const { blocks, estimator, fallback, aggregator, relation, domain } = requireFields(
    "subsampleAndAggregate",
    options,
    { estimator: "function", aggregator: "record", relation: "relation", domain: "record?" },
  );
  requireKnown("call subsampleAndAggregate()", options, [
    "blocks",
    "estimator",
    "fallback",
    "aggregator",
    "relation",
    "domain",
  ]);
  const action = "subsample and aggregate";
  requireKind("subsampleAndAggregate", "aggregator.claim", aggregator.claim, "record");
  requireKind("subsampleAndAggregate", "aggregator.sample", aggregator.sample, "function");
  requireInteger(action, "blocks", blocks, { min: 1, max: 2 ** 24 });
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be add-remove-one or replace-one: current value is ${relation.name}`,
    );
  }
  if (aggregator.claim.relation !== replaceOne) {
    throw new RangeError(
      `Cannot ${action}: the aggregator's relation must be replace-one: current value is ${aggregator.claim.relation.name}`,
    );
  }
  const check = ({ length }: Dataset<Row>): void => {
    if (relation === replaceOne) requireInteger(action, "number of rows", length, { min: blocks });
  };
  const estimate = (block: Dataset<Row>): Estimate => {
    if (block.length === 0) return fallback;
    try {
      return estimator(block);
    } catch {
      return fallback;
    }
  };
  /** Judged by itself: if all were judged together, one estimate that changes could decide whether the others are used. */
  const usable = (value: Estimate): boolean => {
    try {
      aggregator.check?.(new Array<Estimate>(blocks).fill(value));
      return true;
    } catch {
      return false;
    }
  };
  if (!usable(fallback)) {
    throw new RangeError(
      `Cannot ${action}: fallback must be a value that the aggregator takes: current kind is ${typeof fallback}`,
    );
  }
  return {
    name: `subsample and aggregate (${aggregator.name})`,
    claim: claimUnder(aggregator.claim, { relation }),
    ...(aggregator.alsoKeeps && {
      alsoKeeps: aggregator.alsoKeeps.map((claim) => claimUnder(claim, { relation })),
    }),
    ...(domain === undefined ? {} : { domain }),
    check,
    sample(data, source): Output {
      check(data);
      const divided = relation === replaceOne
        ? equalBlocks(data, { blocks, source })
        : independentBlocks(data, { blocks, source });
      const estimates = divided.map(estimate);
      return aggregator.sample(estimates.map((value) => usable(value) ? value : fallback), source);
    },
  };
}

interface Division {
  readonly blocks: number;
  readonly source: Source;
}

/** Blocks whose sizes differ by at most one; which row goes where does not depend on the rows. */
function equalBlocks<Row>(data: Dataset<Row>, { blocks, source }: Division): Row[][] {
  const order = shuffle(source, Uint32Array.from({ length: data.length }, (_, i) => i));
  const divided = Array.from({ length: blocks }, (): Row[] => []);
  order.forEach((row, i) => divided[i % blocks]!.push(data[row]!));
  return divided;
}

/** Each row in a block of its own choice. */
function independentBlocks<Row>(data: Dataset<Row>, { blocks, source }: Division): Row[][] {
  const divided = Array.from({ length: blocks }, (): Row[] => []);
  for (const row of data) divided[randomInteger(source, { below: blocks })]!.push(row);
  return divided;
}
