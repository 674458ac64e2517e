import type { Source } from "../../core/mechanism/source.ts";
import { type Prepared, readingInMemory, rowsAsked, type View } from "./ask.ts";
import { cellOf } from "./column_values.ts";
import type { Found, Plan } from "./engine/plan.ts";
import { type Cost, noisyTotals, priceOf } from "./noise.ts";
import { howMany, MISS } from "./grouped_questions.ts";
import type { GridMechanism } from "../mechanisms/grid_mechanism.ts";
import { type Answers, answersOf } from "./result.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";

/** Price of a count of different values, and the most values that a person may stand for. */
export type DistinctOptions = Cost & {
  /** Values that a person stands for, at most; the noise is as much wider. A row stands for its one. Default: 1. */
  readonly values?: number;
};

/** One total, and what draws it. */
export interface NoisyTotal {
  readonly total: Float64Array;
  readonly mechanism: GridMechanism<never, number[]>;
}

/** The number with noise. */
export function preparedDistinct(
  view: View,
  column: string,
  options: DistinctOptions,
): Prepared<Answers> & NoisyTotal {
  const action = "count values", { relation } = view.schema;
  const { values = 1, ...cost } = requireFields("distinct", options, {});
  requireInteger(action, "values", values, {
    min: 1,
    max: view.schema.person === undefined ? 1 : 2 ** 20,
  });
  const price = priceOf(action, cost as Cost, { relation, parts: 1, beside: ["values"] });
  const total = new Float64Array(1);
  const { mechanism, law } = noisyTotals(total, { price, sensitivity: { l1: values, l2: values } });
  // All rows of a person are looked at: it is bounded by what it stands for.
  const bounds = { groups: 1, rows: 1 };
  const plans = (source: Pick<Source, "uint32">): readonly Plan[] => [{
    ...rowsAsked(view, bounds, source),
    parts: [],
    clipped: undefined,
    wanted: { kind: "distinct", cell: cellOf(view.schema, column), values },
  }];
  const receive = ([found]: readonly Found[]): void => {
    if (found!.kind !== "distinct") {
      throw new TypeError(
        `Cannot answer: an engine must give a number: current kind is ${found!.kind}`,
      );
    }
    total[0] = found!.count;
  };
  return {
    total,
    mechanism,
    claim: price.claim,
    alsoKeeps: price.alsoKeeps,
    plans,
    receive,
    open: readingInMemory({ plans, receive }),
    draw: (source) => {
      const estimate = howMany.finish([law], MISS)(mechanism.sample([], source));
      return answersOf({
        name: "distinct",
        columns: [],
        rows: [{ key: [], ...estimate }],
        claim: price.claim,
      });
    },
  };
}
