import { keyOf } from "./mutant.ts";
import type { Result } from "./mutation_run.ts";

/** Mutants of one function that no test notices, and why none can or need. */
export interface AcceptedSurvivors {
  readonly file: string;
  readonly in: string;
  readonly changes: readonly string[];
  readonly reason: string;
  /** No caller can see a difference (README.md says what counts as none); otherwise it is a survivor. */
  readonly equivalent?: boolean;
}

/** What a run says of the list of accepted survivors. */
export interface Comparison {
  /** Survivors that are not in the list. */
  readonly unexplained: readonly Result[];
  /** Survivors with their reasons. */
  readonly explained: readonly {
    readonly result: Result;
    readonly reason: string;
    readonly equivalent: boolean;
  }[];
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
      entry.changes.map((change) => [keyOf({ ...entry, change }), entry] as const)
    ),
  );
  const unexplained: Result[] = [], explained: Comparison["explained"][number][] = [];
  const stale = new Set(reasons.keys());
  for (const result of results) {
    const key = keyOf(result.mutant), entry = reasons.get(key);
    const survives = result.fate === "survived" || result.fate === "not reached";
    if (survives || result.fate === "not run") stale.delete(key);
    if (!survives) continue;
    if (entry === undefined) unexplained.push(result);
    else {
      const { reason, equivalent = false } = entry;
      explained.push({ result, reason, equivalent });
    }
  }
  return { unexplained, explained, stale: [...stale] };
}
