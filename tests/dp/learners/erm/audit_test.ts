import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { fit } from "../../../../lib/dp/learners/erm/fit.ts";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { ermMechanism, type LabelledRow } from "../../../../lib/dp/learners/erm/mechanism.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleMinimiser } from "../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import {
  calibrationOf,
  objectiveOf,
  type TrainingOptions,
} from "../../../../lib/dp/learners/erm/training_options.ts";
import { SecureSource } from "../../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { unlimited } from "../unlimited.ts";
import { longTest } from "../../../long.ts";

const options: TrainingOptions = { epsilon: 1, lambda: 5, normBound: 1, loss: huberHinge(0.5) };

/** A row against its opposite label, with a row of zeros: nearly all of ε is lost on this pair. */
const pair = pairOf<LabelledRow>(replaceOne, {
  left: [{ features: [1], label: 1 }, { features: [0], label: 1 }],
  right: [{ features: [1], label: -1 }, { features: [0], label: 1 }],
});

for (const perturbation of ["output", "objective"] as const) {
  longTest(
    `an audit of ${perturbation} perturbation comes close to its claim and does not refute it`,
    async () => {
      const mechanism = ermMechanism({ ...options, perturbation, columnCount: 1 });
      const subject = mechanismSubject(mechanism, { source: new SeededSource(95) });
      // False alarm: at most alpha; the seed was fixed before the first run.
      const report = await audit(subject, {
        pair,
        maxDraws: 60_000,
        seed: 95,
        alpha: 1e-3,
      });
      assertEquals(report.verdict, "not-refuted");
      assert(report.epsilonLowerBound > 0.6, `the bound is only ${report.epsilonLowerBound}`);
    },
  );

  longTest(
    `an audit refutes ${perturbation} perturbation with noise at half the scale`,
    async () => {
      const honest = ermMechanism({ ...options, epsilon: 2, perturbation, columnCount: 1 });
      // Noise for 2-DP under a claim of 1-DP.
      const mutant = { ...honest, claim: pure({ epsilon: 1, relation: replaceOne }) };
      const subject = mechanismSubject(mutant, { source: new SeededSource(96) });
      const report = await audit(subject, {
        pair,
        maxDraws: 60_000,
        seed: 96,
        alpha: 1e-3,
      });
      assertEquals(report.verdict, "refuted");
    },
  );
}

/** `fit` itself, with the secure source that it insists on; the audit's own source is not used. */
function fitAsMechanism(
  choice: { readonly allowOneClass?: boolean } = {},
): Mechanism<LabelledRow, number[]> {
  const { domain: _, sampleMany: __, ...shape } = ermMechanism({ ...options, columnCount: 1 });
  const source = new SecureSource();
  return {
    ...shape,
    sample(data): number[] {
      const model = fit(
        denseRows(data.map(({ features }) => features)),
        data.map(({ label }) => label),
        { ...options, source, ...choice, budget: unlimited },
      );
      return Array.from(model.weights[0]!);
    },
  };
}

longTest("an audit of fit() itself, from labels to weights, does not refute it", async () => {
  const subject = mechanismSubject(fitAsMechanism(), { source: new SeededSource(97) });
  // The draws are secure, so this run differs every time: a false alarm in a million, by alpha.
  const report = await audit(subject, {
    pair,
    maxDraws: 10_000,
    seed: 97,
    alpha: 1e-6,
    requirePower: Infinity,
  });
  assertEquals(report.verdict, "not-refuted");
  assert(report.draws >= 5_000);
});

Deno.test("an audit sees that fit() refuses data of one class, which it does when told to", async () => {
  const refusing = fitAsMechanism({ allowOneClass: false });
  const report = await audit(mechanismSubject(refusing, { source: new SeededSource(98) }), {
    pair,
    maxDraws: 20_000,
    seed: 98,
    alpha: 1e-3,
  });
  assertEquals(report.verdict, "refuted");
});

/** A row against zeros at a small ε: the noise is added to 0 on one side only. */
const zeroPair = pairOf<LabelledRow>(replaceOne, {
  left: [{ features: [1], label: 1 }, { features: [0], label: 1 }],
  right: [{ features: [0], label: 1 }, { features: [0], label: 1 }],
});

for (const rounded of [true, false]) {
  longTest(
    `an audit of the bits of output perturbation ${rounded ? "does not refute" : "refutes"} it ${
      rounded ? "with" : "without"
    } its rounding to a grid`,
    async () => {
      const small: TrainingOptions = { ...options, epsilon: 0.1, perturbation: "output" };
      const mechanism = ermMechanism({ ...small, columnCount: 1 });
      const calibration = calibrationOf(small, { rowCount: 2 });
      const unrounded: typeof mechanism = {
        ...mechanism,
        sampleMany(data, count, source): Float64Array {
          const risk = {
            ...objectiveOf(small),
            lambda: small.lambda,
            rows: denseRows(data.map(({ features }) => features)),
            signs: Float64Array.from(data, ({ label }) => label),
            calibration: { ...calibration, grid: 2 ** -1000 },
          };
          return Float64Array.from({ length: count }, () => sampleMinimiser(source, risk)[0]!);
        },
      };
      const subject = mechanismSubject(rounded ? mechanism : unrounded, {
        source: new SeededSource(99),
      });
      const report = await audit(subject, {
        pair: zeroPair,
        bits: true,
        shrink: false,
        maxDraws: 60_000,
        seed: 99,
        alpha: 1e-3,
        requirePower: Infinity,
      });
      assertEquals(report.verdict, rounded ? "not-refuted" : "refuted");
    },
  );
}
