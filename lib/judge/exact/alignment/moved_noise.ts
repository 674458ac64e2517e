import type { Highs } from "highs";
import { numberUp } from "../../../core/numeric/amount.ts";
import { multiply } from "../../../core/numeric/rational.ts";
import { type Affine, formKey } from "./affine.ts";
import type { AlignedClass } from "./align_classes.ts";
import { largestValue } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import type { MovedNoise } from "./noise_divergence.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import { muSquaredOf } from "./shift.ts";

/**
 * Returns the noise of a program, where one shift of Laplace and Gaussian noise goes with all its outputs, by the most that each draw is moved on data that
 * satisfy the premises. Then an output is the same function of moved noise on one dataset as of noise on the other, so that it tells no
 * more than the noise would at two places. `undefined` where classes of outputs have different shifts, or other noise is moved.
 */
export function movedNoise(
  classes: readonly AlignedClass[],
  { premises, laws, highs }: {
    readonly premises: readonly Constraint[];
    readonly laws: NoiseLaws;
    readonly highs: Highs;
  },
): MovedNoise | undefined {
  const [first, ...others] = classes.map(({ shift }) => shift);
  if (first === undefined) return undefined;
  const text = (shift: ReadonlyMap<string, Affine>): string =>
    [...shift].filter(([, form]) => form.size > 0)
      .map(([name, form]) => `${name} ${formKey(form)}`).sort().join("; ");
  if (others.some(({ shift }) => text(shift) !== text(first.shift))) return undefined;
  const laplace: number[] = [];
  for (const [noise] of first.shift) {
    const law = laws.of(noise);
    if (law.kind === "gaussian") continue;
    const bound = first.bounds.find((each) => each.noise === noise)?.bound;
    if (law.kind !== "laplace" || bound === undefined) return undefined;
    const most = largestValue(bound, premises, { highs });
    // A bound on a size.
    if (most === undefined || most.value.numerator < 0n) return undefined;
    laplace.push(numberUp(multiply(law.rate, most.value)));
  }
  return { laplace, muSquared: numberUp(muSquaredOf([first, ...others], laws)) };
}
