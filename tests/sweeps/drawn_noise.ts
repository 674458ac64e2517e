import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Sides } from "../../proofs/tools/density_ratio.ts";
import { firstStep, gaussianDeviation, laplaceScale, ScriptedSource } from "./scripted_source.ts";
import { epsilonOf, rhoOf } from "./shares.ts";

/** A number or several. */
type Value = number | readonly number[];

/** What a mechanism that adds exact noise gives when the noise is 0. */
export function noiseless<Row>(
  mechanism: Pick<Mechanism<Row, Value>, "sample">,
  data: Dataset<Row>,
): number[] {
  return [mechanism.sample(data, new ScriptedSource())].flat();
}

/** The distances that the noiseless value moves between neighbours. */
export function moves<Row>(
  mechanism: Pick<Mechanism<Row, Value>, "sample">,
  { left, right }: Sides<Dataset<Row>>,
): { readonly sum: number; readonly squares: number } {
  const [one, other] = [noiseless(mechanism, left), noiseless(mechanism, right)];
  const each = one.map((value, i) => Math.abs(value - other[i]!));
  return {
    sum: each.reduce((a, b) => a + b, 0),
    squares: each.reduce((a, b) => a + b * b, 0),
  };
}

/**
 * How the noise that is drawn on `data` looks: the first step away from 0 of the coordinate that the
 * word at `place` decides.
 */
export function drawnStep<Row>(
  mechanism: Pick<Mechanism<Row, Value>, "sample">,
  data: Dataset<Row>,
  { place = 0, coordinate = 0, within = 1 }: {
    readonly place?: number;
    readonly coordinate?: number;
    readonly within?: number;
  } = {},
): ReturnType<typeof firstStep> {
  const at = noiseless(mechanism, data)[coordinate]!;
  return firstStep((word) => {
    const output = [mechanism.sample(data, new ScriptedSource({ [place]: word }))].flat();
    return output[coordinate]! - at;
  }, { within });
}

/**
 * The loss of independent Laplace noise, from outputs alone: how far the noiseless value moves, over
 * the scale of the noise that is drawn. 0 where that is too small to be seen.
 */
export function drawnLaplaceShare<Row>(
  mechanism: Mechanism<Row, Value>,
  sides: Sides<Dataset<Row>>,
): number {
  const step = drawnStep(mechanism, sides.left);
  if (step === undefined) return 0;
  return moves(mechanism, sides).sum / laplaceScale(step) / epsilonOf(mechanism.claim);
}

/** The loss of independent Gaussian noise, ‖move‖²/(2σ²), from outputs alone, as a share of ρ. */
export function drawnGaussianShare<Row>(
  mechanism: Mechanism<Row, Value>,
  sides: Sides<Dataset<Row>>,
): number {
  const step = drawnStep(mechanism, sides.left);
  if (step === undefined) return 0;
  const { squares } = moves(mechanism, sides);
  return squares / (2 * gaussianDeviation(step) ** 2) / rhoOf(mechanism.claim);
}
