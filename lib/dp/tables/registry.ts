import type { Domain } from "../../core/relations/dataset.ts";
import { addRemoveOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  mechanismNamed,
  mechanismNames,
  type RegisteredMechanism,
  type RegistryOptions,
} from "../mechanisms/registry.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import { askedOf, type Prepared, type Request, type View } from "./ask.ts";
import type { Row } from "../schema/cells.ts";
import { preparedDistinct } from "./distinct.ts";
import { binKeys, combinedKeys, type Keys, ONE_GROUP } from "./keys.ts";
import { askedQuantiles } from "./quantiles.ts";
import { checkSchema } from "./schema.ts";
import { askedKeys } from "./select_keys.ts";

/** Up to four rows in two groups, with a number in [0, 1]. */
const fewRows: Domain = {
  rows: {
    type: "record",
    fields: {
      group: { type: "category", values: ["a", "b"] },
      number: { type: "number", min: 0, max: 1 },
    },
  },
  size: { min: 0, max: 4 },
};

const view: View = {
  schema: checkSchema({
    columns: {
      group: { type: "category", values: ["a", "b"] },
      number: { type: "number", lower: 0, upper: 1 },
    },
    unit: "row",
    relation: addRemoveOne,
    // Each question says what it costs, and none is paid for here.
    budget: { epsilon: 1 },
  }),
  bounds: { groups: 1, rows: 1 },
};

const byGroup: Keys = combinedKeys(view.schema, ["group"], {});

type Made = Pick<RegisteredMechanism, "claim" | "sample"> & Partial<RegisteredMechanism>;

/** What is released of a question is computed from what a sampler draws behind the last row. */
function reading<Output>(
  { claim, alsoKeeps, open }: Omit<Prepared<unknown>, "draw">,
  draw: (source: Source) => Output,
): Made {
  return {
    claim,
    ...(alsoKeeps.length > 0 && { alsoKeeps }),
    sample(data, source): Output {
      read(open, data as readonly Row[], source);
      return draw(source);
    },
  };
}

function read(open: Prepared<unknown>["open"], rows: readonly Row[], source: Source): void {
  const { take, end } = open(source);
  for (const row of rows) take(row);
  end();
}

/** The noisy totals that answers and intervals follow from. */
function totals(request: Request, keys: Keys, epsilon: number): Made {
  const { noisy, ...asked } = askedOf(view, keys, { ...request, cost: { epsilon } });
  const groupCount = keys.keys.length;
  return {
    ...reading(asked, (source) => noisy.flatMap(({ mechanism }) => mechanism.sample([], source))),
    logDensity(output, data): number {
      // No person is chosen from where rows are units.
      read(asked.open, data as readonly Row[], undefined as never);
      return noisy.reduce((sum, { mechanism }, i) => {
        const part = (output as number[]).slice(i * groupCount, (i + 1) * groupCount);
        return sum + mechanism.logDensity!(part, []);
      }, 0);
    },
  };
}

const questions: Readonly<Record<string, (epsilon: number, delta: () => number) => Made>> = {
  "table-count": (epsilon) => totals({ what: "count" }, byGroup, epsilon),
  "table-histogram": (epsilon) =>
    totals({ what: "count" }, binKeys(view.schema, "number", [0, 0.5, 1]), epsilon),
  "table-sum": (epsilon) => totals({ what: "sum", column: "number" }, byGroup, epsilon),
  "table-mean": (epsilon) => totals({ what: "mean", column: "number" }, byGroup, epsilon),
  "table-variance": (epsilon) => totals({ what: "variance", column: "number" }, ONE_GROUP, epsilon),
  "table-distinct": (epsilon) => {
    const { total: _, mechanism, ...asked } = preparedDistinct(view, "group", { epsilon });
    return {
      ...reading(asked, (source) => mechanism.sample([], source)),
      logDensity(output, data): number {
        read(asked.open, data as readonly Row[], undefined as never);
        return mechanism.logDensity!(output as number[], []);
      },
    };
  },
  "table-quantiles": (epsilon) => {
    const asked = askedQuantiles(view, {
      keys: ONE_GROUP,
      column: "number",
      bounds: { groups: 1, rows: 1 },
      levels: [0.25, 0.75],
      epsilon,
    });
    return reading(
      asked,
      (source) =>
        asked.draw(source).rows.flatMap(({ value, lower, upper }) => [value, lower!, upper!]),
    );
  },
  "table-keys": (epsilon, delta) => {
    const { draw, rule, units, ...asked } = askedKeys(view, {
      column: "group",
      bounds: { groups: 1, rows: 1 },
      rule: "optimal",
      epsilon,
      delta: delta(),
    });
    return {
      ...reading(asked, draw),
      distribution(data): { output: readonly string[]; probability: number }[] {
        read(asked.open, data as readonly Row[], undefined as never);
        const [a, b] = ["a", "b"].map((key) => rule.probability(units.get(key) ?? 0));
        return [
          { output: [], probability: (1 - a!) * (1 - b!) },
          { output: ["a"], probability: a! * (1 - b!) },
          { output: ["b"], probability: (1 - a!) * b! },
          { output: ["a", "b"], probability: a! * b! },
        ];
      },
    };
  },
};

/** The names that {@linkcode shippedNamed} knows: all mechanisms, and questions about tables. */
export const shippedNames: readonly string[] = [...mechanismNames, ...Object.keys(questions)];

/**
 * A shipped mechanism by name ({@linkcode mechanismNamed}), or a question about tables as one: of up to four rows in two groups, one of which is added or
 * removed. Of counts, sums, means, variances and different values it gives the noisy totals, from which answers and intervals follow. Its output does not depend on
 * rows that earlier calls read. This list stands here and not with mechanisms, which must not know tables.
 *
 * @throws {RangeError} as {@linkcode mechanismNamed} does.
 *
 * @example
 * ```ts
 * import { shippedNamed } from "./registry.ts";
 * shippedNamed("table-mean", { epsilon: 0.5 }).domain;
 * ```
 */
export function shippedNamed(name: string, options: RegistryOptions): RegisteredMechanism {
  const question = Object.hasOwn(questions, name) ? questions[name] : undefined;
  if (question === undefined) return mechanismNamed(name, options);
  const { epsilon, delta } = requireFields("shippedNamed", options, {});
  requirePositive(`make ${name}`, "epsilon", epsilon);
  return {
    ...question(epsilon, () => {
      if (delta !== undefined) return delta;
      throw new RangeError(`Cannot make ${name}: delta must be given: current value is undefined`);
    }),
    name,
    domain: fewRows,
  };
}
