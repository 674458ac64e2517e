import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Claim, gaussian, pure } from "../../../../lib/core/mod.ts";
import { asserted } from "../../../../lib/core/relations/relation.ts";
import { auditCanaries } from "../../../../lib/judge/audit/one_run/audit_canaries.ts";
import type { Canary } from "../../../../lib/judge/audit/one_run/canary.ts";
import { countGuesses, guessRules } from "../../../../lib/judge/audit/one_run/guess_rules.ts";
import { normalTailQuantile } from "../../../../lib/core/numeric/normal_tail.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** Scores of randomised response, or Gaussian scores with distance μ. */
export function canariesOf(
  count: number,
  { seed, epsilon, mu }: { seed: number | SeededSource; epsilon?: number; mu?: number },
): Canary[] {
  const source = typeof seed === "number" ? new SeededSource(seed) : seed;
  return Array.from({ length: count }, () => {
    const included = source.uniform() < 0.5;
    if (mu !== undefined) {
      return { included, score: normalTailQuantile(source.uniform()) + (included ? mu : 0) };
    }
    const told = source.uniform() < 1 / (1 + Math.exp(-epsilon!));
    return { included, score: told === included ? 1 : 0 };
  });
}

const source = (): SeededSource => new SeededSource(1);
const dp = (epsilon: number): Claim => pure({ epsilon, relation: asserted });
const gdp = (mu: number): Claim => gaussian({ mu, relation: asserted });

// Mutants: the right guesses of "out" counted as wrong; the lowest scores guessed "in".
Deno.test("right guesses are counted as by hand", () => {
  const canaries = [3, 9, 1, 7, 5, -Infinity, 4, 8, 2, 6].map((score) => ({
    score,
    included: score > 5 || score === 1,
  }));
  const counted = countGuesses(canaries, { source: source() });
  assertEquals(counted.map(({ share: _, ...counts }) => counts), [
    { guessedIn: 5, guessedOut: 5, right: 8 },
    { guessedIn: 5, guessedOut: 0, right: 4 },
  ]);
});

// Mutant: equal scores in the order of the file.
Deno.test("equal scores show nothing, though the file is sorted by what was in", () => {
  const canaries = Array.from({ length: 2000 }, (_, i) => ({ included: i < 1000, score: 0 }));
  const report = auditCanaries(canaries, { claim: dp(0.2), source: source() });
  assertEquals(report.verdict, "not-refuted");
  assert(report.epsilonLowerBound < 0.2);
});

Deno.test("rules are fixed by the number of canaries, fit it, and grow with its logarithm", () => {
  for (const count of [2, 3, 9, 10, 11, 1000, 100_000]) {
    const rules = guessRules(count);
    const shares = rules.reduce((sum, { share }) => sum + share, 0);
    assert(Math.abs(shares - 1) < 1e-12, `${shares}`);
    assert(rules.length > 0 && rules.length < 6 * Math.log2(count) + 9);
    // Mutant: shares that fall as 1/j from the first on.
    if (count >= 1000) assert(rules[0]!.share > 0.18 && rules[2]!.share > 0.18);
    for (const { guessedIn, guessedOut } of rules) {
      assert(guessedIn + guessedOut <= count && guessedIn + guessedOut >= 1);
    }
  }
});

// Mutants: the verdict without α divided by the rules; power that is never missing.
Deno.test("verdicts: refuted, not refuted, inconclusive, and a bound alone", () => {
  const canaries = canariesOf(1000, { seed: 2302, epsilon: 2 });
  const verdictOf = (claim?: Claim, rows = canaries): string =>
    auditCanaries(rows, { ...(claim && { claim }), source: source() }).verdict;
  assertEquals(verdictOf(dp(1)), "refuted");
  assertEquals(verdictOf(dp(2)), "not-refuted");
  assertEquals(verdictOf(dp(2), canaries.slice(0, 8)), "inconclusive");
  assertEquals(verdictOf(), "bound");
  assertEquals(verdictOf(gdp(0.3), canariesOf(4000, { seed: 2303, mu: 2 })), "refuted");
  const half = canariesOf(4000, { seed: 2303, mu: 0.5 });
  const { verdict } = auditCanaries(half, { claim: gdp(0.5), requirePower: 6, source: source() });
  assertEquals(verdict, "not-refuted");
});

// Mutant: the expected number of right guesses, which half of the runs do not reach. Fewer than 31 of 40 have probability 0.014.
Deno.test("scores that tell as much as the report states refute the claim with 90% power", () => {
  for (const [claim, count] of [[dp(1), 600], [gdp(0.5), 600]] as const) {
    const stated = auditCanaries(canariesOf(count, { seed: 1, epsilon: 0.5 }), {
      claim,
      source: source(),
    }).detectableEpsilon;
    let refuted = 0;
    for (let seed = 2500; seed < 2540; seed++) {
      const truth = claim.kind === "pure" ? { epsilon: stated } : { mu: stated };
      const canaries = canariesOf(count, { seed, ...truth });
      if (auditCanaries(canaries, { claim, source: source() }).verdict === "refuted") refuted++;
    }
    assert(refuted >= 31, `${refuted} of 40 at ${stated} of a ${claim.kind} claim`);
  }
});

Deno.test("the bound is that of the best rule, and never more than right guesses alone show", () => {
  const report = auditCanaries(canariesOf(1000, { seed: 2304, epsilon: 2 }), { source: source() });
  assert(
    report.epsilonLowerBound > 1.3 && report.epsilonLowerBound < 2,
    `${report.epsilonLowerBound}`,
  );
  assert(report.best!.guessedIn === report.best!.guessedOut && report.best!.guessedIn > 460);
  const told = canariesOf(1000, { seed: 2304, epsilon: 60 });
  const most = auditCanaries(told, { source: source() });
  assert(most.epsilonLowerBound <= most.mostEpsilon && most.mostEpsilon < Math.log(1000));
  const weaker = auditCanaries(told, { delta: 1e-3, source: source() });
  assert(weaker.epsilonLowerBound < most.epsilonLowerBound);
});

Deno.test("what cannot be audited is refused", () => {
  const two = canariesOf(2, { seed: 1, epsilon: 1 });
  const refused = (rows: readonly Canary[], options: object, ...parts: string[]): void => {
    const { message } = assertThrows(
      () => auditCanaries(rows, { source: source(), ...options }),
      RangeError,
    );
    for (const part of parts) assert(message.includes(part), message);
  };
  const allIn = Array.from({ length: 30 }, (_, score) => ({ included: true, score }));
  refused(allIn, {}, "fair coin", "30 of 30");
  const most = allIn.map(({ score }) => ({ included: score > 2, score }));
  auditCanaries(most.slice(0, 20), { source: source() });
  refused(two.slice(1), {}, "canaryCount", "2", "1");
  refused([...two, { included: true, score: NaN }], {}, "score", "NaN");
  refused(two, { alpha: 0 }, "alpha", "0");
  refused(two, { delta: 1 }, "delta", "1");
  refused(two, { requirePower: 1 }, "requirePower", "1");
});
