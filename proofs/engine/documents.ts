import type { ProofResult } from "./prove.ts";

/**
 * Something that a document says. It is checked by theorems, refuted, or not checked for a reason; beside theorems the
 * reason is of the part that they leave out.
 */
export interface DocumentStatement {
  /** Slide, page or section, and the name or number that it has there. */
  readonly place: string;
  /** What is said, in a few words. */
  readonly statement: string;
  /** Theorems that check it; what holds in its place where it is refuted. */
  readonly checkedBy?: readonly string[];
  /** False claims that are this statement. */
  readonly refutedBy?: readonly string[];
  /** Claims whose refutation confirms it: they say the opposite. */
  readonly oppositeRefutedBy?: readonly string[];
  /** Why nothing checks it, or a part of it. */
  readonly notChecked?: string;
  /** How what is checked differs from the words of the document. */
  readonly note?: string;
}

/** A document that the library implements: all that it says. */
export interface Document {
  /** Author and title. */
  readonly name: string;
  /** What of it the table has. */
  readonly scope: string;
  /** Its name in the `source` or `citation` of a theorem. */
  readonly named: RegExp;
  /** In the order of the document. */
  readonly statements: readonly DocumentStatement[];
  /** Theorems on its algorithms, and mistakes in their use, that are no statement of it. */
  readonly besides: readonly string[];
}

/** How the table of a document begins; "–" is an empty cell, and a row leaves out those at its end. */
const HEAD = "place | statement | checked by | note | not checked";

/**
 * A document by its table: a row a statement. Theorems stand before "refuted by" and "opposite refuted by" with theirs, all
 * parted by semicolons.
 *
 * @throws {Error} when a row is not as the head says
 */
export function documentOf(document: Omit<Document, "statements">, table: string): Document {
  const [head, ...rows] = table.trim().split("\n");
  if (head !== HEAD) throw new Error(`The table of ${document.name} must begin with: ${HEAD}`);
  return { ...document, statements: rows.map(statementOf) };
}

function statementOf(row: string): DocumentStatement {
  const cells = row.split(" | ").map((cell) => cell === "–" ? "" : cell);
  const [place, statement, by = "", note = "", notChecked = "", ...more] = cells;
  if (!place || !statement || more.length > 0) throw new Error(`No row of a document: ${row}`);
  const ids = {
    checkedBy: [] as string[],
    refutedBy: [] as string[],
    oppositeRefutedBy: [] as string[],
  };
  for (const part of by.split("; ").filter((part) => part !== "")) {
    const [, role = "", named] = /^(refuted by |opposite refuted by )?(.*)$/.exec(part)!;
    const key = role === ""
      ? "checkedBy"
      : role === "refuted by "
      ? "refutedBy"
      : "oppositeRefutedBy";
    ids[key].push(...named!.split(", "));
  }
  return { place, statement, ...ids, ...(note && { note }), ...(notChecked && { notChecked }) };
}

/** How a statement of a document came out. */
export type Verdict = "holds" | "refuted" | "not checked" | "not as expected" | "not run";

/** All theorems of a statement. */
export function idsOf(
  { checkedBy = [], refutedBy = [], oppositeRefutedBy = [] }: DocumentStatement,
): readonly string[] {
  return [...checkedBy, ...refutedBy, ...oppositeRefutedBy];
}

/** All theorems of a document, each once. */
export function theoremsOf({ statements, besides }: Document): ReadonlySet<string> {
  return new Set([...statements.flatMap(idsOf), ...besides]);
}

/** What the results say of a statement. */
export function verdictOf(
  statement: DocumentStatement,
  results: ReadonlyMap<string, ProofResult>,
): Verdict {
  const ids = idsOf(statement);
  if (ids.length === 0) return "not checked";
  const found = ids.map((id) => results.get(id));
  if (found.some((result) => result?.ok === false)) return "not as expected";
  if (found.includes(undefined)) return "not run";
  return (statement.refutedBy ?? []).length > 0 ? "refuted" : "holds";
}

/** How many statements came out how, as a phrase. */
export function countVerdicts(verdicts: readonly Verdict[]): string {
  const count = (verdict: Verdict): number => verdicts.filter((each) => each === verdict).length;
  const rest = (["not as expected", "not run"] as const).filter((verdict) => count(verdict) > 0)
    .map((verdict) => `, ${count(verdict)} ${verdict}`).join("");
  return `${verdicts.length} statements: ${count("holds")} hold, ${
    count("refuted")
  } are refuted, ` +
    `${count("not checked")} are not checked${rest}`;
}

/** Results that belong to no document: building blocks and other papers. */
export function ofNoDocument(
  results: readonly ProofResult[],
  documents: readonly Document[],
): readonly ProofResult[] {
  const named = new Set(documents.flatMap((document) => [...theoremsOf(document)]));
  return results.filter(({ id }) => !named.has(id));
}
