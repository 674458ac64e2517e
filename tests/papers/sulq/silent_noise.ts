import type { SulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";

/** No noise, for looking at true answers, and how many tables of it were asked for. */
export function silentNoise(
  { stepsPerUnit = 2 ** 20 }: { readonly stepsPerUnit?: number } = {},
): { readonly prepared: SulqNoise; readonly tables: () => number } {
  let tables = 0;
  return {
    tables: () => tables,
    prepared: {
      stepsPerUnit,
      noise: {
        fill(_source, out): Float64Array {
          tables++;
          return out.fill(0);
        },
        logProbability: (value) => value === 0 ? 0 : -Infinity,
        logUpperTail: (value) => value <= 0 ? 0 : -Infinity,
      },
    },
  };
}
