import { type FeatureMatrix, featureMatrix } from "./feature_matrix.ts";
import { type LinearFirstStage, linearFirstStage } from "./linear_first_stage.ts";

/** Description of a predictor, as needed for cleaning. */
export interface PredictorDescription {
  /** The linear operator at its front. */
  readonly stage: LinearFirstStage;
  /** The names of the features, in the order of the weights, where the description gives them. */
  readonly features?: readonly string[];
  /** The linear predictor of what is to be hidden, where the description gives one. */
  readonly confidential?: LinearFirstStage;
}

/**
 * Reads a predictor from parsed JSON. One of
 *
 * - `{"kind":"linear","weights":[[…]…],"bias":[…],"centre":[…]}`, a linear regression: one row of
 *   weights for each output; bias and centre may be absent;
 * - `{"kind":"pca","components":[[…]…],"mean":[…]}`, a principal component analysis;
 * - `{"kind":"network","layers":[{"weights":[[…]…],"bias":[…]},…]}`, a neural network: the outputs of
 *   the first layer before its activation are kept; later layers are not read.
 *
 * Each may have `"features":["name",…]` and `"confidential":{"weights":[[…]…]}`, the weights A_cᵀ of a
 * linear predictor of what is to be hidden.
 *
 * @param value What `JSON.parse` gave.
 * @throws {TypeError} naming the entry, when it is not of this form.
 * @throws {RangeError} when the lengths do not fit each other.
 *
 * @example
 * ```ts
 * import { predictorFromJson } from "./predictor_from_json.ts";
 * predictorFromJson({ kind: "linear", weights: [[1, -1]], features: ["x1", "x2"] });
 * ```
 */
export function predictorFromJson(value: unknown): PredictorDescription {
  const predictor = requireRecord(value, "predictor");
  const stage = firstStage(predictor);
  const columns = stage.weights.columns;
  return {
    stage,
    ...(predictor.features !== undefined &&
      { features: requireNames(predictor.features, columns) }),
    ...(predictor.confidential !== undefined &&
      { confidential: confidentialStage(predictor.confidential, columns) }),
  };
}

function firstStage(predictor: Record<string, unknown>): LinearFirstStage {
  switch (predictor.kind) {
    case "linear":
      return linearFirstStage(requireMatrix(predictor.weights, "weights"), {
        ...optional("bias", predictor.bias),
        ...optional("centre", predictor.centre),
      });
    case "pca":
      return linearFirstStage(requireMatrix(predictor.components, "components"), {
        centre: requireNumbers(predictor.mean, "mean"),
      });
    case "network": {
      if (!Array.isArray(predictor.layers)) refuse("layers", "an array", predictor.layers);
      const first = requireRecord(predictor.layers[0], "layers[0]");
      return linearFirstStage(requireMatrix(first.weights, "layers[0].weights"), {
        ...optional("bias", first.bias),
      });
    }
    default:
      return refuse("kind", '"linear", "pca" or "network"', predictor.kind);
  }
}

function confidentialStage(value: unknown, columns: number): LinearFirstStage {
  const name = "confidential.weights";
  const weights = requireMatrix(requireRecord(value, "confidential").weights, name);
  if (weights.columns !== columns) refuse(name, `rows of ${columns} numbers`, weights.columns);
  return linearFirstStage(weights);
}

function optional(name: "bias" | "centre", value: unknown): Record<string, number[]> {
  return value === undefined ? {} : { [name]: requireNumbers(value, name) };
}

function requireRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse(name, "an object", value);
  }
  return value as Record<string, unknown>;
}

function requireNumbers(value: unknown, name: string): number[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(Number.isFinite)) {
    refuse(name, "an array of finite numbers", value);
  }
  return value as number[];
}

function requireMatrix(value: unknown, name: string): FeatureMatrix {
  if (!Array.isArray(value) || value.length === 0) refuse(name, "an array of rows", value);
  const rows = (value as unknown[]).map((row, index) => requireNumbers(row, `${name}[${index}]`));
  const columns = rows[0]!.length;
  const odd = rows.find((row) => row.length !== columns);
  if (odd !== undefined) refuse(name, `rows of ${columns} numbers each`, odd.length);
  return featureMatrix(rows);
}

function requireNames(value: unknown, count: number): string[] {
  const isNames = Array.isArray(value) && value.every((name) => typeof name === "string");
  if (!isNames || new Set(value).size !== count || value.length !== count) {
    refuse("features", `an array of ${count} different names`, value);
  }
  return value as string[];
}

function refuse(name: string, rule: string, value: unknown): never {
  // Of a structure only the kind: a message stays on one line.
  const shown = Array.isArray(value)
    ? `an array of ${value.length}`
    : typeof value === "object" && value !== null
    ? "an object"
    : JSON.stringify(value);
  throw new TypeError(
    `Cannot read a predictor: ${name} must be ${rule}: current value is ${shown}`,
  );
}
