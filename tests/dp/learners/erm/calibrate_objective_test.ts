import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  calibrateObjective,
  defaultTolerance,
} from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { base, positive } from "./calibration_cases.ts";

Deno.test("calibrateObjective() gives Algorithm 2's numbers in both branches when asked for them", () => {
  const shared = {
    ...base,
    tolerance: 1e-9,
    residualShare: 0,
    slack: "cms11" as const,
  };
  const wide = calibrateObjective({ ...shared, epsilon: 1 });
  const ratio = 0.25 / (1000 * 1e-3);
  assertEquals(wide.quadratic, 0);
  assertAlmostEquals(wide.spent.noise, 1 - Math.log(1 + 2 * ratio + ratio * ratio), 1e-12);
  const narrow = calibrateObjective({ ...shared, epsilon: 0.1 });
  assertAlmostEquals(narrow.quadratic, 0.25 / (1000 * (Math.exp(0.1 / 4) - 1)) - 1e-3, 1e-12);
  assertAlmostEquals(narrow.spent.noise, 0.05, 1e-15);
  assert(narrow.noise.kind === "exponential-norm");
  assertAlmostEquals(narrow.noise.rate, 0.05 / 2, 1e-15);
});

Deno.test("calibrateObjective() spends ε and no more, and covers the Jacobian, whatever the setting", () => {
  fc.assert(
    fc.property(
      positive(1e-3, 10),
      positive(1e-10, 10),
      fc.integer({ min: 1, max: 1e6 }),
      positive(0.1, 10),
      fc.constantFrom("tight" as const, "cms11" as const),
      (epsilon, lambda, rowCount, normBound, slack) => {
        const loss = huberHinge(0.5);
        const tolerance = defaultTolerance({ rowCount, normBound, loss });
        const { spent, quadratic, noise, residualRate } = calibrateObjective({
          epsilon,
          lambda,
          rowCount,
          normBound,
          slack,
          loss,
          tolerance,
        });
        const total = spent.noise + spent.jacobian + spent.residual;
        assert(total <= epsilon * (1 + 1e-12) && total >= epsilon * (1 - 1e-12));
        const needed = Math.log1p(
          loss.curvatureBound * normBound ** 2 / (rowCount * (lambda + quadratic)),
        );
        assert(needed <= spent.jacobian * (1 + 1e-9), `${needed} > ${spent.jacobian}`);
        assert(noise.kind === "exponential-norm");
        assertAlmostEquals(noise.rate * 2 * normBound, spent.noise, 1e-12);
        assertAlmostEquals(
          residualRate! * 2 * tolerance / (lambda + quadratic),
          spent.residual,
          1e-12,
        );
      },
    ),
    { seed: 54, numRuns: 1000 },
  );
});

Deno.test("calibrateObjective() never has more noise nor more Δ at a larger ε", () => {
  fc.assert(
    fc.property(
      positive(1e-3, 5),
      positive(1e-3, 5),
      positive(1e-8, 1),
      fc.integer({ min: 1, max: 1e5 }),
      fc.double({ min: 0.1, max: 0.9, noNaN: true }),
      (one, other, lambda, rowCount, noiseShare) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((epsilon) =>
          calibrateObjective({
            ...base,
            epsilon,
            lambda,
            rowCount,
            noiseShare,
            tolerance: 1e-9,
          })
        );
        assert(high!.spent.noise >= low!.spent.noise * (1 - 1e-12));
        assert(high!.quadratic <= low!.quadratic + 1e-12);
      },
    ),
    { seed: 55, numRuns: 500 },
  );
});

Deno.test("calibrateObjective() with delta sets sigma so that the tail bound is ε exactly", () => {
  const delta = 1e-5;
  const { noise, spent } = calibrateObjective({ ...base, epsilon: 0.8, delta, tolerance: 1e-9 });
  assert(noise.kind === "gaussian");
  // R exceeds r = σ√(2 ln 1/δ) with probability δ; the log-ratio there is (2qr + 2q²)/σ².
  const r = noise.sigma * Math.sqrt(2 * Math.log(1 / delta));
  assertAlmostEquals((2 * r + 2) / noise.sigma ** 2, spent.noise, 1e-12);
  // Never above Kifer, Smith, Thakurta 2012: σ² = q²(8 ln(2/δ) + 4ε)/ε².
  assert(noise.sigma ** 2 <= (8 * Math.log(2 / delta) + 4 * spent.noise) / spent.noise ** 2);
});
