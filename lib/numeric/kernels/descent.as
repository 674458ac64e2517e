// The leaves of rows in a tree (lib/audit/model/partition/descent_kernel.ts).
//
// Bound by loads, and before by branches that are predicted badly. Here no branch depends on a number of a row: the two children
// of a node lie side by side, and the result of the comparison is added to an address. Eight rows are under way at once, for a turn
// of a row waits for the one before it. The children of a leaf are the leaf itself, so all rows make the same number of turns. In
// trees of many levels most of these turns would be at leaves: after some turns the rows that are not at one are written to a
// list, and only those go on.

/** Turns before the first list in trees of more levels, and turns from one list to the next. */
const FIRST = 8, FURTHER = 4;

/**
 * The logarithm of the bytes of a node: its threshold, the address of its right child, which the left one follows, and the bytes
 * from a row to its number.
 */
const NODE = 4;
/** Bytes from a node to the least number that goes left, in trees with categories: it is the threshold itself where they are compared. */
const LEAST = 1 << 14;

/** The left child where the number is at most the threshold (and at least the least one, if nodes have one), else the right one: for NaN too. */
@inline
function childOf(node: usize, row: usize, hasLeast: bool): usize {
  const x = load<f64>(row + <usize> load<u32>(node, 12));
  let isLeft = <usize> (x <= load<f64>(node));
  if (hasLeast) isLeft &= <usize> (x >= load<f64>(node, LEAST));
  return <usize> load<u32>(node, 8) + (isLeft << NODE);
}

/** Adds one to the count of a node, or writes its address to the place of a row. */
@inline
function reach(node: usize, nodes: usize, hits: usize, place: usize): void {
  if (hits === 0) store<u32>(place, <u32> node);
  else {
    const count = hits + ((node - nodes) >> 2);
    store<u32>(count, load<u32>(count) + 1);
  }
}

/** Writes a row and its node to the list. @returns where the next row is written: in the same place, if the node is a leaf. */
@inline
function keep(list: usize, node: usize, i: usize): usize {
  store<u32>(list, <u32> node);
  store<u32>(list, <u32> i, 4);
  return list + ((<usize> (load<u32>(node, 8) !== <u32> node)) << 3);
}

@inline
function descend(
  rows: usize,
  stride: usize,
  n: usize,
  nodes: usize,
  depth: i32,
  hits: usize,
  out: usize,
  list: usize,
  hasLeast: bool,
): void {
  const isListed = depth > FIRST, turns = isListed ? FIRST : depth;
  let end = list, i: usize = 0;
  for (; i + 8 <= n; i += 8) {
    const r0 = rows + i * stride, r1 = r0 + stride, r2 = r1 + stride, r3 = r2 + stride;
    const r4 = r3 + stride, r5 = r4 + stride, r6 = r5 + stride, r7 = r6 + stride;
    let a = nodes, b = nodes, c = nodes, d = nodes, e = nodes, f = nodes, g = nodes, h = nodes;
    for (let turn = turns; turn > 0; turn--) {
      a = childOf(a, r0, hasLeast);
      b = childOf(b, r1, hasLeast);
      c = childOf(c, r2, hasLeast);
      d = childOf(d, r3, hasLeast);
      e = childOf(e, r4, hasLeast);
      f = childOf(f, r5, hasLeast);
      g = childOf(g, r6, hasLeast);
      h = childOf(h, r7, hasLeast);
    }
    const place = out + (i << 2);
    reach(a, nodes, hits, place);
    reach(b, nodes, hits, place + 4);
    reach(c, nodes, hits, place + 8);
    reach(d, nodes, hits, place + 12);
    reach(e, nodes, hits, place + 16);
    reach(f, nodes, hits, place + 20);
    reach(g, nodes, hits, place + 24);
    reach(h, nodes, hits, place + 28);
    if (!isListed) continue;
    end = keep(end, a, i);
    end = keep(end, b, i + 1);
    end = keep(end, c, i + 2);
    end = keep(end, d, i + 3);
    end = keep(end, e, i + 4);
    end = keep(end, f, i + 5);
    end = keep(end, g, i + 6);
    end = keep(end, h, i + 7);
  }
  // The last rows, fewer than eight, begin in the list.
  for (; i < n; i++) {
    reach(nodes, nodes, hits, out + (i << 2));
    end = keep(end, nodes, i);
  }
  while (end > list) {
    // The list ends with a leaf of no row, so that there are always eight.
    const last = end, spare = nodes + LEAST - (1 << NODE);
    for (let k: usize = 0; k < 56; k += 8) {
      store<u32>(end + k, <u32> spare);
      store<u32>(end + k, <u32> n, 4);
    }
    end = list;
    for (let at = list; at < last; at += 64) {
      let a = <usize> load<u32>(at), b = <usize> load<u32>(at, 8);
      let c = <usize> load<u32>(at, 16), d = <usize> load<u32>(at, 24);
      let e = <usize> load<u32>(at, 32), f = <usize> load<u32>(at, 40);
      let g = <usize> load<u32>(at, 48), h = <usize> load<u32>(at, 56);
      const i0 = <usize> load<u32>(at, 4), i1 = <usize> load<u32>(at, 12);
      const i2 = <usize> load<u32>(at, 20), i3 = <usize> load<u32>(at, 28);
      const i4 = <usize> load<u32>(at, 36), i5 = <usize> load<u32>(at, 44);
      const i6 = <usize> load<u32>(at, 52), i7 = <usize> load<u32>(at, 60);
      const r0 = rows + i0 * stride, r1 = rows + i1 * stride, r2 = rows + i2 * stride;
      const r3 = rows + i3 * stride, r4 = rows + i4 * stride, r5 = rows + i5 * stride;
      const r6 = rows + i6 * stride, r7 = rows + i7 * stride;
      for (let turn = FURTHER; turn > 0; turn--) {
        a = childOf(a, r0, hasLeast);
        b = childOf(b, r1, hasLeast);
        c = childOf(c, r2, hasLeast);
        d = childOf(d, r3, hasLeast);
        e = childOf(e, r4, hasLeast);
        f = childOf(f, r5, hasLeast);
        g = childOf(g, r6, hasLeast);
        h = childOf(h, r7, hasLeast);
      }
      reach(a, nodes, hits, out + (i0 << 2));
      reach(b, nodes, hits, out + (i1 << 2));
      reach(c, nodes, hits, out + (i2 << 2));
      reach(d, nodes, hits, out + (i3 << 2));
      reach(e, nodes, hits, out + (i4 << 2));
      reach(f, nodes, hits, out + (i5 << 2));
      reach(g, nodes, hits, out + (i6 << 2));
      reach(h, nodes, hits, out + (i7 << 2));
      end = keep(end, a, i0);
      end = keep(end, b, i1);
      end = keep(end, c, i2);
      end = keep(end, d, i3);
      end = keep(end, e, i4);
      end = keep(end, f, i5);
      end = keep(end, g, i6);
      end = keep(end, h, i7);
    }
  }
}

/**
 * Adds `n` rows, each `stride` bytes after the one before, to the counts of their leaves (counts of inner nodes are of no use), or
 * writes the addresses of their leaves to `out` where `hits` is 0. The first node is the root; the node of place 1023 is a leaf that no
 * row reaches. `depth` is the most turns from the root to a leaf. There is room for one more row in `out`, for eight in the list.
 */
export function descendRows(
  rows: usize,
  stride: usize,
  n: usize,
  nodes: usize,
  depth: i32,
  hits: usize,
  out: usize,
  list: usize,
  hasLeast: bool,
): void {
  if (hasLeast) descend(rows, stride, n, nodes, depth, hits, out, list, true);
  else descend(rows, stride, n, nodes, depth, hits, out, list, false);
}
