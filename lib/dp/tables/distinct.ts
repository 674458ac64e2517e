import type { Prepared, View } from "./ask.ts";
import { keyOf } from "../schema/cells.ts";
import { largestMatching } from "./matching.ts";
import { type Cost, noisyTotals, priceOf } from "./noise.ts";
import { howMany } from "./questions.ts";
import type { GridMechanism } from "../mechanisms/grid_mechanism.ts";
import { type Answers, answersOf } from "./result.ts";
import type { Reader } from "./totals.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";

/** How many different values: what it costs, and how many a person may stand for. */
export type DistinctOptions = Cost & {
  /** Values that a person stands for, at most; the noise is as much wider. A row stands for its one. Default: 1. */
  readonly values?: number;
};

/** Finds how many values the units of a table stand for; it moves by at most `values` when one is added, removed or replaced. */
export function distinctReader(
  person: string | undefined,
  { column, values, found }: {
    readonly column: string;
    readonly values: number;
    readonly found: (count: number) => void;
  },
): Reader {
  const places = new Map<string, number>(), persons = new Map<string, Set<number>>();
  return {
    take: (row) => {
      const key = keyOf(row?.[column]);
      const who = person === undefined ? "" : keyOf(row?.[person]);
      if (key === undefined || who === undefined) return;
      let place = places.get(key);
      if (place === undefined) places.set(key, place = places.size);
      if (person === undefined) return;
      const own = persons.get(who);
      if (own === undefined) persons.set(who, new Set([place]));
      else own.add(place);
    },
    end: () => {
      if (person === undefined) return found(places.size);
      const valuesOf = Array.from(persons.values(), (own) => [...own]);
      found(largestMatching(valuesOf, { valueCount: places.size, most: values }));
    },
  };
}

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
  return {
    total,
    mechanism,
    claim: price.claim,
    alsoKeeps: price.alsoKeeps,
    open: () =>
      distinctReader(view.schema.person, { column, values, found: (count) => total[0] = count }),
    draw: (source) => {
      const estimate = howMany.finish([law], 1)(mechanism.sample([], source));
      return answersOf({
        name: "distinct",
        columns: [],
        rows: [{ key: [], ...estimate }],
        claim: price.claim,
      });
    },
  };
}
