import { assert, assertEquals } from "@std/assert";
import { audit } from "../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../lib/core/mod.ts";
import type { RowSpec } from "../../lib/core/relations/dataset.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { LONG } from "../long.ts";

// Programs that keep ε = 1 on ordinary rows, and what becomes of it on rows that domains forget: NaN, infinities, null, unseen texts. Broken
// ones are not refuted where the specification does not name these rows.

/** Laplace noise. */
function noise(source: Source, scale: number): number {
  return floatLaplace(source, new Float64Array(1), { scale })[0]!;
}

/** Audits of each program. */
const SEEDS = LONG ? 4 : 1;

/** The most draws of an audit: a few thousand find each of these leaks. */
const MAX_DRAWS = 8000;

interface Case {
  readonly name: string;
  readonly run: (data: never[], source: Source) => unknown;
  readonly rows: RowSpec;
  readonly relation?: Relation;
}

/** The verdict, and the pair of a counterexample. */
async function outcome(
  { name, run, rows, relation = replaceOne }: Case,
  seed: number,
): Promise<{ verdict: string; rows: unknown[] }> {
  const source = new SeededSource(`noise ${seed}`);
  const { verdict, pair } = await audit(functionSubject(run, { name, source }), {
    claim: pure({ epsilon: 1, relation }),
    domain: { rows, size: { min: 1, max: 4 } },
    maxDraws: MAX_DRAWS,
    alpha: 0.001,
    seed,
    shrink: false,
  });
  return { verdict, rows: [pair?.left ?? [], pair?.right ?? []].flat() as unknown[] };
}

const clipped = (x: number): number => Math.min(1, Math.max(0, x));
const unit = { type: "number", min: 0, max: 1 } as const;
const colours = ["red", "green"];
const record = (age: RowSpec): RowSpec => ({
  type: "record",
  fields: { age, ill: { type: "boolean" } },
});

const broken:
  readonly (Case & { readonly forgotten: RowSpec; isCulprit(row: unknown): boolean })[] = [
    {
      name: "a mean of at least one row that clips, but keeps NaN",
      run: (data: number[], source) =>
        data.reduce((sum, x) => sum + clipped(x), 0) / data.length +
        noise(source, 1 / data.length),
      rows: unit,
      forgotten: { ...unit, nan: true },
      isCulprit: Number.isNaN,
    },
    {
      name: "a sum that does not clip infinities",
      run: (data: number[], source) =>
        data.reduce((sum, x) => sum + (Number.isFinite(x) ? clipped(x) : x), noise(source, 1)),
      rows: unit,
      forgotten: { ...unit, infinite: true },
      isCulprit: (row) => row === Infinity || row === -Infinity,
    },
    {
      name: "a histogram by text with noise for the keys that it knows",
      run: (data: string[], source) => {
        const counts = new Map(colours.map((colour) => [colour, noise(source, 1)]));
        for (const text of data) counts.set(text, (counts.get(text) ?? noise(source, 1)) + 1);
        return Object.fromEntries(counts);
      },
      rows: { type: "category", values: colours },
      forgotten: { type: "text", length: "0..8", values: colours },
      relation: addRemoveOne,
      isCulprit: (row) => typeof row === "string" && !colours.includes(row),
    },
    {
      name: "a sum of a field that fails on null",
      run: (data: { age: number | null }[], source) => {
        const ages = data.map(({ age }) => age!.valueOf() / 120);
        return ages.reduce((sum, age) => sum + age, noise(source, 1));
      },
      rows: record({ type: "integer", min: 0, max: 120 }),
      forgotten: record({ type: "integer", min: 0, max: 120, missing: true }),
      isCulprit: (row) => (row as { age: unknown }).age === null,
    },
    {
      name: "a count that leaves at the empty text",
      run: (data: string[], source) => data.includes("") ? -1 : data.length + noise(source, 1),
      rows: { type: "text", length: "1..8" },
      forgotten: { type: "text", length: "0..8" },
      isCulprit: (row) => row === "",
    },
    {
      name: "a count of rows that fails where a row is null",
      run: (data: number[][], source) =>
        data.filter((row) => row[0]! > 0).length + noise(source, 1),
      rows: { type: "vector", length: 2, of: unit },
      forgotten: { type: "vector", length: 2, of: unit, missing: true },
      isCulprit: (row) => row === null,
    },
  ];

for (const { forgotten, isCulprit, ...own } of broken) {
  Deno.test(`audit() refutes ${own.name}, where the rows are named`, async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const { verdict, rows } = await outcome({ ...own, rows: forgotten }, seed);
      assertEquals(verdict, "refuted", `seed ${seed}`);
      assert(rows.some(isCulprit), `seed ${seed}: ${rows}`);
    }
    // Where they are not named it keeps its claim: other tests have false alarms.
    if (LONG) assertEquals((await outcome(own, 0)).verdict, "not-refuted");
  });
}

// Each audit refutes a true claim with probability at most 0.001: three of them raise a false alarm with at most 0.3%.
Deno.test("audit() does not refute what keeps its claim on NaN, infinities, null and unseen texts", async () => {
  const kept: readonly Case[] = [
    {
      name: "a sum that clips NaN and infinities",
      run: (data: (number | null)[], source) =>
        data.reduce<number>(
          (sum, x) => sum + (x === null || Number.isNaN(x) ? 0 : clipped(x)),
          noise(source, 1),
        ),
      rows: { ...unit, nan: true, infinite: true, missing: true },
    },
    {
      name: "a histogram of the keys that it knows",
      run: (data: string[], source) =>
        colours.map((colour) => data.filter((text) => text === colour).length + noise(source, 1)),
      rows: { type: "text", length: "0..8", values: colours, missing: true },
      relation: addRemoveOne,
    },
    {
      name: "a count of ages",
      run: (data: { age: number | null }[], source) =>
        data.filter(({ age }) => age !== null && age >= 18).length + noise(source, 1),
      rows: record({ type: "integer", min: 0, max: 120, missing: true }),
      relation: addRemoveOne,
    },
  ];
  for (const one of kept) {
    for (let seed = 0; seed < SEEDS; seed++) {
      assertEquals((await outcome(one, seed)).verdict, "not-refuted", one.name);
    }
  }
});
