import { assert, assertEquals } from "@std/assert";
import { distanceAtSeeds } from "../../../lib/judge/recording/distance.ts";
import { outputParts } from "../../../lib/judge/recording/output_parts.ts";

const NOISE = [0.3, -1.2, 2.5, 0.1];

function distance(left: (z: number) => unknown, right: (z: number) => unknown): number {
  return distanceAtSeeds(
    NOISE.map((z) => outputParts(left(z))),
    NOISE.map((z) => outputParts(right(z))),
  );
}

// Mutants: numbers that are compared without their spread; a spread of both sides against each other.
Deno.test("distanceAtSeeds() measures changes by what chance does, in any unit and beside numbers that stay", () => {
  assertEquals(distance((z) => z, (z) => z), 0);
  const near = distance((z) => z, (z) => z + 1), far = distance((z) => z, (z) => z + 3);
  assert(far > 2.9 * near && near > 0);
  const scaled = distance((z) => [7, 100 * z], (z) => [7, 100 * (z + 1)]);
  assert(Math.abs(scaled - near) < 1e-9);
  // Sums in another order.
  assertEquals(distance((z) => z + 0.1 + 0.2, (z) => z + (0.1 + 0.2)), 0);
});

// Mutant: shapes that are looked at after numbers.
Deno.test("distanceAtSeeds() is largest where length, keys, categories or errors differ whatever chance does", () => {
  const infinite: readonly (readonly [unknown, unknown])[] = [
    [{ a: 1 }, { b: 1 }],
    [[1], [1, 1]],
    ["yes", "no"],
    [1, null],
  ];
  for (const [left, right] of infinite) assertEquals(distance(() => left, () => right), Infinity);
  // An answer that chance changes as often as the row does.
  const answered = distance((z) => z > 0, (z) => z < 0);
  assert(answered > 0 && answered < Infinity);
});
