import { AdditiveModel } from "../../lib/dp/learners/additive/additive_model.ts";
import type { Classifier } from "../../lib/dp/learners/erm/classifier.ts";
import { Model } from "../../lib/dp/learners/erm/model.ts";
import { reading } from "./bad_input.ts";
import { readJsonFile } from "./read_json_file.ts";
import { readRowDescription, type RowDescription } from "./visit_encoded_rows.ts";

/** A model that `dpcheck train` wrote, and what its rows hold. */
export interface SavedModel {
  /** The model. */
  readonly model: Classifier;
  /** The description that it was trained with. */
  readonly description: RowDescription;
}

/** Reads the file that `--model` names. @throws {BadInput} where it is not a model of `dpcheck train`. */
export async function readSavedModel(file: string): Promise<SavedModel> {
  const saved = await readJsonFile("--model", file);
  return reading("--model", file, () => {
    const { columns, ...model } = Object(saved) as Record<string, unknown>;
    return {
      model: AdditiveModel.isJSON(model) ? AdditiveModel.fromJSON(model) : Model.fromJSON(model),
      description: readRowDescription(columns),
    };
  });
}
