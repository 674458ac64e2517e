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
    const all = [...left, ...right].map(numberOf);
    const numbers = all.filter((one) => one !== undefined).sort((a, b) => a - b);
    const from = numbers[Math.floor(OUTSIDE * numbers.length)]!;
    const to = numbers[Math.ceil((1 - OUTSIDE) * numbers.length) - 1]!;
    if (numbers.length < all.length || new Set(numbers).size <= MOST_TEXTS || !(to > from)) {
      return countTexts(left, right);
    }
    const width = (to - from) / BINS;
    const count = (outputs: readonly unknown[]): number[] => {
      const bins = new Array<number>(BINS).fill(0);
      for (const output of outputs) {
        const bin = Math.floor((numberOf(output)! - from) / width);
        if (bin >= 0 && bin < BINS) bins[bin]!++;
      }
      return bins;
    };
    const places = Array.from({ length: BINS }, (_, bin) => from + (bin + 0.5) * width);
    return { places, left: count(left), right: count(right) };
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
