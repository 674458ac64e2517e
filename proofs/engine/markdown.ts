import {
  countVerdicts,
  type Document,
  type DocumentStatement,
  ofNoDocument,
  theoremsOf,
  verdictOf,
} from "./documents.ts";
import { KINDS } from "./kinds.ts";
import type { ProofReport, ProofResult } from "./prove.ts";
import { countKinds, tally } from "./tally.ts";

/**
 * The report as a Markdown page: a table by folder, what each document says, and the witness of every refuted claim.
 *
 * @param documents those of which no theorem was run are left out
 */
export function proofMarkdown(report: ProofReport, documents: readonly Document[]): string {
  const { results, seed } = report;
  const { holds, refuted, unexpected } = tally(report);
  const lines = [
    // Tables of long cells are not worth padding.
    "<!-- deno-fmt-ignore-file -->",
    "",
    "# What `dpcheck prove` found",
    "",
    countKinds(results),
    "",
    "Written by `dpcheck prove --markdown`. Margin: the worst case found as a share of what is",
    "claimed (1 is tight, above 1 breaks the claim). Mutants: broken variants that the same check",
    "rejected. A claim that is refuted has a corrected twin, of which the same check holds. No margin stands",
    "where a check decides cases one by one.",
    "",
    `${holds} hold, ${refuted} are refuted, ${unexpected} are not as expected. Seed ${seed}.`,
    "",
    "A statement is checked for the cases that stand behind _Checked_, and for no others. Kinds of checks:",
    "",
    ...Object.entries(KINDS).map(([kind, meaning]) => `- ${kind}: ${meaning}.`),
    "",
  ];
  for (const folder of new Set(results.map(({ id }) => id.split("/")[0]!))) {
    lines.push(`## ${folder.replaceAll("_", " ")}`, "");
    lines.push("| theorem | statement | source | kind | result | margin | mutants |");
    lines.push("|---|---|---|---|---|---|---|");
    for (const result of results.filter(({ id }) => id.startsWith(`${folder}/`))) {
      lines.push(row(result));
    }
    lines.push("");
  }
  lines.push(...byDocument(results, documents), "## Witnesses", "");
  for (const { id, witness, detail, corrected } of results) {
    if (witness === undefined) continue;
    const twin = corrected === undefined ? "" : ` Corrected: ${corrected.name}.`;
    lines.push(`- \`${id}\`: ${cell(witness)}. (${cell(detail)}.)${cell(twin)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** What each document says, and what of it is checked by which theorem. */
function byDocument(results: readonly ProofResult[], documents: readonly Document[]): string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const lines = ["## By document", ""];
  for (const document of documents) {
    const { name, scope, statements, besides } = document;
    if (![...theoremsOf(document)].some((id) => byId.has(id))) continue;
    const verdicts = statements.map((each) => verdictOf(each, byId));
    lines.push(`### ${name}`, "", `${scope}. ${countVerdicts(verdicts)}.`, "");
    lines.push("| place | statement | checked by | result |", "|---|---|---|---|");
    for (const each of statements) {
      const { place, statement, notChecked, note } = each;
      const remarks = [verdictOf(each, byId), note, notChecked].filter((text) =>
        text !== undefined
      );
      lines.push(
        `| ${[place, statement, checkedBy(each), remarks.join(": ")].map(cell).join(" | ")} |`,
      );
    }
    lines.push("");
    if (besides.length > 0) {
      lines.push(`Besides, on its algorithms: ${codes(besides)}.`, "");
    }
  }
  const others = ofNoDocument(results, documents);
  if (others.length > 0) {
    lines.push("### Other papers, and what the library rests on besides", "");
    lines.push(`${codes(others.map(({ id }) => id))}.`, "");
  }
  return lines;
}

/** The theorems of a statement. */
function checkedBy(
  { checkedBy = [], refutedBy = [], oppositeRefutedBy = [] }: DocumentStatement,
): string {
  const parts: string[] = [];
  if (refutedBy.length > 0) parts.push(`refuted by ${codes(refutedBy)}`);
  if (checkedBy.length > 0) {
    parts.push(`${refutedBy.length > 0 ? "in its place " : ""}${codes(checkedBy)}`);
  }
  if (oppositeRefutedBy.length > 0) {
    parts.push(`its opposite is refuted: ${codes(oppositeRefutedBy)}`);
  }
  return parts.join("; ");
}

function codes(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(", ");
}

function row(result: ProofResult): string {
  const { id, statement, checked, citation, kind, margin, mutants, onPaper } = result;
  const rejected = mutants.filter(({ rejected }) => rejected).length;
  return "| " + [
    `\`${id.split("/").slice(1).join("/")}\``,
    cell(statement) + (checked === undefined ? "" : ` _Checked: ${cell(checked)}._`) +
    (onPaper ? " _Runs no shipped code._" : ""),
    cell(citation),
    kind,
    result.ok ? result.result : `**${result.result}, not as expected**`,
    shortMargin(margin),
    `${rejected}/${mutants.length}`,
  ].join(" | ") + " |";
}

/** A margin to four significant digits; nothing when there is none. */
export function shortMargin(margin: number): string {
  if (Number.isNaN(margin)) return "";
  if (margin === Infinity) return "∞";
  return margin < 1e6 ? String(Number(margin.toPrecision(4))) : margin.toExponential(3);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
