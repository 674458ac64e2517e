import type { Highs } from "highs";
import {
  compare,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { type Affine, constant, normalised, plus } from "./affine.ts";
import type { Alignment } from "./align_classes.ts";
import { largestValue } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import type { Shift } from "./shift.ts";

/** Shifts of either sign in one class, up to which all their signs are tried. */
const MOST_SIGNED = 6;

/** What a form is looked for among. */
export interface SplitOptions {
  readonly premises: readonly Constraint[];
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  readonly enough: Rational;
}

/**
 * Returns a shift of the dearest class that is above 0 on some data and below on others, where its bound, a form, is more than the shift: with
 * its sign known the bound is smaller. `undefined` where the loss is enough already, or would stay what it is.
 */
export function splittingForm(
  { classes, open }: Alignment,
  { premises, laws, highs, enough }: SplitOptions,
): Affine | undefined {
  if (open.length > 0) return undefined;
  let dearest: Shift | undefined;
  for (const { shift } of classes) {
    if (dearest === undefined || compare(shift.epsilon, dearest.epsilon) > 0) dearest = shift;
  }
  if (dearest === undefined || compare(dearest.epsilon, enough) <= 0) return undefined;
  const signed = dearest.bounds.filter(({ noise, above, below }) =>
    laws.of(noise).kind === "laplace" && above.length > 0 && below.length > 0
  );
  if (signed.length < 2 || signed.length > MOST_SIGNED) return undefined;
  // What the class costs on the data where it costs most, for each choice of signs.
  let rest: Affine = constant(rational(0));
  for (const [noise, form] of dearest.shift) {
    const law = laws.of(noise);
    if (law.kind === "gaussian" || signed.some((each) => each.noise === noise)) continue;
    const bound = dearest.bounds.find((each) => each.noise === noise)?.bound ?? form;
    rest = plus(rest, bound, law.rate);
  }
  let most = -Infinity;
  for (let signs = 0; signs < 2 ** signed.length; signs++) {
    const cost = signed.reduce((sum, { noise }, i) => {
      const law = laws.of(noise) as { readonly rate: Rational };
      const sign = rational(signs >> i & 1 ? 1 : -1);
      return plus(sum, dearest.shift.get(noise)!, multiply(sign, law.rate));
    }, rest);
    const found = largestValue(cost, premises, { highs });
    most = Math.max(most, found === undefined ? Infinity : toNumber(found.value));
  }
  return most < toNumber(dearest.epsilon) - 1e-9
    ? normalised(dearest.shift.get(signed[0]!.noise)!)
    : undefined;
}
