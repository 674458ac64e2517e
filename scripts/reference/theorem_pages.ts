import { theorems } from "../../proofs/all.ts";
import { KINDS } from "../../proofs/engine/kinds.ts";
import { countKinds } from "../../proofs/engine/tally.ts";
import type { Theorem } from "../../proofs/engine/theorem.ts";

/** A page for each theorem and each false claim, by its path below out/reference, and the page that lists them. */
export function theoremPages(): Map<string, string> {
  const pages = new Map(theorems.map((each) => [`theorems/${each.id}.md`, pageOfTheorem(each)]));
  pages.set("theorems.md", listOfTheorems());
  return pages;
}

function listOfTheorems(): string {
  const folders = [...new Set(theorems.map(({ id }) => folderOf(id)))];
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    "# Theorems",
    "",
    countKinds(theorems),
    "",
    "`npx dpcheck prove ID` is run in a clone as `deno task prove ID`; `deno task prove --markdown FILE` writes a page with all margins.",
    "",
    ...folders.flatMap((folder) => [
      `## ${folder.replaceAll("_", " ")}`,
      "",
      ...theorems.filter(({ id }) => folderOf(id) === folder)
        .map(({ id, statement }) => `- [${nameOf(id)}](theorems/${id}.md): ${statement}`),
      "",
    ]),
  ].join("\n");
}

function pageOfTheorem(each: Theorem): string {
  const {
    id,
    file = id,
    statement,
    citation,
    source,
    assumptions,
    kind,
    checked,
    expected,
    mutants,
  } = each;
  const up = "../".repeat(id.split("/").length + 2);
  const isFalse = expected === "refuted";
  const calls = [...shippedFiles(`proofs/${file}.ts`)].sort()
    .map((path) => `[${path}](${up}${path})`);
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    `# ${nameOf(id).replaceAll("_", " ")}`,
    "",
    isFalse ? `A false claim: ${statement}` : statement,
    "",
    `- Citation: ${citation}`,
    `- Met in: ${source}`,
    ...assumptions.map((assumption) => `- Holds under: ${assumption}`),
    `- Kind of check: ${kind} (${KINDS[kind]})`,
    ...(checked === undefined ? [] : [`- Checked: ${checked}.`]),
    ...(each.corrected === undefined ? [] : [`- Corrected: ${each.corrected.name}`]),
    ...(each.onPaper ? ["- Runs no shipped code"] : []),
    ...(calls.length === 0 || each.onPaper
      ? []
      : [`- Shipped code that it calls: ${calls.join(", ")}`]),
    `- Source: [proofs/${file}.ts](${up}proofs/${file}.ts)`,
    "",
    isFalse
      ? "The check must refute the claim and accept its corrected twin. It rejects these variants too:"
      : "The check must accept the theorem and reject these variants:",
    "",
    ...mutants.map(({ name }) => `- ${name}`),
    "",
    "```sh",
    `deno task prove ${id}`,
    "```",
    "",
  ].join("\n");
}

/** Folders of lib whose files nearly every check calls. */
const COMMON = /^lib\/(core|numeric|report)\/|\/seeded_source\.ts$/;

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

function folderOf(id: string): string {
  return id.slice(0, id.lastIndexOf("/"));
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
