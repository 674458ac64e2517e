import { assert, assertEquals } from "@std/assert";
import { LEVEL_MARGIN } from "../../../../lib/audit/fixed_sample/unfinished_guesses.ts";
import { detectableByGuesses } from "../../../../lib/audit/power/detectable_by_guesses.ts";

// So few guesses that all sums are written out here.

/** P(Bin(n, p) ≥ k), term by term. */
function tail(k: number, n: number, p: number): number {
  let sum = 0, choose = 1;
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += choose * p ** i * (1 - p) ** (n - i);
    choose *= (n - i) / (i + 1);
  }
  return sum;
}

const rateOf = (epsilon: number): number => 1 / (1 + Math.exp(-epsilon));

interface Case {
  readonly goal: number;
  readonly made: number;
  readonly claim: number;
  readonly alpha: number;
}

/** The power at ε, of guesses that are counted together with the 128 least numbers of tosses, as is stated. */
function powerAt(epsilon: number, { goal, made, claim, alpha }: Case): number {
  let needed = 0;
  while (tail(needed, goal, rateOf(claim)) > alpha * Math.exp(-LEVEL_MARGIN)) needed++;
  let power = 0;
  for (let cell = 0; cell < 128; cell++) {
    let tossed = 0;
    while (1 - tail(tossed + 1, goal - made, rateOf(claim)) < cell / 128) tossed++;
    power += tail(needed - tossed, made, rateOf(epsilon)) / 128;
  }
  return power;
}

// Mutants: one guess more or less that refutes, a level that is not alpha's, other cells, another mean over them, a search that ends elsewhere.
Deno.test("detectableByGuesses() of few guesses is within 1e-4 above the least ε that is seen", () => {
  let infinite = 0;
  for (const goal of [1, 2, 7, 12, 25, 40]) {
    for (const missing of [0, 1, 5]) {
      for (const claim of [0.05, 0.5, 1, 2.5]) {
        for (const [alpha, power] of [[0.05, 0.9], [0.3, 0.5], [0.02, 0.99]] as const) {
          const made = goal - missing, options = { goal, made, claim, alpha };
          if (made < 1) continue;
          const found = detectableByGuesses({ ...options, power }), at = JSON.stringify(options);
          if (found === Infinity) {
            infinite++;
            assert(powerAt(36, options) < power, at);
            continue;
          }
          assert(found > claim && powerAt(found * (1 + 1e-9), options) >= power, `${at}: ${found}`);
          const below = Math.max(claim, found * (1 - 1.001e-4));
          assert(powerAt(below * (1 - 1e-9), options) < power, `${at}: ${found}`);
        }
      }
    }
  }
  assert(infinite > 20 && infinite < 150, `${infinite}`);
});

// The least number of right guesses has a probability of alpha exactly, or hardly more.
Deno.test("detectableByGuesses() refutes at alpha less the margin, and not at alpha", () => {
  // All of ten right under ε = 0.5: at exactly that level they do not refute, next above it they do.
  const level = rateOf(0.5) ** 10, few = { goal: 10, made: 10, claim: 0.5, power: 0.5 };
  assertEquals(detectableByGuesses({ ...few, alpha: level * (1 - 1e-12) }), Infinity);
  assertEquals(detectableByGuesses({ ...few, alpha: level * (1 + 1e-10) }), Infinity);
  const found = detectableByGuesses({ ...few, alpha: level * (1 + 1e-8) });
  // 0.5 = θ¹⁰.
  const exact = -Math.log(2 ** 0.1 - 1);
  assert(found >= exact * (1 - 1e-9) && found <= exact * (1 + 1.001e-4), `${found}, not ${exact}`);
});

Deno.test("detectableByGuesses() of one guess at a level above a half is the ε at which it is right so often", () => {
  const one = { goal: 1, made: 1, claim: 0.01, alpha: 0.6, power: 0.9 };
  const found = detectableByGuesses(one);
  assert(found >= Math.log(9) && found <= Math.log(9) * (1 + 1.001e-4), `${found}`);
});
