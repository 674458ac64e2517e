import type { Dataset } from "./dataset.ts";
import { byLength, firstMissing, inOrder, lengthsApart } from "./longer_side.ts";
import { addRemoveOne, canonicalRelation, type Relation, sameRow } from "./relation.ts";
import { pickPlace } from "./row_fields.ts";

/** A graph without loops and double edges, as a list of pairs of nodes. An edge has no direction. */
type Edge = readonly [unknown, unknown];

function isEdge(row: unknown): row is Edge {
  return Array.isArray(row) && row.length === 2;
}

function sameEdge([a, b]: Edge, [c, d]: Edge): boolean {
  return sameRow(a, c) && sameRow(b, d) || sameRow(a, d) && sameRow(b, c);
}

/** The rule of simple graphs that rows break. */
function brokenRule(data: Dataset): string | undefined {
  for (const [i, edge] of data.entries()) {
    if (!isEdge(edge)) return "every row must be a pair of nodes";
    if (sameRow(edge[0], edge[1])) return "no edge may join a node to itself";
    if (data.slice(0, i).some((other) => sameEdge(edge, other as Edge))) {
      return "no edge may be there twice, in either direction";
    }
  }
  return undefined;
}

/** The graph of those rows that break no rule. */
function simple(data: Dataset): Edge[] {
  const edges: Edge[] = [];
  for (const row of data) {
    if (!isEdge(row) || sameRow(row[0], row[1])) continue;
    if (!edges.some((other) => sameEdge(row, other))) edges.push(row);
  }
  return edges;
}

/** Every edge gets one end in common with the others, or most do. */
function asStar(data: Dataset, { uniform }: { uniform(): number }): Dataset {
  const edges = data.filter(isEdge);
  if (edges.length === 0) return data;
  const centre = edges[pickPlace({ uniform }, edges.length)]![uniform() < 0.5 ? 0 : 1];
  const share = uniform() < 0.5 ? 1 : uniform();
  return edges.map(([a, b]) => uniform() > share || sameRow(b, centre) ? [a, b] : [centre, b]);
}

/** One edge is added or removed (Hay, Li, Miklau, Jensen 2009). */
export const edge: Relation = canonicalRelation({
  name: "edge",
  description: "one edge of the graph is added or removed",
  violation: (left, right) =>
    brokenRule(left) ?? brokenRule(right) ?? addRemoveOne.violation(left, right),
  neighbours(data, maker): [Dataset, Dataset] | undefined {
    const edges = simple(data);
    return edges.length === 0
      ? undefined
      : [edges, edges.toSpliced(pickPlace(maker, edges.length), 1)];
  },
  moves: [asStar],
});

/** One node is added or removed with all its edges (Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013). Nodes without edges are not in the rows. */
export const node: Relation = canonicalRelation({
  name: "node",
  description: "one node of the graph is added or removed, with all its edges",
  violation(left, right): string | undefined {
    const broken = brokenRule(left) ?? brokenRule(right);
    if (broken !== undefined) return broken;
    const [long, short] = byLength(left, right);
    if (long.length === short.length) return "one side must have more edges: both have as many";
    const ends = firstMissing(long, short) as Edge;
    return ends.some((end) => inOrder(withoutNode(long, end), short))
      ? undefined
      : "one side must have all edges of one node, and the other none of them: the rest must agree, in order";
  },
  neighbours(data, maker): [Dataset, Dataset] | undefined {
    const edges = simple(data);
    if (edges.length === 0) return undefined;
    const ends = edges[pickPlace(maker, edges.length)]!;
    return [edges, withoutNode(edges, ends[maker.uniform() < 0.5 ? 0 : 1])];
  },
  moves: [asStar],
  distance: lengthsApart,
});

function withoutNode(data: Dataset, node: unknown): Dataset {
  return data.filter((row) => !(row as Edge).some((end) => sameRow(end, node)));
}
