import { assert, assertEquals } from "@std/assert";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { SharedNoise } from "../../../../lib/judge/audit/model/location_shift/shared_noise.ts";

/** How ten numbers move, and the scale of Laplace noise around each. */
const moves = Float64Array.of(1, -1, 1, 0, 1, 1, -1, 1, 1, 1), scale = 5;

/** Returns rows of one side and the true log odds of each: numbers that move, or the running sums of these. */
function drawn(count: number, { side, areSums, source }: {
  readonly side: 0 | 1;
  readonly areSums: boolean;
  readonly source: SeededSource;
}): { readonly rows: Float64Array; readonly odds: Float64Array } {
  const width = moves.length, rows = new Float64Array(count * width);
  const odds = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let j = 0; j < width; j++) {
      const noise = scale * (Math.log(source.uniform()) - Math.log(source.uniform()));
      const off = side * moves[j]! + noise;
      odds[i]! += (Math.abs(off) - Math.abs(off - moves[j]!)) / scale;
      sum = (areSums ? sum : 0) + 10 * j + off;
      rows[i * width + j] = sum;
    }
  }
  return { rows, odds };
}

/** Returns what log odds gain on rows of the right side, in nats a row. */
const gainOf = (odds: Float64Array): number =>
  odds.reduce((sum, own) => sum + Math.LN2 - Math.log1p(Math.exp(-own)), 0) / odds.length;

// Mutants: sums that are read as they are; a sign that is left out; the middle of another number; numbers that do not move counted.
Deno.test("two hundred outputs of ten numbers tell nearly all that the true odds after a small shift do, and so do their running sums", () => {
  for (const areSums of [false, true]) {
    const source = new SeededSource(3), width = moves.length;
    const rows = Float64Array.of(
      ...drawn(100, { side: 0, areSums, source }).rows,
      ...drawn(100, { side: 1, areSums, source }).rows,
    );
    const noise = SharedNoise.of({ rows, width, moves })!;
    const fresh = drawn(5000, { side: 1, areSums, source });
    const learned = gainOf(noise.oddsOf(fresh.rows, width)), best = gainOf(fresh.odds);
    assert(learned > 0.85 * best && learned < best * 1.01, `${areSums}: ${learned} of ${best}`);
  }
});

Deno.test("a missing number that moves has no odds, and numbers of few values share no noise", () => {
  const source = new SeededSource(4), width = moves.length;
  const { rows } = drawn(50, { side: 0, areSums: false, source });
  const noise = SharedNoise.of({ rows, width, moves })!;
  const [moved, still] = [0, 3].map((at) => rows.slice(0, width).fill(NaN, at, at + 1));
  assertEquals(noise.oddsOf(moved!, width)[0], NaN);
  assert(Number.isFinite(noise.oddsOf(still!, width)[0]));
  const bits = Float64Array.from({ length: 50 * width }, () => source.uint32() & 1);
  assertEquals(SharedNoise.of({ rows: bits, width, moves }), undefined);
});
