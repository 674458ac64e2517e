import { assert, assertEquals } from "@std/assert";
import { DOMParser } from "linkedom";
import { proofHtml } from "../../proofs/engine/html.ts";
import type { Document } from "../../proofs/engine/documents.ts";
import type { ProofReport, ProofResult } from "../../proofs/engine/prove.ts";

const hostile = `<script>alert(1)</script> "'&`;

const holding: ProofResult = {
  id: "mechanisms/one_that_holds",
  statement: "The value is at most 1.",
  citation: "nobody 2026, Theorem 1",
  source: "tests",
  kind: "exact",
  checked: "the number <1>",
  expected: "holds",
  ok: true,
  result: "holds",
  margin: 0.98765432,
  detail: "one value",
  assumptions: ["it is a number"],
  mutants: [{ name: "two", rejected: true }, { name: "three", rejected: true }],
  seconds: 0.25,
};

const refuted: ProofResult = {
  ...holding,
  id: "false_claims/one_that_does_not",
  kind: "statistical",
  expected: "refuted",
  result: "refuted",
  margin: Infinity,
  witness: hostile,
  corrected: { name: "at most 2", holds: true, margin: 1 },
};

const report: ProofReport = { ok: true, seed: 7, seconds: 1.5, results: [holding, refuted] };

const documents: readonly Document[] = [{
  name: `a document of ${hostile}`,
  scope: "All of it",
  named: /nobody/,
  statements: [
    { place: "1", statement: hostile, checkedBy: [holding.id] },
    { place: "2", statement: "a claim", refutedBy: [refuted.id], checkedBy: [holding.id] },
    { place: "3", statement: "an opinion", notChecked: hostile },
    { place: "4", statement: "another", checkedBy: ["mechanisms/not_run"] },
  ],
  besides: [refuted.id],
}];

// linkedom has types of its own, and not the browser's.
// deno-lint-ignore no-explicit-any
function parsed(shown: ProofReport): any {
  return new DOMParser().parseFromString(proofHtml(shown, documents), "text/html");
}

function cells(shown: ProofReport, id: string): string[] {
  const row = parsed(shown).getElementById(id);
  return [...row.children].map(({ textContent }: { textContent: string }) => textContent);
}

Deno.test("proofHtml() has a row a theorem: kind, result, margin, mutants, seconds, source", () => {
  const [name, statement, ...rest] = cells(report, holding.id);
  assertEquals(name, "one_that_holds");
  assert(statement!.includes("The value is at most 1.") && statement!.includes("it is a number"));
  assert(statement!.includes("Checked: the number <1>."));
  assertEquals(rest, [
    "exact",
    "holds",
    "0.9877",
    "2/2",
    "0.25",
    "nobody 2026, Theorem 1 tests proofs/dp/mechanisms/one_that_holds.ts",
  ]);
  const heading = parsed(report).body.textContent;
  assert(heading.includes("ALL AS EXPECTED"));
  assert(
    heading.includes("1 hold, 1 are refuted, 0 are not as expected") && heading.includes("seed 7"),
  );
});

Deno.test("proofHtml() shows the witness against a refuted claim, and its corrected twin", () => {
  const [, statement, kind, result, margin] = cells(report, refuted.id);
  assert(
    statement!.includes(`Witness: ${hostile}.`) && statement!.includes("Corrected: at most 2."),
  );
  assertEquals([kind, result, margin], ["statistical", "refuted", "∞"]);
});

Deno.test("proofHtml() marks what is not as expected: a result, a mutant, a twin", () => {
  const bad: ProofResult = {
    ...refuted,
    ok: false,
    corrected: { name: "at most 2", holds: false, margin: 3 },
    mutants: [{ name: "two", rejected: false }],
  };
  const shown = { ...report, ok: false, results: [bad] };
  const [, statement, , result, , mutants] = cells(shown, bad.id);
  assert(statement!.includes("SURVIVES: two") && statement!.includes("does not hold"));
  assertEquals([result, mutants], ["refuted, not as expected", "0/1"]);
  // It comes first, wherever it stands in the report.
  const page = proofHtml({ ...report, ok: false, results: [holding, bad] }, documents);
  assert(page.indexOf(`<tr id="${bad.id}"`) < page.indexOf(`<tr id="${holding.id}"`));
  assert(parsed(shown).body.textContent.includes("NOT AS EXPECTED"));
});

Deno.test("proofHtml() is one page that runs and fetches nothing, whatever the texts", () => {
  const document = parsed(report);
  assertEquals(document.querySelectorAll("script, link, img, iframe, object").length, 0);
  assert(!/(src|href)="(?!#)|url\(|@import/.test(proofHtml(report, documents)));
  for (const link of document.querySelectorAll("nav a")) {
    assert(document.getElementById(link.getAttribute("href").slice(1)) !== null);
  }
});

// Mutants: a certificate that is not escaped, or is open from the beginning; the other checker's name.
Deno.test("proofHtml() folds certificates away, with the command that checks them", () => {
  const certificate = {
    name: "one & all",
    text: hostile,
    checker: "scripts/check_alignment.ts",
  } as const;
  const shown = { ...report, results: [{ ...holding, certificates: [certificate] }, refuted] };
  const document = parsed(shown);
  const [pre, ...others] = document.querySelectorAll("pre.certificate");
  assertEquals([pre.textContent, others.length], [hostile, 0]);
  const details = pre.parentElement;
  assertEquals([details.tagName, details.hasAttribute("open")], ["DETAILS", false]);
  assertEquals(details.querySelector("summary").textContent, "certificate of one & all");
  assertEquals(
    details.querySelector("code").textContent,
    "deno run --allow-read scripts/check_alignment.ts FILE",
  );
  assertEquals(document.querySelectorAll("script").length, 0);
});

// Mutants: a theorem that is not linked; a reason that is not escaped; one that was not run taken for one that holds.
Deno.test("proofHtml() has a table of each document: place, statement, theorems, result", () => {
  const document = parsed(report), heading = document.getElementById("document-1");
  assertEquals(heading.textContent, `a document of ${hostile}`);
  const table = heading.nextElementSibling.nextElementSibling;
  const rows = [...table.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }: { textContent: string }) => textContent)
  );
  assertEquals(rows, [
    ["1", hostile, holding.id, "holds"],
    ["2", "a claim", `refuted by ${refuted.id}; in its place ${holding.id}`, "refuted"],
    ["3", "an opinion", "", `not checked: ${hostile}`],
    ["4", "another", "mechanisms/not_run", "not run"],
  ]);
  assert(document.body.textContent.includes(
    "4 statements: 1 hold, 1 are refuted, 1 are not checked, 1 not run",
  ));
  const targets = [...table.querySelectorAll("a")].map((a) => a.getAttribute("href").slice(1));
  assertEquals(targets, [holding.id, refuted.id, holding.id]);
  for (const id of targets) assert(document.getElementById(id) !== null);
  const besides = table.nextElementSibling.textContent;
  assertEquals(besides, `Besides, on its algorithms: ${refuted.id}.`);
});

Deno.test("proofHtml() leaves out a document of which no theorem was run", () => {
  assertEquals(
    parsed({ ...report, results: [{ ...holding, id: "erm/other" }] })
      .getElementById("document-1"),
    null,
  );
});
