import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import {
  addRemoveOne,
  asserted,
  type Relation,
  replaceOne,
} from "../../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import { rational, toNumber } from "../../../../lib/core/numeric/rational.ts";
import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  type CaseData,
  dataOf,
  type NeighbourCase,
  neighbourCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { ExactProgram, solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";

const highs = await solver();
const number = { type: "integer", min: -2, max: 2 } as const;
const vector = { type: "vector", length: 2, of: number } as const;

/** Whether some values of the variables make this pair of the case. */
function makes(each: NeighbourCase, left: unknown, right: unknown): boolean {
  const program = new ExactProgram(), columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    if (!columns.has(name)) columns.set(name, program.column({ free: true }));
    return columns.get(name)!;
  };
  const terms = (form: Affine): Map<number, ReturnType<typeof rational>> =>
    new Map([...form].filter(([name]) => name).map(([name, value]) => [columnOf(name), value]));
  const rest = (form: Affine): number => toNumber(form.get("") ?? rational(0));
  const equal = (data: CaseData, values: unknown): boolean => {
    const forms: Affine[] = [];
    dataOf(data, (form) => forms.push(form));
    const flat = (values as unknown[]).flat() as number[];
    if (forms.length !== flat.length) return false;
    forms.forEach((form, i) => program.equation(terms(form), rational(flat[i]! - rest(form))));
    return true;
  };
  if (!equal(each.left, left) || !equal(each.right, right)) return false;
  for (const { form } of each.premises) {
    const slack = program.column();
    program.equation(terms(form).set(slack, rational(-1)), rational(-rest(form)));
  }
  return program.solve(highs) !== undefined;
}

// Mutants: one place that is left out; changes in one direction; a bound that is tighter, or not met by rows at it; the pair one way round only.
Deno.test("neighbourCases() has every pair of neighbours of a domain, either way round, and no other", () => {
  const relations: [Relation, Domain["rows"][]][] = [
    [replaceOne, [number, vector]],
    [addRemoveOne, [number, vector]],
    ...["each", "one", "together"].map((which): [Relation, Domain["rows"][]] => [
      relationNamed(`change-${which}-by-1`)!,
      [number],
    ]),
  ];
  for (const [relation, specs] of relations) {
    for (const rows of specs) {
      const domain: Domain = { rows, size: { min: 1, max: 3 } };
      const cases = neighbourCases(domain, relation)!;
      // Rows at their bounds and changes at theirs are among the pairs.
      assert(cases.every(({ premises }) => premises.every(({ strict }) => !strict)));
      const row = rows.type === "vector"
        ? fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }))
        : fc.integer({ min: -2, max: 2 });
      const data = fc.array<unknown>(row, { minLength: 1, maxLength: 3 });
      // Neighbours and others: changes of a few rows, and lengths that differ by one.
      const pairs = fc.tuple(
        data,
        data,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: -1, max: 1 }),
        fc.boolean(),
      )
        .map(([left, other, place, by, longer]): [unknown[], unknown[]] => {
          if (rows.type !== "vector" && relation.name.startsWith("change")) {
            return [
              left,
              left.map((x, i) =>
                (x as number) + (i <= place ? by : (other[i] as number ?? 0) > 1 ? 1 : 0)
              ),
            ];
          }
          return longer
            ? [left, left.toSpliced(place, 0, other[0])]
            : [left, left.map((x, i) => i === place ? other[0] : x)];
        });
      let neighbours = 0;
      for (const [left, right] of fc.sample(pairs, { seed: 4, numRuns: 20 })) {
        for (const [a, b] of [[left, right], [right, left]] as const) {
          const inDomain = [a, b].every((all) =>
            all.length >= 1 && all.length <= 3 &&
            all.flat().every((x) => Math.abs(x as number) <= 2)
          );
          const expected = inDomain && relation.violation(a, b) === undefined;
          if (expected) neighbours++;
          assertEquals(
            cases.some((each) => makes(each, a, b)),
            expected,
            `${relation.name}: ${JSON.stringify([a, b])}`,
          );
        }
      }
      assert(neighbours > 7, `${relation.name}: ${neighbours}`);
    }
  }
});

Deno.test("neighbourCases() has none for rows and relations that it does not know", () => {
  const size = { min: 1, max: 2 };
  assertEquals(neighbourCases({ rows: { type: "boolean" }, size }, replaceOne), undefined);
  assertEquals(neighbourCases({ rows: number, size }, asserted), undefined);
  assertEquals(neighbourCases({ rows: number, size }, { ...replaceOne }), undefined);
  assertEquals(
    neighbourCases({ rows: vector, size }, relationNamed("change-each-by-1")!),
    undefined,
  );
});

Deno.test("neighbourCases() knows no cases of rows that are NaN, infinite or missing", () => {
  const size = { min: 1, max: 2 };
  const unit = { type: "number", min: 0, max: 1 } as const;
  for (const flag of [{ nan: true }, { infinite: true }, { missing: true }]) {
    const rows = { ...unit, ...flag };
    assertEquals(neighbourCases({ rows, size }, replaceOne), undefined);
    const lists = { type: "vector", length: 2, of: rows } as const;
    assertEquals(neighbourCases({ rows: lists, size }, replaceOne), undefined);
  }
  const missing = { type: "vector", length: 2, of: unit, missing: true } as const;
  assertEquals(neighbourCases({ rows: missing, size }, replaceOne), undefined);
  assert(neighbourCases({ rows: { ...unit, nan: false }, size }, replaceOne) !== undefined);
});
