import { SubjectFailure } from "../subject.ts";
import { textOf } from "../text_of.ts";

/** Outputs of each copy that are compared at most. */
const MOST_COMPARED = 1 << 13;
/** Copies that agree have the same seed when chance would let them agree with probability e^−40 at most. */
const ENOUGH_NATS = 40;

/**
 * Which copies of a subject have shown that they draw by themselves. All are asked the same, one output at a
 * time, and two are told apart by the first output in which they differ: copies that start from the same seed
 * never do, for what they are asked is the same to the byte.
 */
export class ComparedCopies {
  readonly #complaint: (outputs: number) => string;
  /** For each copy the first one that has drawn the same so far: itself when that is none before it. */
  #firstAlike: readonly number[];
  readonly #entropies: readonly Entropy[];
  #outputs = 0;

  /** Compares so many copies of the subject of this name; `complaint` says what it means that some draw alike. */
  constructor(
    name: string,
    copies: number,
    {
      complaint = (outputs) =>
        `copies of ${name} drew the same ${outputs} outputs: they start from the same seed, ` +
        "so that only one of them can be audited",
    }: {
      readonly complaint?: (outputs: number) => string;
    } = {},
  ) {
    this.#complaint = complaint;
    this.#firstAlike = new Array(copies).fill(0);
    this.#entropies = Array.from({ length: copies }, () => new Entropy());
  }

  /** The places of copies of which each differs from every other: of those that drew the same, the first. */
  get different(): number[] {
    return [...this.#firstAlike.keys()].filter((k) => this.#firstAlike[k] === k);
  }

  /** Whether nothing more is compared: all differ, or those that do not have had their chance. */
  get isOver(): boolean {
    return this.#outputs >= MOST_COMPARED || this.#firstAlike.every((first, k) => first === k);
  }

  /**
   * Compares the next output of every copy, all of them on `data`.
   *
   * No law makes n outputs likelier than e^(−nH), where H is the entropy of their own frequencies, and on
   * several datasets these factors are multiplied. When the outputs of one copy reach nH = 40 is its own
   * affair, and another one that draws by itself has drawn the same until then with probability e^(−40) at
   * most.
   *
   * @throws {SubjectFailure} when a copy agrees with another beyond that.
   */
  look(data: unknown, outputs: readonly unknown[]): void {
    const texts = outputs.map(comparable);
    const before = this.#firstAlike;
    this.#firstAlike = texts.map((text, k) =>
      texts.findIndex((other, j) => other === text && before[j] === before[k])
    );
    this.#outputs++;
    texts.forEach((text, k) => this.#entropies[k]!.add(data, text));
    if (this.#firstAlike.some((first, k) => first < k && this.#entropies[k]!.nats >= ENOUGH_NATS)) {
      throw new SubjectFailure(this.#complaint(this.#outputs));
    }
  }
}

/** By how many nats the frequencies of some outputs make them unlikely: nH, added up over datasets. */
class Entropy {
  readonly #drawn = new Map<unknown, { outputs: number; times: Map<string, number> }>();
  #nats = 0;

  get nats(): number {
    return this.#nats;
  }

  add(data: unknown, output: string): void {
    const on = this.#drawn.get(data) ?? { outputs: 0, times: new Map<string, number>() };
    this.#drawn.set(data, on);
    const times = on.times.get(output) ?? 0;
    this.#nats += step(on.outputs) - step(times);
    on.times.set(output, times + 1);
    on.outputs++;
  }
}

/** What n·ln n grows by from n to n + 1. */
function step(n: number): number {
  return n === 0 ? 0 : (n + 1) * Math.log(n + 1) - n * Math.log(n);
}

/** Outputs of the same text count as the same, even if they are not: that costs time, never soundness. */
function comparable(output: unknown): string {
  return typeof output === "number" ? String(output) : textOf(output);
}
