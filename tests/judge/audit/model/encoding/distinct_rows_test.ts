import { assert } from "@std/assert";
import fc from "fast-check";
import {
  DistinctRows,
  type WeightedRows,
} from "../../../../../lib/judge/audit/model/encoding/distinct_rows.ts";

/** The definition of `DistinctRows.of`, by a map of the bits of rows. */
class Definition {
  #known = new Map<string, number>();
  #skip = 0;
  #next = 1;

  of(rows: Float64Array, width: number): string | undefined {
    const n = rows.length / width;
    if (n < 1024 || this.#skip-- > 0) return undefined;
    this.#skip = 0;
    const most = Math.min(4096, this.#known.size + Math.floor(n / 8));
    for (const key of this.#known.keys()) this.#known.set(key, 0);
    for (const key of keys(rows, width)) this.#known.set(key, 1 + (this.#known.get(key) ?? 0));
    if (this.#known.size <= most) return [...this.#known].join();
    this.#skip = this.#next;
    this.#next = Math.min(1024, 4 * this.#next);
    this.#known = new Map();
    return undefined;
  }
}

/** The bits of each row, as text. */
function keys(rows: Float64Array, width: number): string[] {
  const bits = new Uint16Array(rows.slice().buffer);
  return Array.from(
    { length: rows.length / width },
    (_, i) => String.fromCharCode(...bits.subarray(4 * i * width, 4 * (i + 1) * width)),
  );
}

/** The rows and weights as the definition gives them: one text, for long lists take long to compare. */
function found(distinct: WeightedRows | undefined, width: number): string | undefined {
  return distinct && keys(distinct.rows, width).map((key, i) => [key, distinct.weights[i]]).join();
}

/** Numbers, some equal in all bits but one; NaN of other bits are made where they are read. */
const NUMBERS = new Float64Array(
  BigUint64Array.of(
    0n,
    1n,
    1n << 63n,
    0x3ff0n << 48n,
    (0x3ff0n << 48n) + 1n,
    0x4000n << 48n,
    0x7ff8n << 48n,
    0xfff8n << 48n,
    (0x7ff8n << 48n) + 5n,
    0x7ff0n << 48n,
    0xbff0n << 48n,
    0x4024n << 48n,
  ).buffer,
);

/** Rows of `kinds` kinds from the one of number `salt` on: each differs from the one before in one number or more. */
function block(width: number, n: number, kinds: number, salt: number): Float64Array {
  const rows = new Float64Array(n * width), size = NUMBERS.length;
  let state = salt;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let kind = salt + (state >>> 8) % kinds;
    // NaN keeps its bits where it is copied as a part of an array.
    for (let j = 0; j < width && kind > 0; j++, kind = Math.floor(kind / size)) {
      const at = i * width + (j * 41) % width, number = kind % size;
      rows.set(NUMBERS.subarray(number, number + 1), at);
    }
  }
  return rows;
}

/** Blocks of rows of one width. */
const turns = fc.record({
  width: fc.integer({ min: 1, max: 40 }),
  blocks: fc.array(
    fc.record({
      n: fc.oneof(fc.integer({ min: 1020, max: 1100 }), fc.integer({ min: 2040, max: 2060 })),
      kinds: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 1, max: 130 }) },
        { weight: 1, arbitrary: fc.constant(2000) },
      ),
      salt: fc.nat(200),
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  ),
});

// Mutants: rows compared by a part of their bits; a place or a slot beside the right one; rows or weights of other blocks kept.
Deno.test("DistinctRows.of() gives the rows of its definition in their order", () => {
  fc.assert(
    fc.property(turns, ({ width, blocks }) => {
      const definition = new Definition(), distinct = new DistinctRows(width);
      for (const { n, kinds, salt } of blocks) {
        const rows = block(width, n, kinds, salt);
        assert(found(distinct.of(rows), width) === definition.of(rows, width));
      }
    }),
    { seed: 31, numRuns: 12 },
  );
});

/** Rows of which the last number counts up to `kinds` from `first` on, over and over. */
function counted(width: number, n: number, kinds: number, first = 0): Float64Array {
  return Float64Array.from(
    { length: n * width },
    (_, at) => at % width === width - 1 ? first + Math.floor(at / width) % kinds : 0.5,
  );
}

// Of 4096 rows in 16,384 slots hundreds find theirs taken, in one of fifty tables the last one. Mutants: slots beyond the last; an odd
// last number that is not compared.
Deno.test("DistinctRows.of() separates rows of one slot, and goes on after the last slot with the first", () => {
  for (const width of [1, 3]) {
    for (let first = 0; first < 50 * 4096; first += 4096) {
      const { rows, weights } = new DistinctRows(width).of(counted(width, 32_768, 4096, first))!;
      assert(weights.length === 4096 && weights.every((weight) => weight === 8));
      assert(weights.every((_, i) => rows[(i + 1) * width - 1] === first + i));
    }
  }
});
