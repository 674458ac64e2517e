import { type FeatureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import {
  applyFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { cleaningCases } from "./checks/cleaning_cases.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** What a predictor makes of the outputs of its first stage, and how fast that changes. */
interface Rest {
  readonly name: string;
  readonly predict: (outputs: readonly number[]) => number;
  readonly lipschitz: number;
}

/** A regression, a network with one hidden layer, and a distance to a class's mean. */
function rests(source: SeededSource, outputs: number): Rest[] {
  const random = (): number => 2 * source.uniform() - 1;
  const first = Array.from({ length: 4 }, () => Array.from({ length: outputs }, random));
  const second = Array.from({ length: 4 }, random), mean = Array.from({ length: outputs }, random);
  return [
    { name: "linear regression", predict: ([value]) => value!, lipschitz: 1 },
    {
      name: "neural network",
      predict: (values) =>
        first.reduce(
          (sum, row, i) =>
            sum + second[i]! * Math.tanh(row.reduce((total, w, j) => total + w * values[j]!, 0)),
          0,
        ),
      lipschitz: Math.hypot(...second) * Math.hypot(...first.flat()),
    },
    {
      name: "distance after principal components",
      predict: (values) => Math.hypot(...values.map((value, j) => value - mean[j]!)),
      lipschitz: 1,
    },
  ];
}

/** Rows cleaned for a first stage within ε. */
type CleanFor = (
  stage: ReturnType<typeof linearFirstStage>,
  options: { readonly features: FeatureMatrix; readonly epsilon: number },
) => FeatureMatrix;

const shipped: CleanFor = (stage, { features, epsilon }) =>
  nullSpaceCleaner(stage).clean(features, { epsilon });

/** Cleaning serves every predictor whose first stage is linear. */
export const anyPredictor = theorem<CleanFor>({
  id: "predictors/any_predictor",
  statement:
    "A predictor that is g of a linear first stage, with centre and bias, predicts from rows cleaned with ε = 0 what it did " +
    "before, whatever g; with ε > 0 its prediction moves by at most L√ε, L the Lipschitz constant of g.",
  citation: "Xu, Shah, Cao, Maung, Schweitzer 2017, the problem being addressed; Theorem 1",
  source: "AAAI abstract: linear regression, neural nets, and algorithms that use PCA",
  remember: () =>
    `At ε = .01 a prediction moves by ${Math.sqrt(0.01)} L at most, and at ε = 0 not at all.`,
  kind: "sampled",
  checked:
    "100 generated first stages of 1 to 3 outputs on 2 to 6 features, five rows each; a regression, a network with a hidden layer, a distance after centring; ε = 0, .01, 1",
  subject: shipped,
  check: (clean, { seed }) =>
    outcomeOf("100 first stages, 1,500 predictions at each of three ε", () => {
      const source = new SeededSource(seed).split("predictors");
      let most = 0;
      for (const { desired, features } of cleaningCases(seed, { count: 100 })) {
        const stage = linearFirstStage(desired, {
          centre: Array.from({ length: desired.columns }, () => source.uniform()),
          bias: Array.from({ length: desired.rows }, () => source.uniform()),
        });
        const before = featureRows(applyFirstStage(stage, features));
        for (const { name, predict, lipschitz } of rests(source, desired.rows)) {
          for (const epsilon of [0, 0.01, 1]) {
            const after = featureRows(applyFirstStage(stage, clean(stage, { features, epsilon })));
            after.forEach((outputs, r) => {
              const moved = Math.abs(predict(outputs) - predict(before[r]!));
              const allowed = lipschitz * Math.sqrt(epsilon);
              requireThat(
                moved <= allowed + 1e-8,
                () => `${name} at ε = ${epsilon}: moved by ${moved}, allowed ${allowed}`,
              );
              if (epsilon > 0) most = Math.max(most, moved / allowed);
            });
          }
        }
      }
      return most;
    }),
  mutants: {
    "ε + .01 taken out": (stage, { features, epsilon }) =>
      shipped(stage, { features, epsilon: epsilon + 0.01 }),
    "cleaned for the first output alone": (stage, options) =>
      shipped(
        linearFirstStage(
          {
            ...stage.weights,
            rows: 1,
            values: stage.weights.values.slice(0, stage.weights.columns),
          },
          { centre: stage.centre },
        ),
        options,
      ),
  },
});
