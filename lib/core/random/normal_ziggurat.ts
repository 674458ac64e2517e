import type { Source } from "../mechanism/source.ts";
import { normalTail } from "../numeric/normal_tail.ts";
import { buildZiggurat, LAYERS, onDemand, type Ziggurat } from "./ziggurat.ts";

/** The ziggurat of the half-normal density, e^(−x²/2) up to a factor. */
export const normalZiggurat: () => Ziggurat = onDemand(() =>
  buildZiggurat({
    density: (x) => Math.exp(-0.5 * x * x),
    inverse: (y) => Math.sqrt(-2 * Math.log(y)),
    tailArea: (x) => Math.sqrt(2 * Math.PI) * normalTail(x),
  })
);

/**
 * Finishes a draw that fell outside the inner rectangle of its layer: about one in two hundred.
 *
 * @param source where further words come from.
 * @param layer the layer drawn, in [0, 512).
 * @param position where in the layer, in steps: an integer in [0, 2⁵³).
 * @returns the magnitude of a normal draw.
 */
export function finishNormal(source: Source, layer: number, position: number): number {
  const { tail, step, inside, height } = normalZiggurat();
  for (;;) {
    const x = position * step[layer]!;
    if (position < inside[layer]!) return x;
    if (layer === 0) return drawTail(source, tail);
    const bottom = height[layer]!, top = height[layer + 1]!;
    if (bottom + source.uniform() * (top - bottom) < Math.exp(-0.5 * x * x)) return x;
    const low = source.uint32();
    position = source.uint32() * 2 ** 21 + (low >>> 11);
    layer = low & (LAYERS - 1);
  }
}

/** A normal draw beyond `tail` (Marsaglia 1964): an exponential, thinned. */
function drawTail(source: Source, tail: number): number {
  for (;;) {
    const x = -Math.log(source.uniform()) / tail;
    if (-2 * Math.log(source.uniform()) > x * x) return tail + x;
  }
}
