import { assert, assertEquals, assertThrows } from "@std/assert";
import * as core from "../../../lib/core/mod.ts";
import { readColumnDescription } from "../../../lib/dp/learners/erm/files/read_column_description.ts";
import { encodeTable } from "../../../lib/dp/learners/erm/files/column_encoder.ts";
import * as learners from "../../../lib/papers/learners.ts";
import { EXTREMES, FINITE } from "./extreme_trials.ts";

/** Exports that release nothing: what makes rows, objectives, families and queries, says beforehand or works on what is public. */
const NO_RELEASES = [
  ...["denseRows", "sparseRows", "encodeTable", "readColumnDescription", "readLabelColumn"],
  ...["drawRandomFeatures", "huberHinge", "smoothedHinge", "smoothElasticNet"],
  ...["betaBernoulli", "dirichletMultinomial", "gaussianMean", "exponentialFamily"],
  ...["finiteDomain", "cellOf", "histogramOf", "linearQuery", "rangeQuery", "marginalQueries"],
  ...["dpSgdClaim", "kMeansCalibration", "perceptronCalibration", "perceptronGuarantee"],
  ...["mwemErrorBound", "privateLearnerRows", "secondMomentError", "suggestedLambda"],
  ...["sulqAccounting", "treeGainBound"],
  ...[
    "AdditiveModel",
    "Classifier",
    "Model",
    "answerQueries",
    "classify",
    "exponentialPosterior",
    "principalDirections",
  ],
  ...["fitConjunction", "readFeatureDescription", "readFeatureLines", "RowFile", "tableCoder"],
];

/** Every value in it that is NaN or undefined. */
function holes(value: unknown): number {
  if (value === undefined || Number.isNaN(value)) return 1;
  if (value === null || typeof value !== "object") return 0;
  const parts = ArrayBuffer.isView(value) ? [...value as Float64Array] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + holes(part), 0);
}

// Mutants: a learner that is exported and left out here.
Deno.test("every exported learner has extreme data to be tried on", () => {
  const exported = Object.entries(learners)
    .filter(([name, value]) => typeof value === "function" && !(name in core))
    .map(([name]) => name);
  assertEquals([...Object.keys(EXTREMES), ...NO_RELEASES].sort(), exported.sort());
});

for (const [name, trials] of Object.entries(EXTREMES)) {
  Deno.test(`${name}() refuses no valid data, and a public size before anything is spent`, () => {
    for (const { run, taken, refused = [] } of trials) {
      for (const data of taken) {
        let spent = 0;
        const output = run(data as never, { budget: { spend: () => void spent++ } });
        assertEquals([spent, holes(output)], [1, 0]);
      }
      for (const alike of refused) {
        const messages = alike.map((data) => {
          const budget = { spend: () => assert(false, "spent on data that are refused") };
          return assertThrows(() => run(data as never, { budget }), RangeError).message;
        });
        assertEquals(new Set(messages).size, 1);
      }
    }
  });
}

// Mutants: numbers not brought into the bounds before they are scaled; a width that overflows is described.
Deno.test("encodeTable() takes every finite number, for bounds of every size", () => {
  const values = FINITE.map(String);
  for (const scale of ["linear", "log"] as const) {
    for (const [min, max] of [[0, 5e-324], [-1e308, 0], [1, 1 + 2 ** -52], [-5e-324, 1.7e308]]) {
      const description = { columns: [{ name: "x", type: "number", min, max, scale }] };
      const encoded = encodeTable(
        { names: ["x"], rows: values.map((value) => [value]) },
        readColumnDescription(description),
      );
      assert(encoded.values.every((value) => value > 0 && value <= 1));
    }
  }
});
