import type { Fault, LearnerPair, Loaded } from "./fault.ts";

const theorem6 = { theorem: ["erm/theorem_6", "theorem6"] } as const;
const theorem9 = { theorem: ["erm/theorem_9", "theorem9"] } as const;

/** A private classifier on one row, where the Huber hinge is straight and its claim is tight. */
function classifier(
  options: Record<string, unknown>,
  { feature = 1 }: { readonly feature?: number } = {},
): LearnerPair {
  return {
    modules: ["learners/erm/mechanism.ts", "learners/erm/huber_hinge.ts"],
    mechanism: ({ ermMechanism }: Loaded, { huberHinge }: Loaded) =>
      ermMechanism({
        columnCount: 1,
        epsilon: 1,
        lambda: 5,
        loss: huberHinge(0.5),
        normBound: 1,
        ...options,
      }),
    left: [{ features: [feature], label: 1 }],
    right: [{ features: [feature], label: -1 }],
  };
}

const output = { perturbation: "output" };

/** Faults of private empirical risk minimisation. */
export const ermFaults: readonly Fault[] = [
  {
    file: "learners/erm/calibration.ts",
    from: "2 * normBound / (rowCount * lambda)",
    to: "0.87 * 2 * normBound / (rowCount * lambda)",
    caughtBy: theorem6,
  },
  {
    file: "learners/erm/calibration.ts",
    from: "rate: noise / (2 * normBound)",
    to: "rate: noise / normBound",
    caughtBy: theorem9,
  },
  {
    file: "learners/erm/calibration.ts",
    from: "const jacobian = Math.log1p(bend / lambda);",
    to: "const jacobian = 0.5 * Math.log1p(bend / lambda);",
    caughtBy: { theorem: ["erm/tight_slack", "tightSlack"] },
  },
  {
    file: "learners/erm/calibration.ts",
    from: "bend / Math.expm1(epsilon / 4) - lambda",
    to: "bend / Math.expm1(4 * epsilon) - lambda",
    caughtBy: theorem9,
  },
  {
    file: "learners/erm/calibration.ts",
    from: "const twice = 2 * Math.log(1 / delta);",
    to: "const twice = 0.5 * Math.log(1 / delta);",
    caughtBy: { theorem: ["erm/gaussian_objective", "gaussianObjective"] },
  },
  {
    file: "learners/erm/clip_rows.ts",
    from: "const scale = normBound * MARGIN / length;",
    to: "const scale = 2 * normBound * MARGIN / length;",
    caughtBy: { law: classifier(output, { feature: 3 }) },
  },
  {
    file: "learners/erm/huber_hinge.ts",
    from: "curvatureBound: 1 / (2 * h)",
    to: "curvatureBound: 1 / (4 * h)",
    caughtBy: { theorem: ["erm/corollary_13", "corollary13"] },
  },
  {
    file: "learners/erm/log_density.ts",
    from: "-signs[i]! * loss.slope",
    to: "signs[i]! * loss.slope",
    caughtBy: { theorem: ["erm/slides_fact_1", "slidesFact1"] },
  },
  {
    file: "learners/erm/logistic_loss.ts",
    from: "curvatureBound: 1 / 4",
    to: "curvatureBound: 1 / 5",
    caughtBy: { theorem: ["erm/corollary_11", "corollary11"] },
  },
  {
    file: "learners/erm/prepare_rows.ts",
    from: "Math.sqrt(bound * bound + intercept * intercept)",
    to: "bound",
    caughtBy: { law: classifier({ ...output, intercept: 1 }) },
  },
  {
    file: "learners/erm/problem.ts",
    from: "const n = rows.rowCount;\n  const rowSum",
    to: "const n = rows.rowCount / 2;\n  const rowSum",
    caughtBy: { theorem: ["erm/corollary_8", "corollary8"] },
  },
  {
    file: "learners/erm/random_features.ts",
    from: "Math.sqrt(1 / count)",
    to: "Math.sqrt(2 / count)",
    caughtBy: { theorem: ["erm/theorem_22", "theorem22"] },
  },
  {
    file: "learners/erm/regulariser.ts",
    from: "into[j]! += scale * weights[j]!;",
    to: "into[j]! += 0.5 * scale * weights[j]!;",
    caughtBy: { theorem: ["false_claims/corollary_13_gradient", "corollary13Gradient"] },
  },
  {
    file: "learners/erm/sample_minimiser.ts",
    from: "linear: noise.map((b) => b / n)",
    to: "linear: noise.map((b) => b / (4 * n))",
    caughtBy: { audit: classifier({ perturbation: "objective" }) },
  },
  {
    file: "learners/erm/smoothed_hinge.ts",
    from: "curvatureBound: 3 / (4 * h)",
    to: "curvatureBound: 1 / (2 * h)",
    caughtBy: { theorem: ["erm/corollary_12", "corollary12"] },
  },
  {
    file: "learners/erm/tune.ts",
    from: "divide(rational(epsilon), rational(2))",
    to: "rational(epsilon)",
    caughtBy: { theorem: ["erm/theorem_26", "theorem26"] },
  },
  {
    file: "learners/erm/vector_noise.ts",
    from: "scale: 1 / rate,",
    to: "scale: 0.5 / rate,",
    caughtBy: { audit: classifier(output) },
  },
  {
    file: "learners/erm/with_intercept.ts",
    from: "values[i * wider + columnCount] = value;",
    to: "values[i * wider + columnCount] = 2 * value;",
    caughtBy: { law: classifier({ ...output, intercept: 1 }) },
  },
];
