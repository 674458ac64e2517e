import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { gumbel as gumbelNoise, places } from "../../bench/limit/laws.ts";
import { answer } from "../../bench/exam/answer.ts";
import { queries } from "../../bench/exam/queries.ts";
import { COLUMNS, tracks } from "../../bench/exam/tracks.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { LONG } from "../long.ts";

const VALUES = [0, 0.2, 0.45, 0.5, 0.55, 0.8, 1];

/** All datasets of five of some values. */
function* datasets(values: readonly number[], size = 5): Generator<number[]> {
  if (size === 0) yield [];
  else for (const rest of datasets(values, size - 1)) for (const x of values) yield [...rest, x];
}

Deno.test("there are 49 queries, and each changes by its sensitivity between its two neighbours", () => {
  assertEquals(queries.length, 49);
  for (const { name, of, sensitivity, left, right, at } of queries) {
    assertEquals(left.toSpliced(at, 1), right.toSpliced(at, 1));
    pairOf(replaceOne, { left, right });
    assertAlmostEquals(Math.abs(of(left) - of(right)), sensitivity, 1e-12, name);
  }
});

Deno.test("no query changes by more than its sensitivity when one number is replaced", () => {
  const source = new SeededSource(1);
  const every = [...datasets(VALUES.filter((_, i) => i % (LONG ? 2 : 3) === 0))];
  const random = Array.from({ length: LONG ? 1000 : 100 }, () => {
    return Array.from(
      { length: 5 },
      () => source.uniform() < 0.5 ? VALUES[source.uint32() % VALUES.length]! : source.uniform(),
    );
  });
  for (const { name, of, sensitivity } of queries) {
    for (const data of [...every, ...random]) {
      const value = of(data);
      for (let at = 0; at < 5; at++) {
        for (const moved of [...VALUES, source.uniform()]) {
          const change = Math.abs(of(data.with(at, moved)) - value);
          assert(
            change <= sensitivity + 1e-9,
            `${name}: ${data} with ${moved} at ${at}: ${change}`,
          );
        }
      }
    }
  }
});

const largestLoss = (left: ArrayLike<number>, right: ArrayLike<number>): number =>
  Math.max(...Array.from(left, (p, i) => Math.abs(Math.log(p / right[i]!))));

Deno.test("with the noise that they need, tracks keep ε on the worst neighbours, and with less none does", () => {
  for (const { name, laws, broken } of tracks) {
    if (laws === undefined) continue;
    const [whole, half] = [1, broken.share].map((noise) => laws(noise));
    const inside = (law: ArrayLike<number>): number[] => Array.from(law).filter((p) => p > 1e-9);
    assert(largestLoss(inside(whole!.left), inside(whole!.right)) <= 1 + 1e-6, name);
    assert(largestLoss(inside(half!.left), inside(half!.right)) > 1.2, name);
  }
});

Deno.test("selection keeps ε when each column moves by at most the sensitivity", () => {
  const source = new SeededSource(2);
  const gumbel = {
    noise: gumbelNoise,
    quantile: (tail: number): number => -Math.log(-Math.log1p(-tail)),
  };
  const shown = places([0, 1, 2], gumbel);
  const weights = [1, Math.E, Math.E ** 2], all = weights[0]! + weights[1]! + weights[2]!;
  weights.forEach((weight, i) => assertAlmostEquals(shown[i]!, weight / all, 1e-5));
  for (let k = 0; k < 5; k++) {
    const left = Array.from({ length: COLUMNS }, () => 3 * source.uniform());
    const right = left.map((score) => score + (source.uniform() < 0.5 ? 0.5 : -0.5));
    assert(largestLoss(places(left, gumbel), places(right, gumbel)) <= 1 + 1e-4);
  }
});

Deno.test("programs draw from the laws of their tracks", () => {
  const count = 40_000;
  for (const [k, track] of tracks.entries()) {
    for (const noise of [1, track.broken.share]) {
      for (const query of [queries[2]!, queries[13]!, queries[36]!]) {
        const { left } = track.worst(query);
        const outputs = track.program(query, noise)
          .sampleMany!(left, count, new SeededSource(k));
        if (k >= 3) {
          const expected = track.laws!(noise).left[0]!;
          const share = outputs.filter((place) => place === 0).length / count;
          // Six standard errors: a false alarm has probability 2e-9.
          assertAlmostEquals(share, expected, 6 * Math.sqrt(expected / count));
        } else {
          const value = query.of(left as number[]);
          const spread = outputs.reduce((sum, y) => sum + (y - value) ** 2, 0) / count;
          const expected = (k === 0 ? 2 : 1) * (noise * query.sensitivity) ** 2;
          // A relative standard error of at most 0.012.
          assertAlmostEquals(spread / expected, 1, 0.07);
        }
      }
    }
  }
});

Deno.test("audits answer questions about the sum in every track where the pair is given", async () => {
  for (const [track, { name, broken }] of tracks.entries()) {
    for (const noise of [1, broken.share]) {
      const { verdict } = await answer({
        query: 0,
        track,
        noise,
        seed: 11,
        alpha: 0.001,
        maxDraws: 20_000,
        given: true,
      });
      assertEquals(verdict, noise === 1 ? "not-refuted" : "refuted", name);
    }
  }
});
