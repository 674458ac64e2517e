import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { MAX_RESTARTS } from "../../../../../lib/judge/audit/kernel/betting/shares.ts";
import { Wealth } from "../../../../../lib/judge/audit/kernel/betting/wealth.ts";
import { expectationOverLabels } from "../../batches.ts";

const thirds = [0.5, 0.3, 0.2];

Deno.test("Wealth.logAt() is 0 before any bet, whatever restarts there were", () => {
  const wealth = new Wealth({ shares: thirds, hypotheses: 2 });
  assertAlmostEquals(wealth.logAt(0), 0, 1e-12);
  for (let k = 0; k < MAX_RESTARTS + 3; k++) {
    wealth.restart();
    assertAlmostEquals(wealth.logAt(1), 0, 1e-12);
  }
});

// Mutants: a restart that keeps the wealth of before it, or one that gets its share twice.
Deno.test("Wealth.logAt() averages to 1 when every bet has expectation 1, restarts included", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.1, max: 1.9, noNaN: true }), { minLength: 8, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      (stakes, restarts) => {
        const mean = expectationOverLabels((labels) => {
          const wealth = new Wealth({ shares: [0.5, 0.5], hypotheses: 1 });
          labels.forEach((label, k) => {
            const factor = label === 1 ? stakes[k]! : 2 - stakes[k]!;
            wealth.of(0)[0]! += Math.log(factor);
            wealth.of(1)[0]! += Math.log(2 - factor);
            if (restarts[k]) wealth.restart();
          });
          return Math.exp(wealth.logAt(0));
        }, { draws: 8, rightProbability: 0.5 });
        assertAlmostEquals(mean, 1, 1e-9);
      },
    ),
    { seed: 2, numRuns: 50 },
  );
});

Deno.test("Wealth.logAt() is the average of the bettors and restarts that a reader would write", () => {
  const wealth = new Wealth({ shares: [0.25, 0.75], hypotheses: 1 });
  const bet = (a: number, b: number): void => {
    wealth.of(0)[0]! += a;
    wealth.of(1)[0]! += b;
  };
  bet(-3, -2);
  const before = Math.exp(wealth.logAt(0));
  // 0.1 of the money is kept for restarts.
  assertAlmostEquals(before, 0.1 + 0.9 * (0.25 * Math.exp(-3) + 0.75 * Math.exp(-2)), 1e-12);
  wealth.restart();
  assertAlmostEquals(Math.exp(wealth.logAt(0)), before, 1e-12);
  bet(5, 0);
  const firstShare = 0.1 * (1 / 4) /
    Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4)).reduce((a, b) => a + b);
  assertAlmostEquals(
    Math.exp(wealth.logAt(0)),
    before - 0.9 * 0.25 * Math.exp(-3) + 0.9 * 0.25 * Math.exp(2) +
      firstShare * 0.25 * (Math.exp(5) - 1),
    1e-9,
  );
});

Deno.test("Wealth.logAt() forgets losses of before a restart", () => {
  const wealth = new Wealth({ shares: [1], hypotheses: 1 });
  wealth.of(0)[0]! -= 100;
  const [lost] = [wealth.logAt(0)];
  wealth.restart();
  wealth.of(0)[0]! += 50;
  assert(wealth.logAt(0) > lost + 40);
});

Deno.test("Wealth.logAt() neither overflows nor becomes NaN at extreme wealth", () => {
  const rich = new Wealth({ shares: thirds, hypotheses: 1 });
  for (const b of [0, 1, 2]) rich.of(b)[0] = 1e7;
  assertAlmostEquals(rich.logAt(0), 1e7 + Math.log(0.9), 1e-6);
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
    const poor = new Wealth({ shares: thirds, hypotheses: 1 });
    for (let k = 0; k < restarts; k++) {
      for (const b of [0, 1, 2]) poor.of(b)[0]! -= 1000;
      poor.restart();
    }
    for (const b of [0, 1, 2]) poor.of(b)[0]! -= 1000;
    assert(!Number.isNaN(poor.logAt(0)), `NaN after ${restarts} restarts`);
    assert(poor.logAt(0) <= Math.log(0.1) + 1e-12);
  }
});

Deno.test("Wealth.logAt() does not overflow where a restart gains what was lost before it", () => {
  const wealth = new Wealth({ shares: [1], hypotheses: 1 });
  wealth.of(0)[0]! -= 1e5;
  wealth.restart();
  wealth.of(0)[0]! += 5e4;
  const first = 1 / 4 / Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4))
    .reduce((a, b) => a + b);
  assertAlmostEquals(wealth.logAt(0), 5e4 + Math.log(0.1 * first), 1e-6);
});

Deno.test("Wealth.logAt() is finite where one bettor is rich and the others are poor, in any order", () => {
  for (const rich of [0, 1, 2]) {
    const wealth = new Wealth({ shares: thirds, hypotheses: 1 });
    const bet = (): void => {
      for (const b of [0, 1, 2]) wealth.of(b)[0]! += b === rich ? 2000 : -2000;
    };
    bet();
    assertAlmostEquals(wealth.logAt(0), 2000 + Math.log(0.9 * thirds[rich]!), 1e-9);
    for (const b of [0, 1, 2]) wealth.of(b)[0]! -= 3000;
    wealth.restart();
    bet();
    const first = 1 / 4 / Array.from({ length: MAX_RESTARTS }, (_, k) => 1 / (k + 4))
      .reduce((a, b) => a + b);
    assertAlmostEquals(wealth.logAt(0), 2000 + Math.log(0.1 * first * thirds[rich]!), 1e-9);
  }
});
