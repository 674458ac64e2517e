// Bounds add to what is computed what its roundings may be at most. The truth cannot show that a term of that margin is missing:
// roundings stay far from their worst case. rounding_margins.py derives it a second time, in 40 digits.
// Mutants: every term, factor and constant of the margins.
import { assert } from "@std/assert";
import { characteristicValues } from "../../../lib/dp/accounting/loss_distribution/contour.ts";
import {
  type FiniteLosses,
  lossCell,
} from "../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import type { LossPower } from "../../../lib/dp/accounting/loss_distribution/loss_moment.ts";
import type { LossLaw } from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { logSampledGaussianMoment } from "../../../lib/dp/accounting/sampling/sampled_gaussian_moment.ts";
import {
  aliased,
  smoothedBounds,
} from "../../../lib/dp/accounting/loss_distribution/smoothed_delta.ts";
import { references } from "./rounding_margins_reference.ts";

type Side = readonly (readonly number[])[];

const finite = (side: Side): FiniteLosses => ({
  losses: Float64Array.from(side, ([loss]) => loss!),
  masses: Float64Array.from(side, ([, mass]) => mass!),
});
const partsOf = (parts: readonly { below: Side; above: Side; count: number }[]): LossPower[] =>
  parts.map(({ below, above, count }) => ({
    split: { below: finite(below), above: finite(above) },
    count,
  }));

function requireNear(value: number, expected: number, tolerance: number, at: string): void {
  assert(
    Math.abs(value - expected) <= tolerance * Math.abs(expected),
    `${at}: ${value}, not ${expected}`,
  );
}

Deno.test("characteristicValues() is off by no more than the margin that is derived, and says just that", () => {
  for (const [i, { parts, real, imaginary, error, ...rest }] of references.contours.entries()) {
    const values = characteristicValues(partsOf(parts), rest);
    const { logMoment } = rest;
    assert(
      Math.abs(values.logMoment - logMoment) <= 1e-14 * (1 + Math.abs(logMoment)),
      `logMoment ${i}`,
    );
    requireNear(values.logError, rest.logError, 1e-9, `logError ${i}`);
    for (let k = 0; k < rest.points; k++) {
      requireNear(values.error[k]!, error[k]!, 1e-9, `error ${i} ${k}`);
      assert(Math.abs(values.real[k]! - real[k]!) <= error[k]!, `real ${i} ${k}`);
      assert(
        Math.abs(values.imaginary[k]! - imaginary[k]!) <= error[k]!,
        `imaginary ${i} ${k}`,
      );
    }
  }
});

Deno.test("smoothedBounds() has the margin that is derived: of the contour's end, of its points, of their scale", () => {
  for (const [i, { parts, bounds, ...smoothing }] of references.smoothings.entries()) {
    const curve = smoothedBounds(partsOf(parts), smoothing);
    for (const { epsilon, upper, lower, share, lowShare, margin } of bounds) {
      const scale = Math.max(1e-9, Math.min(0.02, margin / 10)), found = curve.upperAt(epsilon);
      // Roundings themselves are a small part of the margin; a sum of them alone counts if it is positive.
      const less = share > 0.99 ? 2 - 2 * share : share / 50, more = Math.min(0.02, share);
      assert(
        found >= upper * (1 - scale - less) && found <= upper * (1 + scale + more),
        `upper ${i}: ${found}, not ${upper}`,
      );
      requireNear(
        curve.lowerAt(epsilon),
        lower,
        scale + lowShare / 200,
        `lower ${i} at ${epsilon}`,
      );
    }
  }
});

Deno.test("aliased() is the least of Chernoff's bounds at eight tilts, and what is below", () => {
  for (const [i, { parts, epsilon, value, ...smoothing }] of references.aliasings.entries()) {
    requireNear(aliased(partsOf(parts), smoothing, epsilon), value, 1e-9, `${i}`);
  }
});

Deno.test("logSampledGaussianMoment() is above the moment by the margin that is derived", () => {
  for (const { order, mu, rate, log, rest, margin } of references.moments) {
    const value = logSampledGaussianMoment(order, { mu, rate });
    // Both differences are exact, for the numbers are neighbours.
    const above = value - log - rest;
    assert(above > 0, `${order} ${mu} ${rate}: ${value} < ${log}`);
    // What is left of it are roundings themselves.
    const size = log * Math.max(1, -Math.log(log));
    requireNear(above, margin, Math.max(0.01, 2 ** -51 * size / margin), `${order} ${mu} ${rate}`);
  }
});

Deno.test("lossCell() has the margin that is derived on the safe side of each number", () => {
  for (const [i, { from, to, p, q, r, rise, fall, ...expected }] of references.cells.entries()) {
    const law = {
      relativeError: r,
      intervalMass: () => ({ p, q }),
      ...(rise === undefined ? {} : { intervalDifference: () => ({ rise, fall }) }),
    } as unknown as LossLaw;
    const cell = lossCell(law, { from, to });
    for (const name of ["low", "high", "merged", "middle"] as const) {
      const value = Number(expected[name]);
      const logs = rise === undefined ? Math.abs(Math.log(p)) + Math.abs(Math.log(q)) : 0;
      const units = name === "middle" ? logs + 2 * Math.abs(value) : 6 * Math.max(p, value);
      assert(
        Math.abs(cell[name] - value) <= units * 2 ** -53,
        `${name} ${i}: ${cell[name]}, not ${value}`,
      );
    }
  }
});
