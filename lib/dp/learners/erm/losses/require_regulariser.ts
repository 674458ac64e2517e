import { requireKind } from "../../../../core/numeric/require.ts";
import { type Regulariser, squaredNorm } from "./regulariser.ts";

/** Pairs of weights that are looked at, and how far they reach: from 2⁻¹⁰ to 2¹⁰. */
const PAIRS = 84;

/** The Hessian is looked at as a matrix for so many weights at most. */
const MOST_SQUARE = 32;

/** Rounding error allowed, relative to the sizes involved. */
const ROUNDING = 1e-9;

/**
 * Throws unless the regulariser is, as far as samples show, what the privacy theorems ask for: N(g) at least
 * N(f) + ∇N(f)·(g − f) + ½‖g − f‖², for points along axes and elsewhere, near to one another and far; and its
 * Hessian that of its gradient. `squaredNorm` is known to be.
 *
 * @throws {RangeError} saying what does not hold.
 */
export function requireRegulariser(
  regulariser: Regulariser,
  { columnCount }: { readonly columnCount: number },
): void {
  if (regulariser === squaredNorm) return;
  for (const part of ["value", "addGradient", "addHessian", "addHessianProduct"] as const) {
    requireKind("fit", `regulariser.${part}`, regulariser[part], "function");
  }
  for (let pair = 0; pair < PAIRS; pair++) {
    const doublings = Math.floor(pair / 4), reach = 2 ** (doublings - 10);
    // Every fourth step is along an axis, each in its turn.
    const axis = pair % 4 === 0 ? doublings % columnCount : undefined;
    const from = points(columnCount, { seed: 2 * pair, reach });
    const step = points(columnCount, { seed: 2 * pair + 1, reach: pair % 2 === 0 ? reach : 1e-3 });
    if (axis !== undefined) step.forEach((_, j) => step[j] = j === axis ? reach : 0);
    requireBetween(regulariser, { from, step });
  }
}

/** Numbers that no formula would single out, spread evenly in [−reach, reach]. */
function points(length: number, { seed, reach }: { seed: number; reach: number }): Float64Array {
  return Float64Array.from({ length }, (_, j) => {
    const turns = (j + 1) * 0.6180339887498949 + (seed + 1) * 0.4142135623730951 * (j + 1.5);
    return reach * (2 * (turns - Math.floor(turns)) - 1);
  });
}

function requireBetween(
  regulariser: Regulariser,
  { from, step }: { from: Float64Array; step: Float64Array },
): void {
  const columnCount = from.length;
  const to = from.map((value, j) => value + step[j]!);
  const gradientAt = (weights: Float64Array, scale = 1): Float64Array => {
    const into = new Float64Array(columnCount);
    regulariser.addGradient(weights, { scale, into });
    return into;
  };
  const gradient = gradientAt(from), other = gradientAt(to), square = dot(step, step);
  const values = [regulariser.value(from), regulariser.value(to)];
  requireThat("finite value and gradient", [...values, ...gradient].every(Number.isFinite));
  const roundingMargin = ROUNDING * (Math.abs(values[0]!) + Math.abs(values[1]!) + square + 1e-6);
  requireThat(
    "1-strongly convex value",
    values[1]! >= values[0]! + dot(gradient, step) + square / 2 - roundingMargin &&
      values[0]! >= values[1]! - dot(other, step) + square / 2 - roundingMargin,
  );
  const twice = gradientAt(from, 2);
  requireThat("gradient that is scaled", twice.every((value, j) => close(value, 2 * gradient[j]!)));
  // ∇N(f + hs) − ∇N(f − hs) over 2h is the Hessian times s, but for h².
  const h = 2 ** -12 * Math.min(1, 1 / Math.sqrt(square));
  const ahead = gradientAt(from.map((value, j) => value + h * step[j]!));
  const behind = gradientAt(from.map((value, j) => value - h * step[j]!));
  const product = new Float64Array(columnCount);
  regulariser.addHessianProduct(from, { direction: step, scale: 1, into: product });
  const size = Math.sqrt(dot(product, product));
  const error = Math.hypot(
    ...product.map((value, j) => value - (ahead[j]! - behind[j]!) / (2 * h)),
  );
  requireThat("Hessian that of the gradient", error <= 1e-3 * size + 1e-6);
  if (columnCount > MOST_SQUARE) return;
  const matrix = new Float64Array(columnCount * columnCount);
  regulariser.addHessian(from, { scale: 1, into: matrix });
  const image = step.map((_, i) =>
    step.reduce(
      (sum, value, j) => sum + matrix[i >= j ? i * columnCount + j : j * columnCount + i]! * value,
      0,
    )
  );
  requireThat(
    "Hessian that of its products",
    Math.hypot(...image.map((value, j) => value - product[j]!)) <= ROUNDING * (size + 1),
  );
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, j) => sum + value * right[j]!, 0);
}

function close(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= ROUNDING * (1 + Math.abs(expected));
}

function requireThat(what: string, holds: boolean): void {
  if (holds) return;
  throw new RangeError(
    `Cannot train: regulariser must have its ${what}, or no claim holds: it has not at a sample`,
  );
}
