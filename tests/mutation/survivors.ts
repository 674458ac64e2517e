import { keyOf } from "./mutant.ts";
import type { Result } from "./mutation_run.ts";

/** Mutants of one function that no test can or need notice, and why. */
export interface AcceptedSurvivors {
  readonly file: string;
  readonly in: string;
  readonly changes: readonly string[];
  readonly reason: string;
}

/** What a run says of the list of accepted survivors. */
export interface Comparison {
  /** Survivors that are not in the list. */
  readonly unexplained: readonly Result[];
  /** Survivors with their reasons. */
  readonly explained: readonly { readonly result: Result; readonly reason: string }[];
  /** Entries that are noticed by now, or that are the change of nothing. */
  readonly stale: readonly string[];
}

/** Compares the survivors of a run with the list. */
export function compareSurvivors(
  results: readonly Result[],
  accepted: readonly AcceptedSurvivors[],
): Comparison {
  const files = new Set(results.map(({ mutant }) => mutant.file));
  const reasons = new Map(
    accepted.filter(({ file }) => files.has(file)).flatMap((entry) =>
      entry.changes.map((change) => [keyOf({ ...entry, change }), entry.reason])
    ),
  );
  const unexplained: Result[] = [], explained: { result: Result; reason: string }[] = [];
  const stale = new Set(reasons.keys());
  for (const result of results) {
    const key = keyOf(result.mutant), reason = reasons.get(key);
    const survives = result.fate === "survived" || result.fate === "not reached";
    if (survives || result.fate === "not run") stale.delete(key);
    if (!survives) continue;
    if (reason === undefined) unexplained.push(result);
    else explained.push({ result, reason });
  }
  return { unexplained, explained, stale: [...stale] };
}
