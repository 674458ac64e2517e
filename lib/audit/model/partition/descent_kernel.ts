import { inKernelMemory, type Kernels } from "../../../numeric/kernels/kernels.ts";
import { type Feature, fillFeature, isCategorical } from "../encoding/features.ts";
import type { CountLeaves } from "./count_leaves.ts";
import type { Partition } from "./grow_tree.ts";

/** Rows of a chunk, and numbers of it: there are fewer rows where each has many numbers. */
const ROWS = 2048, NUMBERS = 1 << 14;
/** Chunks of fewer rows are left to the loop: each feature takes a call a chunk. A choice that was not measured. */
const FEWEST_ROWS_OF_CHUNK = 128;
/** The most nodes that there is room for. */
const MOST_NODES = 1023;
/** Places of nodes, the last one a leaf that no row reaches, and what each takes up: as in descent.as. */
const PLACES = MOST_NODES + 1, PLACE_BYTES = 16, NODE_NUMBERS = PLACE_BYTES / 8;
/** Rows after the last one that the kernel has room for. */
const SPARE_ROWS = 8;

/** Buffers in the kernels' memory for a chunk of rows and for a tree: nothing in it outlives the count of a block of rows. */
interface Buffers {
  readonly kernels: Kernels;
  readonly numbers: Float64Array;
  readonly nodes: Float64Array;
  /** For each node, in the first half of a place, the least number that goes left. */
  readonly least: Float64Array;
  /** Rows that came to each node. */
  readonly hits: Uint32Array;
  /** The address of the leaf of each row. */
  readonly leaves: Uint32Array;
  /** The address of the list in which the kernel keeps rows. */
  readonly list: number;
}

const TREE_BYTES = PLACES * PLACE_BYTES, LIST_BYTES = 8 * (ROWS + SPARE_ROWS);

const buffersOf = inKernelMemory(
  8 * NUMBERS + 2 * TREE_BYTES + 4 * PLACES + 4 * (ROWS + SPARE_ROWS) + LIST_BYTES,
  (own: Kernels, address): Buffers => {
    const { memory } = own;
    const nodes = address + 8 * NUMBERS, least = nodes + TREE_BYTES, hits = least + TREE_BYTES;
    const leaves = hits + 4 * PLACES, list = leaves + 4 * (ROWS + SPARE_ROWS);
    const spare = nodes + MOST_NODES * PLACE_BYTES;
    new Float64Array(memory, spare, 1)[0] = NaN;
    new Uint32Array(memory, spare + 8, 2).set([spare, 0]);
    return {
      kernels: own,
      numbers: new Float64Array(memory, address, NUMBERS),
      nodes: new Float64Array(memory, nodes, TREE_BYTES / 8),
      least: new Float64Array(memory, least, TREE_BYTES / 8),
      hits: new Uint32Array(memory, hits, PLACES),
      leaves: new Uint32Array(memory, leaves, ROWS),
      list,
    };
  },
);

/** A partition as the kernel reads it. */
interface Table {
  /** Nodes by their places: the root, then the right and the left child of one node after the other. */
  readonly order: Int32Array;
  readonly leafPlaces: Int32Array;
  readonly depth: number;
  readonly nodes: Float64Array;
  /** `undefined` where nothing is compared by equality. */
  readonly least: Float64Array | undefined;
  /** Features that are computed for the rows of a chunk; `undefined` where the rows themselves are read. */
  readonly computed: readonly Feature[] | undefined;
  /** Rows of a chunk, and numbers from one row to the next. */
  readonly chunk: number;
  readonly stride: number;
}

/**
 * Compiles a partition into a count of the rows in its leaves by a kernel, which returns whether there is one that is faster than
 * a loop. The weights of a leaf are added in the order of the rows.
 */
export function compileDescentByKernel(
  partition: Partition,
  width: number,
): (...block: Parameters<CountLeaves>) => boolean {
  const fewest = fewestRows(partition);
  let table: Table | null | undefined;
  return (rows, label, counts, weights) => {
    if (rows.length < fewest * width) return false;
    const buffers = buffersOf();
    if (buffers === undefined) return false;
    if (table === undefined) table = tableOf(partition, width, buffers.nodes.byteOffset);
    if (table === null) return false;
    countByKernel(buffers, table, { rows, width, label, counts, weights });
    return true;
  };
}

/** A kernel counts fewer rows no faster, for it takes time to write nodes and to read their counts. */
function fewestRows({ left }: Partition): number {
  return 64 + left.length / 4;
}

function countByKernel(
  buffers: Buffers,
  table: Table,
  { rows, width, label, counts, weights }: {
    rows: Float64Array;
    width: number;
    label: 0 | 1;
    counts: Float64Array;
    weights: Float64Array | undefined;
  },
): void {
  const { order, chunk } = table, { hits, leaves } = buffers;
  const n = rows.length / width, root = buffers.nodes.byteOffset;
  buffers.nodes.set(table.nodes);
  if (table.least !== undefined) buffers.least.set(table.least);
  hits.fill(0, 0, order.length);
  for (let from = 0; from < n; from += chunk) {
    const to = Math.min(n, from + chunk);
    fillNumbers(buffers, table, { rows, width, from, to });
    descend(buffers, table, to - from, weights === undefined);
    if (weights === undefined) continue;
    for (let i = from; i < to; i++) {
      const place = (leaves[i - from]! - root) / PLACE_BYTES;
      counts[2 * order[place]! + label]! += weights[i]!;
    }
  }
  if (weights !== undefined) return;
  for (const place of table.leafPlaces) counts[2 * order[place]! + label]! += hits[place]!;
}

function fillNumbers(
  { numbers }: Buffers,
  { computed, chunk }: Table,
  { rows, width, from, to }: { rows: Float64Array; width: number; from: number; to: number },
): void {
  if (computed === undefined) {
    numbers.set(rows.subarray(from * width, to * width));
    return;
  }
  computed.forEach((feature, f) => {
    fillFeature(feature, { rows, width, from, to, out: numbers.subarray(f * chunk) });
  });
}

function descend(
  buffers: Buffers,
  { depth, stride, least }: Table,
  n: number,
  isCounted: boolean,
): void {
  buffers.kernels.descendRows(
    buffers.numbers.byteOffset,
    8 * stride,
    n,
    buffers.nodes.byteOffset,
    depth,
    isCounted ? buffers.hits.byteOffset : 0,
    buffers.leaves.byteOffset,
    buffers.list,
    Number(least !== undefined),
  );
}

/** The table of a partition for nodes from an address on; `null` where there is no room for its nodes or features. */
function tableOf(partition: Partition, width: number, address: number): Table | null {
  const { features, feature, threshold, left } = partition;
  // To copy rows takes less time than to gather their columns, unless most columns are not needed.
  const isCopied = width <= 2 * features.length && features.every(isColumn);
  const chunk = Math.min(ROWS, Math.floor(NUMBERS / (isCopied ? width : features.length)));
  if (left.length > MOST_NODES || chunk < FEWEST_ROWS_OF_CHUNK) return null;
  const order = placesOf(partition), depths = new Int32Array(order.length);
  const nodes = new Float64Array(order.length * NODE_NUMBERS);
  const words = new Uint32Array(nodes.buffer);
  const least = new Float64Array(nodes.length).fill(-Infinity);
  let children = 1;
  order.forEach((node, place) => {
    const at = place * NODE_NUMBERS, word = 2 * at + 2;
    if (left[node]! < 0) {
      nodes[at] = NaN;
      words[word] = address + place * PLACE_BYTES;
      return;
    }
    const f = feature[node]!, own = features[f]!;
    nodes[at] = threshold[node]!;
    words[word] = address + children * PLACE_BYTES;
    words[word + 1] = 8 * (isCopied && isColumn(own) ? own.index : f * chunk);
    if (isCategorical(own)) least[at] = threshold[node]!;
    depths[children] = depths[children + 1] = depths[place]! + 1;
    children += 2;
  });
  return {
    order,
    leafPlaces: Int32Array.from(order.keys()).filter((place) => left[order[place]!]! < 0),
    depth: Math.max(...depths),
    nodes,
    least: features.some(isCategorical) ? least : undefined,
    computed: isCopied ? undefined : features,
    chunk,
    stride: isCopied ? width : 1,
  };
}

/** The root, then the right and the left child of one node after the other. */
function placesOf({ left, right }: Partition): Int32Array {
  const order = [0];
  for (let place = 0; place < order.length; place++) {
    const node = order[place]!;
    if (left[node]! >= 0) order.push(right[node]!, left[node]!);
  }
  return Int32Array.from(order);
}

/** Whether the number of a row in one column is the feature. */
function isColumn(feature: Feature): feature is Feature & { kind: "column" | "category" } {
  return feature.kind === "column" || feature.kind === "category";
}
