import { requireKnown } from "../../../core/text/known_options.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { divide, multiply, rational } from "../../../core/numeric/rational.ts";
import { requireFields, requireInteger, requireKind } from "../../../core/numeric/require.ts";
import { spendThen } from "../../mechanisms/release.ts";
import { exactChoice } from "../../../core/random/exact_choice.ts";
import { shuffle } from "../../../core/random/shuffle.ts";
import { checkedRows } from "./rows/checked_rows.ts";
import type { FitOptions } from "./fit.ts";
import type { Model } from "./model.ts";
import type { Label } from "./label.ts";
import { requireTrainable } from "./require_trainable.ts";
import { type Rows, selectRows } from "./rows/rows.ts";
import { sampleModel } from "./sample_model.ts";
import { claimOf, TRAINING_OPTIONS, type TrainingOptions } from "./training_options.ts";

/** One candidate: what it changes in the shared options. ε and δ are shared. */
export type Candidate = Partial<Omit<TrainingOptions, "epsilon" | "delta" | "classes">>;

/** All that a candidate may say. */
const CANDIDATE_FIELDS = [
  "normBound",
  "intercept",
  "features",
  "lambda",
  "loss",
  "regulariser",
  "perturbation",
  "slack",
  "noiseShare",
  "tolerance",
] as const satisfies readonly (keyof Candidate)[];

/** Shared options and the candidates to choose from. */
export interface TuningOptions extends TrainingOptions {
  /** At least one; each is trained on its own part of the rows. */
  readonly candidates: readonly Candidate[];
}

/** The model chosen, and which candidate it is: both may be published under the model's claim. */
export interface Tuned {
  /** The chosen model. */
  readonly model: Model;
  /** Its candidate's index. */
  readonly chosen: number;
}

/**
 * Private tuning (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 4, Theorem 26) from a source of either
 * kind. The rows are put in random order and divided into m + 1 equal parts (what is left over goes
 * unused); candidate i is trained on part i with ε; on the last part candidate i makes z_i mistakes,
 * and one is chosen with probability ∝ e^(−εz_i/2). A row replaced is in one part only, so all of it
 * is (ε, δ)-private. Within 2·ln(m/δ′)/ε of the fewest mistakes with probability 1 − δ′ (Theorem 27).
 *
 * @throws {RangeError} with fewer rows than parts, or on what `sampleModel` refuses.
 */
export function sampleTuned(
  source: Source,
  { rows, labels, candidates, ...shared }: TuningOptions & {
    readonly rows: Rows;
    readonly labels: ArrayLike<Label>;
  },
): Tuned {
  requireParts(rows, candidates);
  const order = shuffle(source, Int32Array.from({ length: rows.rowCount }, (_, i) => i));
  const size = Math.floor(rows.rowCount / (candidates.length + 1));
  const part = (k: number): { rows: Rows; labels: Label[] } => {
    const indices = order.subarray(k * size, (k + 1) * size);
    return { rows: selectRows(rows, indices), labels: Array.from(indices, (i) => labels[i]!) };
  };
  const models = candidates.map((candidate, k) =>
    sampleModel(source, { ...shared, ...candidateFields(candidate, k), ...part(k) })
  );
  const held = part(candidates.length);
  const mistakes = models.map((model) =>
    Math.round(size * (1 - model.score(held.rows, held.labels)))
  );
  const chosen = chooseFewest(source, { mistakes, epsilon: shared.epsilon });
  return { model: models[chosen]!, chosen };
}

/**
 * Index i with probability exactly ∝ e^(−ε·mistakes_i/2): the exponential mechanism (McSherry, Talwar 2007), ε-private, for one
 * row replaced moves every count by at most 1. Fractions and integers decide: no index is rounded away, however rare.
 */
export function chooseFewest(
  source: Source,
  { mistakes, epsilon }: { mistakes: readonly number[]; epsilon: number },
): number {
  const half = divide(rational(epsilon), rational(2));
  return exactChoice(mistakes.map((count) => ({ exponent: multiply(half, rational(count)) })))(
    source,
  );
}

/**
 * Tunes and trains a classifier privately for release: spends the budget, then {@linkcode sampleTuned} with a secure source.
 *
 * @throws {RangeError} when the budget cannot pay, or on bad options or data.
 * @throws {TypeError} when the source is not secure.
 */
export function fitTuned(
  rows: Rows,
  labels: ArrayLike<Label>,
  options: TuningOptions & Pick<FitOptions, "budget" | "source" | "allowOneClass">,
): Tuned {
  requireKind("fitTuned", "rows", rows, "record");
  const { budget, source, allowOneClass = true, ...rest } = requireFields("fitTuned", options, {
    candidates: "list",
    loss: "record?",
    regulariser: "record?",
    classes: "list?",
    features: "record?",
    allowOneClass: "boolean?",
  });
  requireKnown("call fitTuned()", options, [
    "candidates",
    ...TRAINING_OPTIONS,
    "budget",
    "source",
    "allowOneClass",
  ]);
  return spendThen("tune privately", {
    budget,
    source,
    prepare: () => {
      const { candidates: asked, ...shared } = rest;
      const checked = checkedRows(rows);
      requireParts(checked, asked);
      const candidates = asked.map(candidateFields);
      const trainedCount = Math.floor(checked.rowCount / (candidates.length + 1));
      for (const candidate of candidates) {
        requireTrainable(checked, { ...shared, ...candidate, labels, allowOneClass, trainedCount });
      }
      return {
        claim: claimOf(rest),
        draw: (secure) => sampleTuned(secure, { ...shared, candidates, rows: checked, labels }),
      };
    },
  });
}

/**
 * Returns the fields that a candidate may change, each read once, whatever else the object holds: ε and δ are what the
 * claim says, of all candidates.
 */
function candidateFields(candidate: Candidate, index: number): Candidate {
  const known: readonly string[] = CANDIDATE_FIELDS;
  for (const field in candidate) {
    if (known.includes(field)) continue;
    throw new RangeError(
      `Cannot tune: candidates must have no fields but ${known.join(", ")}: ` +
        `current field of candidate ${index} is ${field}`,
    );
  }
  const given = CANDIDATE_FIELDS.map((field) => [field, candidate[field]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function requireParts(rows: Rows, candidates: readonly Candidate[]): void {
  requireInteger("tune", "candidates", candidates.length, { min: 1 });
  requireInteger("tune", "rows", rows.rowCount, { min: candidates.length + 1 });
}
