import type { Label } from "./model.ts";

/**
 * The index in `classes` of every label.
 *
 * @throws {RangeError} when classes are fewer than two or repeat, when labels are not one a row, and,
 * naming the row, when a label is not one of the classes.
 */
export function readLabels(
  labels: ArrayLike<Label>,
  { classes, rowCount }: { classes: readonly Label[]; rowCount: number },
): Int32Array {
  if (classes.length < 2 || new Set(classes).size !== classes.length) {
    throw new RangeError(
      `Cannot read labels: classes must be at least two, all different: ` +
        `current value is ${JSON.stringify(classes)}`,
    );
  }
  if (labels.length !== rowCount) {
    throw new RangeError(
      `Cannot read labels: labels must be one a row: ` +
        `current values are ${labels.length} labels, ${rowCount} rows`,
    );
  }
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
