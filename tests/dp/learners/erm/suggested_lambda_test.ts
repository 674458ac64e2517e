import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { huberHinge } from "../../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { sampleModel } from "../../../../lib/dp/learners/erm/sample_model.ts";
import {
  type LambdaOptions,
  suggestedLambda,
} from "../../../../lib/dp/learners/erm/suggested_lambda.ts";
import { calibrationOf } from "../../../../lib/dp/learners/erm/training_options.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { generatedData } from "./generated_data.ts";

/** Where the excess is flat, it tells two Λ apart to some 1e-4 only: half of the digits of doubles. */
const PRECISION = 1e-3;

const anyOptions: fc.Arbitrary<LambdaOptions & { readonly weightNorm: number }> = fc.record({
  epsilon: fc.double({ min: -6, max: 1.7, noNaN: true }).map((x) => 10 ** x),
  rowCount: fc.double({ min: 0, max: 7, noNaN: true }).map((x) => Math.round(10 ** x)),
  columnCount: fc.integer({ min: 1, max: 200 }),
  normBound: fc.constantFrom(0.01, 0.3, 1, 20),
  weightNorm: fc.constantFrom(0.5, 6, 100),
  classCount: fc.integer({ min: 2, max: 12 }),
  loss: fc.constantFrom(logisticLoss, huberHinge(0.5), huberHinge(0.01)),
  perturbed: fc.constantFrom(
    { perturbation: "output", delta: 0 } as const,
    { perturbation: "objective", delta: 0 } as const,
    { perturbation: "objective", delta: 1e-6 } as const,
    { perturbation: "objective", delta: 1e-12 } as const,
  ),
}).map(({ perturbed, ...rest }) => ({ ...rest, ...perturbed }));

/** The model of the docstring, written down anew: excess risk at Λ. */
function modelledExcess(
  { epsilon, delta, perturbation, loss, classCount, rowCount: n, columnCount: d, ...rest }:
    Required<LambdaOptions>,
  lambda: number,
): number {
  const { normBound: q } = rest;
  const classifiers = classCount > 2 ? classCount : 1;
  const { noise, quadratic } = calibrationOf(
    { epsilon, delta, perturbation, loss, normBound: q, lambda },
    { rowCount: n, classifiers },
  );
  const length = noise.kind === "gaussian" ? d * noise.sigma ** 2 : d * (d + 1) / noise.rate ** 2;
  const h = loss.curvatureBound * q * q / d, m = lambda + quadratic;
  const weights = (m / (h + m) * rest.weightNorm / classifiers) ** 2;
  const sample = loss.curvatureBound * q * q / n / (h + m) ** 2;
  const added = perturbation === "output" ? length : length / n ** 2 / (h + m) ** 2;
  return h / 2 * (weights + sample + added);
}

Deno.test("suggestedLambda() has the least excess risk of its model, over all options", () => {
  fc.assert(
    fc.property(anyOptions, (options) => {
      const lambda = suggestedLambda(options);
      assert(lambda > 0 && Number.isFinite(lambda));
      const here = modelledExcess(options as Required<LambdaOptions>, lambda);
      for (const factor of [1e-6, 1e-3, 0.1, 0.5, 0.9, 1.1, 2, 10, 1e3, 1e6]) {
        const there = modelledExcess(options as Required<LambdaOptions>, lambda * factor);
        // The sum of squares loses digits where it hardly changes.
        assert(here <= there * (1 + 1e-9), `Λ = ${lambda}: ${here}, times ${factor}: ${there}`);
      }
    }),
    { seed: 124, numRuns: 400 },
  );
});

Deno.test("suggestedLambda() for K classes is that of one classifier with ε/K, δ/K and W/K", () => {
  fc.assert(
    fc.property(anyOptions, ({ classCount = 2, ...options }) => {
      fc.pre(classCount > 2);
      const { epsilon, delta = 0, weightNorm } = options;
      const one = suggestedLambda({
        ...options,
        epsilon: epsilon / classCount,
        delta: delta / classCount,
        weightNorm: weightNorm / classCount,
      });
      assertAlmostEquals(suggestedLambda({ ...options, classCount }) / one, 1, PRECISION);
    }),
    { seed: 125, numRuns: 200 },
  );
});

Deno.test("suggestedLambda() does not rise with ε, δ or n, and scales with the square of the norm bound", () => {
  fc.assert(
    fc.property(anyOptions, fc.double({ min: 1, max: 100, noNaN: true }), (options, factor) => {
      const { epsilon, delta = 0, rowCount, normBound, weightNorm } = options;
      const of = (change: Partial<LambdaOptions>): number =>
        suggestedLambda({ ...options, ...change });
      const lambda = of({}), most = 1 + PRECISION;
      assert(of({ epsilon: epsilon * factor }) <= lambda * most);
      assert(of({ rowCount: Math.round(rowCount * factor) }) <= lambda * most);
      if (delta > 0) assert(of({ delta: Math.min(0.1, delta * factor) }) <= lambda * most);
      const scaled = of({ normBound: normBound * factor, weightNorm: weightNorm / factor });
      assertAlmostEquals(scaled / lambda / factor ** 2, 1, PRECISION);
    }),
    { seed: 126, numRuns: 400 },
  );
});

Deno.test("suggestedLambda() takes weights of norm 1.2√d/q where no guess is given, and falls as the guess rises", () => {
  const base = { epsilon: 1, rowCount: 1000 };
  for (const normBound of [0.1, 1, 7]) {
    for (const columnCount of [1, 10, 100]) {
      const shape = { ...base, normBound, columnCount };
      const guess = 1.2 * Math.sqrt(columnCount) / normBound;
      const [half, whole, twice] = [0.5, 1, 2].map((factor) =>
        suggestedLambda({ ...shape, weightNorm: guess * factor })
      );
      assertAlmostEquals(suggestedLambda(shape) / whole!, 1, PRECISION);
      assert(half! > whole! && whole! > twice!);
    }
  }
});

Deno.test("sampleModel() trains with the suggested Λ from ε = 1e-6 to 50", () => {
  const { rows, signs } = generatedData(127, { n: 50, d: 5 });
  for (const epsilon of [1e-6, 1e-3, 1, 50]) {
    for (
      const options of [{ delta: 0 }, { delta: 1e-6 }, { perturbation: "output" as const }]
    ) {
      const shared = { epsilon, normBound: 1, ...options };
      const lambda = suggestedLambda({ ...shared, rowCount: 50, columnCount: 5 });
      const model = sampleModel(new SeededSource(128), { ...shared, lambda, rows, labels: signs });
      assert(model.weights[0]!.every(Number.isFinite));
    }
  }
});
