import { SubjectFailure } from "../subject.ts";
import { comparable, Entropy } from "./entropy.ts";

/** The most outputs of each copy that are compared. */
export const MOST_COMPARED: number = 1 << 13;
/**
 * Copies that agree are taken to have the same seed once independent copies would agree that far with probability at most
 * e^−40.
 */
export const ENOUGH_NATS = 40;

/**
 * Finds the copies of a subject whose outputs show that they draw independently. All are asked the same, one output at a time,
 * and two are told apart by the first output in which they differ: copies that start from the same seed never differ, for their
 * requests are equal to the byte.
 */
export class ComparedCopies {
  readonly #failure: (outputs: number) => SubjectFailure;
  /** For each copy the first one that has drawn the same outputs so far: itself if no copy before it has. */
  #firstAlike: readonly number[];
  readonly #entropies: readonly Entropy[];
  #outputs = 0;

  /** Compares this number of copies of the subject of this name; `failure` makes the failure when some draw alike. */
  constructor(
    name: string,
    copies: number,
    {
      failure = (outputs) =>
        new SubjectFailure(
          `copies of ${name} drew the same ${outputs} outputs: they start from the same seed, ` +
            "so that only one of them can be audited",
        ),
    }: { readonly failure?: (outputs: number) => SubjectFailure } = {},
  ) {
    this.#failure = failure;
    this.#firstAlike = new Array(copies).fill(0);
    this.#entropies = Array.from({ length: copies }, () => new Entropy());
  }

  /** The places of copies that differ from each other: of copies that drew the same outputs, the first. */
  get different(): number[] {
    return [...this.#firstAlike.keys()].filter((k) => this.#firstAlike[k] === k);
  }

  /** Whether the comparison is over: all copies differ, or {@linkcode MOST_COMPARED} outputs were compared. */
  get isOver(): boolean {
    return this.#outputs >= MOST_COMPARED || this.#firstAlike.every((first, k) => first === k);
  }

  /**
   * Compares the next output of every copy, all of them on `data`.
   *
   * No law makes n outputs likelier than e^(−nH), where H is the entropy of their own frequencies, and on several datasets
   * these factors are multiplied. The number of outputs at which one copy reaches nH = 40 depends on its outputs alone, and
   * an independent copy has drawn the same ones with probability at most e^(−40).
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
      throw this.#failure(this.#outputs);
    }
  }
}
