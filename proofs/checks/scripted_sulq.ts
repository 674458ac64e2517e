import { addRemoveOne, changeEach, replaceOne } from "../../lib/core/relation.ts";
import {
  perceptronCalibration,
  perceptronSquaredSensitivity,
} from "../../lib/learners/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../lib/learners/sulq/perceptron_guarantee.ts";
import { sulqAccounting } from "../../lib/learners/sulq/sulq_accounting.ts";
import { sulqClaim } from "../../lib/learners/sulq/sulq_database.ts";
import { sulqMechanism } from "../../lib/learners/sulq/sulq_mechanism.ts";
import { sulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";
import { zcdpEpsilon } from "../../lib/accounting/zcdp.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { scriptedSource } from "./scripted_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import type { Learners } from "./scripted_holdout.ts";
import { varianceOf } from "./scripted_learners.ts";

/** For scripted draws. */
export function requireDatabase({ sampleSulq, sulqRho }: Learners): void {
  for (const [variance, queries, squaredSensitivity] of [[10, 3, 1], [0.5, 100, 2.5]] as const) {
    const rho = sulqRho({ variance, queries, squaredSensitivity });
    requireNear(rho, queries * squaredSensitivity / (2 * variance), { relative: 1e-13 });
    requireThat(rho >= queries * squaredSensitivity / (2 * variance), "ρ rounded up");
    const { rho: one, concentrated, published, exactGain } = sulqAccounting({
      variance: 200 * queries,
      queries,
    }, { delta: 1e-3 });
    requireNear(one, 1 / 400, { relative: 1e-12 });
    requireNear(concentrated.epsilon, zcdpEpsilon({ rho: one }, { delta: 1e-3 }), {
      relative: 1e-12,
    });
    requireEqual([concentrated.delta, published.delta, exactGain.delta], [1e-3, 1e-3, 1e-3]);
    // R > 8T·log²(T/δ)/ε² turned round, where ε is at most 1; the exact gain needs less.
    requireThat(exactGain.epsilon < published.epsilon, "the exact gain");
    requireNear(
      published.epsilon,
      Math.sqrt(8 * queries / (200 * queries)) * Math.log(queries / 1e-3),
      { relative: 1e-9 },
    );
  }
  requireEqual(
    sulqRho({ variance: 2, queries: 4 }),
    sulqRho({ variance: 2, queries: 4, squaredSensitivity: 1 }),
  );
  const { stepsPerUnit } = sulqNoise({ variance: 9 });
  const data = [0.5, 0.25, 7, -1, NaN], draws = [0, 3, -8];
  const source = scriptedSource((_, k) => draws[k] ?? 0);
  const database = sampleSulq(source, { variance: 9, queries: 3, relation: replaceOne, data });
  requireEqual(database.remaining, 3);
  requireEqual(database.ask((row) => row), 1.75);
  requireEqual(database.ask((row) => row === 7 ? 0.5 : 0), 0.5 + 3 / stepsPerUnit);
  requireEqual(
    database.ask(() => {
      throw new Error("no");
    }),
    -8 / stepsPerUnit,
  );
  requireEqual(database.remaining, 0);
  requireRefused("one more", () => database.ask(() => 1), "all were answered");
  requireNear(varianceOf(source, 0), 9 * stepsPerUnit ** 2);
  // A power of two of steps, some 2^28 in a deviation, and from 2^10 to 2^30 in 1.
  requireEqual(
    [1, 9, 2 ** 40, 2 ** -30].map((variance) => Math.log2(sulqNoise({ variance }).stepsPerUnit)),
    [28, 27, 10, 30],
  );
  requireEqual(
    (sulqClaim({ variance: 8, queries: 4, relation: addRemoveOne }) as { rho: number }).rho,
    sulqRho({ variance: 8, queries: 4 }),
  );
  const mechanism = sulqMechanism<number>({
    variance: 9,
    queries: 2,
    relation: replaceOne,
    next: (answers) => (row) => answers.length === 0 ? row : answers[0]! / 4,
  });
  requireEqual(mechanism.sample([0.5, 0.5], scriptedSource()), [1, 0.5]);
  requireEqual((mechanism.claim as { rho: number }).rho, sulqRho({ variance: 9, queries: 2 }));
  for (const variance of [0, -1, NaN, 2 ** -41, 2 ** 55]) {
    requireRefused(`variance ${variance}`, () => sulqNoise({ variance }));
  }
  for (const wrong of [{ variance: 0 }, { queries: 0 }, { squaredSensitivity: 0 }]) {
    requireRefused(JSON.stringify(wrong), () => sulqRho({ variance: 1, queries: 1, ...wrong }));
  }
  for (const delta of [0, 1, NaN]) {
    requireRefused(`δ of ${delta}`, () => sulqAccounting({ variance: 9, queries: 1 }, { delta }));
  }
  requireRefused(
    "another relation",
    () => sulqClaim({ variance: 1, queries: 1, relation: changeEach({ by: 1 }) }),
  );
}

/** For scripted draws. */
export function requirePerceptron({ samplePerceptron }: Learners, seed: number): void {
  for (const columnCount of [1, 2, 8]) {
    requireEqual(
      perceptronSquaredSensitivity({ columnCount }),
      Math.max(columnCount, 1 + columnCount / 4),
    );
    const { variance, queries } = perceptronCalibration({ columnCount, rounds: 5, rho: 0.3 });
    requireNear(variance, 5 * Math.max(columnCount, 1 + columnCount / 4) / 0.6, {
      relative: 1e-13,
    });
    // Above the formula by the rounding of its quotient.
    const over = variance * 0.6 / (5 * Math.max(columnCount, 1 + columnCount / 4)) - 1;
    requireThat(
      over >= 2 ** -53 && over <= 2 ** -50,
      `a variance that is ${over} above its formula`,
    );
    requireEqual(queries, 5 * (columnCount + 1));
  }
  const source = new SeededSource(seed).split("perceptron");
  const data = Array.from({ length: 40 }, () => {
    const features = [2 * source.uniform() - 1, 2 * source.uniform() - 1];
    return { features, label: features[0]! - 0.5 * features[1]! > 0 ? 1 : -1 };
  });
  // Rounds of the algorithm, without noise: sums of wrong rows over their number.
  const run = (rows: typeof data, rounds: number, tolerance: number): number[] => {
    let weights = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const wrong = rows.filter(({ features, label }) =>
        label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0) <= 0
      );
      if (wrong.length <= tolerance) break;
      weights = weights.map((w, j) =>
        w + wrong.reduce((sum, { features, label }) => sum + label * features[j]!, 0) / wrong.length
      );
    }
    return weights;
  };
  for (const [rounds, tolerance] of [[1, 0], [4, 0], [9, 2.5]] as const) {
    const silent = scriptedSource(),
      model = samplePerceptron(silent, { data, columnCount: 2, rounds, rho: 0.5, tolerance });
    model.weights.forEach((w, j) =>
      requireNear(w, run(data, rounds, tolerance)[j]!, { absolute: 1e-5, what: `weight ${j}` })
    );
    requireEqual((model.claim as { rho: number }).rho, 0.5);
    const { stepsPerUnit } = sulqNoise(model.calibration);
    requireNear(varianceOf(silent, 0) / stepsPerUnit ** 2, model.calibration.variance, {
      relative: 1e-12,
    });
  }
  // Rows beyond [−1, 1] are held to it; those that are no rows are never wrong.
  const odd = [{ features: [5, -5], label: 1 }, { features: [NaN, 0], label: 1 }, {
    features: [1, 1],
    label: 3,
  }, null as never];
  requireEqual(
    samplePerceptron(scriptedSource(), {
      data: odd,
      columnCount: 2,
      rounds: 1,
      rho: 1,
      tolerance: 0,
    }).weights,
    [1, -1],
  );
  // Without a tolerance: two deviations of a count.
  requireEqual(
    samplePerceptron(scriptedSource(), {
      data: data.slice(0, 5),
      columnCount: 2,
      rounds: 50,
      rho: 1e-3,
    }).weights,
    [0, 0],
  );
  const goal = { columnCount: 4, margin: 0.5, rho: 2, failure: 0.1 };
  const { options, wrongRows } = perceptronGuarantee(goal);
  // Updates: ((√d + e)/(γ − 2e))² for e = γ/4; noise: √(2σ²·ln(2Q/β)).
  requireEqual(options.rounds, Math.floor(((2 + 0.125) / 0.25) ** 2) + 1);
  const { variance, queries } = perceptronCalibration({
    columnCount: 4,
    rounds: options.rounds,
    rho: 2,
  });
  const noise = Math.sqrt(2 * variance * Math.log(2 * queries / 0.1));
  requireNear(options.tolerance, 3 * noise * 2 / 0.125, { relative: 1e-12 });
  requireNear(wrongRows, options.tolerance + noise, { relative: 1e-12 });
  for (
    const wrong of [{ columnCount: 0 }, { margin: 0 }, { margin: 2.1 }, { failure: 0 }, {
      failure: 1,
    }, { rho: 0 }]
  ) requireRefused(JSON.stringify(wrong), () => perceptronGuarantee({ ...goal, ...wrong }));
  perceptronGuarantee({ ...goal, margin: 2 });
  for (const wrong of [{ columnCount: 0 }, { rounds: 0 }, { rho: 0 }, { tolerance: -1 }]) {
    requireRefused(
      JSON.stringify(wrong),
      () => perceptronCalibration({ columnCount: 2, rounds: 2, rho: 1, ...wrong }),
    );
  }
}
