// Bounds add to what is computed what its roundings may be at most. The truth cannot show that a term of that margin is missing:
// roundings stay far from their worst case. rounding_margins.py derives it a second time, in 40 digits.
// Mutants: every term, factor and constant of the margins.
import * as checks from "./rounding_margin_checks.ts";

Deno.test("characteristicValues() is off by no more than the margin that is derived, and says just that", () => {
  checks.requireContours(checks.measured);
});

Deno.test("smoothedBounds() has the margin that is derived: of the contour's end, of its points, of their scale", () => {
  checks.requireSmoothings(checks.measured);
});

Deno.test("aliased() is the least of Chernoff's bounds at eight tilts, and what is below", () => {
  checks.requireAliasings(checks.measured);
});

Deno.test("logSampledGaussianMoment() is above the moment by the margin that is derived", () => {
  checks.requireMoments(checks.measured);
});

Deno.test("lossCell() has the margin that is derived on the safe side of each number", () => {
  checks.requireCells(checks.measured);
});
