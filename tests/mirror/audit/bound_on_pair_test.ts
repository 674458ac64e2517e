import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { boundOnPair, levelsOf } from "../../../lib/audit/bound_on_pair.ts";
import { Sampler } from "../../../lib/audit/drawing/sampler.ts";
import { functionSubject } from "../../../lib/audit/subjects/function_subject.ts";
import type { Subject } from "../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

const relation = replaceOne;
const claim = pure({ epsilon: 1, relation });
const pair = pairOf(relation, { left: [0], right: [1] });

Deno.test("levelsOf() splits α between the bets and the test, whatever is audited", () => {
  const subject = functionSubject(() => 0, { name: "f", source: new SeededSource(1) });
  const recorded = { ...subject, recorded: {} } as unknown as Subject;
  for (const one of [subject, recorded]) {
    for (const effort of ["quick", "thorough"] as const) {
      const { betsShare, bets, test } = levelsOf({ subject: one, effort, alpha: 0.04 });
      assertAlmostEquals(bets + test, 0.04, 1e-17);
      assertAlmostEquals(bets, betsShare * 0.04, 1e-17);
      assert(bets > 0 && test > 0);
      if (one === recorded) assertEquals(betsShare, 0.5);
      else assert(effort === "quick" ? bets > test : test > bets);
    }
  }
});

// The largest bound that n guesses show, all of them right, at level a is the ε with (e^ε/(1 + e^ε))^n = a (Clopper, Pearson 1934).
// Mutant: the test has all of α, and shows ln(n/.105) in place of ln(n/.239).
Deno.test("boundOnPair() of a program that tells all shows what the test's share of α allows", async () => {
  const alpha = 0.9, draws = 20_000;
  const subject = functionSubject((data: readonly unknown[]) => data[0], {
    name: "f",
    source: new SeededSource(1),
  });
  const sampler = new Sampler(subject, {
    labels: new SeededSource(2),
    maxDraws: draws,
    maxSeconds: Infinity,
  });
  const bound = await boundOnPair(pair, {
    subject,
    sampler,
    claim,
    alpha,
    bits: false,
    source: new SeededSource(3),
  });
  const { test } = levelsOf({ subject, effort: "thorough", alpha });
  const largest = -Math.log(Math.expm1(-Math.log(test) / draws));
  assert(bound <= largest && bound > largest - 0.8, `${bound} of ${largest}`);
});

/** The bound of so few draws. */
function boundOfFew(
  run: (data: readonly unknown[], source: { uniform(): number }) => unknown,
  { draws, alpha, seed }: { draws: number; alpha: number; seed: number },
): Promise<number> {
  const subject = functionSubject(run, { name: "f", source: new SeededSource(seed).split("f") });
  const labels = new SeededSource(seed).split("labels");
  return boundOnPair(pair, {
    subject,
    sampler: new Sampler(subject, { labels, maxDraws: draws, maxSeconds: Infinity }),
    claim,
    alpha,
    bits: false,
    source: new SeededSource(seed).split("guesses"),
    expectedDraws: draws,
  });
}

// Mutant: the test at the end, which shows nothing of 100 draws.
Deno.test("boundOnPair() of few draws shows more than the claim where outputs tell all", async () => {
  for (const [draws, least] of [[100, 1.7], [1000, 4.2]] as const) {
    const bound = await boundOfFew(([row]) => row, { draws, alpha: 0.01, seed: 4 });
    assert(bound > least && bound < Math.log(draws), `${bound} of ${draws} draws`);
  }
});

// Mutant: the bound of the last draws alone, or α tripled.
Deno.test("boundOnPair() of few draws is above the true ε with probability α at most", async () => {
  const truthful = 1 / (1 + Math.exp(-0.7)), alpha = 0.2, runs = 200;
  let wrong = 0, shown = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const bound = await boundOfFew(
      ([row], source) => source.uniform() < truthful ? row : 1 - Number(row),
      { draws: 320, alpha, seed },
    );
    if (bound > 0.7) wrong++;
    if (bound > 0.2) shown++;
  }
  // 40 are expected at most; 63 or more have probability 1e-4.
  assert(wrong < 63, `${wrong} of ${runs}`);
  assert(shown > runs / 2, `${shown} of ${runs}`);
});
