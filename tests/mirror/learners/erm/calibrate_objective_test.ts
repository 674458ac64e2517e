import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { calibrateObjective, defaultTolerance } from "../../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
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

Deno.test("calibrateObjective() with the slack as printed has more noise at a larger ε somewhere", () => {
  const at = (epsilon: number): number =>
    calibrateObjective({ ...base, epsilon, tolerance: 1e-9, slack: "cms11" }).spent.noise;
  // The slack is 2·ln(1.25) = 0.446: just above it nothing is left for the noise.
  assert(at(0.45) < at(0.44) / 10);
});

Deno.test("calibrateObjective() keeps the noise of the residual a small part of the main noise", () => {
  for (const epsilon of [0.1, 1]) {
    const tolerance = defaultTolerance(base);
    const calibration = calibrateObjective({ ...base, epsilon, tolerance });
    assert(calibration.noise.kind === "exponential-norm");
    // Mean lengths: d/rate in the objective moves the minimiser by about that over n(Λ + Δ).
    const main = 1 / calibration.noise.rate /
      (base.rowCount * (base.lambda + calibration.quadratic));
    assert(1 / calibration.residualRate! < main / 500);
  }
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

Deno.test("calibrateObjective() with delta has a sigma as long as the norm bound, whatever the other options", () => {
  fc.assert(
    fc.property(
      positive(1e-6, 50),
      positive(1e-12, 0.5),
      positive(1e-3, 1e3),
      positive(1e-6, 1),
      fc.integer({ min: 1, max: 1e6 }),
      (epsilon, delta, normBound, lambda, rowCount) => {
        const { noise, spent } = calibrateObjective({
          loss: logisticLoss,
          epsilon,
          delta,
          normBound,
          lambda,
          rowCount,
          tolerance: 1e-9 * normBound,
        });
        assert(noise.kind === "gaussian");
        // The noise moves by 2q between neighbours: the log-ratio at a length that has tail probability δ.
        const r = noise.sigma * Math.sqrt(2 * Math.log(1 / delta));
        const lost = (2 * normBound * r + 2 * normBound ** 2) / noise.sigma ** 2;
        assertAlmostEquals(lost / spent.noise, 1, 1e-9);
        assert(spent.noise + spent.jacobian + spent.residual <= epsilon * (1 + 1e-12));
      },
    ),
    { seed: 92, numRuns: 500 },
  );
});

Deno.test("calibrateObjective() keeps a thousandth of ε for the residual, or the share it is told", () => {
  for (const epsilon of [0.1, 1, 7]) {
    const input = { ...base, epsilon, tolerance: 1e-9 };
    assertEquals(calibrateObjective(input).spent.residual, epsilon / 1000);
    assertEquals(calibrateObjective({ ...input, residualShare: 0.25 }).spent.residual, epsilon / 4);
  }
});

Deno.test("calibrateObjective() without a share for the residual adds no second noise, on a grid below the tolerance", () => {
  for (const [tolerance, lambda] of [[1e-9, 1e-3], [1e-4, 20]] as const) {
    const { residualRate, grid, quadratic } = calibrateObjective({
      ...base,
      epsilon: 0.1,
      lambda,
      tolerance,
      residualShare: 0,
    });
    assertEquals(residualRate, undefined);
    const scale = tolerance / (lambda + quadratic);
    assert(grid <= scale * 2 ** -20 && grid > scale * 2 ** -21, `${grid}`);
  }
});

// The determinants' ratio is 1 + bend/(Λ + Δ): what is spent on it must be its logarithm, and no more is added than it takes.
Deno.test("calibrateObjective() adds Δ only where the Jacobian takes more than its share, and then as little as it takes", () => {
  let added = 0;
  fc.assert(
    fc.property(
      positive(1e-3, 10),
      positive(1e-8, 10),
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      (epsilon, lambda, noiseShare) => {
        const { quadratic, spent } = calibrateObjective({
          ...base,
          epsilon,
          lambda,
          noiseShare,
          tolerance: 1e-9,
          residualShare: 0,
        });
        const bend = 0.25 / 1000, without = Math.log1p(bend / lambda);
        assertEquals(quadratic > 0, without > (1 - noiseShare) * epsilon);
        assertAlmostEquals(
          Math.log1p(bend / (lambda + quadratic)),
          spent.jacobian,
          1e-12 * epsilon,
        );
        assertAlmostEquals(spent.noise + spent.jacobian, epsilon, 1e-14 * epsilon);
        if (quadratic > 0) {
          added++;
          assertAlmostEquals(spent.noise, noiseShare * epsilon, 1e-14 * epsilon);
        }
      },
    ),
    { seed: 2103, numRuns: 1000 },
  );
  assert(added > 40 && added < 960, `${added}`);
});

Deno.test("calibrateObjective() as printed takes the second branch where the slack is just ε", () => {
  const epsilon = 2 * Math.log1p(0.25 / 1000 / 1e-3);
  const at = calibrateObjective({
    ...base,
    epsilon,
    tolerance: 1e-9,
    slack: "cms11",
    residualShare: 0,
  });
  assertEquals(at.spent.noise, epsilon / 2);
  assert(at.quadratic > 0);
});
