import type { BlockMemory } from "../solver/block_memory.ts";

/** The classes of rows as places in the list of classes: a byte a row where there are at most 256 classes. */
export type ClassIndices = Uint8Array | Int32Array;

/** The signs of rows that are not in memory: 1 for one class, −1 for all others. */
export interface ClassSigns {
  /** The class of every row. */
  readonly indices: ClassIndices;
  /** The class whose sign is 1. */
  readonly positive: number;
}

/** A sign, −1 or 1, for every row: as numbers, or where rows are many, by their classes. */
export type Signs = Float64Array | ClassSigns;

/** The signs of `count` rows from row `first` on, in memory where they are not an array already. */
export function signsOfRows(
  signs: Signs,
  { first, count, memory }: {
    readonly first: number;
    readonly count: number;
    readonly memory: BlockMemory;
  },
): Float64Array {
  if (signs instanceof Float64Array) {
    return first === 0 && count === signs.length ? signs : signs.subarray(first, first + count);
  }
  const { indices, positive } = signs;
  const of = memory.doubles("signs", count);
  for (let i = 0; i < count; i++) of[i] = indices[first + i] === positive ? 1 : -1;
  return of;
}
