import { sumAbove, sumBelow } from "../../lib/accounting/certain_sum.ts";
import { lowerCrossing, upperCrossing } from "../../lib/accounting/delta_crossing.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { approximateLoss, gaussianLoss } from "../../lib/accounting/privacy_loss.ts";
import { epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { privacyOdometer } from "../../lib/accounting/privacy_odometer.ts";
import { renyiEpsilon, zcdpRenyi } from "../../lib/accounting/renyi.ts";
import { subsampledRenyi } from "../../lib/accounting/subsampling.ts";
import { largestRho, zcdpEpsilon } from "../../lib/accounting/zcdp.ts";
import { approximate, pure, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { add, type Rational, rational, subtract, toNumber } from "../../lib/numeric/rational.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";

/** Room that grows with what is computed: with the size of a group, and of an order; and none where nothing is rounded. */
export function requireGrowingRooms(): void {
  for (const epsilon of [0.3, 1.3]) {
    for (const size of [8, 24]) {
      const delta = 1e-30;
      const group = groupPrivacy(approximate({ epsilon, delta, relation }), { size });
      const sum = delta * Math.expm1(size * epsilon) / Math.expm1(epsilon);
      const over = (group as { delta: number }).delta / sum - 1,
        room = 1e-14 * (1 + size * epsilon);
      requireThat(
        over >= 0.9 * room && over <= 1.1 * room,
        () => `δ of a group of ${size} is ${over} above its formula, with room of ${room}`,
      );
    }
  }
  for (const rho of [1e-3, 0.5]) {
    for (const rate of [1e-3, 0.2]) {
      const curve = zcdpRenyi({ rho }), second = curve(2);
      const moment = rate * rate * Math.min(4 * Math.expm1(second), 2 * Math.exp(second));
      const over = subsampledRenyi(curve, { rate })(2) / Math.log1p(moment) - 1;
      requireThat(
        over >= 0.9e-10 && over <= 1.1e-10,
        () => `a divergence of a sample is ${over} above its formula`,
      );
    }
  }
  for (const count of [500, 4000]) {
    const delta = 1e-6, slack = 1e-3;
    const parts = Array.from({ length: count }, () => ({ epsilon: 0.01, delta }));
    const stated = -Math.expm1(count * Math.log1p(-delta) + Math.log1p(-slack));
    const over = kairouzComposition(parts, { slack }).delta / stated - 1;
    const room = 1e-14 + 2 * count * Number.EPSILON;
    requireThat(
      over >= 0.8 * room && over <= 1.2 * room,
      () => `δ of ${count} parts is ${over} above its formula, with room of ${room}`,
    );
  }
  // Sums of bounds are on their sides, within some dozens of roundings.
  for (let count = 1; count <= 40; count++) {
    const terms = Array.from({ length: count }, (_, i) => (1 + i % 7 / 3) / 150);
    const exact = terms.map((term) => rational(term)).reduce(add);
    const below = rational(sumBelow(terms)), above = rational(sumAbove(terms));
    const off = (bound: Rational): number => toNumber(subtract(bound, exact)) / toNumber(exact);
    requireThat(
      off(below) <= -0.8e-14 && off(below) >= -1.2e-14 && off(above) >= 0.8e-14 &&
        off(above) <= 1.2e-14,
      () => `sums of ${count} bounds are off by ${off(below)} and ${off(above)}`,
    );
  }
  // Claims without δ of their own leave an odometer's δ as it is.
  let odometer = privacyOdometer({ slack: 1e-6, tunedFor: [1] });
  for (const claim of [pure({ epsilon: 0.1, relation }), zcdp({ rho: 0.1, relation })]) {
    odometer = odometer.after(claim);
    requireEqual(odometer.delta, 1e-6, "an odometer’s δ");
  }
}

/** Losses beyond the doubles, a δ that no ε reaches, and one that is reached exactly. */
export function requireFarBounds(): void {
  for (const tilt of [1, 3, 40]) {
    const losses = Float64Array.of(5000, 0, 4999.5), masses = Float64Array.of(1e-300, 0.5, 2e-300);
    requireNear(
      logMoment({ losses, masses }, tilt),
      5000 * tilt + Math.log(1e-300) + Math.log1p(2 * Math.exp(-tilt / 2)),
      { relative: 1e-14, what: "a moment of rare losses" },
    );
  }
  // Orders at which nothing is known are left out.
  const partly = (order: number): number => order < 3 ? NaN : 0.01 * order;
  requireNear(
    renyiEpsilon(partly, { delta: 1e-6 }),
    renyiEpsilon((order) => 0.01 * order, { delta: 1e-6 }),
    { what: "ε of a curve that is known from 3 on" },
  );
  // The largest ρ is the largest, for a small ε too.
  for (const [epsilon, delta] of [[1e-7, 1e-6], [1e-3, 0.1], [3, 1e-9]] as const) {
    const rho = largestRho({ epsilon, delta });
    requireThat(
      zcdpEpsilon({ rho }, { delta }) <= epsilon &&
        zcdpEpsilon({ rho: rho * (1 + 1e-9) }, { delta }) > epsilon,
      () => `the largest ρ for ε = ${epsilon} is ${rho}`,
    );
  }
  const parts = [
    { loss: gaussianLoss({ mu: 1 }), count: 1 },
    { loss: approximateLoss({ epsilon: 0.2, delta: 0.01 }), count: 2 },
  ];
  const { lower, upper } = epsilonBounds(parts, { delta: 1e-3 });
  requireThat(
    upper === Infinity && lower >= 1,
    () => `ε in [${lower}, ${upper}], where more than δ is given away`,
  );
  for (const delta of [0.25, 0.1]) {
    requireEqual(upperCrossing({ upperAt: () => delta }, { epsilon: 1, delta }), 0);
    const steps = (at: number): number => at < 0.5 ? 2 * delta : delta;
    const found = upperCrossing({ upperAt: steps }, { epsilon: 1, delta });
    requireThat(found >= 0.5 && found <= 0.5 + 1e-6, `δ is reached at ${found}, not 1/2`);
    const from = upperCrossing({ upperAt: steps }, { epsilon: 0, delta });
    requireThat(from >= 0.5 && from <= 0.5 + 1e-6, `from 0 on, δ is reached at ${from}, not 1/2`);
    // Below 0 there is no ε.
    const early = (at: number): number => at < 0 ? 1 : 0;
    requireEqual(lowerCrossing({ lowerAt: early }, { from: 1, delta }), 0);
  }
}
