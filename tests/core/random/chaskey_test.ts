import { assertEquals } from "@std/assert";
import { chaskey } from "../../../lib/core/random/chaskey.ts";

// Mouha's test vectors: the message is 0, 1, 2, … of the given length.
const KEY = Uint32Array.of(0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39);
const VECTORS: readonly [number, number[]][] = [
  [0, [0x43cb1f41, 0x51eba0c2, 0xff0a8ac3, 0x7ee3f642]],
  [1, [0xf9ac2067, 0x9c35a846, 0x441aad3d, 0x777b7330]],
  [15, [0x03cfb44b, 0x283c8163, 0xfca71448, 0xc40a0aea]],
  [16, [0x5dd0e2a9, 0xfb5eac8c, 0x633a392e, 0x500c36f3]],
  [17, [0x8b5f6d5a, 0x202314f6, 0x22092368, 0x9639e606]],
  [32, [0x77962784, 0x07c647fa, 0xdd752c0f, 0xd2f5a799]],
  [63, [0x2dd072e1, 0x42b89efe, 0xfb26b615, 0x049aa451]],
];

Deno.test("chaskey() gives the published codes when blocks are empty, partial, whole and many", () => {
  for (const [length, expected] of VECTORS) {
    const message = Uint8Array.from({ length }, (_, i) => i);
    assertEquals([...chaskey(KEY, message)], expected, `length ${length}`);
  }
});

Deno.test("chaskey() leaves key and message as they were", () => {
  const key = KEY.slice(), message = Uint8Array.of(1, 2, 3);
  chaskey(key, message);
  assertEquals(key, KEY);
  assertEquals(message, Uint8Array.of(1, 2, 3));
});
