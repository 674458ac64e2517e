import { assert, assertEquals } from "@std/assert";
import { theorems } from "../../proofs/book.ts";
import { prove } from "../../proofs/engine/prove.ts";
import { theoremFile } from "../../proofs/engine/theorem_file.ts";
import { falseClaim, type Outcome, theorem } from "../../proofs/engine/theorem.ts";

const atMostOne = (value: number): Outcome => ({
  holds: value <= 1,
  margin: value,
  detail: "value",
  ...(value <= 1 ? {} : { witness: `${value}` }),
});

const base = {
  id: "tests/example",
  statement: "The value is at most 1.",
  citation: "nobody",
  source: "tests",
  remember: () => "1 is 1",
  kind: "exact" as const,
  checked: "one number",
  check: atMostOne,
};

Deno.test("prove() accepts a theorem that holds when its mutants are rejected", async () => {
  const report = await prove([theorem({ ...base, subject: 1, mutants: { "two": 2 } })]);
  assert(report.ok);
  assertEquals(report.results[0]!.result, "holds");
  assertEquals(report.results[0]!.mutants, [{ name: "two", rejected: true }]);
});

Deno.test("prove() fails a theorem that is refuted, a mutant that survives, and one without mutants", async () => {
  assert(!(await prove([theorem({ ...base, subject: 1.5, mutants: { "two": 2 } })])).ok);
  assert(!(await prove([theorem({ ...base, subject: 1, mutants: { "two": 2, "half": 0.5 } })])).ok);
  assert(!(await prove([theorem({ ...base, subject: 1, mutants: {} })])).ok);
});

Deno.test("prove() wants a false claim refuted, with a corrected twin that holds", async () => {
  const claim = async (subject: number, corrected: number): Promise<boolean> =>
    (await prove([falseClaim({
      ...base,
      subject,
      corrected: { name: "less", subject: corrected },
      mutants: { "three": 3 },
    })])).ok;
  assert(await claim(2, 1));
  assert(!await claim(2, 1.1));
  assert(!await claim(1, 1));
});

Deno.test("an error in one check, mutant or twin fails that theorem and the run goes on", async () => {
  const check = (value: number): Outcome => {
    if (value === 0) throw new RangeError("value is 0");
    return atMostOne(value);
  };
  const corrected = { name: "less", subject: 1 };
  const mutants = { "three": 3 };
  const { ok, results } = await prove([
    theorem({ ...base, check, subject: 0, mutants }),
    theorem({ ...base, check, subject: 1, mutants: { "none": 0 } }),
    // A false claim is refuted by an outcome, not by an error.
    falseClaim({ ...base, check, subject: 0, corrected, mutants }),
    falseClaim({ ...base, check, subject: 2, corrected: { ...corrected, subject: 0 }, mutants }),
    theorem({ ...base, check, subject: 1, mutants }),
  ]);
  assert(!ok);
  assertEquals(results.map((each) => each.ok), [false, false, false, false, true]);
  const failed = "failed";
  assertEquals(results.map(({ result }) => result), [failed, failed, failed, failed, "holds"]);
  assertEquals(results[0]!.witness, "the check threw RangeError: value is 0");
  assertEquals(results[1]!.mutants, [{ name: "none", rejected: false }]);
  assertEquals(results[3]!.corrected?.holds, false);
});

Deno.test("every theorem has an id of its own, a statement, a citation, a source and a mutant", () => {
  assertEquals(new Set(theorems.map(({ id }) => id)).size, theorems.length);
  for (const each of theorems) {
    assert(/^[a-z_]+\/[a-z0-9_]+$/.test(each.id), each.id);
    for (const text of [each.statement, each.citation, each.source]) {
      assert(text.length > 3, each.id);
    }
    assert(each.mutants.length > 0, each.id);
    // A theorem names what of it is checked; a witness against a false claim needs no more.
    assert(each.expected === "refuted" || (each.checked ?? "").length > 3, each.id);
    assertEquals(
      each.expected === "refuted",
      /^(false_claims|common_mistakes)\//.test(each.id),
      each.id,
    );
    assertEquals(each.corrected !== undefined, each.expected === "refuted", each.id);
  }
});

const proofs = new URL("../../proofs/", import.meta.url);

/** Theorems that decide every case they name, and draw something else: what they draw it for. */
const DRAW_BESIDES: Readonly<Record<string, string>> = {
  "queries/subsample_and_aggregate": "coins of the shipped division, compared beside the cases",
};

// Mutant: generated matrices that are called exact.
Deno.test("a check that draws its cases does not say that it decides all of them", () => {
  for (const each of theorems) {
    const { id, kind } = each;
    if (kind === "sampled" || kind === "statistical") continue;
    const text = Deno.readTextFileSync(new URL(`../${theoremFile(each)}`, proofs));
    assertEquals(
      /new SeededSource\(|cleaningCases\(|\bgenerated[A-Z]\w*\(/.test(text),
      Object.hasOwn(DRAW_BESIDES, id),
      `${id} is ${kind}`,
    );
  }
});

// Mutants: a theorem that is not listed; a file without a theorem beside those with one.
Deno.test("every file of a chapter has theorems of the registry, and only those", () => {
  const stated = new Set(theorems.map(theoremFile));
  for (const member of ["core", "dp", "papers", "judge"]) {
    for (const { name: chapter } of Deno.readDirSync(new URL(`${member}/`, proofs))) {
      const folder = `${member}/${chapter}`;
      for (const { name, isFile } of Deno.readDirSync(new URL(`${folder}/`, proofs))) {
        const file = `proofs/${folder}/${name}`;
        if (name === "chapter.ts") continue;
        if (isFile) assert(stated.delete(file), `${file} is in no chapter`);
        else assertEquals(name, "checks", `${folder} has a folder besides checks`);
      }
    }
  }
  assertEquals([...stated], []);
});

/** What a check may use without running shipped code. */
const TOOLS = [
  "lib/core/random/seeded_source.ts",
  "lib/judge/exact/polynomial.ts",
  "lib/judge/exact/sturm.ts",
  "lib/judge/exact/interval.ts",
];

/** The modules of lib that a theorem and its shared checks import; the engine and the tools of proofs are no part of it. */
function importedBy(path: string, seen: Set<string>): void {
  if (seen.has(path) || /^proofs\/(engine|tools)\//.test(path)) return;
  seen.add(path);
  if (path.startsWith("lib/")) return;
  const text = Deno.readTextFileSync(new URL(`../${path}`, proofs));
  for (const [, from] of text.matchAll(/ from "(\.[^"]+)";/g)) {
    importedBy(new URL(from!, `file:///${path}`).pathname.slice(1), seen);
  }
}

// Mutants: a theorem on paper that calls a mechanism; one that says nothing of it.
Deno.test("a theorem says that it runs no shipped code just when it imports none", () => {
  for (const each of theorems) {
    const { id, onPaper = false } = each;
    const imported = new Set<string>();
    importedBy(theoremFile(each), imported);
    const shipped = [...imported].filter((path) =>
      path.startsWith("lib/") && !path.startsWith("lib/core/numeric/rational") &&
      // Elsewhere a tool; here what the theorem is about.
      (!TOOLS.includes(path) || id.startsWith("exact/") && path.startsWith("lib/judge/exact/"))
    );
    assertEquals(onPaper, shipped.length === 0, `${id}: ${shipped}`);
  }
});
