import type { Source } from "../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** More words than any case needs: a sampler that never accepts is stopped. */
const MOST_WORDS = 4_000_000;

/**
 * A source whose words are 0 but at the places given. Exact integer noise drawn from words 0 is 0; its
 * first word alone decides how many blocks away from 0 it is (`lib/core/random/block_inversion.ts`). So a
 * mechanism shows its noiseless value, and one word at a time shows the noise it adds.
 */
export class ScriptedSource implements Source {
  /** Nothing here is secret. */
  readonly kind = "seeded";
  /** Words drawn so far. */
  drawn = 0;
  readonly #words: Readonly<Record<number, number>>;
  readonly #uniforms = new SeededSource("uniforms of a scripted source");

  /** @param words by place, from 0. */
  constructor(words: Readonly<Record<number, number>> = {}) {
    this.#words = words;
  }

  /** The next word. */
  uint32(): number {
    if (this.drawn >= MOST_WORDS) throw new Error("The script is too short: a sampler goes on");
    return this.#words[this.drawn++] ?? 0;
  }

  /** Uniform doubles are not scripted: the same in every script. */
  uniform(): number {
    return this.#uniforms.uniform();
  }

  /** The next words. */
  fillUint32(out: Uint32Array): void {
    for (let i = 0; i < out.length; i++) out[i] = this.uint32();
  }

  /** Nothing that is swept splits its source. */
  split(): Source {
    throw new Error("A scripted source cannot be split");
  }
}

/**
 * The least word of (0, 2³²) that fulfils a condition which all above it do, or one that is too large by
 * less than `within`; `undefined` for none.
 */
export function leastWord(
  condition: (word: number) => boolean,
  { within = 1 }: { readonly within?: number } = {},
): number | undefined {
  let low = 0, high = 2 ** 32 - 2;
  if (!condition(high)) return undefined;
  while (high - low > within) {
    const middle = Math.floor((low + high) / 2);
    if (condition(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * A word more or less, where every look is dear: noise that takes 1 in 100 words to its first step is then
 * known to a part in 1000.
 */
export const ROUGHLY = { within: 2 ** 15 } as const;

/** The first step away from 0 of noise that one word decides. */
export interface FirstStep {
  /** How far it is. */
  readonly step: number;
  /** The probability of the words before it. */
  readonly before: number;
}

/**
 * The first step of noise, by bisection over the word that decides it; `undefined` when no word moves
 * the value: the noise is then 0 but with a probability below 2⁻³².
 *
 * @param noise by how much a value moves with this word.
 * @param options how far the word may be beyond the first that moves the value.
 */
export function firstStep(
  noise: (word: number) => number,
  options: { readonly within?: number } = {},
): FirstStep | undefined {
  const { within = 1 } = options;
  const word = leastWord((each) => noise(each) !== 0, { within });
  return word === undefined
    ? undefined
    : { step: Math.abs(noise(word)), before: Math.max(0, word - within) / 2 ** 32 };
}

/** The scale of discrete Laplace noise: blocks weigh e^(−step·j/scale). */
export function laplaceScale({ step, before }: FirstStep): number {
  return -step / Math.log1p(-before);
}

/** The deviation of discrete Gaussian noise: block j weighs e^(−½(step·j/deviation)²). */
export function gaussianDeviation({ step, before }: FirstStep): number {
  const share = (ratio: number): number => {
    let total = 0;
    for (let j = 0;; j++) {
      const weight = Math.exp(-0.5 * (ratio * j) ** 2);
      total += weight;
      if (weight < 1e-18) return 1 / total;
    }
  };
  let low = 1e-4, high = 10;
  for (let i = 0; i < 200; i++) {
    const middle = Math.sqrt(low * high);
    if (share(middle) < before) low = middle;
    else high = middle;
  }
  return step / low;
}
