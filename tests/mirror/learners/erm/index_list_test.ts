import { assertEquals, assertInstanceOf } from "@std/assert";
import { IndexList } from "../../../../lib/learners/erm/index_list.ts";

// Parts of all sizes, past the room that a list begins with, many times over. Mutants: numbers so far that are not carried over, or
// lose their place; bytes for numbers that need more.
Deno.test("IndexList keeps all numbers in their order, however they are added", () => {
  for (const below of [2, 256, 257, 100_000]) {
    for (const size of [1, 7, 1000, 1024, 1025, 5000]) {
      const list = new IndexList({ below }), all: number[] = [];
      while (all.length < 6000) {
        const part = Array.from({ length: size }, (_, i) => (all.length + 31 * i) % below);
        list.append(part);
        all.push(...part);
        assertEquals(list.length, all.length);
      }
      assertEquals([...list.toArray()], all);
    }
  }
});

// Mutants: four bytes where one does, or one where four are needed.
Deno.test("IndexList takes a byte a number where numbers are below 257, also when it grew", () => {
  for (const [below, type] of [[2, Uint8Array], [256, Uint8Array], [257, Int32Array]] as const) {
    const list = new IndexList({ below });
    assertInstanceOf(list.toArray(), type);
    list.append(new Array(3000).fill(1));
    assertInstanceOf(list.toArray(), type);
  }
});

// Mutants: as much room as is asked for and no more, so that all numbers are copied at every call.
Deno.test("IndexList copies its numbers a few times, not at every call", () => {
  const list = new IndexList({ below: 2 });
  const set = Uint8Array.prototype.set;
  let copied = 0;
  Uint8Array.prototype.set = function (values, offset): void {
    copied += values.length;
    return set.call(this, values, offset);
  };
  try {
    for (let i = 0; i < 20_000; i++) list.append([1]);
  } finally {
    Uint8Array.prototype.set = set;
  }
  assertEquals(list.length, 20_000);
  assertEquals(copied < 4 * 20_000, true);
});

// Mutant: numbers that are added later written over those that were handed out.
Deno.test("IndexList changes no number that it has given", () => {
  const list = new IndexList({ below: 300 });
  list.append([5, 6, 299]);
  const first = list.toArray();
  list.append(new Array(3000).fill(7));
  list.append([8]);
  assertEquals([...first], [5, 6, 299]);
  assertEquals([list.toArray().length, list.toArray()[3003]], [3004, 8]);
});

// Of 2¹⁶ numbers each. Mutants: a part that begins too late, is handed out at the place of another, or twice.
Deno.test("IndexList keeps numbers of several parts", () => {
  for (const below of [251, 70_000]) {
    const all = Int32Array.from({ length: 3 * 2 ** 16 + 5 }, (_, i) => (i * 31) % below);
    const list = new IndexList({ below });
    for (let from = 0; from < all.length; from += 5000) {
      list.append(all.subarray(from, from + 5000));
    }
    const kept = list.toArray();
    assertEquals(kept.length, all.length);
    assertEquals(all.findIndex((value, i) => kept[i] !== value), -1);
  }
});
