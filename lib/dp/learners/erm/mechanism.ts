import { requireKnown } from "../../../core/text/known_options.ts";
import { requireFields, requireInteger } from "../../../core/numeric/require.ts";
import type { Dataset, Domain } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import {
  objectivePerturbationLogDensity,
  outputPerturbationLogDensity,
} from "./noise/log_density.ts";
import { preparedNormBound, prepareRows } from "./rows/prepare_rows.ts";
import { denseRows } from "./rows/rows.ts";
import { type RiskMinimisation, sampleMinimiser } from "./noise/sample_minimiser.ts";
import {
  calibrationOf,
  claimOf,
  objectiveOf,
  TRAINING_OPTIONS,
  type TrainingOptions,
} from "./training_options.ts";

/** One row of a dataset of labelled vectors, as audits generate them. */
export interface LabelledRow {
  /** d numbers. */
  readonly features: readonly number[];
  /** −1 or 1. */
  readonly label: number;
}

/**
 * Returns private training of a binary classifier as a mechanism, for audits and exact checks: from labelled
 * rows to the weights. `logDensity` is that of the exact minimiser, before the small second noise of
 * objective perturbation.
 *
 * @param options `columnCount` and `size` describe the datasets that a search may try.
 * @throws {RangeError} on options out of range.
 */
export function ermMechanism(
  given: TrainingOptions & {
    readonly columnCount: number;
    readonly size?: Domain["size"];
  },
): Mechanism<LabelledRow, number[]> {
  const { columnCount, size = { min: 1, max: 20 }, ...options } = requireFields(
    "ermMechanism",
    given,
    {
      loss: "record?",
      regulariser: "record?",
      classes: "list?",
      features: "record?",
      size: "record?",
    },
  );
  requireKnown("call ermMechanism()", given, [...TRAINING_OPTIONS, "columnCount", "size"]);
  const { perturbation = "objective", lambda, intercept, features } = options;
  requireInteger("train", "columnCount", columnCount, { min: 1 });
  // Options that are out of range are refused before there are rows.
  calibrationOf(options, { rowCount: 1 });
  const width = (features?.count ?? columnCount) + (intercept === undefined ? 0 : 1);
  const read = (data: Dataset<LabelledRow>): RiskMinimisation => ({
    ...objectiveOf(options),
    lambda,
    rows: prepareRows(denseRows(data.map((row) => row.features), { columnCount }), options),
    signs: Float64Array.from(data, ({ label }) => label),
  });
  const calibration = (data: Dataset<LabelledRow>): ReturnType<typeof calibrationOf> =>
    calibrationOf(options, { rowCount: data.length });
  // A coordinate as large as the bound: corners are then clipped, which a search should see too.
  const bound = preparedNormBound(options);
  const sampleMany = (data: Dataset<LabelledRow>, count: number, source: Source): Float64Array => {
    const shared = { ...read(data), calibration: calibration(data) };
    const block = new Float64Array(count * width);
    for (let k = 0; k < count; k++) block.set(sampleMinimiser(source, shared), k * width);
    return block;
  };
  return {
    name: `${perturbation}-perturbation(${objectiveOf(options).loss.name})`,
    claim: claimOf(options),
    width,
    domain: {
      size,
      rows: {
        type: "record",
        fields: {
          features: {
            type: "vector",
            length: columnCount,
            of: { type: "number", min: -bound, max: bound },
          },
          label: { type: "category", values: [-1, 1] },
        },
      },
    },
    sample: (data, source) => Array.from(sampleMany(data, 1, source)),
    sampleMany,
    logDensity(output, data): number {
      const shared = { ...read(data), calibration: calibration(data) };
      const weights = Float64Array.from(output);
      return perturbation === "output"
        ? outputPerturbationLogDensity(weights, shared)
        : objectivePerturbationLogDensity(weights, shared);
    },
  };
}
