import { htmlPage } from "../../lib/judge/report/html_page.ts";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import type { Document } from "./documents.ts";
import { documentSections } from "./html_documents.ts";
import { KINDS } from "./kinds.ts";
import { shortMargin } from "./markdown.ts";
import type { ProofReport, ProofResult } from "./prove.ts";
import { countKinds, tally } from "./tally.ts";
import { theoremFile } from "./theorem_file.ts";
import type { Certificate } from "./theorem.ts";

const STYLE = `
body { max-width: 80rem; }
nav a { margin-right: 1rem; }
table { table-layout: fixed; }
th, td { padding: 0.35rem 0.4rem; } tbody th { white-space: normal; }
col.name { width: 11rem; } col.kind { width: 7.4rem; } col.result { width: 6.2rem; }
col.number { width: 5.2rem; } col.source { width: 17rem; }
col.place { width: 12rem; } col.by { width: 20rem; } col.verdict { width: 20rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td p { margin: 0 0 0.4rem; } .checked { color: var(--muted); }
dl.kinds { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; } dl.kinds dd { margin: 0; } td code { display: block; font-size: 0.8rem; }
pre.certificate { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto; font-size: 0.8rem; }
@media (max-width: 78rem) {
  table, tbody, tr, th, td { display: block; } thead, colgroup { display: none; }
  tr { border-top: 2px solid var(--line); padding: 0.6rem 0; }
  th, td, .number { border: 0; text-align: left; padding: 0.15rem 0; }
  td::before { content: attr(data-head) ": "; font-weight: 600; }
  td.statement::before { content: none; } td p { display: inline-block; margin: 0; }
}
`;

/** Heads of the table, and the class of each column. */
const COLUMNS = [
  ["theorem", "name"],
  ["statement", "statement"],
  ["kind", "kind"],
  ["result", "result"],
  ["margin", "number"],
  ["mutants", "number"],
  ["seconds", "number"],
  ["source", "source"],
] as const;

/**
 * The report as one self-contained HTML page: what is not as expected, then a table by folder, witnesses with refuted claims, and what each document
 * says.
 *
 * @param documents those of which no theorem was run are left out
 */
export function proofHtml(report: ProofReport, documents: readonly Document[]): string {
  const { results, seed, seconds, ok } = report;
  const { holds, refuted, failed, unexpected, mutants } = tally(report);
  const wrong = results.filter((result) => !result.ok);
  const others = results.filter((result) => result.ok);
  const folders = [...new Set(others.map(({ id }) => folderOf(id)))];
  const sections = documentSections(results, documents);
  const verdict = ok ? "ALL AS EXPECTED" : "NOT AS EXPECTED";
  return htmlPage({
    title: `dpcheck prove: ${verdict.toLowerCase()}`,
    style: STYLE,
    body: [
      `<h1><span class="${ok ? "not-refuted" : "refuted"}">${verdict}</span>` +
      "What <code>dpcheck prove</code> found</h1>",
      `<p>${countKinds(results)}</p>`,
      `<p>${holds} hold, ${refuted} are refuted, ${
        failed === 0 ? "" : `${failed} failed, `
      }${unexpected} are not as ` +
      `expected; ${mutants} mutants; ${seconds.toFixed(1)} s; seed ${seed}.</p>`,
      "<p>Margin: the worst case found as a share of what is claimed (1 is tight, above 1 breaks the " +
      "claim). Mutants: broken variants that the same check rejected. A claim that is refuted has a " +
      "corrected twin, of which the same check holds. No margin stands where a check decides cases one by one.</p>",
      "<p>A statement is checked for the cases that stand behind “Checked”, and for no others. Kinds of checks:</p>",
      `<dl class="kinds">${
        Object.entries(KINDS).map(([kind, meaning]) =>
          `<dt>${kind}</dt><dd>${quoteFor("markup", meaning)}</dd>`
        ).join("")
      }</dl>`,
      `<nav>${
        [
          ...(wrong.length === 0 ? [] : [`<a href="#not_as_expected">not as expected</a>`]),
          ...folders.map((folder) => `<a href="#${folder}">${title(folder)}</a>`),
          ...sections.map(({ id, name }) => `<a href="#${id}">${name}</a>`),
        ].join("\n")
      }</nav>`,
      wrong.length === 0 ? "" : section("not_as_expected", wrong),
      ...folders.map((folder) =>
        section(folder, others.filter(({ id }) => folderOf(id) === folder))
      ),
      ...sections.map(({ html }) => html),
    ].join("\n"),
  });
}

function folderOf(id: string): string {
  return id.split("/")[0]!;
}

function title(folder: string): string {
  return quoteFor("markup", folder.replaceAll("_", " "));
}

function section(folder: string, results: readonly ProofResult[]): string {
  const columns = COLUMNS.map(([, name]) => `<col class="${name}">`).join("");
  const heads = COLUMNS.map(([head, name]) => `<th scope="col" class="${name}">${head}</th>`).join(
    "",
  );
  return `<h2 id="${quoteFor("markup", folder)}">${title(folder)}</h2>
<table>
<colgroup>${columns}</colgroup>
<thead><tr>${heads}</tr></thead>
<tbody>
${results.map(row).join("\n")}
</tbody>
</table>`;
}

function row(result: ProofResult): string {
  const { id, kind, margin, mutants, seconds, citation, source } = result;
  const rejected = mutants.filter(({ rejected }) => rejected).length;
  const name = quoteFor("markup", id.slice(id.indexOf("/") + 1));
  const cells = [
    `<th scope="row"><code>${name.replaceAll("_", "_<wbr>")}</code></th>`,
    `<td class="statement">${statement(result)}</td>`,
    `<td data-head="kind">${kind}</td>`,
    `<td data-head="result" class="${tone(result)}">${result.result}${
      result.ok ? "" : ", not as expected"
    }</td>`,
    `<td data-head="margin" class="number">${shortMargin(margin)}</td>`,
    `<td data-head="mutants" class="number">${rejected}/${mutants.length}</td>`,
    `<td data-head="seconds" class="number">${seconds.toFixed(2)}</td>`,
    `<td data-head="source"><p>${quoteFor("markup", citation)}</p> <small>${
      quoteFor("markup", source)
    }</small> ` +
    `<code>${quoteFor("markup", theoremFile(result))}</code></td>`,
  ];
  return `<tr id="${quoteFor("markup", id)}">${cells.join("")}</tr>`;
}

/** The class of the page's styles that colours a result. */
function tone({ ok, result }: ProofResult): string {
  if (!ok) return "failed";
  return result === "holds" ? "not-refuted" : result;
}

/** The statement; the witness against it; and, folded away, what was looked at. */
function statement(
  {
    statement,
    checked,
    witness,
    corrected,
    detail,
    assumptions,
    mutants,
    onPaper,
    certificates = [],
  }: ProofResult,
): string {
  const lines = [`<p>${quoteFor("markup", statement)}</p>`];
  if (checked !== undefined) {
    lines.push(`<p class="checked">Checked: ${quoteFor("markup", checked)}.</p>`);
  }
  if (onPaper) lines.push(`<p class="checked">Runs no shipped code.</p>`);
  if (witness !== undefined) {
    lines.push(`<p class="refuted">Witness: ${quoteFor("markup", witness)}.</p>`);
  }
  if (corrected !== undefined) {
    const holds = corrected.holds ? "" : " (does not hold)";
    lines.push(
      `<p class="not-refuted">Corrected: ${quoteFor("markup", corrected.name)}${holds}.</p>`,
    );
  }
  const items = [
    detail,
    ...assumptions.map((assumption) => `Assumed: ${assumption}`),
    ...mutants.map(({ name, rejected }) => `Mutant ${rejected ? "rejected" : "SURVIVES"}: ${name}`),
  ];
  lines.push(
    "<details><summary>what was looked at</summary><ul>",
    ...items.map((item) => `<li>${quoteFor("markup", item)}</li>`),
    "</ul></details>",
  );
  if (certificates.length > 0) {
    lines.push(
      `<details><summary>certificates: ${certificates.length}</summary>`,
      ...certificates.map(folded),
      "</details>",
    );
  }
  return lines.join("\n");
}

/** A certificate, folded away, and how it is checked. */
function folded({ name, text, checker }: Certificate): string {
  return `<details><summary>certificate of ${quoteFor("markup", name)}</summary>
<p>To check it, save it as a file: <code>deno run --allow-read ${checker} FILE</code></p>
<pre class="certificate">${quoteFor("markup", text)}</pre></details>`;
}
