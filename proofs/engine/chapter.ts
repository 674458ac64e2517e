import type { Theorem } from "./theorem.ts";

/** A chapter of the book of statements: a folder of proofs, in the order in which it is read. */
export interface Chapter {
  /** The folder, with which the ids of its theorems begin. */
  readonly folder: string;
  readonly title: string;
  /** What was asked, what was found, and what falls: paragraphs of Markdown that name theorems by their ids and take numbers from the code. */
  readonly prose: () => string;
  /** In the order in which they are read. */
  readonly theorems: readonly Theorem[];
}
