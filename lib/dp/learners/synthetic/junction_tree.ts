import { cellsOf } from "./marginal_tables.ts";

/** Cliques of attributes, joined so that those that hold an attribute are a connected part. */
export interface JunctionTree {
  /** Attributes in ascending order; a clique follows its parent. */
  readonly cliques: readonly (readonly number[])[];
  /** The place of each clique's parent; −1 of the first. */
  readonly parents: readonly number[];
  /** Attributes that each clique shares with its parent; none if the two are independent. */
  readonly separators: readonly (readonly number[])[];
  /** Cells of all cliques together. */
  readonly cells: number;
}

/**
 * A junction tree of a graph in which each of the sets given is joined (Lauritzen, Spiegelhalter 1988). Attributes are eliminated in the
 * order that makes the smallest clique next; of the cliques that this leaves those that are in no other are joined by a spanning tree with the
 * largest separators, which has the property of a junction tree (Jensen, Jensen 1994).
 *
 * @param shape how many values each attribute has. All attributes are in some clique.
 */
export function junctionTree(
  shape: readonly number[],
  sets: readonly (readonly number[])[],
): JunctionTree {
  const cliques = maximalCliques(shape, sets);
  const cells = cliques.reduce((sum, clique) => sum + cellsOf(shape, clique), 0);
  // Prim's algorithm: the next clique is the one that shares most with one that is in the tree.
  const order = [0], parents = [-1];
  const nearest = cliques.map((clique) => ({ at: 0, shared: intersection(clique, cliques[0]!) }));
  const left = new Set(cliques.keys());
  left.delete(0);
  while (left.size > 0) {
    let next = -1;
    for (const i of left) {
      if (next < 0 || nearest[i]!.shared.length > nearest[next]!.shared.length) next = i;
    }
    left.delete(next);
    parents.push(nearest[next]!.at);
    for (const i of left) {
      const shared = intersection(cliques[i]!, cliques[next]!);
      if (shared.length > nearest[i]!.shared.length) nearest[i] = { at: order.length, shared };
    }
    order.push(next);
  }
  const ordered = order.map((i) => cliques[i]!);
  return {
    cliques: ordered,
    parents,
    separators: ordered.map((clique, i) =>
      i === 0 ? [] : intersection(clique, ordered[parents[i]!]!)
    ),
    cells,
  };
}

/** The cells of the junction tree of a graph, without the tree. */
export function treeCells(
  shape: readonly number[],
  sets: readonly (readonly number[])[],
): number {
  return maximalCliques(shape, sets)
    .reduce((sum, clique) => sum + cellsOf(shape, clique), 0);
}

function maximalCliques(
  shape: readonly number[],
  sets: readonly (readonly number[])[],
): number[][] {
  const neighbours = shape.map((_, i) => new Set([i]));
  for (const set of sets) {
    for (const one of set) for (const other of set) neighbours[one]!.add(other);
  }
  const left = new Set(shape.keys()), cliques: number[][] = [];
  const sizes = neighbours.map((clique) => cellsOf(shape, [...clique]));
  while (left.size > 0) {
    let next = -1;
    for (const i of left) if (next < 0 || sizes[i]! < sizes[next]!) next = i;
    const clique = neighbours[next]!;
    // A clique that comes later holds none of the attributes that were eliminated, so it is in no clique but earlier ones.
    if (!cliques.some((earlier) => [...clique].every((each) => earlier.includes(each)))) {
      cliques.push([...clique].sort((a, b) => a - b));
    }
    left.delete(next);
    for (const one of clique) {
      if (one === next) continue;
      for (const other of clique) neighbours[one]!.add(other);
      neighbours[one]!.delete(next);
    }
    for (const one of clique) sizes[one] = cellsOf(shape, [...neighbours[one]!]);
  }
  return cliques;
}

function intersection(one: readonly number[], other: readonly number[]): number[] {
  return one.filter((attribute) => other.includes(attribute));
}
