/** Counts of outputs on the two datasets: in bins of equal width, or by what they are. */
export interface OutputCounts {
  /** The middles of bins, or texts. */
  readonly places: readonly (number | string)[];
  readonly left: readonly number[];
  readonly right: readonly number[];
}

const BINS = 40, MOST_TEXTS = 12, MOST_KEPT = 4000;
/** Shares of the outputs that are outside of the bins, on either end. */
const OUTSIDE = 0.01;
const MOST_CHARACTERS = 24;

/** Bins of equal width that hold nearly all of some numbers. */
export class Bins {
  readonly from: number;
  readonly width: number;
  /** Their middles. */
  readonly places: readonly number[];

  constructor(numbers: readonly number[]) {
    const sorted = numbers.toSorted((a, b) => a - b);
    this.from = sorted[Math.floor(OUTSIDE * sorted.length)] ?? 0;
    const to = sorted[Math.ceil((1 - OUTSIDE) * sorted.length) - 1] ?? 0;
    this.width = (to - this.from) / BINS;
    this.places = Array.from({ length: BINS }, (_, bin) => this.from + (bin + 0.5) * this.width);
  }

  /** How many numbers are in each. */
  count(numbers: Iterable<number>): number[] {
    const counts = new Array<number>(BINS).fill(0);
    for (const number of numbers) {
      const bin = Math.floor((number - this.from) / this.width);
      if (bin >= 0 && bin < BINS) counts[bin]!++;
    }
    return counts;
  }
}

/** The latest outputs on a pair. */
export class LatestOutputs {
  #pair = "";
  #sides: Record<"left" | "right", unknown[]> = { left: [], right: [] };

  /** Adds outputs on a pair; those of another pair are forgotten. */
  add(pair: string, side: "left" | "right", outputs: Iterable<unknown>): void {
    if (pair !== this.#pair) {
      this.#pair = pair;
      this.#sides = { left: [], right: [] };
    }
    const kept = this.#sides[side];
    for (const output of outputs) kept.push(output);
    if (kept.length > MOST_KEPT) kept.splice(0, kept.length - MOST_KEPT);
  }

  /** How often outputs were what. */
  counts(): OutputCounts {
    const { left, right } = this.#sides;
    const numbers = [left, right].map((outputs) =>
      outputs.map(numberOf).filter((one) => one !== undefined)
    );
    const all = numbers.flat(), bins = new Bins(all);
    const areNumbers = all.length === left.length + right.length &&
      new Set(all).size > MOST_TEXTS && bins.width > 0;
    if (!areNumbers) return countTexts(left, right);
    const [own, other] = numbers.map((side) => bins.count(side));
    return { places: bins.places, left: own!, right: other! };
  }
}

/** An output as a number: of a list its first. */
function numberOf(output: unknown): number | undefined {
  const first: unknown = Array.isArray(output) ? output[0] : output;
  return typeof first === "number" && Number.isFinite(first) ? first : undefined;
}

function countTexts(left: readonly unknown[], right: readonly unknown[]): OutputCounts {
  const counts = new Map<string, [number, number]>();
  for (const [side, outputs] of [left, right].entries()) {
    for (const output of outputs) {
      const text = textOf(output);
      const own = counts.get(text) ?? [0, 0];
      own[side]!++;
      counts.set(text, own);
    }
  }
  const most = [...counts].sort(([, a], [, b]) => b[0] + b[1] - a[0] - a[1]).slice(0, MOST_TEXTS)
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  return {
    places: most.map(([text]) => text),
    left: most.map(([, [own]]) => own),
    right: most.map(([, [, own]]) => own),
  };
}

function textOf(output: unknown): string {
  const text = typeof output === "object" ? JSON.stringify(output) : String(output);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
