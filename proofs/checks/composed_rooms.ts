import type { composedDelta } from "../../lib/accounting/composed_delta.ts";
import type { LossGrid } from "../../lib/accounting/loss_grid.ts";
import { chooseWindow, tiltedConvolution } from "../../lib/accounting/tilted_convolution.ts";
import { bestTilt, type GridPart, tiltedGrid } from "../../lib/accounting/tilted_grid.ts";
import { requireThat } from "../engine/requirement.ts";

const U = 2 ** -53;

const part = (
  first: number,
  masses: readonly number[],
  { count, spacing = 0.5, infinite = 0 }: { count: number; spacing?: number; infinite?: number },
): GridPart => {
  const grid: LossGrid = {
    spacing,
    first,
    masses: Float64Array.from(masses),
    infinite,
    relativeError: 0,
  };
  return { grid, count };
};

/**
 * By how much a sum over the window may be off, from the derivation: the convolution's error at each weight, what falls
 * outside the window, and roundings of terms; then those of the scale, by which both ends are multiplied.
 */
function roomOf(
  parts: readonly GridPart[],
  epsilon: number,
  longest: number,
): { sum: number; slack: number; scale: number; off: number } {
  const tilt = bestTilt(parts, { epsilon }), { spacing } = parts[0]!.grid;
  const tilted = parts.map((each) => tiltedGrid(each, { tilt })),
    window = chooseWindow(tilted, { longest });
  const { real, error } = tiltedConvolution(tilted, window);
  const origin = parts.reduce((sum, { grid, count }) => sum + count * grid.first, 0);
  const terms: number[] = [], weights: number[] = [];
  for (let place = window.start; place < window.start + window.size; place++) {
    const excess = place * spacing - epsilon;
    if (excess <= 0) continue;
    weights.push(Math.exp(-tilt * excess) * (1 - Math.exp(-excess)));
    terms.push(
      weights.at(-1)! * real[(((place - origin) % window.size) + window.size) % window.size]!,
    );
  }
  const total = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0);
  const peak = (tilt / (1 + tilt)) ** tilt / (1 + tilt);
  const slack = 1.000001 * error * total(weights) +
    U * (16 + window.size + 4 * tilt * window.size * spacing) * total(terms.map(Math.abs)) +
    (window.above + window.below) * peak;
  let log = -tilt * epsilon, roundings = 0;
  for (const { part: { grid, count }, logSum } of tilted) {
    const reach = spacing *
      Math.max(Math.abs(grid.first), Math.abs(grid.first + grid.masses.length));
    log += count * logSum;
    roundings += count * (8 + 2 * tilt * reach + 2 * Math.abs(logSum)) + Math.abs(log);
  }
  return { sum: total(terms), slack, scale: Math.exp(log), off: Math.expm1(2 * U * roundings) };
}

const coin = [0.5, 0.5];
// Runs so many that the scale's roundings show; sums so rare that the transform's do. Mutants: every term of the rooms.
const cases: [string, GridPart[], number, number?][] = [
  ["one atom, a billion times", [part(1, [1], { count: 2 ** 30 })], 2 ** 29 - 3],
  ["losses far from 0", [part(4096, [1], { count: 2 ** 26 })], 2 ** 37 - 3],
  ["losses far below 0, and above", [
    part(-4096, [1], { count: 2 ** 25 }),
    part(4096, [1], { count: 2 ** 25 + 1 }),
  ], 2047],
  ["a grid far below 0", [
    part(-64, [0.5, ...new Array(31).fill(0), 0.5], { count: 4096 }),
    part(96, [1], { count: 2049 }),
  ], 1500],
  ["a long grid", [part(-3, [0.5, ...new Array(40).fill(0), 0.5], { count: 3 })], 50],
  ["rare atoms", [part(1, [0.9], { count: 1000 })], 497],
  ["coins", [part(-1, [0.6, 0, 0.4], { count: 40 })], 3],
  ["coins near their end", [part(-1, [0.6, 0, 0.4], { count: 40, spacing: 2 ** -7 })], 0.305],
  ["two parts", [part(-1, [0.3, 0.3, 0.4], { count: 5 }), part(0, coin, { count: 9 })], 0.7],
  // A transform that is too short: what falls outside is a part of both bounds.
  ["coins, cut off", [part(-1, [0.6, 0, 0.4], { count: 40 })], 3, 32],
  ["coins, cut off more", [part(-1, [0.6, 0, 0.4], { count: 40 })], 3, 16],
  ["skew sums, cut off", [part(0, [0.98, 0, 0, 0, 0, 0, 0, 0, 0.02], { count: 9 })], 3, 32],
  ["a fine spacing", [part(-1, [0.5, 0, 0.5], { count: 100, spacing: 2 ** -20 })], 8.6e-5],
];

/** Bounds on δ of sums on a grid have the room that is derived. */
export function requireComposedRooms(
  { composedDelta: bounds }: { readonly composedDelta: typeof composedDelta },
): void {
  for (const [name, parts, epsilon, longest = 2 ** 23] of cases) {
    const { lower, upper } = bounds(parts, { epsilon, longest });
    const { sum, slack, scale, off } = roomOf(parts, epsilon, longest);
    const most = scale * (sum + slack) * (1 + off) * (1 + 8 * U);
    const least = scale * Math.max(0, sum - slack) * (1 - Math.min(1, off)) * (1 - 8 * U);
    // Some roundings of this sum and that one.
    const near = 0.002 * (most - least) + 16 * U * most, room = `room ${most - least}`;
    requireThat(Math.abs(upper - most) <= near, `${name}: ${upper}, not ${most}: ${room}`);
    requireThat(Math.abs(lower - least) <= near, `${name}: ${lower}, not ${least}: ${room}`);
    requireThat(lower < upper, name);
    const whole = bounds(parts, { epsilon });
    requireThat(lower <= whole.lower && upper >= whole.upper, `${name}, whole`);
  }
}
