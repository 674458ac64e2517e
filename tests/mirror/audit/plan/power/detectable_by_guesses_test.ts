import { assert, assertEquals } from "@std/assert";
import { boundByGuesses } from "../../../../../lib/audit/plan/bound_at_end.ts";
import { detectableByGuesses } from "../../../../../lib/audit/plan/power/detectable_by_guesses.ts";
import { logBinomialTail } from "../../../../../lib/numeric/binomial_tail.ts";
import { batchWith, cellsWith, guessed, source } from "../../kernel/fixed_sample/guesses.ts";

const test = { alpha: 0.05, power: 0.9 };

/** The chance that guesses right with probability e^ε/(1 + e^ε) refute the claim, averaged over tosses. */
function powerAt(
  at: number,
  counts: { readonly goal: number; readonly made: number; readonly epsilon: number },
): number {
  const tosses = counts.made === counts.goal
    ? [0.5]
    : Array.from({ length: 16 }, (_, k) => (k + 0.5) / 16);
  const { made } = counts;
  const chances = tosses.map((tossed) => {
    // All guesses right do not always refute.
    let low = -1, high = made + 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (guessed({ ...counts, right: middle, tossed }).refutes()) high = middle;
      else low = middle;
    }
    return Math.exp(logBinomialTail(high, made, 1 / (1 + Math.exp(-at))));
  });
  return chances.reduce((a, b) => a + b, 0) / tosses.length;
}

// Mutant: the normal approximation at the claimed rate, which says 8.3 for 800 guesses at ε = 5, where no ε is seen.
Deno.test("detectableByGuesses() is the least ε refuted with that power, for small and large ε and few guesses", () => {
  for (
    const [epsilon, goal, made] of [
      [0.5, 20_000, 20_000],
      [1, 100, 100],
      [3, 100, 100],
      [3, 200, 190],
      [5, 800, 800],
      [5, 1500, 1450],
      [5, 20_000, 20_000],
      [8, 50_000, 50_000],
    ] as const
  ) {
    const counts = { goal, made, epsilon };
    const found = detectableByGuesses({ ...test, goal, made, claim: epsilon });
    const at = `${found} of ${JSON.stringify(counts)}`;
    if (found === Infinity) {
      assert(powerAt(35, counts) < 0.91, `${at}: ${powerAt(35, counts)}`);
      continue;
    }
    assert(powerAt(found, counts) >= 0.9 - 1e-9, `${at}: ${powerAt(found, counts)}`);
    // The cells of the tosses lose less than a hundredth of the power.
    assert(powerAt(found * (1 - 2e-4), counts) < (goal === made ? 0.9 : 0.93), at);
  }
  const few = { goal: 400, made: 400, claim: 5 };
  assertEquals(detectableByGuesses({ ...test, ...few }), Infinity);
  assertEquals(detectableByGuesses({ ...test, ...few, claim: 40 }), Infinity);
});

Deno.test("boundByGuesses() says what its guesses were able to see, and nothing when fewer than half were made", () => {
  const { bound, detectable } = boundByGuesses(cellsWith([[10, 90]]), {
    claim: 1,
    alpha: 0.05,
    draws: 1000,
    source,
  });
  bound.add(batchWith([[50, 449]]));
  assertEquals(detectable(0.9), null);
  bound.add(batchWith([[0, 1]]));
  assertEquals(detectable(0.9), detectableByGuesses({ ...test, goal: 1000, made: 500, claim: 1 }));
});
