import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Source } from "../../../../lib/core/source.ts";
import { drawBinomial } from "../../../../lib/audit/fixed_sample/precedence_binomial.ts";

// What is drawn is a function of uniform numbers: they are given here, one by one.

/** A draw of the numbers given, and how many of them it took. */
function drawOf(uniforms: readonly number[], n: number, p: number): { k: number; taken: number } {
  let taken = 0;
  const source = {
    uniform: () => uniforms[Math.min(taken++, uniforms.length - 1)]!,
  } as Source;
  return { k: drawBinomial(source, n, p), taken };
}

/** The masses of Binomial(n, p), by products. */
function massesOf(n: number, p: number): Float64Array {
  return Float64Array.from({ length: n + 1 }, (_, k) => {
    let log = k * Math.log(p) + (n - k) * Math.log1p(-p);
    for (let i = 1; i <= k; i++) log += Math.log((n - k + i) / i);
    return Math.exp(log);
  });
}

// Mutants: the first mass, the ratio of masses or the comparison changed; sides exchanged above a half.
Deno.test("drawBinomial() of few expected is the quantile of one uniform number", () => {
  for (
    const [n, p] of [[1, 0.3], [4, 0.5], [12, 0.7], [19, 0.5], [33, 0.3], [500, 0.01]] as const
  ) {
    const own = Math.min(p, 1 - p);
    let below = 0;
    massesOf(n, own).forEach((mass, k) => {
      if (mass > 1e-9) {
        for (const share of [1e-6, 0.5, 1 - 1e-6]) {
          const { k: found, taken } = drawOf([below + share * mass], n, p);
          assertEquals([found, taken], [p > 0.5 ? n - k : k, 1], `${n} ${p}`);
        }
      }
      below += mass;
    });
  }
  // Below the first mass, and not at it: of one coin of a half that is a double.
  assertEquals([0.5 - 2 ** -54, 0.5].map((u) => drawOf([u], 1, 0.5).k), [0, 1]);
  // Masses of which the sum is rounded below that number end where they underflow, not with n.
  assertEquals(drawOf([1 - 2 ** -53], 1e6, 6.027e-7).k, 161);
  assertEquals(drawOf([1 - 2 ** -53], 3, 1e-17).k, 0);
});

/** The constants of BTRS (Hörmann 1993, section 2.3). */
function constantsOf(n: number, p: number): {
  a: number;
  b: number;
  c: number;
  quick: number;
  alpha: number;
} {
  const deviation = Math.sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  return {
    a: -0.0873 + 0.0248 * b + 0.01 * p,
    b,
    c: n * p + 0.5,
    quick: 0.92 - 4.2 / b,
    alpha: (2.83 + 5.1 / b) * deviation,
  };
}

// Mutants: each constant, term and factor of what is compared; a value outside 0…n taken; the quick step where it does not hold.
Deno.test("drawBinomial() of many expected takes k with its mass, as a share of a law that is above all masses", () => {
  const END = { u: 0.5, v: 1e-9 };
  let quickly = 0, slowly = 0, outside = 0;
  const cases = [
    [20, 0.5],
    [25, 0.41],
    [33, 0.33],
    [45, 0.77],
    [100, 0.1],
    [160, 0.5],
    [700, 0.02],
  ] as const;
  for (const [n, p] of cases) {
    const own = Math.min(p, 1 - p), masses = massesOf(n, own), mode = Math.floor((n + 1) * own);
    const { a, b, c, quick, alpha } = constantsOf(n, own);
    const atEnd = Math.floor(c);
    const valueOf = (u: number): number =>
      Math.floor((2 * a / (0.5 - Math.abs(u - 0.5)) + b) * (u - 0.5) + c);
    for (let step = 1; step < 4000; step++) {
      const u = step / 4000;
      const k = valueOf(u), us = 0.5 - Math.abs(u - 0.5);
      const take = (v: number): boolean => {
        const { k: found, taken } = drawOf([u, v, END.u, END.v], n, p);
        const expected = taken === 2 ? k : atEnd;
        assertEquals(found, p > 0.5 ? n - expected : expected);
        return taken === 2;
      };
      if (k < 0 || k > n) {
        outside++;
        assert(!take(1e-12) && !take(0.5), `${n} ${p}: ${k}`);
        continue;
      }
      const share = masses[k]! / masses[mode]! * (a / (us * us) + b) / alpha;
      assert(share <= 1, `${n} ${p}: ${share} at ${k}`);
      if (us >= 0.07 && quick > 0) {
        quickly++;
        assert(quick <= share, `${n} ${p}: ${share} at ${k}`);
      }
      if (share > 1e-290 && share < 1 - 1e-6) {
        slowly++;
        assert(
          take(share * (1 - 1e-7)) && !take(share * (1 + 1e-7)),
          `${n} ${p}: ${share} at ${k}`,
        );
      }
    }
  }
  assert(quickly > 5000 && slowly > 10_000 && outside > 50, `${quickly} ${slowly} ${outside}`);
});

// Mutants: a number taken where nothing is left to chance.
Deno.test("drawBinomial() of no draws, or of a certain one, takes no number", () => {
  for (const [n, p, k] of [[0, 0.3, 0], [0, 0.7, 0], [-1, 0.3, 0], [5, 0, 0], [5, 1, 5]] as const) {
    assertEquals(drawOf([0.5], n, p), { k, taken: 0 });
  }
});

// Mutant: inversion that begins later than below 10 expected ones.
Deno.test("drawBinomial() inverts below 10 expected ones, and takes two numbers from there on", () => {
  assertEquals(drawOf([0.5, 0.01], 20, 0.5).taken, 2);
  assertEquals(drawOf([0.5, 0.01], 19, 0.5).taken, 1);
  assertEquals(drawOf([0.5, 0.01], 20, 0.51).taken, 1);
  assertAlmostEquals(drawOf([0.5, 0.01], 1e9, 0.25).k, 2.5e8, 1);
});
