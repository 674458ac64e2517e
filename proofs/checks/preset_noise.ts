import type { SulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";

/** Noise that is what `next` says, one number after the other, in steps of which so many make 1. */
export function presetNoise(
  stepsPerUnit: number,
  next: () => number,
): SulqNoise & { readonly drawn: number[] } {
  const drawn: number[] = [];
  return {
    stepsPerUnit,
    drawn,
    noise: {
      fill(_source, out): Float64Array {
        for (let i = 0; i < out.length; i++) drawn.push(out[i] = next());
        return out;
      },
      logProbability: () => NaN,
      logUpperTail: () => NaN,
    },
  };
}
