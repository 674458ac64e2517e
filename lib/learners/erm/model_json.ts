import { z } from "zod";
import { approximate, claimToJSON, pure } from "../../core/claim.ts";
import { replaceOne } from "../../core/relation.ts";
import type { ModelParts } from "./model.ts";

const numbers = z.array(z.number());
const label = z.union([z.string(), z.number(), z.boolean()]);

const schema = z.object({
  format: z.literal("dpcheck-linear-model"),
  version: z.literal(1),
  statement: z.string(),
  claim: z.object({
    kind: z.enum(["pure", "approximate"]),
    epsilon: z.number().positive(),
    delta: z.number().min(0).lt(1).optional(),
    relation: z.literal(replaceOne.name),
  }),
  classes: z.array(label).min(2),
  weights: z.array(numbers.min(1)).min(1),
  preparation: z.object({
    normBound: z.number().positive().nullable(),
    intercept: z.number().positive().nullable(),
    features: z.object({
      kernel: z.object({ name: z.enum(["gaussian", "laplacian"]), gamma: z.number().positive() }),
      inputCount: z.number().int().positive(),
      count: z.number().int().positive(),
      frequencies: numbers,
      phases: numbers,
    }).nullable(),
  }),
  training: z.object({
    loss: z.string(),
    regulariser: z.string(),
    lambda: z.number().positive(),
    perturbation: z.enum(["output", "objective"]),
    rowCount: z.number().int().positive(),
  }),
});

/** A saved model: plain JSON, with `format` and `version`. */
export type ModelJson = Readonly<Record<string, unknown>>;

/** The parts of a model as plain JSON. */
export function modelToJson(parts: ModelParts): ModelJson {
  const { normBound, intercept, features } = parts.preparation;
  return schema.parse({
    format: "dpcheck-linear-model",
    version: 1,
    statement: parts.statement,
    claim: claimToJSON(parts.claim),
    classes: parts.classes,
    weights: parts.weights.map((weights) => Array.from(weights)),
    preparation: {
      normBound: normBound ?? null,
      intercept: intercept ?? null,
      features: features === undefined ? null : {
        ...features,
        frequencies: Array.from(features.frequencies),
        phases: Array.from(features.phases),
      },
    },
    training: parts.training,
  });
}

/**
 * The parts of a saved model, after checking that they fit together.
 *
 * @throws {TypeError} naming the field that is missing or wrong.
 */
export function modelFromJson(json: unknown): ModelParts {
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new TypeError(
      `Cannot read a model: ${path.join(".") || "the file"} is wrong: ${message}`,
    );
  }
  const { claim, classes, weights, preparation, statement, training } = parsed.data;
  const { normBound, intercept, features } = preparation;
  const length = weights[0]!.length;
  requireThat(weights.every((each) => each.length === length), "weights must be equally long");
  requireThat(
    classes.length === 2 ? weights.length === 1 : weights.length === classes.length,
    "weights must be one vector for two classes, and one a class for more",
  );
  if (features !== null) {
    requireThat(
      features.phases.length === features.count &&
        features.frequencies.length === features.count * features.inputCount &&
        length === features.count + (intercept === null ? 0 : 1),
      "features must have as many frequencies, phases and weights as they say",
    );
  } else requireThat(normBound !== null, "normBound must be given");
  const { kind, epsilon, delta } = claim;
  return {
    classes,
    statement,
    training,
    weights: weights.map((each) => Float64Array.from(each)),
    claim: kind === "pure"
      ? pure({ epsilon, relation: replaceOne })
      : approximate({ epsilon, delta: delta ?? 0, relation: replaceOne }),
    preparation: {
      ...(normBound === null ? {} : { normBound }),
      ...(intercept === null ? {} : { intercept }),
      ...(features === null ? {} : {
        features: {
          ...features,
          frequencies: Float64Array.from(features.frequencies),
          phases: Float64Array.from(features.phases),
        },
      }),
    },
  };
}

function requireThat(condition: boolean, rule: string): void {
  if (!condition) throw new TypeError(`Cannot read a model: ${rule}`);
}
