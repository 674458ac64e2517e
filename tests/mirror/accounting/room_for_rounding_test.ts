// Bounds add to what is computed what its roundings may be at most. The truth cannot show that a term of that room is missing:
// roundings stay far from their worst case. proofs/references/room_for_rounding.py derives the room a second time, in 40 digits.
// Mutants: every term, factor and constant of the rooms.
import * as checks from "./rooms.ts";

Deno.test("characteristicValues() is off by no more than the room that is derived, and says just that", () => {
  checks.requireContours(checks.rooms);
});

Deno.test("smoothedBounds() has the room that is derived: of the contour's end, of its points, of their scale", () => {
  checks.requireSmoothings(checks.rooms);
});

Deno.test("aliased() is the least of Chernoff's bounds at eight tilts, and what is below", () => {
  checks.requireAliasings(checks.rooms);
});

Deno.test("logSampledGaussianMoment() is above the moment by the room that is derived", () => {
  checks.requireMoments(checks.rooms);
});

Deno.test("lossCell() has the room that is derived on the safe side of each number", () => {
  checks.requireCells(checks.rooms);
});
