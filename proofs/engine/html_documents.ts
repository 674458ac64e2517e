import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import {
  countVerdicts,
  type Document,
  type DocumentStatement,
  theoremsOf,
  type Verdict,
  verdictOf,
} from "./documents.ts";
import type { ProofResult } from "./prove.ts";

/** The class of the page's styles that colours a verdict. */
const TONES: Readonly<Record<Verdict, string>> = {
  "holds": "not-refuted",
  "refuted": "refuted",
  "not checked": "",
  "not as expected": "failed",
  "not run": "",
};

/** A section of the page for each document, with its anchor and its name. */
export function documentSections(
  results: readonly ProofResult[],
  documents: readonly Document[],
): { readonly id: string; readonly name: string; readonly html: string }[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return documents.flatMap((document, i) => {
    if (![...theoremsOf(document)].some((id) => byId.has(id))) return [];
    const id = `document-${i + 1}`, name = quoteFor("markup", document.name);
    return [{ id, name, html: section(document, { id, byId }) }];
  });
}

function section(
  { name, scope, statements, besides }: Document,
  { id, byId }: { readonly id: string; readonly byId: ReadonlyMap<string, ProofResult> },
): string {
  const verdicts = statements.map((each) => verdictOf(each, byId));
  const rows = statements.map((each, i) => row(each, { verdict: verdicts[i]!, byId }));
  const rest = besides.length === 0
    ? ""
    : `\n<p>Besides, on its algorithms: ${links(besides, byId)}.</p>`;
  return `<h2 id="${id}">${quoteFor("markup", name)}</h2>
<p>${quoteFor("markup", scope)}. ${countVerdicts(verdicts)}.</p>
<table>
<colgroup><col class="place"><col><col class="by"><col class="verdict"></colgroup>
<thead><tr><th scope="col">place</th><th scope="col">statement</th><th scope="col">checked by</th><th scope="col">result</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>${rest}`;
}

function row(
  { place, statement, checkedBy = [], refutedBy = [], oppositeRefutedBy = [], note, notChecked }:
    DocumentStatement,
  { verdict, byId }: {
    readonly verdict: Verdict;
    readonly byId: ReadonlyMap<string, ProofResult>;
  },
): string {
  const by = [
    refutedBy.length > 0 ? `refuted by ${links(refutedBy, byId)}` : "",
    checkedBy.length > 0
      ? `${refutedBy.length > 0 ? "in its place " : ""}${links(checkedBy, byId)}`
      : "",
    oppositeRefutedBy.length > 0
      ? `its opposite is refuted: ${links(oppositeRefutedBy, byId)}`
      : "",
  ].filter((part) => part !== "").join("; ");
  const remarks = [note, notChecked].filter((text) => text !== undefined)
    .map((text) => `: ${quoteFor("markup", text)}`).join("");
  return `<tr><th scope="row">${quoteFor("markup", place)}</th>` +
    `<td class="statement">${quoteFor("markup", statement)}</td>` +
    `<td data-head="checked by">${by}</td>` +
    `<td data-head="result"><span class="${TONES[verdict]}">${verdict}</span>${remarks}</td></tr>`;
}

/** Names of theorems, linked to their rows where these are on the page. */
function links(ids: readonly string[], byId: ReadonlyMap<string, ProofResult>): string {
  return ids.map((id) => {
    const name = quoteFor("markup", id).replaceAll("_", "_<wbr>").replace("/", "/<wbr>");
    return byId.has(id) ? `<a href="#${quoteFor("markup", id)}">${name}</a>` : name;
  }).join(", ");
}
