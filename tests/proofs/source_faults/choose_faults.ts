import type { SeededSource } from "../../../lib/random/seeded_source.ts";
import { keyOf, type Mutant } from "../../mutation/mutant.ts";
import { LEFT_OUT } from "./left_out.ts";

/** The folders of lib whose files are broken, each as often as the others. */
export const FOLDERS = ["mechanisms", "learners", "accounting", "exact"] as const;

/** Whether faults of a file are drawn: not where there is a reason against it. */
export function isDrawnFrom(file: string): boolean {
  return FOLDERS.some((folder) => file.startsWith(`lib/${folder}/`)) &&
    !Object.hasOwn(LEFT_OUT, file);
}

/**
 * Draws faults, equally many of each folder, without those that are known to harm nobody.
 *
 * @param count of all folders together
 */
export function chooseFaults(
  mutants: readonly Mutant[],
  { count, source, harmless }: {
    readonly count: number;
    readonly source: SeededSource;
    /** Keys of mutants by which no claim can be wrong. */
    readonly harmless: ReadonlySet<string>;
  },
): Mutant[] {
  return FOLDERS.flatMap((folder, k) => {
    const of = mutants.filter((mutant) => mutant.file.startsWith(`lib/${folder}/`))
      .map((mutant) => ({ mutant, rank: source.uniform() }))
      .sort((a, b) => a.rank - b.rank)
      .filter(({ mutant }) => !harmless.has(keyOf(mutant)));
    const share = Math.floor(count / FOLDERS.length) + (k < count % FOLDERS.length ? 1 : 0);
    return of.slice(0, share).map(({ mutant }) => mutant);
  });
}
