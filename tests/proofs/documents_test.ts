import { assert, assertEquals, assertThrows } from "@std/assert";
import { theorems } from "../../proofs/book.ts";
import { documents } from "../../proofs/documents/all.ts";
import {
  documentOf,
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

Deno.test("the page of theorems opens with their kinds, and names every one of them and of the statements", () => {
  const page = proofMarkdown({ ok: true, seed: 1, seconds: 0, results }, documents);
  const opening = page.split("\n").find((line) => line.startsWith("Checks of "))!;
  const counts = [...opening.matchAll(/(\d+) (exact|certified|exhaustive|sampled|statistical)/g)];
  assertEquals(counts.reduce((sum, [, count]) => sum + Number(count), 0), theorems.length);
  assert(
    opening.includes(`${theorems.filter(({ onPaper }) => onPaper).length} run no shipped code`),
  );
  const others = new Set(ofNoDocument(results, documents).map(({ id }) => id));
  const byDocument = page.slice(page.indexOf("## By document"), page.indexOf("## Witnesses"));
  for (const { id, checked } of theorems) {
    assert(others.has(id) !== documents.some((document) => theoremsOf(document).has(id)), id);
    assert(byDocument.includes(`\`${id}\``), id);
    assert(checked === undefined || page.includes(checked.replaceAll("|", "\\|")), id);
  }
});

// Mutants: a cell more or less; a role that is not told from a name.
Deno.test("documentOf() reads a table, and refuses what is none", () => {
  const document = { name: "it", scope: "", named: /it/, besides: [] };
  const head = "place | statement | checked by | note | not checked";
  const { statements } = documentOf(
    document,
    `\n${head}\n1 | |b| is small\n2 | s | a/b, a/c; refuted by d/e; opposite refuted by f/g | – | why\n`,
  );
  const none = { checkedBy: [], refutedBy: [], oppositeRefutedBy: [] };
  assertEquals(statements, [
    { place: "1", statement: "|b| is small", ...none },
    {
      place: "2",
      statement: "s",
      checkedBy: ["a/b", "a/c"],
      refutedBy: ["d/e"],
      oppositeRefutedBy: ["f/g"],
      notChecked: "why",
    },
  ]);
  assertThrows(() => documentOf(document, "place | statement\n1 | s"), Error, "must begin with");
  for (const row of ["1", "1 | s | – | – | – | more"]) {
    assertThrows(() => documentOf(document, `${head}\n${row}`), Error, "No row");
  }
});
