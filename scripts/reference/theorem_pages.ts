import { chapters, opening, theorems } from "../../proofs/book.ts";
import { ASSUMPTIONS } from "../../proofs/engine/book_text.ts";
import type { Chapter } from "../../proofs/engine/chapter.ts";
import { KINDS } from "../../proofs/engine/kinds.ts";
import { countKinds } from "../../proofs/engine/tally.ts";
import type { Theorem } from "../../proofs/engine/theorem.ts";
import { theoremFile } from "../../proofs/engine/theorem_file.ts";

/** The book of statements: its first page, a page for each chapter, and one for each theorem and each false claim, by their paths below out/reference. */
export function theoremPages(): Map<string, string> {
  return new Map([
    ["theorems.md", firstPage()],
    ...chapters.map((chapter, at): [string, string] => [
      `theorems/${chapter.folder}/README.md`,
      pageOfChapter(chapter, chapters[at + 1]),
    ]),
    ...theorems.map((each, at): [string, string] => [
      `theorems/${each.id}.md`,
      pageOfTheorem(each, { before: theorems[at - 1], next: theorems[at + 1] }),
    ]),
  ]);
}

const WRITTEN = "<!-- Written by deno task build reference. -->";

function firstPage(): string {
  return [
    WRITTEN,
    "",
    "# A book of statements",
    "",
    withLinks(opening(), "theorems/"),
    "",
    "## Chapters",
    "",
    ...chapters.map(({ folder, title, theorems }, at) =>
      `${at + 1}. [${title}](theorems/${folder}/README.md): ${theorems.length} statements`
    ),
    "",
    countKinds(theorems),
    "",
    "`deno task prove --book` prints the same in a terminal, `npx dpcheck prove ID` is run in a clone as `deno task prove ID`, and " +
    "`deno task prove --markdown FILE` writes a page with all margins.",
    "",
  ].join("\n");
}

function pageOfChapter({ folder, title, prose, theorems }: Chapter, next?: Chapter): string {
  return [
    WRITTEN,
    "",
    `# ${title}`,
    "",
    withLinks(prose(), "../"),
    "",
    "## Statements",
    "",
    ...theorems.flatMap(({ id, statement, remember, expected }) => [
      `- **[${titleOf(id)}](${nameOf(id)}.md)** ${
        expected === "refuted" ? "_False:_ " : ""
      }${statement} **Remember:** ${remember()}`,
    ]),
    "",
    "```sh",
    `deno task prove ${folder}`,
    "```",
    "",
    next === undefined
      ? "This is the last chapter. [Back to the beginning](../../theorems.md)"
      : `Next chapter: [${next.title}](../${next.folder}/README.md)`,
    "",
  ].join("\n");
}

/** Prose with a link wherever it names a theorem. */
function withLinks(prose: string, up: string): string {
  return prose.replaceAll(
    /`([a-z_]+\/[a-z0-9_]+)`/g,
    (whole, id) =>
      theorems.some((theorem) => theorem.id === id) ? `[${titleOf(id)}](${up}${id}.md)` : whole,
  );
}

function titleOf(id: string): string {
  return nameOf(id).replaceAll("_", " ");
}

function pageOfTheorem(
  each: Theorem,
  { before, next }: { readonly before: Theorem | undefined; readonly next: Theorem | undefined },
): string {
  const {
    id,
    statement,
    citation,
    source,
    assumptions,
    kind,
    checked,
    expected,
    mutants,
    remember,
  } = each;
  const up = "../".repeat(id.split("/").length + 2);
  const isFalse = expected === "refuted";
  const calls = [...shippedFiles(theoremFile(each))].sort()
    .map((path) => `[${path}](${up}${path})`);
  const { title } = chapters.find(({ theorems }) => theorems.includes(each))!;
  return [
    WRITTEN,
    "",
    `# ${titleOf(id)}`,
    "",
    isFalse ? `**A false claim:** ${statement}` : statement,
    "",
    ...(each.corrected === undefined ? [] : [`**True in its place:** ${each.corrected.name}.`, ""]),
    `**Worth remembering:** ${remember()}`,
    "",
    `- Citation: ${citation}`,
    `- Met in: ${source}`,
    ...assumptions.map((assumption) => `- ${ASSUMPTIONS[expected]}: ${assumption}`),
    "",
    "## The check",
    "",
    `- Kind: ${kind} (${KINDS[kind]})`,
    ...(checked === undefined ? [] : [`- Checked: ${checked}.`]),
    ...(each.onPaper ? ["- Runs no shipped code"] : []),
    ...(calls.length === 0 || each.onPaper
      ? []
      : [`- Shipped code that it calls: ${calls.join(", ")}`]),
    `- Source: [${theoremFile(each)}](${up}${theoremFile(each)})`,
    "",
    isFalse
      ? "It must refute the claim and accept what is true in its place. It rejects these variants too:"
      : "It must accept the theorem and reject these variants:",
    "",
    ...mutants.map(({ name }) => `- ${name}`),
    "",
    "```sh",
    `deno task prove ${id}`,
    "```",
    "",
    [
      `Chapter: [${title}](README.md)`,
      ...(before === undefined ? [] : [`before: [${titleOf(before.id)}](../${before.id}.md)`]),
      ...(next === undefined ? [] : [`next: [${titleOf(next.id)}](../${next.id}.md)`]),
    ].join(" · "),
    "",
  ].join("\n");
}

/** Folders of lib whose files nearly every check calls. */
const COMMON =
  /^lib\/core\/(claims|mechanism|numeric|relations|text)\/|^lib\/judge\/report\/|\/seeded_source\.ts$/;

/** The files of lib that a file calls, itself or through the checks that it shares with others. */
function shippedFiles(file: string, seen: Set<string> = new Set()): Set<string> {
  const text = Deno.readTextFileSync(new URL(`../../${file}`, import.meta.url));
  for (const [, specifier] of text.matchAll(/^import (?!type )[^;]*? from "(\.[^"]+)";/gm)) {
    const path = new URL(specifier!, `file:///${file}`).pathname.slice(1);
    if (seen.has(path) || COMMON.test(path)) continue;
    if (path.startsWith("lib/")) seen.add(path);
    else if (/^proofs\/(?!engine|tools)/.test(path)) shippedFiles(path, seen);
  }
  return seen;
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
