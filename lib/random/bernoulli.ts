import type { Source } from "../core/source.ts";
import { borrowWordBlock, fillWords, returnWordBlock } from "./word_block.ts";

/**
 * Fills `out` with ones, each with exactly the probability of the double `probability`, and zeros.
 * The binary digits of a uniform real are compared with those of the probability, 32 at a time and as
 * many as it takes: no rounding anywhere, however small the probability.
 *
 * @returns `out`.
 * @throws {RangeError} unless `probability` is in [0, 1].
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { bernoulli } from "./bernoulli.ts";
 * bernoulli(new SeededSource(1), new Uint8Array(1000), { probability: 0.25 });
 * ```
 */
export function bernoulli(
  source: Source,
  out: Uint8Array,
  { probability }: { probability: number },
): Uint8Array {
  if (!(typeof probability === "number" && probability >= 0 && probability <= 1)) {
    throw new RangeError(
      `Cannot draw Bernoulli variables: probability must be in [0, 1]: current value is ${probability}`,
    );
  }
  // Multiplying by 2³² and taking the integer off are exact in doubles.
  const digits = Math.floor(probability * 2 ** 32);
  const rest = probability * 2 ** 32 - digits;
  const words = borrowWordBlock();
  for (let from = 0; from < out.length; from += words.length) {
    const count = Math.min(words.length, out.length - from);
    fillWords(source, words, count);
    for (let i = 0; i < count; i++) {
      const word = words[i]!;
      out[from + i] = word === digits ? Number(isBelow(source, rest)) : Number(word < digits);
    }
  }
  returnWordBlock(words);
  return out;
}

/** Whether a uniform real is below `probability`, both in [0, 1). */
function isBelow(source: Source, probability: number): boolean {
  for (let rest = probability; rest > 0;) {
    const digits = Math.floor(rest * 2 ** 32);
    const word = source.uint32();
    if (word !== digits) return word < digits;
    rest = rest * 2 ** 32 - digits;
  }
  return false;
}
