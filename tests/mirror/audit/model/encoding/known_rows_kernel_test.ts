import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  DistinctRows,
  type WeightedRows,
} from "../../../../../lib/audit/model/encoding/distinct_rows.ts";
import { noKnownRows } from "../../../../../lib/audit/model/encoding/known_rows.ts";
import { countRowsByKernel } from "../../../../../lib/audit/model/encoding/known_rows_kernel.ts";
import { withoutKernels } from "../../../../../lib/numeric/kernels/kernels.ts";

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

/** Blocks of a few owners more than the kernels' memory has tables, each of its own width, in any order. */
const turns = fc.record({
  widths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 9, maxLength: 10 }),
  blocks: fc.array(
    fc.record({
      owner: fc.nat(9),
      n: fc.oneof(fc.integer({ min: 1020, max: 1100 }), fc.integer({ min: 2040, max: 2060 })),
      kinds: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 1, max: 130 }) },
        { weight: 1, arbitrary: fc.constant(2000) },
      ),
      salt: fc.nat(200),
      withKernels: fc.nat(3).map((k) => k > 0),
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  ),
});

// Mutants of the kernel: rows compared by a part of their bits; a place or a slot beside the right one; slots without end. Of what
// calls it: a table that is another owner's; rows or weights of other turns kept; a part of a block counted twice or not at all.
Deno.test("DistinctRows.of() gives the rows of its definition in their order, with kernels, without, and in turns", () => {
  fc.assert(
    fc.property(turns, ({ widths, blocks }) => {
      const owners = widths.map((width) => ({
        width,
        definition: new Definition(),
        distinct: new DistinctRows(width),
        loop: new DistinctRows(width),
      }));
      for (const { owner, n, kinds, salt, withKernels } of blocks) {
        const { width, definition, distinct, loop } = owners[owner % owners.length]!;
        const rows = block(width, n, kinds, salt);
        const expected = definition.of(rows, width);
        const of = (): string | undefined => found(distinct.of(rows), width);
        assert((withKernels ? of() : withoutKernels(of)) === expected);
        assert(withoutKernels(() => found(loop.of(rows), width)) === expected);
      }
    }),
    { seed: 31, numRuns: 6 },
  );
});

/** Rows of which the last number counts up to `kinds` from `first` on, over and over. */
function counted(width: number, n: number, kinds: number, first = 0): Float64Array {
  return Float64Array.from(
    { length: n * width },
    (_, at) => at % width === width - 1 ? first + Math.floor(at / width) % kinds : 0.5,
  );
}

// Mutants: a limit of the kernels' memory that is one too high or low, or is none; rows given up that fit elsewhere.
Deno.test("countRowsByKernel() leaves rows that its memory has no room for to the loop", () => {
  for (const [width, most] of [[3, 1024], [10, 819], [40, 204]] as const) {
    const n = 8 * (most + 8), rows = counted(width, n, most + 1), limits = { n, most: 4096 };
    assertEquals(countRowsByKernel(noKnownRows(width), rows, limits), most);
    const own = noKnownRows(width);
    assertEquals(countRowsByKernel(own, rows, { n, most: 100 }), 100);
    assertEquals(own.known, 100);
    assertEquals(countRowsByKernel(own, counted(width, n, most), limits), n);
    assertEquals(own.known, most);
    assertEquals(countRowsByKernel(own, rows, limits), 0);
    const [distinct, definition] = [new DistinctRows(width), new Definition()];
    for (const kinds of [most - 1, most + 2]) {
      const all = counted(width, n, kinds);
      assert(found(distinct.of(all), width) === definition.of(all, width));
    }
  }
  const wide = counted(9000, 1024, 3);
  assertEquals(countRowsByKernel(noKnownRows(9000), wide, { n: 1024, most: 128 }), 0);
  assert(
    withoutKernels(() => countRowsByKernel(noKnownRows(1), wide, { n: 1024, most: 128 }) === 0),
  );
});

// Of 1024 rows in 4096 slots about 120 find theirs taken, in one of twenty tables or so the last one. Mutants: slots beyond the last; an
// odd last number that is not compared.
Deno.test("DistinctRows.of() separates rows of one slot, and goes on after the last slot with the first", () => {
  for (const width of [1, 3]) {
    for (let first = 0; first < 100 * 1024; first += 1024) {
      const { rows, weights } = new DistinctRows(width).of(counted(width, 8192, 1024, first))!;
      assert(weights.length === 1024 && weights.every((weight) => weight === 8));
      assert(weights.every((_, i) => rows[(i + 1) * width - 1] === first + i));
    }
  }
});

// Mutants: the rows of an owner taken for those of its last table, though another one wrote over it.
Deno.test("DistinctRows of more owners than the kernels' memory has tables for keep their rows", () => {
  const owners = Array.from({ length: 10 }, () => new DistinctRows(2));
  for (const kinds of [50, 100, 80, 90]) {
    owners.forEach((owner, first) => {
      const { rows, weights } = owner.of(counted(2, 1024, kinds, first))!;
      assertEquals(weights.length, kinds === 50 ? 50 : 100);
      assert(
        weights.every((weight, i) => weight === Math.ceil((1024 - i) / kinds) * Number(i < kinds)),
      );
      assert(weights.every((_, i) => rows[2 * i + 1] === first + i));
    });
  }
});
