import { parseArgs } from "node:util";
import { auditCanaries } from "../../../lib/judge/audit/one_run/audit_canaries.ts";
import type { Canary } from "../../../lib/judge/audit/one_run/canary.ts";
import { approximate, type Claim } from "../../../lib/core/claims/claim.ts";
import { asserted } from "../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { dpSgdClaim, sampleDpSgd } from "../../../lib/dp/learners/sgd/dp_sgd.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { loadAdult, WHERE_TO_GET_DATA } from "../erm/load_data.ts";

// One private logistic regression on Adult, audited by canaries that it was trained on, honest and with clipping as good as removed.
const SEED = 2308, ROWS = 2000, CANARIES = 1000;

const HONEST = {
  steps: 40,
  rate: 0.2,
  clip: 1,
  noiseMultiplier: 4,
  learningRate: 0.01,
  delta: 1e-5,
};

/** What "clipping as good as removed" means: to so many times the norm, and the noise stays as it was. Rows of Adult are shorter. */
const UNCLIPPED_FACTOR = 35;

const { data: directory } = parseArgs({ options: { data: { type: "string" } } }).values;
const adult = directory === undefined ? undefined : await loadAdult(directory, { part: "train" })
  .catch(() => undefined);
if (adult === undefined) {
  console.error(WHERE_TO_GET_DATA);
  Deno.exit(2);
}
const { rows, signs } = adult;
const source = new SeededSource(SEED);
const width = rows.columnCount + CANARIES;
const isIn = Array.from({ length: CANARIES }, () => source.uniform() < 0.5);

/** A row of Adult and no canary's column. */
const publicRows: LabelledRow[] = Array.from({ length: ROWS }, (_, i) => {
  const features = new Array<number>(width).fill(0);
  for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
    features[rows.columns[k]!] = rows.values[k]!;
  }
  return { features, label: signs[i]! };
});

/** A canary has a column of its own, and features far longer than rows of Adult. */
const canaryRow = (i: number): LabelledRow => {
  const features = new Array<number>(width).fill(0);
  features[rows.columnCount + i] = 100;
  return { features, label: 1 };
};
const data = [...publicRows, ...isIn.flatMap((each, i) => each ? [canaryRow(i)] : [])];
const honest = { ...HONEST, columnCount: width };
const { epsilon, delta } = dpSgdClaim(honest);
const claim: Claim = approximate({ epsilon, delta, relation: asserted });
console.log(
  `claim: (${epsilon.toFixed(3)}, ${delta})-DP; ${data.length} rows, ${CANARIES} canaries`,
);

const variants = {
  honest,
  "clipping as good as removed": {
    ...honest,
    clip: honest.clip * UNCLIPPED_FACTOR,
    noiseMultiplier: honest.noiseMultiplier / UNCLIPPED_FACTOR,
  },
};
for (const [name, options] of Object.entries(variants)) {
  const weights = sampleDpSgd(source.split(name), { ...options, data });
  const canaries: Canary[] = isIn.map((included, i) => ({
    included,
    score: weights[rows.columnCount + i]!,
  }));
  const right = publicRows.filter(({ features, label }) =>
    label * features.reduce((sum, x, j) =>
          sum + x * weights[j]!, 0) > 0
  ).length;
  const report = auditCanaries(canaries, {
    claim,
    alpha: 0.05,
    source: source.split(`${name}: ties`),
  });
  console.log(
    `${name}: ${report.verdict}, ε ≥ ${report.epsilonLowerBound.toFixed(3)}, accuracy ${
      (right / ROWS).toFixed(3)
    }`,
    report.best,
  );
}
