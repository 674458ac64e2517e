import { sumBelow } from "../../lib/accounting/certain_sum.ts";
import { composedDelta } from "../../lib/accounting/composed_delta.ts";
import { gridCurve } from "../../lib/accounting/grid_curve.ts";
import { lossCell } from "../../lib/accounting/loss_cells.ts";
import { optimisticGrid, pessimisticGrid } from "../../lib/accounting/loss_grid.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import { gaussianLoss, laplaceLoss, type LossLaw } from "../../lib/accounting/privacy_loss.ts";
import { composeRenyi } from "../../lib/accounting/renyi.ts";
import { chooseWindow } from "../../lib/accounting/tilted_convolution.ts";
import { farProbability, tiltedGrid } from "../../lib/accounting/tilted_grid.ts";
import { normalTail } from "../../lib/numeric/normal_tail.ts";
import { add, compare, type Rational, rational } from "../../lib/numeric/rational.ts";
import { nextUp } from "../../lib/numeric/round_outward.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { lawOf } from "./accounting_edges.ts";
import { exactExp, exactly, UNIT_BITS } from "./dyadic_reference.ts";

/** What parts state of their errors is summed over all of them, and all runs of each. */
export function requireErrorSums(): void {
  for (const [errors, counts] of [[[1e-3, 1e-4], [2, 3]], [[1e-5, 1e-3, 1e-4], [1, 2, 4]]]) {
    const parts = errors!.map((relativeError, i) => ({
      law: lawOf([{ loss: 1, p: 0.5, q: 0.5 / Math.E }], { relativeError }),
      count: counts![i]!,
    }));
    const runs = counts!.reduce((sum, count) => sum + count, 0);
    const error = errors!.reduce((sum, each, i) => sum + each * counts![i]!, 0);
    const curve = gridCurve(parts, { spacing: 0.25 });
    const delta = (epsilon: number): number => -(0.5 ** runs) * Math.expm1(epsilon - runs);
    for (const epsilon of [0.3, runs - 0.7]) {
      requireNear(curve.upperAt(epsilon), Math.exp(error) * delta(epsilon - 2 * error), {
        relative: 1e-9,
        what: "a bound above of several laws",
      });
      requireNear(curve.lowerAt(epsilon), Math.exp(-error) * delta(epsilon + 2 * error), {
        relative: 1e-9,
        what: "a bound below of several laws",
      });
    }
  }
  // Sums of divergences are not below those of the doubles, where each addition loses what it adds.
  for (const [large, small] of [[1, 2 ** -54], [3, 2 ** -53], [0.1, 2 ** -57]] as const) {
    for (const count of [2, 5, 300]) {
      const values = [large, ...Array<number>(count).fill(small)];
      const exact = values.map((value) => rational(value)).reduce(add);
      const found = composeRenyi(values.map((value) => () => value))(2);
      requireThat(
        compare(rational(found), exact) >= 0 && found <= large * (1 + 2 ** -51 * (count + 2)),
        () => `a sum of ${count + 1} divergences is ${found}`,
      );
    }
  }
  requireEqual([sumBelow([0.7, 0.7]), sumBelow([NaN])], [1, 0], "sums of lower bounds");
}

/** A window's ends have the chances of what is beyond them by Chernoff's bound, and no half of it would do. */
export function requireWindowEnds(): void {
  for (
    const [masses, count, first] of [
      [[0.5, 0.5], 4000, 0],
      [[0.9, 0, 0, 0.1], 3000, -1],
      [[0.25, 0.5, 0.25], 20_000, -7],
    ] as const
  ) {
    const grid = { spacing: 0.01, first, masses: Float64Array.from(masses), infinite: 0 };
    const part = { grid: { ...grid, relativeError: 0 }, count };
    for (const tilt of [1e-3, 20]) {
      const tilted = [tiltedGrid(part, { tilt })], { mean, variance } = tilted[0]!;
      const beyond = (start: number, size: number) => ({
        below: farProbability(tilted, { edge: start - 1, side: -1 }),
        above: farProbability(tilted, { edge: start + size, side: 1 }),
      });
      const { start, size, ...found } = chooseWindow(tilted), centre = Math.round(count * mean);
      requireEqual(start, centre - size / 2, "the start of a window");
      requireEqual(found, beyond(start, size), "what is beyond a window");
      requireThat(found.below + found.above <= 1e-20, "a window that is too short");
      const half = beyond(centre - size / 4, size / 2);
      requireThat(
        size / 2 < 16 * Math.sqrt(count * variance) || half.below + half.above > 1e-20,
        () => `a window of ${size} where half is enough`,
      );
      const { below, above } = chooseWindow(tilted, { longest: 64 });
      requireEqual({ below, above }, beyond(centre - 32, 64), "what is beyond a short window");
    }
  }
}

/** Chances above 1 by a rounding count as 1, those that underflow as more than nothing, and those that are 0 as nothing. */
export function requireChancesAtEnds(): void {
  const grid = { spacing: 1, first: 1, relativeError: 0 };
  for (const infinite of [1, 1 + 2 ** -52, 1 + 1e-12]) {
    const { lower, upper } = composedDelta([
      { grid: { ...grid, masses: Float64Array.of(0), infinite }, count: 2 },
    ], { epsilon: 0.5 });
    requireThat(upper === 1 && lower > 0.999, `δ in [${lower}, ${upper}] of what is infinite`);
  }
  for (const [mass, count] of [[1e-200, 2], [1e-320, 1], [1e-30, 40]] as const) {
    for (const epsilon of [0, count - 0.5, count - 1e-3]) {
      const { lower, upper } = composedDelta([
        { grid: { ...grid, masses: Float64Array.of(mass), infinite: 0 }, count },
      ], { epsilon });
      requireThat(
        upper > 0 && lower <= upper && upper < 1e-300,
        `δ in [${lower}, ${upper}] of ${mass}`,
      );
    }
  }
  // The largest losses have no chance: the moment is that of the others.
  for (const order of [[0, 1, 2], [2, 1, 0]]) {
    const losses = Float64Array.from(order, (i) => [1000, 0, -1000][i]!);
    const masses = Float64Array.from(order, (i) => [0, 0.25, 0.5][i]!);
    requireNear(logMoment({ losses, masses }, 1), Math.log(0.25), { what: "a moment" });
    requireNear(logMoment({ losses, masses }, -3), 3000 + Math.log(0.5), { what: "a moment" });
  }
  // What cannot come under P has no loss, and is no part of a grid below; nor is what underflows under Q.
  const rare: LossLaw = {
    atoms: [],
    intervalMass: (from, to) => {
      const inside = (loss: number): boolean => from < loss && loss <= to;
      return {
        p: (inside(0.1) ? 1 : 0) + (inside(5) ? 1e-320 : 0),
        q: (inside(0.1) ? Math.exp(-0.1) : 0) + (inside(-5) ? 0.05 : 0),
      };
    },
    infinite: 0,
    lowest: -1,
    highest: 1,
    deviation: 1,
    relativeError: 0,
  };
  const { masses, first } = optimisticGrid(rare, { spacing: 0.5 });
  requireThat(Number.isFinite(first), `a grid from ${first} on`);
  requireNear(masses.reduce((sum, mass) => sum + mass, 0), 1, { what: "a grid’s probability" });
  // What underflows under P alone counts as the least double in a cell above, and as nothing in one below.
  const { low, high, merged } = lossCell(rare, { from: -5.5, to: -4.5 });
  requireEqual([low, high, merged], [0, Number.MIN_VALUE, 0], "a cell that underflows");
}

/** A law's largest loss is on its grid, to the last bit: none of it counts as infinite, and all that is above it does. */
export function requireGridTops(source: SeededSource): void {
  for (let k = 1; k <= 120; k++) {
    const epsilon = 4 * source.uniform(), spacing = epsilon / k;
    const { infinite } = pessimisticGrid(laplaceLoss({ epsilon }).forward, { spacing });
    requireEqual(infinite, 0, `the chance above ${epsilon} on a grid of ${spacing}`);
  }
  // N(1/2, 1), from so many deviations below its mean to so many above.
  for (const beyond of [0.5, 1, 3]) {
    const normal = gaussianLoss({ mu: 1 }).forward;
    const cut = { ...normal, lowest: 0.5 - beyond, highest: 0.5 + beyond };
    for (const spacing of [0.25, 0.01]) {
      const { masses, infinite } = pessimisticGrid(cut, { spacing });
      requireNear(infinite, normalTail(beyond), { relative: 1e-11, what: "what is cut off above" });
      requireNear(masses.reduce((sum, mass) => sum + mass, infinite), 1, {
        relative: 1e-11,
        what: "the probability of a law that is cut",
      });
    }
  }
}

/** Groups of none change nothing, whatever their ε; ε that are far from each other keep their last bits. */
export function requireGroupsOfParts(source: SeededSource): void {
  const some = [{ epsilon: 0.5, count: 3 }, { epsilon: 0.1, delta: 1e-6, count: 2 }];
  for (const epsilon of [0, 0.3, 1.6]) {
    const alone = optimalDelta(some, { epsilon });
    for (const none of [1e-300, 1, 1e300, Number.MAX_VALUE]) {
      requireEqual(
        optimalDelta([{ epsilon: none, delta: 0.5, count: 0 }, ...some], { epsilon }),
        alone,
        `δ beside a group of none with ε = ${none}`,
      );
    }
  }
  // (1 − e^−ε)·P(no lie) above the larger ε, for another one that is next to nothing beside it, in either order.
  for (let k = 0; k < 24; k++) {
    const scale = [1, 2 ** 10, 2 ** -30][k % 3]!;
    const large = scale * (0.5 + source.uniform() / 8);
    const small = scale * 2 ** -88 * (1 + source.uniform());
    const truth = (epsilon: number): bigint => {
      const odds = exactExp(epsilon);
      return (odds << UNIT_BITS) / (odds + (1n << UNIT_BITS));
    };
    const fall = (1n << UNIT_BITS) - exactExp(-small);
    const exact = ((truth(large) * truth(small)) >> UNIT_BITS) * fall >> UNIT_BITS;
    const groups = [{ epsilon: small, count: 1 }, { epsilon: large, count: 1 }];
    for (const each of [groups, groups.toReversed()]) {
      const found = exactly(optimalDelta(each, { epsilon: large }));
      // The smaller ε is rounded up to a multiple of 2⁻⁹⁸ of the scale.
      requireThat(
        found >= exact && found <= exact + exact / 1000n,
        () => `δ of ${large} and ${small} is ${Number((found << 60n) / exact) / 2 ** 60} of itself`,
      );
    }
  }
  // At the sum of all ε nothing is left, and no ε is too small to be found.
  for (const epsilon of [0.5, 0.1, 3]) {
    requireEqual(optimalDelta([{ epsilon, count: 1 }], { epsilon }), 0, "δ at the whole loss");
    requireEqual(optimalDelta([{ epsilon: epsilon / 4, count: 4 }], { epsilon }), 0);
  }
  for (const epsilon of [Number.MIN_VALUE, 7 * Number.MIN_VALUE, 1e-310]) {
    requireEqual(optimalEpsilon([{ epsilon, count: 2 }], { delta: 0 }), 2 * epsilon, "the least ε");
  }
  // With δ = 0 all losses are paid, also where their sum was rounded down.
  for (let k = 0; k < 12; k++) {
    const parts = Array.from(
      { length: 2 + k % 3 },
      () => ({ epsilon: source.uniform(), count: 1 }),
    );
    const found = optimalEpsilon(parts, { delta: 0 })!;
    const exact = parts.map(({ epsilon }) => rational(epsilon)).reduce<Rational>(add, rational(0));
    const last = parts.reduce((sum, { epsilon }) => sum + epsilon, 0);
    requireThat(
      compare(rational(found), exact) >= 0 && found <= nextUp(nextUp(last)),
      () => `ε of ${found} where losses sum up to ${last}`,
    );
  }
}
