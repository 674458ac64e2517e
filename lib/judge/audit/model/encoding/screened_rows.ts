import { scoreAt, type ScreenedScore } from "./column_screen.ts";

/** How rows of all columns become rows of the columns that are kept, and of what is computed from all numbers. */
export interface ScreenedForm {
  /** The columns that are kept, in order. */
  readonly kept: readonly number[];
  /** How many lie above each of these is a column. */
  readonly levels: readonly number[];
  readonly score: ScreenedScore;
}

/** Returns the names of what is computed from all numbers of an output, in the order of its columns. */
export function namesOfWhole({ levels }: Pick<ScreenedForm, "levels">): string[] {
  return [
    ...["sum", "min", "max", "argmin", "argmax", "count"].map((name) => `${name}(output)`),
    ...levels.map((level) => `count(output > ${level})`),
    SCORE_NAME,
  ];
}

/** The name of the score. */
export const SCORE_NAME = "score(output)";

/** The most levels. */
export const MOST_LEVELS = 5;

/** Returns rows with the columns that are kept, then those of {@linkcode namesOfWhole}. */
export function screenedRows(
  rows: Float64Array,
  { width, elements, kept, levels, score }: ScreenedForm & {
    readonly width: number;
    readonly elements: number;
  },
): Float64Array {
  const outputs = rows.length / width, own = kept.length + 7 + levels.length;
  const out = new Float64Array(outputs * own);
  // Five variables in place of a loop: this is the hot loop.
  const [l0, l1, l2, l3, l4] = [...levels, ...Array<number>(MOST_LEVELS).fill(Infinity)];
  for (let i = 0; i < outputs; i++) {
    const from = i * width;
    let to = i * own;
    for (let k = 0; k < kept.length; k++) out[to++] = rows[from + kept[k]!]!;
    let sum = 0, least = Infinity, most = -Infinity, leastAt = -1, mostAt = -1, present = 0;
    let a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0;
    for (let j = 0; j < elements; j++) {
      const x = rows[from + j]!;
      if (x !== x) continue;
      present++;
      sum += x;
      if (x < least) {
        least = x;
        leastAt = j;
      }
      if (x > most) {
        most = x;
        mostAt = j;
      }
      a0 += Number(x > l0!);
      a1 += Number(x > l1!);
      a2 += Number(x > l2!);
      a3 += Number(x > l3!);
      a4 += Number(x > l4!);
    }
    out[to++] = sum;
    out[to++] = least;
    out[to++] = most;
    out[to++] = leastAt;
    out[to++] = mostAt;
    out[to++] = present;
    const above = [a0, a1, a2, a3, a4];
    for (let k = 0; k < levels.length; k++) out[to++] = above[k]!;
    out[to] = scoreAt(rows, from, { width, ...score });
  }
  return out;
}
