import { bareJson } from "../../../core/text/bare_json.ts";
import type { Place, Read } from "../recording.ts";
import type { MovedSign } from "./moved_values.ts";

/** Noise that is compared, and drawn again at the same place for the same value. */
interface Attempt {
  readonly read: Read;
  readonly atoms: readonly number[];
  /** What was compared, but for the noise itself, and what came out. */
  readonly compared: string[];
  readonly outcomes: boolean[];
}

/**
 * Returns a place where noise is drawn again until it fits: draws for one value, of which those that are used afterwards had other outcomes of their
 * comparisons than those that are not.
 */
export function redrawn(
  used: readonly { readonly terms: ReadonlyMap<number, number> }[],
  signs: readonly MovedSign[],
): Place | undefined {
  const attempts = new Map<string, Attempt>();
  for (const { read, terms, before, isAbove } of signs) {
    const atoms = [...terms.keys()].toSorted((a, b) => a - b);
    const attempt = attempts.get(atoms.join()) ?? { read, atoms, compared: [], outcomes: [] };
    attempts.set(atoms.join(), attempt);
    attempt.compared.push(bareJson([read.at, before, [...terms.values()]])!);
    attempt.outcomes.push(isAbove);
  }
  const isUsed = ({ atoms }: Attempt): boolean =>
    used.some(({ terms }) => atoms.some((atom) => terms.has(atom)));
  // `Map.groupBy`, which Node 20 does not have.
  const byValue = new Map<string | undefined, Attempt[]>();
  for (const attempt of attempts.values()) {
    const [first] = attempt.compared;
    byValue.set(first, [...byValue.get(first) ?? [], attempt]);
  }
  for (const alike of byValue.values()) {
    const fit = alike.filter(isUsed), others = alike.filter((own) => !isUsed(own));
    const outcomes = fit.map(({ outcomes }) => outcomes.join());
    if (fit.length === 0 || others.length === 0) continue;
    if (others.every((own) => !outcomes.includes(own.outcomes.join()))) return others[0]!.read;
  }
  return undefined;
}
