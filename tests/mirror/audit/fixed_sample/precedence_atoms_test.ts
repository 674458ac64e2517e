import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  type AtomCounts,
  atomPValue,
} from "../../../../lib/audit/fixed_sample/precedence_atoms.ts";
import { drawBinomial } from "../../../../lib/audit/fixed_sample/precedence_binomial.ts";
import { tradeOff } from "../../../../lib/core/trade_off/trade_off.ts";
import { approximate, gaussian, pure } from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import type { Source } from "../../../../lib/core/source.ts";
import { logBinomialTail } from "../../../../lib/numeric/binomial_tail.ts";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
} from "../../../../lib/numeric/clopper_pearson.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** How many p-values are at most `alpha` where a set is e times as likely on one side as on the other. */
function countBelow(
  alpha: number,
  { epsilon, rare, runs, repetitions }: {
    epsilon: number;
    rare: number;
    runs: readonly [likely: number, rare: number];
    repetitions: number;
  },
): number {
  const root = new SeededSource(11);
  let below = 0;
  for (let k = 0; k < repetitions; k++) {
    const source = root.split(k);
    const counts = {
      likely: { hits: drawBinomial(source, runs[0], rare * Math.E), runs: runs[0] },
      rare: { hits: drawBinomial(source, runs[1], rare), runs: runs[1] },
    };
    const p = atomPValue(counts, { claim: pure({ epsilon, relation }), source });
    below += Number(p <= alpha);
  }
  return below;
}

// Mutants: the larger side taken for as long as the other one, the claim's e^ε left out.
Deno.test("atomPValue() of a pure claim is below α with chance α at most, and near it at the claim", () => {
  const repetitions = 2000, alpha = 0.1;
  for (const runs of [[400, 400], [800, 200], [200, 800]] as const) {
    const options = { rare: 0.3, runs, repetitions };
    const atClaim = countBelow(alpha, { ...options, epsilon: 1 });
    assert(logBinomialTail(atClaim, repetitions, alpha) > Math.log(1e-4), `${atClaim}, ${runs}`);
    assert(atClaim > repetitions / 50, `${atClaim}, ${runs}`);
    // Against 0.8 most of them see it.
    assert(countBelow(alpha, { ...options, epsilon: 0.8 }) > 2 * atClaim);
  }
});

// Mutants: as many runs of a side as are expected instead of as many as a coin gives; all hits instead of those on the
// runs that were picked (then p is one half always), or hits picked one by one.
Deno.test("atomPValue() of a pure claim draws at random which side a run is on", () => {
  const root = new SeededSource(12), counts = { hits: 100, runs: 100 };
  const claim = pure({ epsilon: 1e-9, relation });
  // Of 200 runs 163 are used, all of them hits.
  const tails = Array.from({ length: 164 }, (_, k) => Math.exp(logBinomialTail(k, 163, 0.5)));
  let below = 0;
  for (let k = 0; k < 1000; k++) {
    const source = root.split(k);
    const p = atomPValue({ likely: counts, rare: counts }, { claim, source });
    assert(tails.some((tail) => Math.abs(tail - p) < 1e-6 * p), `${p}`);
    below += Number(p <= 0.2);
  }
  assert(below > 130 && below < 250, `${below}`);
});

// Mutant: more runs than there are.
Deno.test("atomPValue() of a pure claim is 1 where a side has too few runs", () => {
  const counts: AtomCounts = {
    likely: { hits: 1000, runs: 1000 },
    rare: { hits: 0, runs: 20 },
  };
  const claim = pure({ epsilon: 0.1, relation });
  assert(atomPValue(counts, { claim, source: new SeededSource(1) }) < 0.01);
  // The coin chooses the rare side as often as can be.
  const source = { uniform: () => 1 - 2 ** -53 } as Source;
  assertEquals(atomPValue(counts, { claim, source }), 1);
});

// Mutants: both bounds at α, a frequency in place of a bound, 1 where levels contradict or the other way round.
Deno.test("atomPValue() of other claims is the level from which on two bounds contradict the claim", () => {
  const source = new SeededSource(1);
  for (
    const claim of [
      approximate({ epsilon: 1, delta: 0.01, relation }),
      gaussian({ mu: 1, relation }),
    ]
  ) {
    const allowed = tradeOff(claim);
    for (const [likely, rare] of [[160, 50], [180, 30], [190, 5]] as const) {
      const counts = { likely: { hits: likely, runs: 200 }, rare: { hits: rare, runs: 220 } };
      const p = atomPValue(counts, { claim, source });
      const gap = (alpha: number): number =>
        allowed(clopperPearsonLower({ successes: likely, trials: 200, alpha: alpha / 2 })) -
        clopperPearsonUpper({ successes: rare, trials: 220, alpha: alpha / 2 });
      assert(p > 0 && p < 1, `${p}`);
      assert(gap(p) > 0 && gap(p * Math.exp(-1.001e-3)) < 0, `${p}`);
    }
    const same = { likely: { hits: 50, runs: 200 }, rare: { hits: 50, runs: 200 } };
    assertEquals(atomPValue(same, { claim, source }), 1);
    const clear = { likely: { hits: 1e6, runs: 1e6 }, rare: { hits: 0, runs: 1e6 } };
    assertAlmostEquals(atomPValue(clear, { claim, source }), 1e-30, 1e-35);
  }
});

const claim = pure({ epsilon: 0.5, relation });

/** A source that always gives this number. */
const always = (uniform: number): Source => ({ uniform: () => uniform }) as Source;

Deno.test("atomPValue() of a pure claim is 1 without hits, and a hundred-millionth above the tail else", () => {
  for (let seed = 0; seed < 200; seed++) {
    const none = { hits: 0, runs: 40 };
    const source = new SeededSource(seed);
    assertEquals(atomPValue({ likely: none, rare: none }, { claim, source }), 1);
  }
  // All of 12 likely runs hit, of 32 that a coin shares out: `likelyRuns` hits in as many trials.
  const likely = { hits: 12, runs: 12 }, rare = { hits: 0, runs: 100 }, share = 12 / 112;
  const theta = 1 / (1 + (1 - share) / share * Math.exp(-0.5));
  const tails = Array.from({ length: 13 }, (_, k) => Math.exp(logBinomialTail(k, k, theta)));
  for (let seed = 0; seed < 50; seed++) {
    const p = atomPValue({ likely, rare }, { claim, source: new SeededSource(seed) });
    const tail = tails.find((own) => Math.abs(p / own - 1) < 1e-6)!;
    assert(tail === 1 ? p === 1 : Math.abs((p / tail - 1) / 1e-8 - 1) < 1e-3, `${p}`);
  }
});

Deno.test("atomPValue() of a pure claim is 1 where a coin asks for more runs than a side has, and not for all of them", () => {
  const few = 12, many = 100, total = 32, share = few / (few + many);
  const tailFrom = (k: number): number => Math.exp(logBinomialTail(k, total, share));
  for (const isLikely of [true, false]) {
    const small = { hits: isLikely ? few : 0, runs: few };
    const large = { hits: isLikely ? 0 : many, runs: many };
    const counts = isLikely ? { likely: small, rare: large } : { likely: large, rare: small };
    // The smaller side gets 12 or 13 runs.
    const at = (runs: number): number =>
      atomPValue(counts, {
        claim,
        source: always(1 - (tailFrom(runs) + tailFrom(runs + 1)) / 2),
      });
    assert(at(few) < 0.5, `${at(few)}`);
    assertEquals(at(few + 1), 1);
    assertEquals(atomPValue(counts, { claim, source: always(1 - 2 ** -53) }), 1);
  }
});
