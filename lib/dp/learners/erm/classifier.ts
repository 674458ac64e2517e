import type { Label } from "./label.ts";
import type { Rows } from "./rows/rows.ts";

/** Base class of trained classifiers, which turn scores of rows into classes. */
export abstract class Classifier {
  /** The declared classes: [negative, positive], or one for each score. */
  abstract readonly classes: readonly Label[];

  /**
   * The scores of every row, row-major: one for two classes, above 0 for the second; for more, one a class.
   *
   * @throws {RangeError} when rows have another number of columns than the model.
   */
  abstract decisionValues(rows: Rows): Float64Array;

  /** The predicted class of every row, as an index into {@linkcode Classifier.classes}. */
  predictIndices(rows: Rows): Int32Array {
    const values = this.decisionValues(rows);
    const width = this.classes.length === 2 ? 1 : this.classes.length;
    const predicted = new Int32Array(rows.rowCount);
    for (let i = 0; i < predicted.length; i++) {
      if (width === 1) {
        predicted[i] = values[i]! >= 0 ? 1 : 0;
        continue;
      }
      for (let k = 1; k < width; k++) {
        if (values[i * width + k]! > values[i * width + predicted[i]!]!) predicted[i] = k;
      }
    }
    return predicted;
  }

  /** The predicted label of every row. */
  predict(rows: Rows): Label[] {
    return Array.from(this.predictIndices(rows), (index) => this.classes[index]!);
  }

  /**
   * The share of rows whose label is predicted. A statistic of the rows it is given: on training rows,
   * or other private ones, the model's claim does not cover it.
   *
   * @throws {RangeError} when there is not one label a row, or no row.
   */
  score(rows: Rows, labels: ArrayLike<Label>): number {
    if (labels.length !== rows.rowCount || labels.length === 0) {
      throw new RangeError(
        "Cannot score a model: labels must be one a row, and at least one: " +
          `current values are ${labels.length} labels, ${rows.rowCount} rows`,
      );
    }
    const predicted = this.predict(rows);
    let right = 0;
    for (let i = 0; i < predicted.length; i++) if (predicted[i] === labels[i]) right++;
    return right / predicted.length;
  }
}
