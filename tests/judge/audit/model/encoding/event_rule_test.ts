import { assert, assertEquals, assertThrows } from "@std/assert";
import { encoderOf } from "../../../../../lib/judge/audit/model/encoding/encoder.ts";
import { parseEvent } from "../../../../../lib/judge/audit/model/encoding/event_rule.ts";
import {
  type Feature,
  featuresOf,
  fillFeature,
} from "../../../../../lib/judge/audit/model/encoding/features.ts";
import {
  type Outputs,
  outputValues,
  packOutputs,
} from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const OPERATORS = {
  "<=": (x: number, t: number) => x <= t,
  ">": (x: number, t: number) => x > t,
  "=": (x: number, t: number) => x === t,
  "!=": (x: number, t: number) => x === x && x !== t,
} as const;

function outputsBy(make: (source: SeededSource) => unknown): Outputs {
  const source = new SeededSource(77);
  return packOutputs(Array.from({ length: 120 }, () => make(source)));
}
const small = (source: SeededSource): number => Math.floor(source.uniform() * 5) - 2;

/** Outputs of each kind that reports have rules about. */
const SHAPES: Readonly<Record<string, Outputs>> = {
  numbers: outputsBy((source) => small(source) / 8),
  vectors: outputsBy((source) => [small(source), small(source), small(source)]),
  "vectors with NaN": outputsBy((source) => [small(source), source.uniform() < 0.3 ? NaN : 1]),
  texts: outputsBy((source) => `rock and roll ${small(source)} of ${small(source)}`),
  words: outputsBy((source) =>
    ["yes", "no", "salt and pepper", "a = b"][small(source) + 2] ?? "no"
  ),
  booleans: outputsBy((source) => source.uniform() < 0.5),
  records: outputsBy((source) =>
    source.uniform() < 0.5
      ? { age: small(source), list: [{ b: 1 }] }
      : { age: 2, list: [{ b: 0 }], ill: "yes" }
  ),
  "lists of some lengths": outputsBy((source) =>
    Array.from({ length: 3 + small(source) }, () => "x")
  ),
  "numbers and errors": outputsBy((source) =>
    source.uniform() < 0.3 ? new Thrown(`error ${small(source)}`) : small(source)
  ),
  "numbers and nothing": outputsBy((source) => source.uniform() < 0.3 ? null : small(source)),
};

// Every feature and every value that it has, as events name them, on every output: the rule holds where the feature does.
for (const [shape, outputs] of Object.entries(SHAPES)) {
  Deno.test(`parseEvent() agrees with the features of reports: ${shape}`, () => {
    const encoder = encoderOf([outputs]), width = encoder.columns.length;
    const rows = encoder.encode(outputs), values = [...outputValues(outputs)];
    const column = new Float64Array(values.length);
    let compared = 0;
    const { columns, elements } = encoder;
    const conditions = columns.slice(0, elements).map((_, index) => ({
      index,
      threshold: -0.5 + index,
    }));
    const names = conditions.map(({ index, threshold }) =>
      `${columns[index]!.name} > ${threshold}`
    );
    const odd: Feature = {
      kind: "parity",
      conditions,
      among: 1,
      name: `odd(${names.join(", ")})`,
    };
    for (
      const feature of [
        ...featuresOf(encoder, { rows, centres: [0, 1] }),
        ...(elements > 0 ? [odd] : []),
      ]
    ) {
      fillFeature(feature, { rows, width, from: 0, to: values.length, out: column });
      const label = feature.kind === "category" ? encoder.columns[feature.index]!.label : undefined;
      if (label === undefined) {
        const rule = parseEvent(`${feature.name} is NaN`);
        values.forEach((value, i) => {
          assertEquals(
            rule(value),
            Number.isNaN(column[i]),
            `${feature.name} of ${JSON.stringify(value)}`,
          );
        });
      }
      for (const threshold of new Set(column.filter((x) => x === x))) {
        const names = label === undefined
          ? OPERATORS
          : { "=": OPERATORS["="], "!=": OPERATORS["!="] };
        for (const [operator, holds] of Object.entries(names)) {
          const text = `${feature.name} ${operator} ${label?.(threshold) ?? threshold}`;
          const rule = parseEvent(text);
          values.forEach((value, i) => {
            assertEquals(
              rule(value),
              holds(column[i]!, threshold),
              `${text} of ${JSON.stringify(value)}`,
            );
          });
          compared++;
        }
      }
    }
    assert(compared >= 2);
  });
}

Deno.test("parseEvent() joins conditions, and keeps the word and inside a text", () => {
  const both = parseEvent("output[0] <= 3 and output[1] = salt and pepper and output[2] > -1e-3");
  assert(both([3, "salt and pepper", 0]));
  for (const other of [[4, "salt and pepper", 0], [3, "salt", 0], [3, "salt and pepper", -1]]) {
    assert(!both(other));
  }
  assert(parseEvent("output.list[1].b = 2")({ list: [0, { b: 2 }] }));
  // What is inherited is not in the output.
  assert(!parseEvent("length(output.toString) <= 5")({}));
});

// Mutants: answers compared as numbers alone; a text taken for an answer of another word.
Deno.test("parseEvent() compares yes and no with true and false, and with 1 and 0", () => {
  const outputs = [true, false, "true", 1, null];
  const held = (rule: string): unknown[] => outputs.filter((output) => parseEvent(rule)(output));
  assertEquals(held("output = true"), [true, "true"]);
  assertEquals(held("output != true"), [false]);
  assertEquals(held("output = 1"), [true, 1]);
  assertEquals(held("output <= 0"), [false]);
  assert(parseEvent("output.old = false")({ old: false }));
});

Deno.test("parseEvent() refuses what is no rule, and names it", () => {
  for (
    const text of [
      "",
      "output",
      "output <= high",
      "outputs <= 3",
      "output is 3",
      "sum(output) = many",
      "kind(output) <= 3",
      "median(output) <= 3",
      "length(output - 1) > 2",
      "output[a] = 3",
      "output <= 3 or output > 5",
      "first(output > 3) <= 1",
    ]
  ) {
    const { message } = assertThrows(() => parseEvent(text), RangeError, "except must be a rule");
    assert(message.includes(text));
  }
});
