const FORMAT = "reads and writes: what comes out is data, and no guarantee rests on it";
const SPEED =
  "how fast a minimum is found: the bound on its gradient, computed elsewhere, is what noise is calibrated to";

/** Files of the four folders whose faults are not drawn, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "lib/mechanisms/audit_inputs.ts": "domains that audits of shipped mechanisms begin with",
  "lib/learners/erm/checked_rows.ts": FORMAT,
  "lib/learners/erm/column_encoder.ts": FORMAT,
  "lib/learners/erm/conjugate_gradient.ts": SPEED,
  "lib/learners/erm/least_along.ts": SPEED,
  "lib/learners/erm/minimise.ts": SPEED,
  "lib/learners/erm/model_json.ts": FORMAT,
  "lib/learners/erm/read_labels.ts": FORMAT,
  "lib/learners/erm/rows.ts": FORMAT,
  "lib/learners/erm/suggested_lambda.ts":
    "proposes Λ, which may be any number that does not come from the data",
  "lib/exact/enumeration/law_key.ts": "names a law: no number",
};
