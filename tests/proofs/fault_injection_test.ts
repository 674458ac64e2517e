import { assert, assertEquals } from "@std/assert";
import type { Theorem } from "../../proofs/theorem.ts";

/** One constant of the library changed, and the theorem that must notice. */
interface Fault {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** File and exported name. */
  readonly caughtBy: readonly [string, string];
}

const shipped = ["mechanisms/shipped_mechanisms", "shippedMechanisms"] as const;
const sparse = ["mechanisms/shipped_sparse_vector", "shippedSparseVector"] as const;
const theorem6 = ["erm/theorem_6", "theorem6"] as const;
const theorem9 = ["erm/theorem_9", "theorem9"] as const;
const tightSlack = ["erm/tight_slack", "tightSlack"] as const;

const faults: readonly Fault[] = [
  // Mechanisms.
  ...(["laplace.ts", "geometric.ts"] as const).map((file): Fault => ({
    file: `lib/mechanisms/${file}`,
    from: "const scale = divide(rational(s",
    to: "const scale = divide(rational(0.87 * s",
    caughtBy: shipped,
  })),
  {
    file: "lib/mechanisms/exponential_mechanism.ts",
    from: "/ (options.monotone ? 1 : 2)",
    to: "/ 1",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/exponential_mechanism.ts",
    from: "rational(monotone ? sensitivity : 2 * sensitivity)",
    to: "rational(sensitivity)",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/randomised_response.ts",
    from: "truthProbability: 0.75,\n    answer",
    to: "truthProbability: 0.78,\n    answer",
    caughtBy: ["mechanisms/randomised_response", "randomisedResponse"],
  },
  {
    file: "lib/mechanisms/randomised_response.ts",
    from: "truthProbability: 1 / (1 + Math.exp(-epsilon))",
    to: "truthProbability: 1 / (1 + Math.exp(-epsilon / 0.87))",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/randomised_response.ts",
    from: "(share + truthProbability - 1)",
    to: "(share - truthProbability + 1)",
    caughtBy: ["mechanisms/randomised_response_mean", "randomisedResponseMean"],
  },
  {
    file: "lib/mechanisms/sparse_vector.ts",
    from: "answer: 4 * count",
    to: "answer: 4",
    caughtBy: sparse,
  },
  {
    file: "lib/mechanisms/sparse_vector.ts",
    from: "release: 3 * count",
    to: "release: 2 * count",
    caughtBy: sparse,
  },
  {
    file: "lib/mechanisms/report_noisy_max.ts",
    from: "rational(monotone ? 1 : 2)",
    to: "rational(1)",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/staircase.ts",
    from: "? -epsilon * (Math.floor",
    to: "? -epsilon / 0.87 * (Math.floor",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/unary_encoding.ts",
    from: 'const rate = variant === "symmetric" ? epsilon / 2',
    to: 'const rate = variant === "symmetric" ? epsilon',
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/rappor.ts",
    from: "hashes * perPair",
    to: "0.87 * hashes * perPair",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/bounded_sum.ts",
    from: "const scale = divide(rational(sensitivity)",
    to: "const scale = divide(rational(0.87 * sensitivity)",
    caughtBy: shipped,
  },
  {
    file: "lib/mechanisms/gaussian.ts",
    from: "return high;",
    to: "return 0.87 * high;",
    caughtBy: ["mechanisms/analytic_gaussian", "analyticGaussian"],
  },
  // Learners.
  {
    file: "lib/learners/erm/calibration.ts",
    from: "2 * normBound / (rowCount * lambda)",
    to: "0.87 * 2 * normBound / (rowCount * lambda)",
    caughtBy: theorem6,
  },
  {
    file: "lib/learners/erm/calibration.ts",
    from: "rate: noise / (2 * normBound)",
    to: "rate: noise / normBound",
    caughtBy: theorem9,
  },
  {
    file: "lib/learners/erm/calibration.ts",
    from: "const jacobian = Math.log1p(bend / lambda);",
    to: "const jacobian = 0.5 * Math.log1p(bend / lambda);",
    caughtBy: tightSlack,
  },
  {
    file: "lib/learners/erm/calibration.ts",
    from: "bend / Math.expm1(epsilon / 4) - lambda",
    to: "bend / Math.expm1(4 * epsilon) - lambda",
    caughtBy: theorem9,
  },
  {
    file: "lib/learners/erm/logistic_loss.ts",
    from: "curvatureBound: 1 / 4",
    to: "curvatureBound: 1 / 5",
    caughtBy: ["erm/corollary_11", "corollary11"],
  },
  {
    file: "lib/learners/erm/smoothed_hinge.ts",
    from: "curvatureBound: 3 / (4 * h)",
    to: "curvatureBound: 1 / (2 * h)",
    caughtBy: ["erm/corollary_12", "corollary12"],
  },
  {
    file: "lib/learners/erm/huber_hinge.ts",
    from: "curvatureBound: 1 / (2 * h)",
    to: "curvatureBound: 1 / (4 * h)",
    caughtBy: ["erm/corollary_13", "corollary13"],
  },
  {
    file: "lib/learners/erm/log_density.ts",
    from: "-signs[i]! * loss.slope",
    to: "signs[i]! * loss.slope",
    caughtBy: ["erm/slides_fact_1", "slidesFact1"],
  },
  {
    file: "lib/learners/erm/tune.ts",
    from: "-epsilon * (count - fewest) / 2",
    to: "-epsilon * (count - fewest)",
    caughtBy: ["erm/theorem_26", "theorem26"],
  },
  {
    file: "lib/learners/erm/random_features.ts",
    from: "Math.sqrt(1 / count)",
    to: "Math.sqrt(2 / count)",
    caughtBy: ["erm/theorem_22", "theorem22"],
  },
  {
    file: "lib/predictors/null_space_kernel.ts",
    from: "Math.sqrt(left / cost)",
    to: "left / cost",
    caughtBy: ["predictors/theorem_1", "theorem1"],
  },
  // Accounting.
  {
    file: "lib/accounting/group_privacy.ts",
    from: "return pure({ epsilon: up(size * claim.epsilon)",
    to: "return pure({ epsilon: up((size - 1) * claim.epsilon)",
    caughtBy: ["composition/group_privacy", "groupPrivacy"],
  },
  {
    file: "lib/accounting/advanced_composition.ts",
    from: "return Math.sqrt(-2 * count * Math.log(slack)) * epsilon +",
    to: "return 0.5 * Math.sqrt(-2 * count * Math.log(slack)) * epsilon +",
    caughtBy: ["composition/advanced_composition", "advancedComposition"],
  },
  {
    file: "lib/accounting/subsampling.ts",
    from: "Math.log1p(rate * Math.expm1(epsilon))",
    to: "Math.log1p(0.87 * rate * Math.expm1(epsilon))",
    caughtBy: ["composition/subsampling", "subsampling"],
  },
  {
    file: "lib/accounting/amplification.ts",
    from: "(rho2 * (1 - rho1)) / (rho1 * (1 - rho2))",
    to: "2 * (rho2 * (1 - rho1)) / (rho1 * (1 - rho2))",
    caughtBy: ["input_perturbation/no_breach", "noBreach"],
  },
];

const root = new URL("../../", import.meta.url);

/** All modules of a folder, by path from the root. */
function modulesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))].flatMap(({ name, isDirectory }) =>
    isDirectory ? modulesIn(`${folder}${name}/`) : name.endsWith(".ts") ? [`${folder}${name}`] : []
  );
}

/** The text of every module that a theorem may import. */
const modules = new Map(
  [...modulesIn("lib/"), ...modulesIn("proofs/")].map((path) => [
    path,
    Deno.readTextFileSync(new URL(path, root)),
  ]),
);

for (const { file, from, to, caughtBy: [theorem, name] } of faults) {
  const fault = to.replaceAll(/\s+/g, " ");
  Deno.test(`${theorem} notices “${fault}” in ${file}`, async () => {
    assertEquals(modules.get(file)!.split(from).length, 2, `“${from}” must occur once`);
    const copy = await Deno.makeTempDir({ prefix: "dpcheck-fault-" });
    try {
      for (const [path, text] of modules) {
        const target = `${copy}/${path}`;
        await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
        await Deno.writeTextFile(target, path === file ? text.replace(from, () => to) : text);
      }
      const module = await import(`file://${copy}/proofs/${theorem}.ts`);
      const { holds } = await (module[name] as Theorem).check({ seed: 20261121 });
      assert(!holds, "the fault goes unnoticed");
    } finally {
      await Deno.remove(copy, { recursive: true });
    }
  });
}
