import { Model } from "../lib/learners/erm/model.ts";
import { reading } from "./bad_input.ts";
import { readJsonFile } from "./read_json_file.ts";
import { readRowDescription, type RowDescription } from "./visit_encoded_rows.ts";

/** A model that `dpcheck train` wrote, and what its rows hold. */
export interface SavedModel {
  /** The model. */
  readonly model: Model;
  /** The description that it was trained with. */
  readonly description: RowDescription;
}

/** Reads the file that `--model` names. @throws {BadInput} where it is not a model of `dpcheck train`. */
export async function readSavedModel(file: string): Promise<SavedModel> {
  const saved = await readJsonFile("--model", file);
  return reading("--model", file, () => ({
    model: Model.fromJSON(saved),
    description: readRowDescription((saved as { columns?: unknown }).columns),
  }));
}
