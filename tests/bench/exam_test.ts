import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { gumbel as gumbelNoise, places } from "../../bench/limit/laws.ts";
import { answer } from "../../bench/exam/answer.ts";
import { holds } from "../../bench/exam/claims/case.ts";
import { renyi, responses } from "../../bench/exam/claims/losses.ts";
import { paperClaims } from "../../bench/exam/claims/papers.ts";
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

/** Those that hold in all cases. */
// deno-fmt-ignore
const KEPT = [
  1, 3, 6, 8, 11, 13, 17, 18, 19, 39, 45, 46, 47, 66, 72, 73, 76, 78, 82, 87, 93, 94, 97, 99, 100, 101, 102,
  108, 111, 115, 117, 122, 124, 125, 130, 131, 137,
];
/** Those that take more than a quarter of a second. */
const SLOW = [23, 24, 25, 45, 46, 47, 48, 49, 87, 111, 112, 129];

Deno.test("of 125 claims of papers 37 hold in all cases", () => {
  const ids = Object.keys(paperClaims).map(Number);
  assertEquals(ids.length, 125);
  const tried = ids.filter((id) => LONG || !SLOW.includes(id));
  assertEquals(
    tried.filter((id) => holds(paperClaims[id]!())),
    KEPT.filter((id) => tried.includes(id)),
  );
});

Deno.test("a claim is broken by a case above what it allows, and by one that allows no number", () => {
  assert(holds([{ lost: 1, allowed: 1 }, { lost: 0, allowed: Infinity }]));
  assert(!holds([{ lost: 0.5, allowed: 1 }, { lost: 1.0001, allowed: 1 }]));
  assert(!holds([{ lost: 0, allowed: NaN }]));
  // Order 2 of odds e: ln((e² + e⁻¹)/(1 + e)).
  assertAlmostEquals(
    renyi(responses(1), 2),
    Math.log((Math.E ** 2 + 1 / Math.E) / (1 + Math.E)),
    1e-12,
  );
});
