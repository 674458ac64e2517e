import { assert, assertEquals } from "@std/assert";
import { theorems } from "../../proofs/all.ts";
import { documents } from "../../proofs/documents/all.ts";
import {
  type DocumentStatement,
  idsOf,
  ofNoDocument,
  theoremsOf,
  verdictOf,
} from "../../proofs/engine/documents.ts";
import { proofMarkdown } from "../../proofs/engine/markdown.ts";
import type { ProofResult } from "../../proofs/engine/prove.ts";

const results = theorems.map((each) => ({
  ...each,
  ok: true,
  result: each.expected,
  margin: 1,
  detail: "",
  mutants: [],
  seconds: 0,
})) as unknown as ProofResult[];
const byId = new Map(results.map((result) => [result.id, result]));

// Mutants: a theorem that was renamed; a statement without theorems and without a reason.
Deno.test("each statement of a document has theorems that exist, or a reason why it has none", () => {
  for (const { name, statements, besides } of documents) {
    assert(statements.length > 15, name);
    for (const each of statements) {
      const where = `${name}, ${each.place}: ${each.statement}`;
      assert(each.place.length > 0 && each.statement.length > 3, where);
      assert(idsOf(each).length > 0 || (each.notChecked ?? "").length > 3, where);
      assertEquals(new Set(idsOf(each)).size, idsOf(each).length, where);
      for (const id of idsOf(each)) assert(byId.has(id), `${where}: ${id} is no theorem`);
    }
    for (const id of besides) assert(byId.has(id), `${name}: ${id} is no theorem`);
    const lines = statements.map(({ place, statement }) => `${place}: ${statement}`);
    assertEquals(new Set(lines).size, lines.length, name);
  }
});

// Mutants: a false claim among the theorems that check a statement; a theorem that refutes one.
Deno.test("what checks a statement is expected to hold, what refutes it or its opposite is not", () => {
  for (const { statements } of documents) {
    for (const { checkedBy = [], refutedBy = [], oppositeRefutedBy = [] } of statements) {
      for (const id of checkedBy) assertEquals(byId.get(id)!.expected, "holds", id);
      for (const id of [...refutedBy, ...oppositeRefutedBy]) {
        assertEquals(byId.get(id)!.expected, "refuted", id);
      }
    }
  }
});

// Mutant: a theorem of a document that is left out of its table.
Deno.test("every theorem that names a document is in its table", () => {
  for (const document of documents) {
    const listed = theoremsOf(document);
    const naming = theorems.filter(({ source, citation }) =>
      document.named.test(`${source}; ${citation}`)
    );
    assert(naming.length > 3, document.name);
    for (const { id } of naming) {
      assert(listed.has(id), `${id} names ${document.name}, whose table lacks it`);
    }
  }
});

// Mutants: a result that is not as expected taken for one that is; a refuted statement that holds.
Deno.test("verdictOf() says what the results of its theorems are", () => {
  const statement: DocumentStatement = {
    place: "1",
    statement: "something",
    checkedBy: ["erm/lemma_7"],
    refutedBy: ["false_claims/lemma_23_norm"],
  };
  assertEquals(verdictOf(statement, byId), "refuted");
  assertEquals(verdictOf({ ...statement, refutedBy: [] }, byId), "holds");
  assertEquals(
    verdictOf({ place: "1", statement: "something", notChecked: "it" }, byId),
    "not checked",
  );
  assertEquals(
    verdictOf(statement, new Map([["erm/lemma_7", byId.get("erm/lemma_7")!]])),
    "not run",
  );
  for (const id of idsOf(statement)) {
    const failed = new Map([...byId, [id, { ...byId.get(id)!, ok: false }]]);
    assertEquals(verdictOf(statement, failed), "not as expected");
  }
});

/** The page but for what a run finds: margins, witnesses, results. */
function byDocument(page: string): string {
  return page.slice(page.indexOf("## By document"), page.indexOf("## Witnesses"));
}

Deno.test("proofs/RESULTS.md has every theorem, and the tables of the documents as they are", async () => {
  const page = await Deno.readTextFile(new URL("../../proofs/RESULTS.md", import.meta.url));
  const expected = byDocument(proofMarkdown({ ok: true, seed: 1, seconds: 0, results }, documents));
  assert(
    byDocument(page) === expected,
    "By document is not as it should be: deno task prove:results",
  );
  const others = new Set(ofNoDocument(results, documents).map(({ id }) => id));
  for (const { id, kind, checked } of theorems) {
    assert(
      others.has(id) !== documents.some((document) => theoremsOf(document).has(id)),
      id,
    );
    assert(byDocument(page).includes(`\`${id}\``), `${id}: deno task prove:results`);
    assert(
      page.includes(kind) &&
        (checked === undefined || page.includes(checked.replaceAll("|", "\\|"))),
      id,
    );
  }
});
