import type { Label } from "../label.ts";
import type { ClassIndices } from "../rows/signs.ts";

/**
 * Labels as places in the list of classes, for rows that are too many for an array of labels. They are read in place, and not copied:
 * they must not change while a learner runs.
 */
export interface LabelIndices {
  /** The class of every row, counted from 0. */
  readonly indices: ClassIndices;
}

/** A label for every row, in either form. */
export type Labels = ArrayLike<Label> | LabelIndices;

/**
 * The index in `classes` of every label.
 *
 * @throws {RangeError} when classes are fewer than two or repeat, when labels are not one a row, and,
 * naming the row, when a label is not one of the classes.
 */
export function readLabels(
  labels: Labels,
  { classes, rowCount }: { classes: readonly Label[]; rowCount: number },
): ClassIndices {
  if (classes.length < 2 || new Set(classes).size !== classes.length) {
    throw new RangeError(
      `Cannot read labels: classes must be at least two, all different: ` +
        `current value is ${JSON.stringify(classes)}`,
    );
  }
  const given = "indices" in labels ? labels.indices : labels;
  if (given.length !== rowCount) {
    throw new RangeError(
      `Cannot read labels: labels must be one a row: ` +
        `current values are ${given.length} labels, ${rowCount} rows`,
    );
  }
  if ("indices" in labels) return checkedIndices(labels, { classes });
  const indexOf = new Map(classes.map((label, index) => [label, index]));
  const indices = new Int32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const index = indexOf.get(labels[i]!);
    if (index === undefined) {
      throw new RangeError(
        `Cannot read labels: labels must be among the classes ${JSON.stringify(classes)}: ` +
          `that of row ${i + 1} is not`,
      );
    }
    indices[i] = index;
  }
  return indices;
}

function checkedIndices(
  { indices }: LabelIndices,
  { classes }: { readonly classes: readonly Label[] },
): ClassIndices {
  if (!(indices instanceof Uint8Array || indices instanceof Int32Array)) {
    throw new RangeError("Cannot read labels: indices must be a Uint8Array or an Int32Array");
  }
  const wrong = indices.findIndex((index) => index < 0 || index >= classes.length);
  if (wrong < 0) return indices;
  throw new RangeError(
    `Cannot read labels: indices must be below ${classes.length}, the number of classes: ` +
      `that of row ${wrong + 1} is not`,
  );
}
