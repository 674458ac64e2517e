import {
  modelFromJson,
  type ModelJson,
  type ModelParts,
  modelToJson,
  type Training,
} from "./model_json.ts";
import type { Label } from "./label.ts";
import { requireFields } from "../../../core/numeric/require.ts";
import type { Claim } from "../../../core/claims/claim.ts";
import { Classifier } from "./classifier.ts";
import { type Preparation, prepareRows } from "./rows/prepare_rows.ts";
import { computeMargins } from "./solver/row_kernels.ts";
import type { Rows } from "./rows/rows.ts";

/**
 * A trained linear classifier (over random features, a kernel classifier), with the privacy claim
 * under which it may be published. `fit` makes one; {@linkcode Model.fromJSON} reads a saved one.
 */
export class Model extends Classifier {
  /** The declared classes: [negative, positive], or one for each weight vector. */
  override readonly classes: readonly Label[];
  /** One weight vector for two classes; for more, one a class. The last weight is the intercept's, if any. */
  readonly weights: readonly Float64Array[];
  /** Privacy claim of the published weights. */
  readonly claim: Claim;
  /** The claim in a sentence, with what it rests on. */
  readonly statement: string;
  /** Transformation of rows before the weights apply. */
  readonly preparation: Preparation;
  /** Record of the training. */
  readonly training: Training;

  /** Puts a model together. */
  constructor(parts: ModelParts) {
    super();
    requireFields("Model", parts, {});
    this.classes = parts.classes;
    this.weights = parts.weights;
    this.claim = parts.claim;
    this.statement = parts.statement;
    this.preparation = parts.preparation;
    this.training = parts.training;
  }

  /**
   * Reads what {@linkcode Model.toJSON} wrote.
   *
   * @throws {TypeError} naming the field that is missing or wrong.
   */
  static fromJSON(json: unknown): Model {
    return new Model(modelFromJson(json));
  }

  /** The model as plain JSON; numbers come back to the last bit. */
  toJSON(): ModelJson {
    return modelToJson(this);
  }

  /**
   * The scores of every weight vector on every row: rowCount by `weights.length`, row-major.
   *
   * @throws {RangeError} when rows have another number of columns than the model.
   */
  override decisionValues(rows: Rows): Float64Array {
    this.#requireColumns(rows);
    const prepared = prepareRows(rows, this.preparation);
    const width = this.weights.length, count = prepared.rowCount;
    const signs = new Float64Array(count).fill(1), column = new Float64Array(count);
    const values = new Float64Array(count * width);
    for (let k = 0; k < width; k++) {
      computeMargins(prepared, { weights: this.weights[k]!, signs, into: column });
      for (let i = 0; i < count; i++) values[i * width + k] = column[i]!;
    }
    return values;
  }

  #requireColumns(rows: Rows): void {
    const { features, intercept } = this.preparation;
    const expected = features?.inputCount ??
      this.weights[0]!.length - (intercept === undefined ? 0 : 1);
    if (rows.columnCount !== expected) {
      throw new RangeError(
        `Cannot predict: rows must have ${expected} columns: current value is ${rows.columnCount}`,
      );
    }
  }
}
