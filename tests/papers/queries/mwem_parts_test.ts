import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { ZcdpClaim } from "../../../lib/core/claims/claim.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { share } from "../../../lib/dp/accounting/budget/share.ts";
import { rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { linearQuery } from "../../../lib/papers/queries/linear_query.ts";
import { mwemMechanism, type MwemOptions, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const domain = finiteDomain({ shape: [4] });
const box = rangeQuery(domain, { 0: [1, 2] });
const options: MwemOptions = {
  domain,
  queries: [box],
  rounds: 1,
  epsilon: 1,
  relation: replaceOne,
};
const sizes = { min: 1, max: 9 };

// T choices of bounded range s (s²/8 each), T measurements that are s-DP (s²/2 each), and the size where it is private.
Deno.test("mwemMechanism() also keeps ρ of its parts, in fractions, rounded up by next to nothing", () => {
  const random = new SeededSource(1);
  for (let run = 0; run < 300; run++) {
    const epsilon = 3 * random.uniform() + 1e-3, rounds = 1 + Math.floor(9 * random.uniform());
    for (const relation of [replaceOne, addRemoveOne]) {
      const { alsoKeeps } = mwemMechanism({ ...options, epsilon, rounds, relation, sizes });
      const [claim, ...others] = alsoKeeps! as ZcdpClaim[];
      assertEquals([others, claim!.relation], [[], relation]);
      const parts = 2 * rounds + (relation === replaceOne ? 0 : 1);
      const each = rational(share(epsilon, parts));
      const eighths = 5 * rounds + (relation === replaceOne ? 0 : 4);
      const exact = multiply(rational(eighths / 8), multiply(each, each));
      assert(subtract(rational(claim!.rho), exact).numerator >= 0n, `${claim!.rho}`);
      const above = subtract(rational(claim!.rho), multiply(exact, rational(1 + 1e-14)));
      assert(above.numerator <= 0n, `${claim!.rho}`);
    }
  }
});

Deno.test("a private n is held to 1 and 2^31, and is whole where all answers are", () => {
  const sizeOf = (seed: number, more: Partial<MwemOptions>): number =>
    sampleMwem(new SeededSource(seed), {
      ...options,
      relation: addRemoveOne,
      ...more,
      rows: [1, 2],
    }).size;
  const seeds = Array.from({ length: 40 }, (_, i) => i);
  // Noise of scale 2.5e11: next to none of it is within 2³¹.
  const held = seeds.map((seed) => sizeOf(seed, { epsilon: 1.2e-11 }));
  assertEquals([Math.min(...held), Math.max(...held)], [1, 2 ** 31]);
  const whole = seeds.map((seed) => sizeOf(seed, { epsilon: 0.1 }));
  assert(whole.every(Number.isInteger) && whole.some((size) => size > 2));
  const half = linearQuery(domain, () => 0.5);
  const fine = seeds.map((seed) => sizeOf(seed, { epsilon: 0.1, queries: [box, half] }));
  assert(fine.some((size) => !Number.isInteger(size)));
  assert(fine.every((size) => Number.isInteger(size * 2 ** 16)));
});

// Mutants: noise in steps of 2⁻¹⁶ that is not brought back to rows.
Deno.test("answers of linear queries and n have noise of scale 2T + 1 shares, in rows", () => {
  const rows = new Array<number>(1000).fill(2);
  const weight = linearQuery(domain, (cell) => cell / 4);
  let size = 0, value = 0;
  const runs = 2000;
  const { sample } = mwemMechanism({
    ...options,
    queries: [weight],
    relation: addRemoveOne,
    sizes,
  });
  const source = new SeededSource(2);
  for (let run = 0; run < runs; run++) {
    const [, measured, counted] = sample(rows, source);
    size += Math.abs(counted! - 1000) / runs;
    value += Math.abs(measured! - 500) / runs;
  }
  // E|N| = 3, with a deviation of 3/√2000 = .067.
  assertAlmostEquals(size, 3, 0.35);
  assertAlmostEquals(value, 3, 0.35);
});

Deno.test("an update moves a weight by e^±50 at most, and the mass stays n", () => {
  for (const weights of [[0, 1, 1, 0], [0, 0.25, 0.5, 0.75]]) {
    const query = weights[1] === 1 ? box : linearQuery(domain, (cell) => weights[cell]!);
    // The least of the four cells after an update by e^50 and by e^−50.
    const least = [50, -50].map((exponent) => {
      const cells = weights.map((weight) => Math.exp(exponent * weight));
      return 5 * Math.min(...cells) / cells.reduce((sum, each) => sum + each);
    });
    for (let seed = 0; seed < 20; seed++) {
      // Noise of scale 2e6 on five rows asks for e^±200,000.
      const { histogram } = sampleMwem(new SeededSource(seed), {
        ...options,
        queries: [query],
        epsilon: 1e-6,
        output: "last",
        rows: [0, 1, 2, 3, 3],
      });
      assertAlmostEquals(histogram.reduce((sum, mass) => sum + mass), 5, 1e-9);
      const found = Math.min(...histogram);
      assert(least.some((each) => Math.abs(found / each - 1) < 1e-9), `${found} of ${least}`);
    }
  }
});

Deno.test("each replay applies a measurement once more, by hand", () => {
  const rows = [...new Array<number>(30).fill(1), 0, 3];
  for (const replays of [0, 1, 2, 5]) {
    const { histogram, measurements } = sampleMwem(new SeededSource(3), {
      ...options,
      output: "last",
      replays,
      rows,
    });
    let inside = 16;
    for (let update = 0; update <= replays; update++) {
      const weight = inside * Math.exp((measurements[0]!.value - inside) / 64);
      inside = 32 * weight / (weight + 32 - inside);
    }
    assertAlmostEquals(histogram[1]! + histogram[2]!, inside, 1e-9);
  }
});
