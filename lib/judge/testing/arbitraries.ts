import { requireFields, requireKind } from "../../core/numeric/require.ts";
import fc, { type Arbitrary } from "fast-check";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { randomPair, type SearchSpace, tryPair } from "../audit/search/mutate_pairs.ts";
import { cornerRows } from "../audit/search/row_values.ts";
import type { Dataset, Domain, RowSpec } from "../../core/relations/dataset.ts";
import { textLengths } from "../../core/relations/text_rows.ts";
import { OptionCheck } from "./option_check.ts";
import {
  addRemoveOne,
  type Pair,
  type Relation,
  replaceOne,
} from "../../core/relations/relation.ts";

const check: OptionCheck = new OptionCheck("make datasets");

/**
 * Returns datasets of a domain for fast-check: every size, corner values often.
 *
 * @example
 * ```ts
 * import fc from "fast-check";
 * import { datasets } from "@dpcheck/dpcheck/arbitraries";
 *
 * const ages = datasets<number>({
 *   rows: { type: "integer", min: 0, max: 120 },
 *   size: { min: 1, max: 20 },
 * });
 * fc.assert(fc.property(ages, (data) => data.every((age) => age >= 0 && age <= 120)));
 * ```
 */
export function datasets<Row = unknown>(options: Domain): Arbitrary<Dataset<Row>> {
  const { rows, size } = requireFields("datasets", options, { rows: "record", size: "record" });
  return fc.array(rowOf(rows), { minLength: size.min, maxLength: size.max }) as Arbitrary<
    Dataset<Row>
  >;
}

/**
 * Returns pairs of different neighbours in a domain for fast-check, under a relation or the name of one. Under {@linkcode replaceOne} and
 * {@linkcode addRemoveOne} one row is replaced or taken out; a relation that makes neighbours itself, as "user:patient", is asked
 * for them; under others answers are moved by as much as the relation allows, or less, all of them or one.
 *
 * @throws {RangeError} under another relation, when rows are not numbers, and when a relation makes no neighbours in the domain.
 *
 * @example
 * ```ts
 * import fc from "fast-check";
 * import { neighbours } from "@dpcheck/dpcheck/arbitraries";
 *
 * const pairs = neighbours({ rows: { type: "boolean" }, size: { min: 0, max: 9 } }, "add-remove-one");
 * fc.assert(
 *   fc.property(pairs, ({ left, right }) => Math.abs(left.length - right.length) === 1),
 * );
 * ```
 */
export function neighbours<Row = unknown>(
  domain: Domain,
  given: Relation | string,
): Arbitrary<Pair<Row>> {
  requireKind("neighbours", "domain", domain, "record");
  check.domain(domain);
  const relation = check.relation(given);
  const sides = relation === replaceOne
    ? replaced(domain)
    : relation === addRemoveOne
    ? resized(domain)
    : relation.neighbours !== undefined
    ? madeByRelation({ domain, relation })
    : moved(domain, relation);
  return sides
    .map(([left, right]) => tryPair({ domain, relation }, left, right))
    .filter((pair) => pair !== undefined)
    .map(printable) as Arbitrary<Pair<Row>>;
}

/** The pair, of which fast-check prints the datasets and the relation's name where a property fails. */
function printable(pair: Pair): Pair {
  const { left, right, relation } = pair;
  return Object.defineProperty(pair, fc.toStringMethod, {
    value: () =>
      `{ left: ${fc.stringify(left)}, right: ${
        fc.stringify(right)
      }, relation: "${relation.name}" }`,
  });
}

type Sides = Arbitrary<[Dataset, Dataset]>;

function replaced(domain: Domain): Sides {
  return fc.tuple(datasets(domain), rowOf(domain.rows), fc.nat()).map(([left, row, place]) => [
    left,
    left.length === 0 ? left : left.with(place % left.length, row),
  ]);
}

function resized(domain: Domain): Sides {
  return fc.tuple(datasets(domain), fc.nat(), fc.boolean()).map(([long, place, turned]) => {
    const short = long.toSpliced(long.length === 0 ? 0 : place % long.length, 1);
    return turned ? [short, long] : [long, short];
  });
}

/** The pairs that a relation makes, of seeds: fast-check makes none of them smaller. */
function madeByRelation(space: SearchSpace): Sides {
  const made = (seed: number): Pair | undefined => {
    const source = new SeededSource(seed).split("neighbours");
    return randomPair(space, source);
  };
  if (![0, 1, 2, 3].some((seed) => made(seed) !== undefined)) {
    throw new RangeError(
      `Cannot make neighbours under ${space.relation.name}: the domain must have some: none were found`,
    );
  }
  return fc.noShrink(fc.nat()).map(made).filter((pair) => pair !== undefined)
    .map(({ left, right }) => [left, right]);
}

function moved(domain: Domain, relation: Relation): Sides {
  const { rows } = domain;
  if (rows.type !== "number" && rows.type !== "integer") {
    throw new RangeError(
      `Cannot make neighbours under ${relation.name}: rows must be numbers: ` +
        `current value is ${rows.type}`,
    );
  }
  const integer = rows.type === "integer";
  const reach = reachOf(relation, { most: rows.max - rows.min, integer });
  const step = integer ? fc.integer({ min: -reach, max: reach }) : fc.oneof(
    fc.constantFrom(-reach, 0, reach),
    fc.double({ min: -reach, max: reach, noNaN: true }),
  );
  const size = { minLength: domain.size.min, maxLength: domain.size.max };
  const answers = fc.array(fc.tuple(rowOf(rows) as Arbitrary<number>, step), size);
  return fc.tuple(answers, fc.nat()).map(([moves, place]) => {
    const left = moves.map(([x]) => x);
    const all = moves.map(([x, by]) => Math.min(rows.max, Math.max(rows.min, x + by)));
    if (relation.violation(left, all) === undefined) return [left, all];
    const only = place % Math.max(1, left.length);
    return [left, left.map((x, i) => i === only ? all[i]! : x)];
  });
}

/** Finds how far one answer may move under a relation, by bisection; 1 where whole numbers move by 1 or more. */
function reachOf(
  relation: Relation,
  { most, integer }: { most: number; integer: boolean },
): number {
  const allowed = (by: number): boolean => relation.violation([0], [by]) === undefined;
  if (allowed(most)) return most;
  let low = 0, high = most;
  // To neighbouring doubles, for a reach may be small beside the range.
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (allowed(middle)) low = middle;
    else high = middle;
  }
  return integer ? Math.floor(low + 1e-9) : low;
}

/** How many code points are halves of others, and the first of them. */
const HALVES = 0x800, FIRST_HALF = 0xd800;

/** What `unit: "binary"` draws, which lists a million characters when it is first asked for. */
const CHARACTERS: Arbitrary<string> = fc.nat({ max: 0x10ffff - HALVES }).map(
  (place) => String.fromCodePoint(place < FIRST_HALF ? place : place + HALVES),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (point === undefined || text !== String.fromCodePoint(point)) {
      throw new TypeError("Cannot shrink a text: each unit must be one character");
    }
    return point < FIRST_HALF ? point : point - HALVES;
  },
);

/** Rows of a specification. */
function rowOf(spec: RowSpec): Arbitrary<unknown> {
  const rows = presentRow(spec);
  return spec.missing === true ? fc.option(rows, { nil: null }) : rows;
}

function presentRow(spec: RowSpec): Arbitrary<unknown> {
  switch (spec.type) {
    case "number":
      return fc.oneof(
        fc.constantFrom(...cornerRows(spec)),
        fc.double({ min: spec.min, max: spec.max, noNaN: true }),
      );
    case "integer":
      return fc.integer({ min: Math.ceil(spec.min), max: Math.floor(spec.max) });
    case "boolean":
      return fc.boolean();
    case "category":
      return fc.constantFrom(...spec.values);
    case "text": {
      const { min, max } = textLengths(spec.length)!;
      return fc.oneof(
        fc.constantFrom(...cornerRows(spec)),
        fc.string({ unit: CHARACTERS, minLength: min, maxLength: max }),
      );
    }
    case "vector":
      return fc.array(rowOf(spec.of), { minLength: spec.length, maxLength: spec.length })
        .map((row) => spec.norm === undefined ? row : withinNorm(row as number[], spec.norm));
    case "record":
      return fc.record(
        Object.fromEntries(Object.entries(spec.fields).map(([key, field]) => [key, rowOf(field)])),
      );
  }
}

function withinNorm(row: readonly number[], norm: number): number[] {
  const length = Math.hypot(...row);
  return length <= norm ? [...row] : row.map((x) => x * norm / length);
}
