import type { Relation } from "../../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import {
  type NeighbourCase,
  neighbourCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";

/** Answers of which each changes by at most 1. */
export const eachByOne: Relation = relationNamed("change-each-by-1")!;

/** All neighbours of lists of so many answers within bounds. */
export function changedAnswers(
  size: number,
  { min, max }: { readonly min: number; readonly max: number } = { min: -5, max: 5 },
): readonly NeighbourCase[] {
  const rows = { type: "number", min, max } as const;
  return neighbourCases({ rows, size: { min: size, max: size } }, eachByOne)!;
}
