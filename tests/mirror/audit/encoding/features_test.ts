import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { encoderOf } from "../../../../lib/audit/encoding/encoder.ts";
import {
  type Feature,
  featuresOf,
  fillFeature,
  isCategorical,
} from "../../../../lib/audit/encoding/features.ts";
import { lowestBitExponent } from "../../../../lib/audit/encoding/lowest_bit_exponent.ts";

const there = (row: number[]): number[] => row.filter((x) => !Number.isNaN(x));

/** What each kind of feature is, written without regard to speed. */
function naive(feature: Feature, row: number[]): number {
  const elements = "elements" in feature ? row.slice(0, feature.elements) : row;
  switch (feature.kind) {
    case "column":
    case "category":
      return row[feature.index]!;
    case "difference":
      return row[feature.index]! - row[feature.index - 1]!;
    case "sum":
      return there(elements).reduce((a, b) => a + b, 0);
    case "minimum":
      return Math.min(...there(elements));
    case "maximum":
      return Math.max(...there(elements));
    case "argmin":
      return elements.indexOf(Math.min(...there(elements)));
    case "argmax":
      return elements.indexOf(Math.max(...there(elements)));
    case "present":
      return there(elements).length;
    case "repeats":
      return there(elements).length - new Set(there(elements)).size;
    case "countAbove":
      return elements.filter((x) => x > feature.value).length;
    case "countEqual":
      return elements.filter((x) => x === feature.value).length;
    case "firstEqual": {
      const place = elements.indexOf(feature.value);
      return place < 0 ? elements.length : place;
    }
    case "distance":
      return Math.abs(row[feature.index]! - feature.value);
    case "lowestBit":
      return lowestBitExponent(row[feature.index]! - feature.value);
    case "roundTrip":
      return row[feature.index]! - feature.value + feature.value === row[feature.index]! ? 1 : 0;
    case "parity":
      return feature.conditions.filter(({ index, threshold }) => row[index]! > threshold).length %
        2;
    case "score":
    case "row":
      throw new Error("learned ones have tests of their own");
  }
}

const number = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 2, -1) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity) },
  // −0 has a column of its own.
).map((x) => x + 0);

Deno.test("fillFeature() computes every kind of feature by its definition", () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }).chain((width) =>
        fc.array(fc.array(number, { minLength: width, maxLength: width }), {
          minLength: 4,
          maxLength: 40,
        })
      ),
      fc.nat(3),
      (table, skip) => {
        const width = table[0]!.length;
        const rows = Float64Array.from(table.flat());
        const encoder = encoderOf([{ kind: "block", width, values: rows }]);
        const features: Feature[] = featuresOf(encoder, { rows, centres: [0, 1, 0.3] });
        const conditions = Array.from(
          { length: Math.min(3, width) },
          (_, index) => ({ index: width - 1 - index, threshold: index }),
        );
        features.push({ kind: "distance", index: width - 1, value: 0.5, name: "distance" });
        features.push({ kind: "parity", conditions, among: 1, name: "odd" });
        for (const feature of features) {
          kinds.add(feature.kind);
          const out = new Float64Array(table.length);
          fillFeature(feature, { rows, width, from: skip, to: table.length, out });
          for (let i = skip; i < table.length; i++) {
            const row = table[i]!;
            if (feature.kind === "argmax" || feature.kind === "argmin") {
              if (there(row).length === 0 || row.includes(Infinity)) continue;
            }
            const expected = naive(feature, row);
            const got = out[i - skip]!;
            if (Number.isFinite(expected)) {
              assert(
                Math.abs(got - expected) <= 1e-9 * (1 + Math.abs(expected)),
                `${feature.name} of ${row} is ${got}, not ${expected}`,
              );
            } else assertEquals(got, expected, `${feature.name} of ${row}`);
          }
        }
      },
    ),
    { seed: 8, numRuns: 200 },
  );
  for (
    const kind of ["column", "difference", "sum", "minimum", "maximum", "argmax", "argmin"]
      .concat(
        "present",
        "repeats",
        "countAbove",
        "firstEqual",
        "countEqual",
        "lowestBit",
        "roundTrip",
      )
  ) assert(kinds.has(kind), `no feature of kind ${kind} was tried`);
});

Deno.test("featuresOf() names repeated values among many different ones as categories", () => {
  const rows = Float64Array.from({ length: 600 }, (_, i) => (i % 50 === 0 ? 7 : Math.sqrt(i)));
  const encoder = encoderOf([{ kind: "block", width: 1, values: rows }]);
  const kinds = featuresOf(encoder, { rows }).map(({ kind }) => kind);
  assert(kinds.includes("category"));
  const continuous = rows.map((x, i) => x + i * Math.PI);
  assert(!featuresOf(encoder, { rows: continuous }).some(isCategorical));
});

Deno.test("featuresOf() has features of bits only when given centres", () => {
  const rows = Float64Array.from({ length: 10 }, (_, i) => i + 0.5);
  const encoder = encoderOf([{ kind: "block", width: 1, values: rows }]);
  const bits = (centres?: number[]): number =>
    featuresOf(encoder, { rows, centres }).filter(({ kind }) =>
      kind === "lowestBit" || kind === "roundTrip"
    ).length;
  assertEquals(bits(), 0);
  assertEquals(bits([0, 3]), 3);
});
