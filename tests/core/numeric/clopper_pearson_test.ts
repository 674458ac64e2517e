import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { logBinomialLowerTail, logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
} from "../../../lib/core/numeric/clopper_pearson.ts";

const alphas = fc.constantFrom(0.5, 0.05, 1e-3, 1e-8);

Deno.test("clopperPearsonLower() and Upper() agree with SciPy 1.17's beta quantiles", () => {
  // successes, trials, alpha, beta.ppf(alpha, s, n − s + 1), beta.isf(alpha, s + 1, n − s)
  const rows = [
    [98, 100, 0.05, 0.9383807996039593, 0.9964348473967433],
    [30, 100, 0.4, 0.2842440138959459, 0.3173727474622839],
    [3, 7, 0.05, 0.1287563928042427, 0.7746784159675523],
    [3, 7, 0.4, 0.3205858305642005, 0.5461042880941454],
    [1500, 5000, 0.4, 0.29827340549492243, 0.30175699809046597],
  ] as const;
  for (const [successes, trials, alpha, lower, upper] of rows) {
    assertAlmostEquals(clopperPearsonLower({ successes, trials, alpha }), lower, 2e-9);
    assertAlmostEquals(clopperPearsonUpper({ successes, trials, alpha }), upper, 2e-9);
  }
});

Deno.test("clopperPearsonLower() and Upper() are rounded outward and tight to eight digits", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 9, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      alphas,
      (size, share, alpha) => {
        const trials = Math.ceil(10 ** size), successes = Math.round(share * trials);
        const lower = clopperPearsonLower({ successes, trials, alpha });
        const upper = clopperPearsonUpper({ successes, trials, alpha });
        assert(lower <= successes / trials && successes / trials <= upper);
        if (successes > 0) {
          const level = logBinomialTail(successes, trials, lower) - Math.log(alpha);
          assert(
            level <= 0 && level > -1e-5,
            `lower ${successes} of ${trials} at ${alpha}: ${level}`,
          );
        }
        if (successes < trials) {
          const level = logBinomialLowerTail(successes, trials, upper) - Math.log(alpha);
          assert(
            level <= 0 && level > -1e-5,
            `upper ${successes} of ${trials} at ${alpha}: ${level}`,
          );
        }
      },
    ),
    { seed: 4, numRuns: 150 },
  );
});

Deno.test("clopperPearsonLower() and Upper() have closed forms at the ends", () => {
  assertEquals(clopperPearsonLower({ successes: 0, trials: 9, alpha: 0.05 }), 0);
  assertEquals(clopperPearsonUpper({ successes: 9, trials: 9, alpha: 0.05 }), 1);
  assertAlmostEquals(
    clopperPearsonLower({ successes: 9, trials: 9, alpha: 0.05 }),
    0.05 ** (1 / 9),
    1e-8,
  );
  assertAlmostEquals(
    clopperPearsonUpper({ successes: 0, trials: 9, alpha: 0.05 }),
    1 - 0.05 ** (1 / 9),
    1e-8,
  );
});

Deno.test("clopperPearsonLower() covers with the stated chance, summed over every outcome", () => {
  for (const trials of [5, 40]) {
    for (const p of [0.01, 0.2, 0.5, 0.9]) {
      for (const alpha of [0.05, 0.3]) {
        let missedBelow = 0, missedAbove = 0;
        for (let successes = 0; successes <= trials; successes++) {
          const mass = Math.exp(logBinomialTail(successes, trials, p)) -
            Math.exp(logBinomialTail(successes + 1, trials, p));
          if (clopperPearsonLower({ successes, trials, alpha }) > p) missedBelow += mass;
          if (clopperPearsonUpper({ successes, trials, alpha }) < p) missedAbove += mass;
        }
        assert(missedBelow <= alpha && missedAbove <= alpha, `${trials} ${p} ${alpha}`);
      }
    }
  }
});
