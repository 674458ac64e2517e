import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { chapterFolder } from "../../proofs/engine/theorem_file.ts";
import { chapters, opening, theorems } from "../../proofs/book.ts";
import { bookText } from "../../proofs/engine/book_text.ts";
import { proofsReadme } from "../../proofs/engine/readme.ts";

const proofs = new URL("../../proofs/", import.meta.url);

/** The ids that prose names. */
function named(prose: string): string[] {
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
    .filter((code) => !code.startsWith("deno "));
}

// Mutants: a folder without a chapter; a theorem that is listed in two chapters, or in that of another folder.
Deno.test("every folder of theorems is a chapter, with each of its theorems once", () => {
  const folders = new Set(theorems.map(({ id }) => id.split("/")[0]));
  assertEquals(chapters.map(({ folder }) => folder).sort(), [...folders].sort());
  for (const { folder, theorems } of chapters) {
    assertEquals(theorems.filter(({ id }) => !id.startsWith(`${folder}/`)), []);
  }
  assertEquals(new Set(theorems).size, theorems.length);
  assertEquals(new Set(theorems.map(({ id }) => id)).size, theorems.length);
});

// Mutants: a chapter of two sentences; an id that was renamed; a false claim of a chapter that its prose does not name.
Deno.test("each chapter begins with a page of prose, which names theorems that there are", () => {
  const ids = new Set(theorems.map(({ id }) => id));
  for (const { folder, title, prose } of chapters) {
    const text = prose(), words = text.split(/\s+/).length;
    assert(words >= 150 && words <= 600, `${folder}: ${words} words`);
    assert(title.length > 0 && text.split("\n\n").length >= 3, folder);
    const codes = named(text);
    assert(codes.length > 1, folder);
    assertEquals(codes.filter((code) => !ids.has(code)), [], folder);
    assert(!/undefined|NaN|Infinity|\[object/.test(text), folder);
  }
});

/** Chapters of which nothing that was published falls: they are about falls, or about our own tools. */
const ABOUT_FALLS = ["definitions", "false_claims", "common_mistakes", "exact"];

/** What is false and was published. */
const FALSE = new Set(
  theorems.map(({ id }) => id).filter((id) => id.startsWith("false_claims/")),
);

// Mutant: a chapter that ends with its theorems.
Deno.test("a chapter says which published statement falls, and the opening names five of the false claims’ subjects", () => {
  for (const { folder, prose } of chapters) {
    const [, fall = ""] = prose().split("**What falls.**");
    if (ABOUT_FALLS.includes(folder)) continue;
    assert(named(fall).some((id) => id.startsWith("false_claims/")), folder);
  }
  const five = [...opening().matchAll(/^(\d)\. \*\*(.+?)\*\* .*Chapter “(.+?)”/gm)];
  assertEquals(five.map(([, number]) => number), ["1", "2", "3", "4", "5"]);
  for (const [item, , , chapter] of five) {
    assert(chapters.some(({ title }) => title === chapter), chapter);
    assert(named(item).length > 0, item);
    assertEquals(named(item).filter((id) => !FALSE.has(id)), [], item);
  }
});

/** A template without what is taken from the code. */
function literals(template: string): string {
  return template.replaceAll(/\$\{[^{}]*\}/g, "");
}

// Mutant: the loss of Algorithm 2 written into the prose as 3.23.
Deno.test("numbers that prose says were found are taken from the code", async () => {
  for (
    const file of [
      "book.ts",
      ...chapters.map(({ folder }) => `../${chapterFolder(folder)}/chapter.ts`),
    ]
  ) {
    const source = await Deno.readTextFile(new URL(file, proofs));
    const prose = [...source.matchAll(/return `((?:\\.|[^`\\])*)`/g)].map(([, text]) => text!);
    assertEquals(prose.length, 1, file);
    // Decimals of so many digits are what was found, and not what was asked.
    assertEquals(literals(prose[0]!).match(/\d+\.\d{2,}|\.\d{3,}/g) ?? [], [], file);
  }
});

// Mutants: a sentence that is the same for two theorems; a number that did not come out.
Deno.test("each theorem has something worth remembering, of its own", () => {
  const said = theorems.map(({ id, remember }) => {
    const text = remember();
    assert(text.length > 8 && !/undefined|NaN|Infinity|\d\.\d{9}/.test(text), `${id}: ${text}`);
    assert(/[.!]$/.test(text), `${id}: ${text}`);
    return text;
  });
  assertEquals(new Set(said).size, said.length);
});

// Mutants: theorems by their names; a chapter without its prose; a check before its statement.
Deno.test("bookText() has prose, then theorems: statement, source, what to remember, check", () => {
  const text = bookText(chapters, { opening: opening() });
  let at = 0;
  for (const { title, folder, theorems } of chapters) {
    for (const part of [`${title} (${folder})`, ...theorems.map(({ id }) => `\n  ${id}\n`)]) {
      const found = text.indexOf(part, at);
      assert(found >= at, part);
      at = found;
    }
  }
  const { id, statement, remember } = chapters[0]!.theorems[0]!;
  const section = text.slice(text.indexOf(`  ${id}\n`)).split("\n\n")[0]!;
  const places = [statement, "Source: ", remember(), "Check: "].map((part) =>
    section.indexOf(part)
  );
  assertEquals(places, [...places].sort((a, b) => a - b));
  assert(places[0]! > 0);
});

// Mutant: README.md with a chapter of before.
Deno.test("proofs/README.md is what deno task build proofs writes", async () => {
  assertEquals(await Deno.readTextFile(new URL("README.md", proofs)), proofsReadme());
  assertStringIncludes(proofsReadme(), "(dp/erm/chapter.ts)");
});
