import { type Loss, NO_LOSS } from "../loss.ts";
import type { NoiseVariable } from "../noise_variables.ts";

/** What noise of a law loses where it is shifted. */
interface ShiftedLaw {
  /** The loss of a shift, in units of the law's standard form: scale 1, deviation 1, whole numbers. */
  readonly loss: (shift: number, p: number) => Partial<Loss>;
  /** The scale of a Laplace law that loses as much by a shift. Default 1. */
  readonly scale?: (p: number) => number;
  /** Noise of one side moves up at a bounded loss, and down not at all. */
  readonly isOneSided?: true;
  /** Noise that takes whole numbers only. */
  readonly isWhole?: true;
}

const SHIFTED_LAWS: Readonly<Partial<Record<NoiseVariable["law"], ShiftedLaw>>> = {
  "laplace": { loss: (shift) => ({ pure: [Math.abs(shift)] }) },
  "logistic": { loss: (shift) => ({ pure: [Math.abs(shift)] }) },
  // The most that ln((1 + (x + s)²)/(1 + x²)) is.
  "cauchy": { loss: (shift) => ({ pure: [2 * Math.asinh(Math.abs(shift) / 2)] }) },
  "normal": { loss: (shift) => ({ muSquared: shift * shift }) },
  "uniform": { loss: (shift) => ({ delta: Math.min(1, Math.abs(shift)) }) },
  "exponential": { loss: (shift) => lossOfOneSided(shift, Math.abs(shift)), isOneSided: true },
  "geometric": {
    loss: (shift, p) => lossOfOneSided(shift, Math.abs(shift) * -Math.log1p(-p)),
    isOneSided: true,
  },
  "discrete Laplace": {
    loss: (shift, p) => ({ pure: [Math.abs(shift) / scaleOfDiscrete(p)] }),
    scale: scaleOfDiscrete,
    isWhole: true,
  },
};

function scaleOfDiscrete(p: number): number {
  return -1 / Math.log1p(-p);
}

/** Downwards it would have to leave its range. */
function lossOfOneSided(shift: number, loss: number): Partial<Loss> {
  return { pure: [loss], delta: shift > 0 ? 0 : -Math.expm1(-loss) };
}

/** Returns the privacy loss of a law by shifts; `undefined` where the law is not known. */
export function shiftedLaw(law: NoiseVariable["law"]): ShiftedLaw | undefined {
  return SHIFTED_LAWS[law];
}

/** Returns the loss of a shift of noise, in units of its law's standard form; `undefined` where its law is not known. */
export function lossOfShift({ law, p = 1 }: NoiseVariable, shift: number): Loss | undefined {
  const shifted = SHIFTED_LAWS[law];
  return shifted && { ...NO_LOSS, ...shifted.loss(shift, p) };
}
