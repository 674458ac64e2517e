import { assertEquals, assertThrows } from "@std/assert";
import { Xoshiro128 } from "../../../lib/core/random/xoshiro128.ts";

/** The published algorithm in integers of any length, state and all. */
function published(state: bigint[]): bigint {
  const word = (x: bigint): bigint => x & 0xffffffffn;
  const rotated = (x: bigint, by: bigint): bigint => word(x << by) | (x >> (32n - by));
  const result = word(rotated(word(state[1]! * 5n), 7n) * 9n);
  const shifted = word(state[1]! << 9n);
  state[2]! ^= state[0]!;
  state[3]! ^= state[1]!;
  state[1]! ^= state[2]!;
  state[0]! ^= state[3]!;
  state[2]! ^= shifted;
  state[3] = rotated(state[3]!, 11n);
  return result;
}

Deno.test("Xoshiro128.next() gives the known words when it starts from 1, 2, 3, 4", () => {
  const generator = new Xoshiro128([1, 2, 3, 4]);
  assertEquals(
    Array.from({ length: 6 }, () => generator.next()),
    [11520, 0, 5927040, 70819200, 2031721883, 1637235492],
  );
});

Deno.test("Xoshiro128.fill() gives the published algorithm's words for a thousand steps", () => {
  const state = [0xdeadbeefn, 0x80000000n, 1n, 0xffffffffn];
  const out = new Uint32Array(1000);
  new Xoshiro128(state.map(Number)).fill(out);
  assertEquals([...out], Array.from(out, () => Number(published(state))));
});

Deno.test("Xoshiro128() refuses when the state is all zeros", () => {
  assertThrows(() => new Xoshiro128([0, 0, 0, 0]), RangeError, "Cannot start a generator");
  for (let i = 0; i < 4; i++) new Xoshiro128([0, 1, 2, 3].map((j) => Number(i === j)));
});
