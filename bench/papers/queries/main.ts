/**
 * Learning from noisy answers: k-means and synthetic rows beside other ways, and the experiments of the papers as plots.
 * README.md beside this has the results.
 *
 *     deno task bench queries \
 *       [--data DIR] [--parts k-means,synthetic,holdout,bayes] [--seed N] [--runs N] [--out DIR]
 *
 * DIR holds adult/adult.data.gz and adult/adult.test.gz; without it the part `synthetic` is left out.
 *
 * @module
 */
import { Command } from "commander";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { bayesExperiment } from "./bayes.ts";
import { holdoutExperiment } from "./holdout.ts";
import { kMeansExperiment } from "./k_means.ts";
import { syntheticRowsOfAdult } from "./synthetic_adult.ts";

const options = new Command().option("--data <dir>", "directory of the data sets")
  .option(
    "--parts <names>",
    "what to run, by commas",
    "k-means,synthetic,holdout,bayes",
  )
  .option("--seed <n>", "seed of data and noise", "2012")
  .option("--runs <n>", "runs of each experiment", "20")
  .option("--out <dir>", "where plots and their points go", "out/queries")
  .parse([Deno.execPath(), "queries", ...Deno.args])
  .opts<{ data?: string; parts: string; seed: string; runs: string; out: string }>();

const runs = Number(options.runs), directory = options.out;
const parts: Record<string, (source: SeededSource) => void | Promise<void>> = {
  "k-means": (source) => kMeansExperiment(source, { runs }),
  async synthetic(source): Promise<void> {
    if (options.data === undefined) {
      console.log("synthetic: needs --data with adult/adult.data.gz\n");
    } else await syntheticRowsOfAdult(options.data, { source, runs });
  },
  holdout: (source) => holdoutExperiment(source, { runs, directory }),
  bayes: (source) => bayesExperiment(source, { runs: 100 * runs, directory }),
};

for (const name of options.parts.split(",")) {
  const part = parts[name];
  if (part === undefined) {
    throw new RangeError(`Cannot run: parts must be of ${Object.keys(parts)}: "${name}" is not`);
  }
  await part(new SeededSource(Number(options.seed)).split(name));
}
