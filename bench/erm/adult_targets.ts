import { readColumnDescription } from "../../lib/learners/erm/column_encoder.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { sampleModel } from "../../lib/learners/erm/sample_model.ts";
import { suggestedLambda } from "../../lib/learners/erm/suggested_lambda.ts";
import type { TrainingOptions } from "../../lib/learners/erm/training_options.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { type Estimate, estimate } from "./cross_validate.ts";
import { loadAdult } from "./load_data.ts";

/** Test errors to stay under, and those of diffprivlib's defaults, for comparison. */
const TARGETS = [
  { epsilon: 0.1, target: 0.222, diffprivlib: 0.300 },
  { epsilon: 0.2, target: 0.200, diffprivlib: 0.277 },
  { epsilon: 0.5, target: 0.182, diffprivlib: 0.243 },
  { epsilon: 1, target: 0.174, diffprivlib: 0.227 },
  { epsilon: 2, target: 0.167, diffprivlib: 0.175 },
] as const;

/** One line of the comparison. */
export interface TargetLine extends Estimate {
  readonly epsilon: number;
  readonly lambda: number;
  readonly target: number;
  readonly diffprivlib: number;
}

/**
 * Everything here was fixed before any of these errors was seen: the columns by what they mean
 * (survey weight, education twice over and 41 countries left out; log scales for gains and losses),
 * the Huber hinge because Table 1 of Chaudhuri, Monteleoni, Sarwate 2011 has it ahead at ε = 0.1, a
 * weight norm of 5 because scores near ±1 over some nine active features of 1/3 each need it.
 */
export async function adultTargets(
  directory: string,
  { seeds }: { seeds: number },
): Promise<TargetLine[]> {
  const text = await Deno.readTextFile(new URL("adult_domain_columns.json", import.meta.url));
  const description = readColumnDescription(JSON.parse(text));
  const train = await loadAdult(directory, { part: "train", description });
  const test = await loadAdult(directory, { part: "test", description });
  const rowCount = train.rows.rowCount;
  return TARGETS.map(({ epsilon, ...printed }) => {
    const intercept = 1 / 3, normBound = Math.sqrt(1 - intercept ** 2);
    const lambda = suggestedLambda({
      epsilon,
      rowCount,
      columnCount: train.rows.columnCount + 1,
      normBound: 1,
      weightNorm: 5,
    });
    const options: TrainingOptions = {
      epsilon,
      lambda,
      loss: huberHinge(0.5),
      normBound,
      intercept,
    };
    const errors = Array.from({ length: seeds }, (_, seed) => {
      const source = new SeededSource(seed).split("adult targets");
      const model = sampleModel(source, { ...options, rows: train.rows, labels: train.signs });
      return 1 - model.score(test.rows, test.signs);
    });
    return { epsilon, lambda, ...printed, ...estimate(errors) };
  });
}
