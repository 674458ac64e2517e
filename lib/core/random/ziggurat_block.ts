import type { Source } from "../mechanism/source.ts";
import { TableSlots } from "./kernels/table_slots.ts";
import { kernelFor } from "./block_kernel.ts";
import { BLOCK, borrowWordBlock, fillPairs, returnWordBlock, valuesOfBlock } from "./word_block.ts";
import { LAYERS, type Ziggurat } from "./ziggurat.ts";

/** Parameters of a distribution for {@linkcode fillFromZiggurat}. */
interface ZigguratSampler {
  /** Positions whose upper 32 bits are at least this may be outside the inner rectangle. */
  readonly insideHigh: Uint32Array;
  /** Steps of the layers to the right and then to the left, for one index of layer and sign bits. */
  readonly signedStep: Float64Array;
  /** The magnitude of a draw that fell outside the inner rectangle of its layer. */
  readonly finish: (source: Source, layer: number, position: number) => number;
}

/** A sampler of the density as it is, or of its reflection to both sides when `twoSided`. */
export function zigguratSampler(
  ziggurat: Ziggurat,
  { finish, twoSided }: { finish: ZigguratSampler["finish"]; twoSided: boolean },
): ZigguratSampler {
  const left = ziggurat.step.map((step) => twoSided ? -step : step);
  return {
    insideHigh: Uint32Array.from(ziggurat.inside, (inside) => inside / 2 ** 21),
    signedStep: Float64Array.of(...ziggurat.step, ...left),
    finish,
  };
}

/** Fills `out` with `scale` times draws of `sampler`, two words of `source` for nearly all of them. */
export function fillFromZiggurat(
  source: Source,
  out: Float64Array,
  { sampler, scale }: { sampler: ZigguratSampler; scale: number },
): void {
  const words = borrowWordBlock(), pending = borrowWordBlock();
  const { signedStep, finish } = sampler;
  for (let from = 0; from < out.length; from += BLOCK) {
    const values = valuesOfBlock(out, from);
    fillPairs(source, words, values.length);
    const waiting = drawByKernel(words, values, { sampler, scale, pending }) ??
      drawInside(words, values, { sampler, scale, pending });
    for (let j = 0; j < waiting; j++) {
      const i = pending[j]!;
      const low = words[i]!, high = words[BLOCK + i]!;
      const position = high * 2 ** 21 + (low >>> 11);
      const sign = Math.sign(signedStep[low & (2 * LAYERS - 1)]!);
      values[i] = sign * scale * finish(source, low & (LAYERS - 1), position);
    }
  }
  returnWordBlock(pending);
  returnWordBlock(words);
}

/** Draws that are fewer than so many make no use of a kernel. */
const FEWEST_DRAWS = 32;
/** Bytes of the table of a sampler, and the samplers whose tables stay in the kernels' memory. */
const TABLE_BYTES = 16 * 2 * LAYERS, SAMPLERS = 4;

const tables = new TableSlots<ZigguratSampler>({
  bytes: TABLE_BYTES,
  slots: SAMPLERS,
  write: ({ signedStep, insideHigh }, memory, address) => {
    const table = new Float64Array(memory, address, 4 * LAYERS);
    signedStep.forEach((step, i) => {
      table[2 * i] = step;
      table[2 * i + 1] = insideHigh[i % LAYERS]! * 2 ** 21;
    });
  },
});

/** {@linkcode drawInside} by the kernel; `undefined` where there is none. */
function drawByKernel(
  words: Uint32Array,
  values: Float64Array,
  { sampler, scale, pending }: {
    sampler: ZigguratSampler;
    scale: number;
    pending: Uint32Array;
  },
): number | undefined {
  const count = values.length;
  const own = count < FEWEST_DRAWS ? undefined : kernelFor(words);
  const table = own && tables.addressOf(sampler, own.kernels);
  if (own === undefined || table === undefined) return undefined;
  const waiting = own.kernels.drawInside(
    words.byteOffset,
    own.values.byteOffset,
    count,
    table,
    scale,
    own.places.byteOffset,
  );
  values.set(count === BLOCK ? own.values : own.values.subarray(0, count));
  for (let j = 0; j < waiting; j++) pending[j] = own.places[j]!;
  return waiting;
}

/**
 * The hot loop: at most {@linkcode BLOCK} draws, of which those that may be outside the inner
 * rectangles, one in two hundred, are left in `pending`: without a call in it, the loop keeps
 * everything in registers. Numbers that the compiler knows spare it checks: hence 2048 and 1023.
 *
 * @returns how many wait.
 */
function drawInside(
  words: Uint32Array,
  values: Float64Array,
  { sampler: { signedStep, insideHigh }, scale, pending }: {
    sampler: ZigguratSampler;
    scale: number;
    /** Receives the places of the draws that wait. */
    pending: Uint32Array;
  },
): number {
  const count = values.length;
  let waiting = 0;
  for (let i = 0; i < count && i < 2048; i++) {
    // Bits 0 to 8 choose the layer, bit 9 the sign; 21 + 32 others the position in the layer.
    const low = words[i]!, high = words[2048 + i]!;
    values[i] = scale * ((high * 2 ** 21 + (low >>> 11)) * signedStep[low & 1023]!);
    if (high >= insideHigh[low & 511]!) {
      pending[waiting] = i;
      waiting++;
    }
  }
  return waiting;
}
