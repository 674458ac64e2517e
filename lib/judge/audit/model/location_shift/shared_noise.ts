import { medianOf } from "../../../../core/numeric/median.ts";
import { fillBins } from "../encoding/bin_index.ts";
import { type NoiseDensity, noiseDensityOf } from "./noise_density.ts";

/** Fewest thresholds of a density that numbers of an output are taken to share: fewer have but few values. */
const FEWEST_THRESHOLDS = 5;
/** Numbers that it is learned from: as many rows as have them. */
const MOST_NUMBERS = 1 << 14;

/** Where outputs of several numbers lie, and the rows that they are read from. */
interface Columns {
  readonly rows: Float64Array;
  /** Numbers of a row. */
  readonly width: number;
  /** By how much the first of these are expected to move. */
  readonly moves: Float64Array;
}

/**
 * Noise of one density around the middle of each number of an output, or of its distance from the number before it: sums over the first rows of a
 * dataset move by what each row adds. Many numbers an output tell its density, and the slope of this how likely each of them is after a small shift.
 */
export class SharedNoise {
  readonly #moves: Float64Array;
  readonly #isSuccessive: boolean;
  readonly #middles: Float64Array;
  readonly #density: NoiseDensity;

  private constructor(
    { moves, isSuccessive, middles, density }: {
      readonly moves: Float64Array;
      readonly isSuccessive: boolean;
      readonly middles: Float64Array;
      readonly density: NoiseDensity;
    },
  ) {
    this.#moves = moves;
    this.#isSuccessive = isSuccessive;
    this.#middles = middles;
    this.#density = density;
  }

  /** Learns from rows of numbers, or of their distances where these vary less; `undefined` where their values are few. */
  static of({ rows, width, moves }: Columns): SharedNoise | undefined {
    const columns = {
      rows: rows.subarray(0, width * Math.ceil(MOST_NUMBERS / width)),
      width,
      moves,
    };
    const [plain, successive] = [false, true].map((isSuccessive) => {
      const count = columns.rows.length / width, middles = new Float64Array(moves.length);
      const values = new Float64Array(moves.length * count);
      moves.forEach((move, j) => {
        const column = columnOf(columns, { j, isSuccessive });
        middles[j] = medianOf(column) ?? NaN;
        values.set(fromMiddle(column, middles[j]!, move), j * count);
      });
      const spread = medianOf(values.map(Math.abs)) ?? NaN;
      return { isSuccessive, middles, values, spread };
    });
    const least = successive!.spread < plain!.spread ? successive! : plain!;
    const density = noiseDensityOf(least.values);
    return density === undefined || density.index.thresholds.length < FEWEST_THRESHOLDS
      ? undefined
      : new SharedNoise({ moves, ...least, density });
  }

  /** Returns the log odds of "right" of each row if its numbers move as the data do; NaN where one that moves is missing. */
  oddsOf(rows: Float64Array, width: number): Float64Array {
    const odds = new Float64Array(rows.length / width), bins = new Uint8Array(odds.length);
    const { index, slopes } = this.#density;
    this.#moves.forEach((move, j) => {
      if (move === 0) return;
      const column = columnOf({ rows, width }, { j, isSuccessive: this.#isSuccessive });
      fillBins(index, fromMiddle(column, this.#middles[j]!, move), column.length, bins);
      bins.forEach((bin, i) =>
        odds[i]! += bin > index.thresholds.length ? NaN : Math.abs(move) * slopes[bin]!
      );
    });
    return odds;
  }
}

/** Returns how far numbers are beyond their middle in the direction in which they move; missing ones where they do not. */
function fromMiddle(column: Float64Array, middle: number, move: number): Float64Array {
  const sign = move === 0 ? NaN : Math.sign(move);
  return column.map((value) => sign * (value - middle));
}

function columnOf(
  { rows, width }: Pick<Columns, "rows" | "width">,
  { j, isSuccessive }: { readonly j: number; readonly isSuccessive: boolean },
): Float64Array {
  const before = isSuccessive && j > 0 ? 1 : 0;
  return Float64Array.from({ length: rows.length / width }, (_, i) => {
    const at = i * width + j;
    return before === 0 ? rows[at]! : rows[at]! - rows[at - 1]!;
  });
}
