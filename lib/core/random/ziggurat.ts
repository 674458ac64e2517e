/** Layers of every ziggurat here: nine random bits choose one. */
export const LAYERS = 512;

/** A decreasing density on [0, ∞), up to a factor: `density(0)` is 1. */
interface Shape {
  /** The density at x over the density at 0. */
  density(x: number): number;
  /** The x with `density(x)` = y, for 0 < y ≤ 1. */
  inverse(y: number): number;
  /** The area under the density from x on. */
  tailArea(x: number): number;
}

/** The tables of a ziggurat (Marsaglia, Tsang 2000, "The ziggurat method for generating random variables"). */
export interface Ziggurat {
  /** Start of the tail: the right end of the bottom layer but one. */
  readonly tail: number;
  /** 2⁻⁵³ times the width of each layer; that of the bottom one is as if its tail were a rectangle. */
  readonly step: Float64Array;
  /** A point of layer i that is less than `inside[i]` steps from 0 is under the density. */
  readonly inside: Float64Array;
  /** The density at the right end of each layer, its lower edge but for the bottom one; the last is the top, 1. */
  readonly height: Float64Array;
}

/**
 * Cuts a density into {@linkcode LAYERS} layers of one area: rectangles, and at the bottom a
 * rectangle with the tail. The place of the tail is found by bisection: the one for which the stack
 * of layers ends at the top of the density.
 */
export function buildZiggurat(shape: Shape): Ziggurat {
  let low = 1, high = 20;
  // Until the two are neighbours among doubles.
  for (let middle = 10; low < middle && middle < high; middle = (low + high) / 2) {
    // A tail that begins too far out makes layers so thin that they end below the top.
    if (Number.isNaN(stack(shape, middle)[LAYERS])) low = middle;
    else high = middle;
  }
  const ends = stack(shape, high);
  // The uppermost layer ends at 0 exactly, whatever bisection left.
  ends[LAYERS] = 0;
  const right = ends.subarray(0, LAYERS);
  return {
    tail: high,
    step: right.map((end) => end * 2 ** -53),
    inside: right.map((end, i) => ends[i + 1]! / end * 2 ** 53),
    height: ends.map(shape.density),
  };
}

/** Right ends of the layers from the bottom up when the tail begins at `tail`; NaN above the top. */
function stack(shape: Shape, tail: number): Float64Array {
  const area = tail * shape.density(tail) + shape.tailArea(tail);
  const ends = new Float64Array(LAYERS + 1);
  ends[0] = area / shape.density(tail);
  ends[1] = tail;
  for (let i = 1; i < LAYERS; i++) {
    const top = shape.density(ends[i]!) + area / ends[i]!;
    ends[i + 1] = top > 1 ? NaN : shape.inverse(top);
  }
  return ends;
}

/** The value of `make`, computed at the first call: tables take longer to compute than everything else to import. */
export function onDemand<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => made ??= make();
}
