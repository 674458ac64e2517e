import { requireKind, requirePositive } from "../../../../core/numeric/require.ts";
import type { Loss } from "./loss.ts";

/** A loss at one margin. */
interface Sample {
  readonly margin: number;
  readonly value: number;
  readonly slope: number;
  readonly curvature: number;
}

/** Margins up to here are looked at every 2⁻⁹ or so; beyond, eight for each power of two. */
const DENSE = 16;
const PER_UNIT = 512;

/** An interval over which the slope changes by more is halved, to find steep places however narrow. */
const MOST_CHANGE = 1 / 64;

/** Relative rounding error allowed in a value, a slope or a curvature. */
const ROUNDING = 1e-13;

/** Losses that passed, with their parts as they were: a check takes some milliseconds. */
const CHECKED = new WeakMap<Loss, readonly unknown[]>();

/**
 * Throws unless the loss is, as far as samples show, what the privacy theorems ask for: slopes in [−1, 0]
 * that rise with the margin, no faster than `curvatureBound`; curvatures from 0 to it; the slope that of
 * the value, the curvature that of the slope, and small far out, where margins are coarse; the same answers when asked again; and `sumAndSlopes` like
 * them. Every margin that a double can hold is in an interval between samples, over which value and slope
 * must agree; intervals are halved where the slope changes. A slope that is wrong between two samples while
 * value and slope at both agree is not seen.
 *
 * @throws {RangeError} saying what does not hold, and at which margin. Margins are not data.
 */
export function requireLoss(loss: Loss): void {
  for (const part of ["value", "slope", "curvature"] as const) {
    requireKind("fit", `loss.${part}`, loss[part], "function");
  }
  requirePositive("train", "loss.curvatureBound", loss.curvatureBound);
  const { value, slope, curvature, sumAndSlopes, curvatureBound } = loss;
  const parts = [value, slope, curvature, sumAndSlopes, curvatureBound];
  if (CHECKED.get(loss)?.every((part, i) => part === parts[i])) return;
  const margins = MARGINS ??= sampledMargins();
  let last = sampleAt(loss, margins[0]!);
  for (let i = 1; i < margins.length; i++) {
    const next = sampleAt(loss, margins[i]!);
    requireBetween(loss, last, next);
    last = next;
  }
  requireTogether(loss, margins);
  CHECKED.set(loss, parts);
}

/** Made where a loss is checked first. */
let MARGINS: readonly number[] | undefined;

/** Rising margins, off any round grid: a violation may sit at whole numbers and their fractions. */
function sampledMargins(): number[] {
  const positive: number[] = [];
  const golden = (Math.sqrt(5) - 1) / 2;
  for (let k = 0; k < DENSE * PER_UNIT; k++) positive.push((k + (k * golden) % 1) / PER_UNIT);
  for (let k = 0; k < 8 * 990; k++) positive.push(DENSE * 2 ** ((k + (k * golden) % 1) / 8));
  return [...positive.slice(1).reverse().map((margin) => -margin), ...positive];
}

function sampleAt(loss: Loss, margin: number): Sample {
  const value = loss.value(margin), slope = loss.slope(margin), curvature = loss.curvature(margin);
  const { curvatureBound } = loss;
  requireThat("value finite", Number.isFinite(value), margin);
  requireThat("slope in [-1, 0]", slope >= -1 && slope <= 0, margin);
  requireThat(
    "curvature in [0, curvatureBound]",
    curvature >= 0 && curvature <= curvatureBound,
    margin,
  );
  requireThat(
    "curvature times margin at most 8(1 + curvatureBound)",
    curvature * Math.abs(margin) <= 8 * (1 + curvatureBound),
    margin,
  );
  const again = loss.slope(margin) === slope && loss.value(margin) === value &&
    loss.curvature(margin) === curvature;
  requireThat("answers the same when asked again", again, margin);
  return { margin, value, slope, curvature };
}

/** Checks the interval from one sample to the next, by halves where the slope changes much. */
function requireBetween(loss: Loss, left: Sample, right: Sample): void {
  const width = right.margin - left.margin, rise = right.slope - left.slope;
  const { margin } = left;
  const slack = 8 * Number.EPSILON;
  requireThat("slope rising with the margin (convex)", rise >= -slack, margin);
  requireThat(
    "slope rising by curvatureBound at most",
    rise <= loss.curvatureBound * width * (1 + ROUNDING) + slack,
    margin,
  );
  const middle = left.margin + width / 2;
  const narrow = !(middle > left.margin && middle < right.margin);
  if (rise > MOST_CHANGE && !narrow) {
    const between = sampleAt(loss, middle);
    requireBetween(loss, left, between);
    requireBetween(loss, between, right);
    return;
  }
  // A convex function's chord is between its tangents.
  const fall = right.value - left.value;
  const roundingMargin = ROUNDING * (1 + Math.abs(left.value) + width);
  requireThat(
    "slope that of the value",
    fall >= left.slope * width - roundingMargin && fall <= right.slope * width + roundingMargin,
    margin,
  );
  let least = Math.min(left.curvature, right.curvature);
  let most = Math.max(left.curvature, right.curvature);
  for (let quarter = 1; quarter <= 3; quarter++) {
    const curvature = loss.curvature(left.margin + width * quarter / 4);
    least = Math.min(least, curvature);
    most = Math.max(most, curvature);
  }
  // The curvature may jump, and vary between: by as much again as it is seen to.
  const spread = (most - least) * width + 1e-6 * most * width + 16 * Number.EPSILON;
  requireThat(
    "curvature that of the slope",
    rise >= least * width - spread && rise <= most * width + spread,
    margin,
  );
}

function requireTogether(loss: Loss, all: readonly number[]): void {
  if (loss.sumAndSlopes === undefined) return;
  const margins = Float64Array.from(all.filter((margin) => Math.abs(margin) <= 1e6));
  const slopes = new Float64Array(margins.length);
  const sum = loss.sumAndSlopes(margins.slice(), { slopes });
  let expected = 0;
  margins.forEach((margin, i) => {
    expected += loss.value(margin);
    const right = slopes[i]! >= -1 && slopes[i]! <= 0 &&
      Math.abs(slopes[i]! - loss.slope(margin)) <= ROUNDING;
    requireThat("sumAndSlopes like slope", right, margin);
  });
  requireThat("sumAndSlopes like value", Math.abs(sum - expected) <= 1e-10 * (1 + expected), 0);
}

function requireThat(what: string, holds: boolean, margin: number): void {
  if (holds) return;
  throw new RangeError(
    `Cannot train: loss must have its ${what}, or no claim holds: it has not near the margin ${margin}`,
  );
}
