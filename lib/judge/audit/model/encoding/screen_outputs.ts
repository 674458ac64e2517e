import { ColumnScreen } from "./column_screen.ts";
import { type Encoder, type EncoderData, encoderFrom } from "./encoder_data.ts";
import type { LabelledRows } from "./labelled_rows.ts";
import { MOST_LEVELS } from "./screened_rows.ts";
import { pooledLevels } from "./pooled_levels.ts";

/** Outputs of more columns than this are screened first. */
export const WIDE = 512;

/** Digits of a level: as reports print it. */
const LEVEL_DIGITS = 4;

/** Returns some rows of very many columns with the best of these alone, and the encoder that gives such rows. */
export function screenRows(
  all: LabelledRows,
  { encoder, screen = new ColumnScreen(all.width) }: {
    readonly encoder: Encoder;
    /** What has counted the first of these rows. */
    readonly screen?: ColumnScreen;
  },
): { readonly encoder: Encoder; readonly all: LabelledRows } {
  const { rows, labels, width } = all, { elements } = encoder;
  const { columns, score, crossFitted } = screen.screen(rows, labels);
  const { levels } = pooledLevels(rows, { width, elements });
  const screened = encoderFrom({
    kind: "screened",
    of: encoder.data as Exclude<EncoderData, { kind: "screened" }>,
    kept: columns,
    levels: [...new Set(levels.map((level) => Number(level.toPrecision(LEVEL_DIGITS))))]
      .slice(0, MOST_LEVELS),
    score,
  });
  const own = screened.columns.length;
  const kept = screened.screen!(rows);
  // The score is the last column.
  crossFitted.forEach((value, i) => kept[(i + 1) * own - 1] = value);
  return { encoder: screened, all: { rows: kept, labels, width: own } };
}
