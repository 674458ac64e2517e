import { KINDS, type ProofKind } from "./kinds.ts";
import type { ProofReport, ProofResult } from "./prove.ts";
import type { Theorem } from "./theorem.ts";

/** How many theorems came out how. */
export interface Tally {
  /** Theorems that hold. */
  readonly holds: number;
  /** Claims that are refuted. */
  readonly refuted: number;
  /** Those of which a check threw an error. */
  readonly failed: number;
  /** Those that came out otherwise than expected, or have a mutant that survives. */
  readonly unexpected: number;
  /** Mutants of all of them. */
  readonly mutants: number;
}

/** How many theorems there are, of which kinds, and how many run no shipped code: a sentence or two. */
export function countKinds(
  theorems: readonly Pick<Theorem, "kind" | "expected" | "onPaper">[],
): string {
  const list = (of: readonly { readonly kind: ProofKind }[]): string =>
    Object.keys(KINDS).flatMap((kind) => {
      const count = of.filter((each) => each.kind === kind).length;
      return count === 0 ? [] : [`${count} ${kind}`];
    }).join(", ");
  const parts = ([["theorems", "holds"], ["false claims", "refuted"]] as const)
    .flatMap(([name, expected]) => {
      const of = theorems.filter((each) => each.expected === expected);
      return of.length === 0 ? [] : [`${of.length} ${name} (${list(of)})`];
    });
  const onPaper = theorems.filter((each) => each.onPaper).length;
  return `Checks of ${parts.join(" and ")}.` +
    (onPaper === 0 ? "" : ` ${onPaper} run no shipped code.`);
}

/** Counts the results of a run. */
export function tally({ results }: ProofReport): Tally {
  const count = (outcome: ProofResult["result"]): number =>
    results.filter(({ result }) => result === outcome).length;
  return {
    holds: count("holds"),
    refuted: count("refuted"),
    failed: count("failed"),
    unexpected: results.filter(({ ok }) => !ok).length,
    mutants: results.reduce((sum, { mutants }) => sum + mutants.length, 0),
  };
}
