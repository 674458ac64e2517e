import type { Source } from "../mechanism/source.ts";
import { buildZiggurat, LAYERS, onDemand, type Ziggurat } from "./ziggurat.ts";

/** The ziggurat of the standard exponential density e^(−x). */
export const exponentialZiggurat: () => Ziggurat = onDemand(() =>
  buildZiggurat({
    density: (x) => Math.exp(-x),
    inverse: (y) => -Math.log(y),
    tailArea: (x) => Math.exp(-x),
  })
);

/**
 * Finishes a draw that fell outside the inner rectangle of its layer: about one in two hundred.
 *
 * @param source where further words come from.
 * @param layer the layer drawn, in [0, 512).
 * @param position where in the layer, in steps: an integer in [0, 2⁵³).
 */
export function finishExponential(source: Source, layer: number, position: number): number {
  const { tail, step, inside, height } = exponentialZiggurat();
  let offset = 0;
  for (;;) {
    const x = position * step[layer]!;
    if (position < inside[layer]!) return offset + x;
    if (layer === 0) {
      // Memoryless: beyond the beginning of the tail comes a whole exponential again.
      offset += tail;
    } else {
      const bottom = height[layer]!, top = height[layer + 1]!;
      if (bottom + source.uniform() * (top - bottom) < Math.exp(-x)) return offset + x;
    }
    const low = source.uint32();
    position = source.uint32() * 2 ** 21 + (low >>> 11);
    layer = low & (LAYERS - 1);
  }
}
