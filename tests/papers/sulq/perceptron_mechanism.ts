import { zcdp } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import {
  perceptronCalibration,
  type PerceptronOptions,
  samplePerceptron,
} from "../../../lib/papers/sulq/perceptron.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";

/** The perceptron as a mechanism: from rows to weights. */
export function perceptronMechanism(options: PerceptronOptions): Mechanism<LabelledRow, number[]> {
  const prepared = sulqNoise(perceptronCalibration(options));
  return {
    name: "sulq perceptron",
    claim: zcdp({ rho: options.rho, relation: replaceOne }),
    sample: (data, source) => [...samplePerceptron(source, { ...options, data, prepared }).weights],
  };
}
