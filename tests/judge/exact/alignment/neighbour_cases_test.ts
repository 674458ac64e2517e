import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import {
  addRemoveOne,
  asserted,
  type Relation,
  replaceOne,
} from "../../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  type CaseData,
  dataOf,
  type NeighbourCase,
  neighbourCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { toNumber } from "../../../../lib/core/numeric/rational.ts";
import { requireEqual, requireThat } from "../../../../proofs/engine/requirement.ts";

const number = { type: "integer", min: -1, max: 2 } as const;

const vector = {
  type: "vector",
  length: 2,
  of: { type: "integer", min: 0, max: 1 },
} as const;

/** Its numbers come after a field of two values and before one of three. */
const recordRows = {
  type: "record",
  fields: {
    ill: { type: "boolean" },
    age: { type: "integer", min: 0, max: 2 },
    city: { type: "category", values: ["a", null] },
    pay: { type: "number", min: -1, max: 1 },
  },
} as const;

const recordValues = [
  { ill: false, age: 1, city: "a", pay: -1 },
  { ill: false, age: 2, city: "a", pay: 1 },
  { ill: true, age: 2, city: null, pay: 1 },
  { ill: true, age: 0, city: "a", pay: 0.5 },
  { ill: true, age: 3, city: "a", pay: 0 },
  { ill: true, age: 1, city: "b", pay: 0 },
];

function isOfRecords(row: unknown): boolean {
  const { age, city } = row as { age: number; city: unknown };
  return age <= 2 && city !== "b";
}

// Mutants: the row that changes keeps its fields; a field's range is that of the first; one kind alone of a row that is added.
Deno.test("neighbourCases() has every pair of neighbours of a domain, either way round, and no other", () => {
  const relations: [Relation, Domain["rows"]][] = [
    [replaceOne, number],
    [replaceOne, vector],
    [addRemoveOne, number],
    [addRemoveOne, vector],
    [replaceOne, recordRows],
    [addRemoveOne, recordRows],
    ...["each", "one", "together"].map((which): [Relation, Domain["rows"]] => [
      relationNamed(`change-${which}-by-1`)!,
      number,
    ]),
  ];
  for (const [relation, rows] of relations) {
    const domain: Domain = { rows, size: { min: 0, max: 2 } };
    const cases = neighbourCases(domain, relation)!;
    requireEqual(new Set(cases.map(({ name }) => name)).size, cases.length, "names");
    // Rows at their bounds and changes at theirs are among the pairs.
    requireThat(cases.every(({ premises }) => premises.every(({ strict }) => !strict)), "strict");
    const none = neighbourCases({ rows, size: { min: 0, max: 0 } }, relation)!;
    requireEqual(none.length, 0, "cases of no rows, none of which has a neighbour");
    const values: unknown[] = rows.type === "record"
      ? recordValues
      : rows.type === "vector"
      ? [[0, 0], [0, 1], [1, 1], [0, 2]]
      : [-1, 0, 0.5, 1, 2, 3];
    const datasets: unknown[][] = [
      [],
      ...values.map((a) => [a]),
      ...values.flatMap((a) => values.map((b) => [a, b])),
    ];
    const inDomain = (data: readonly unknown[]): boolean =>
      rows.type === "record"
        ? data.every(isOfRecords)
        : data.flat().every((x) =>
          (x as number) >= (rows.type === "vector" ? 0 : -1) &&
          (x as number) <= (rows.type === "vector" ? 1 : 2)
        );
    let neighbours = 0;
    for (const left of datasets) {
      for (const right of datasets) {
        // Equal datasets lose nothing.
        if (JSON.stringify(left) === JSON.stringify(right)) continue;
        const expected = inDomain(left) && inDomain(right) &&
          relation.violation(left, right) === undefined;
        if (expected) neighbours++;
        requireEqual(
          cases.some((each) => makes(each, left, right)),
          expected,
          `${relation.name}: ${JSON.stringify([left, right])}`,
        );
      }
    }
    requireThat(neighbours > 20, `${relation.name}: ${neighbours}`);
  }
  const size = { min: 1, max: 2 };
  for (
    const [rows, relation] of [
      [{ type: "boolean" }, replaceOne],
      [{ type: "vector", length: 2, of: { type: "boolean" } }, replaceOne],
      [number, asserted],
      [number, { ...replaceOne }],
      [number, { ...replaceOne, name: "other" }],
      [vector, relationNamed("change-each-by-1")!],
      [recordRows, relationNamed("change-each-by-1")!],
      [{ type: "record", fields: { ill: { type: "boolean" } } }, replaceOne],
      [
        { type: "record", fields: { age: number, name: { type: "text", length: "0..2" } } },
        replaceOne,
      ],
    ] as [Domain["rows"], Relation][]
  ) requireEqual(neighbourCases({ rows, size }, relation), undefined, relation.name);
  const half = neighbourCases(
    { rows: number, size: { min: 1, max: 1 } },
    relationNamed("change-one-by-0.5")!,
  )!;
  requireThat(makes(half[0]!, [0], [0.5]) && !makes(half[0]!, [0], [0.75]), "changes of a half");
});

Deno.test("neighbourCases() knows no cases of rows that are NaN, infinite or missing", () => {
  const size = { min: 1, max: 2 };
  const unit = { type: "number", min: 0, max: 1 } as const;
  for (const flag of [{ nan: true }, { infinite: true }, { missing: true }]) {
    const rows = { ...unit, ...flag };
    requireEqual(neighbourCases({ rows, size }, replaceOne), undefined);
    const lists = { type: "vector", length: 2, of: rows } as const;
    requireEqual(neighbourCases({ rows: lists, size }, replaceOne), undefined);
  }
  const missing = { type: "vector", length: 2, of: unit, missing: true } as const;
  requireEqual(neighbourCases({ rows: missing, size }, replaceOne), undefined);
  requireThat(
    neighbourCases({ rows: { ...unit, nan: false }, size }, replaceOne) !== undefined,
    "no NaN",
  );
});

/** The numbers and values of rows, in order. */
function partsOf(data: unknown): unknown[] {
  return (data as unknown[]).flatMap((row) =>
    typeof row !== "object" || row === null || row instanceof Map
      ? [row]
      : Array.isArray(row)
      ? row
      : Object.values(row)
  );
}

/** Whether some values of the variables make this pair of the case: each stands alone somewhere. */
function makes(each: NeighbourCase, left: unknown, right: unknown): boolean {
  const values = new Map<string, number>();
  const at = (form: Affine): number =>
    [...form].reduce(
      (sum, [name, value]) => sum + toNumber(value) * (name === "" ? 1 : values.get(name)!),
      0,
    );
  const pairs: (readonly [Affine, number])[] = [];
  const match = (data: CaseData, given: unknown): boolean => {
    const forms: Affine[] = [];
    const shape = dataOf(data, (form) => (forms.push(form), form));
    const flat = partsOf(given), parts = partsOf(shape);
    if ((shape as unknown[]).length !== (given as unknown[]).length) return false;
    // What is no form is the same.
    const places = parts.flatMap((part, i) => part instanceof Map ? [i] : []);
    places.forEach((place, i) => pairs.push([forms[i]!, flat[place] as number]));
    return parts.length === flat.length && forms.length === places.length &&
      parts.every((part, i) => part instanceof Map || part === flat[i]);
  };
  if (!match(each.left, left) || !match(each.right, right)) return false;
  for (const [form, value] of pairs) if (form.size === 1) values.set([...form.keys()][0]!, value);
  for (const [form, value] of pairs) {
    const open = [...form.keys()].filter((name) => !values.has(name));
    if (open.length === 1) {
      values.set(open[0]!, 0);
      values.set(open[0]!, value - at(form));
    }
  }
  return pairs.every(([form, value]) => at(form) === value) &&
    each.premises.every(({ form }) => at(form) >= 0);
}
