import { approximate, type Claim, claimToJSON, pure } from "../../../core/claims/claim.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../core/relations/relation.ts";

import type { Label } from "./label.ts";
import type { Preparation } from "./rows/prepare_rows.ts";

const FORMAT = "dpcheck-linear-model", VERSION = 1;

/** A saved model: plain JSON, with `format` and `version`. */
export type ModelJson = Readonly<Record<string, unknown>>;

/** The parts of a model as plain JSON. */
export function modelToJson(parts: ModelParts): ModelJson {
  const { normBound, intercept, features } = parts.preparation;
  const { loss, regulariser, lambda, perturbation, rowCount } = parts.training;
  const json = {
    format: FORMAT,
    version: VERSION,
    statement: parts.statement,
    claim: claimToJSON(parts.claim),
    classes: parts.classes,
    weights: parts.weights.map((weights) => Array.from(weights)),
    preparation: {
      normBound: normBound ?? null,
      intercept: intercept ?? null,
      features: features === undefined ? null : {
        kernel: { name: features.kernel.name, gamma: features.kernel.gamma },
        inputCount: features.inputCount,
        count: features.count,
        frequencies: Array.from(features.frequencies),
        phases: Array.from(features.phases),
      },
    },
    training: { loss, regulariser, lambda, perturbation, rowCount },
  };
  // Check that the JSON can be read back.
  modelFromJson(json);
  return json;
}

/**
 * The parts of a saved model, after checking that they fit together.
 *
 * @throws {TypeError} naming the field that is missing or wrong.
 */
export function modelFromJson(json: unknown): ModelParts {
  const file = isRecord(json) ? json : {};
  requireThat(
    file.format === FORMAT && file.version === VERSION,
    `format must be ${FORMAT}, and version ${VERSION}`,
  );
  const classes = read(file, "classes", isListOf(isLabel), "must be a list of labels");
  const weights = read(file, "weights", isListOf(isVector), "must be a list of lists of numbers");
  requireThat(classes.length >= 2, "classes must be at least two");
  requireThat(
    weights.length === (classes.length === 2 ? 1 : classes.length),
    "weights must be one vector for two classes, and one a class for more",
  );
  const length = weights[0]!.length;
  requireThat(
    length > 0 && weights.every((each) => each.length === length),
    "weights must be equally long, and not empty",
  );
  const claim = read(file, "claim", isRecord, "must be an object");
  const training = read(file, "training", isRecord, "must be an object");
  return {
    classes,
    statement: read(file, "statement", isText, "must be text"),
    weights: weights.map((each) => Float64Array.from(each)),
    claim: claimFrom(claim, [replaceOne]),
    preparation: preparationFrom(
      read(file, "preparation", isRecord, "must be an object"),
      length,
    ),
    training: {
      loss: read(training, "training.loss", isText, "must be text"),
      regulariser: read(training, "training.regulariser", isText, "must be text"),
      lambda: read(training, "training.lambda", isPositive, POSITIVE),
      perturbation: read(
        training,
        "training.perturbation",
        isOneOf("output", "objective"),
        "must be output or objective",
      ),
      rowCount: read(training, "training.rowCount", isCount, COUNT),
    },
  };
}

/**
 * The claim of a saved model.
 *
 * @param relations those that such a model may claim.
 * @throws {TypeError} naming the field that is missing or wrong.
 */
export function claimFrom(
  claim: Fields,
  relations: readonly Relation[] = [replaceOne, addRemoveOne],
): ModelParts["claim"] {
  const kind = read(
    claim,
    "claim.kind",
    isOneOf("pure", "approximate"),
    "must be pure or approximate",
  );
  const epsilon = read(claim, "claim.epsilon", isPositive, POSITIVE);
  const names = relations.map(({ name }) => name);
  const name = read(claim, "claim.relation", isOneOf(...names), `must be ${names.join(" or ")}`);
  const relation = relations.find((each) => each.name === name)!;
  if (kind === "pure") return pure({ epsilon, relation });
  const { delta = 0 } = claim;
  requireThat(isNumber(delta) && delta >= 0 && delta < 1, "claim.delta must be in [0, 1)");
  return approximate({ epsilon, delta: delta as number, relation });
}

function preparationFrom(
  { normBound, intercept, features }: Fields,
  length: number,
): ModelParts["preparation"] {
  for (const [name, value] of Object.entries({ normBound, intercept })) {
    requireThat(value === null || isPositive(value), `preparation.${name} ${POSITIVE}, or null`);
  }
  requireThat(
    features === null || isRecord(features),
    "preparation.features must be an object, or null",
  );
  requireThat(
    features !== null || normBound !== null,
    "preparation.normBound must be given where there are no features",
  );
  return {
    ...(isPositive(normBound) ? { normBound } : {}),
    ...(isPositive(intercept) ? { intercept } : {}),
    ...(isRecord(features)
      ? { features: featuresFrom(features, length - (intercept === null ? 0 : 1)) }
      : {}),
  };
}

function featuresFrom(
  features: Fields,
  length: number,
): NonNullable<ModelParts["preparation"]["features"]> {
  const kernel = read(features, "preparation.features.kernel", isRecord, "must be an object");
  const inputCount = read(features, "preparation.features.inputCount", isCount, COUNT);
  const count = read(features, "preparation.features.count", isCount, COUNT);
  const frequencies = read(
    features,
    "preparation.features.frequencies",
    isVector,
    "must be a list of numbers",
  );
  const phases = read(
    features,
    "preparation.features.phases",
    isVector,
    "must be a list of numbers",
  );
  requireThat(
    phases.length === count && frequencies.length === count * inputCount && length === count,
    "features must have as many frequencies, phases and weights as they say",
  );
  return {
    kernel: {
      name: read(
        kernel,
        "preparation.features.kernel.name",
        isOneOf("gaussian", "laplacian"),
        "must be gaussian or laplacian",
      ),
      gamma: read(kernel, "preparation.features.kernel.gamma", isPositive, POSITIVE),
    },
    inputCount,
    count,
    frequencies: Float64Array.from(frequencies),
    phases: Float64Array.from(phases),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The field at a path, whose last name is one of `fields`. @throws {TypeError} with the rule, when it is not what it must be. */
function read<Value>(
  fields: Fields,
  path: string,
  isRight: (value: unknown) => value is Value,
  rule: string,
): Value {
  const value = fields[path.slice(path.lastIndexOf(".") + 1)];
  if (!isRight(value)) throw new TypeError(`Cannot read a model: ${path} ${rule}`);
  return value;
}

const POSITIVE = "must be positive and finite", COUNT = "must be a positive integer";

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isPositive = (value: unknown): value is number => isNumber(value) && value > 0;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && isPositive(value);
const isLabel = (value: unknown): value is Label =>
  isText(value) || isNumber(value) || typeof value === "boolean";
const isListOf =
  <Value>(isItem: (value: unknown) => value is Value) => (value: unknown): value is Value[] =>
    Array.isArray(value) && value.every(isItem);
const isVector = isListOf(isNumber);
const isOneOf =
  <const Name extends string>(...names: readonly Name[]) => (value: unknown): value is Name =>
    names.some((name) => name === value);

function requireThat(condition: boolean, rule: string): void {
  if (!condition) throw new TypeError(`Cannot read a model: ${rule}`);
}

/** Parts of a model. */
export interface ModelParts {
  /** The declared classes: [negative, positive], or one for each weight vector. */
  readonly classes: readonly Label[];
  /** One weight vector for two classes; for more, one a class, that class against the rest. */
  readonly weights: readonly Float64Array[];
  /** Privacy claim of the published weights. */
  readonly claim: Claim;
  /** The claim in a sentence, with what it rests on. */
  readonly statement: string;
  /** Transformation of rows before the weights apply. */
  readonly preparation: Preparation;
  /** Record of the training. */
  readonly training: Training;
}

/** Declared choices of a training run, for the record. None is learned from the data. */
export interface Training {
  /** Name of the loss. */
  readonly loss: string;
  /** Name of the regulariser. */
  readonly regulariser: string;
  /** Λ. */
  readonly lambda: number;
  /** Whether noise was added to the minimiser or to the objective. */
  readonly perturbation: "output" | "objective";
  /** Rows: public under replace-one neighbours. */
  readonly rowCount: number;
}
