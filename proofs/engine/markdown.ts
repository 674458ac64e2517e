import { byDocument } from "./documents.ts";
import { KINDS } from "./kinds.ts";
import type { ProofReport, ProofResult } from "./prove.ts";
import { tally } from "./tally.ts";

/** The report as a Markdown page: a table by folder, then the witness of every refuted claim. */
export function proofMarkdown(report: ProofReport): string {
  const { results, seed } = report;
  const { holds, refuted, unexpected } = tally(report);
  const lines = [
    // Tables of long cells are not worth padding.
    "<!-- deno-fmt-ignore-file -->",
    "",
    "# What `dpcheck prove` found",
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
  lines.push("## By document", "");
  for (const { name, results: of } of byDocument(results)) {
    if (of.length === 0) continue;
    lines.push(`- **${name}**: ${of.map(({ id, result }) => `${id} (${result})`).join(", ")}.`);
  }
  lines.push("", "## Witnesses", "");
  for (const { id, witness, detail, corrected } of results) {
    if (witness === undefined) continue;
    const twin = corrected === undefined ? "" : ` Corrected: ${corrected.name}.`;
    lines.push(`- \`${id}\`: ${cell(witness)}. (${cell(detail)}.)${cell(twin)}`);
  }
  return `${lines.join("\n")}\n`;
}

function row(result: ProofResult): string {
  const { id, statement, checked, citation, kind, margin, mutants } = result;
  const rejected = mutants.filter(({ rejected }) => rejected).length;
  return "| " + [
    `\`${id.split("/").slice(1).join("/")}\``,
    cell(statement) + (checked === undefined ? "" : ` _Checked: ${cell(checked)}._`),
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
