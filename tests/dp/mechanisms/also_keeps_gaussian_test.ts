import { assert } from "@std/assert";
import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { analyticGaussian, classicalGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { mechanismNamed } from "../../../lib/dp/mechanisms/registry.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../../lib/core/random/discrete_gaussian.ts";
import { LONG } from "../../long.ts";
import { relation, rhoBeside, shiftedRho, SLACK } from "./also_kept_claims.ts";

// Mutants: ρ of the deviation asked for and not of the one drawn with; of an unraised sensitivity; μ-GDP.
Deno.test("Gaussian mechanisms keep the ρ of their discrete noise, exactly, and claim no μ (item 12)", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -4, max: Math.log(50), noNaN: true }).map(Math.exp),
      fc.double({ min: -12, max: -1, noNaN: true }).map((exponent) => 10 ** exponent),
      fc.constantFrom(0.3, 1, 2.5),
      (epsilon, delta, sensitivity) => {
        const options = {
          query: (rows: Dataset<number>): number => rows[0]!,
          epsilon,
          delta,
          sensitivity,
          granularity: 0.5,
          relation,
        };
        const makers = epsilon < 1 ? [analyticGaussian, classicalGaussian] : [analyticGaussian];
        for (const make of makers) {
          const mechanism = make(options);
          const rho = rhoBeside(mechanism);
          const { sensitivityInSteps: steps, scaleInSteps: deviation } = mechanism.grid;
          const noise = discreteGaussian({ variance: rational(deviation ** 2) });
          // At order a the mass lies around (a − 1)·shift: orders up to what the sum reaches.
          const reach = Math.ceil(40 * deviation + 1001 * steps);
          if (reach > 2e5) continue;
          for (let shift = 1; shift <= steps; shift++) {
            const exact = shiftedRho(noise, { shift, reach });
            assert(exact <= rho * (1 + 1e-9) + SLACK, `${exact} above ${rho}`);
            if (shift === steps && deviation > 1) assert(exact > 0.999 * rho - SLACK);
          }
        }
      },
    ),
    { seed: 1204, numRuns: LONG ? 60 : 20 },
  );
});

Deno.test("discrete Gaussian noise is not μ-GDP: its curve lies above the normal one somewhere (item 12)", () => {
  const noise = discreteGaussian({ variance: rational(0.25) });
  const at = (epsilon: number): number => {
    let delta = 0;
    for (let value = -30; value <= 30; value++) {
      const own = Math.exp(noise.logProbability(value));
      delta += Math.max(0, own - Math.exp(epsilon + noise.logProbability(value - 1)));
    }
    return delta;
  };
  const above = Array.from({ length: 100 }, (_, i) => 0.1 * i)
    .filter((epsilon) => at(epsilon) > gaussianDelta(2, epsilon) * (1 + 1e-6));
  assert(above.length > 0);
});

Deno.test("float-gaussian keeps the μ of its normal noise (item 12)", () => {
  for (const epsilon of [1e-3, 0.5, 1, 8]) {
    const mechanism = mechanismNamed("float-gaussian", { epsilon, delta: 1e-6 });
    const [claim] = mechanism.alsoKeeps!;
    assert(claim?.kind === "gaussian" && mechanism.alsoKeeps!.length === 1);
    // The density at 0 tells the deviation: 1/(σ√(2π)), with sensitivity 1.
    const deviation = 1 / (Math.exp(mechanism.logDensity!(0, [0])) * Math.sqrt(2 * Math.PI));
    assert(claim.mu * deviation >= 1 - 1e-12 && claim.mu * deviation <= 1 + 1e-9);
    assert(gaussianDelta(claim.mu, epsilon) <= 1e-6 * (1 + 1e-6));
  }
});
