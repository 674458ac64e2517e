/** One fault put into the source on purpose. */
export interface Mutant {
  /** What switches it on; ids of a run are consecutive from 1. */
  readonly id: number;
  /** What records that it was reached: the first id of all mutants at the same place. */
  readonly place: number;
  /** The file, from the root. */
  readonly file: string;
  /** The line, for a reader. */
  readonly line: number;
  /** The function that it is in, by its path of names. */
  readonly in: string;
  /** `a + b → a`; with ` (2)` when the same change occurs a second time in the function. */
  readonly change: string;
}
