import { sumBelow } from "../../lib/accounting/certain_sum.ts";
import { lossCell } from "../../lib/accounting/loss_cells.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import type { LossLaw } from "../../lib/accounting/privacy_loss.ts";
import { composeRenyi } from "../../lib/accounting/renyi.ts";
import { add, compare, type Rational, rational } from "../../lib/numeric/rational.ts";
import { nextUp } from "../../lib/numeric/round_outward.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, exactly, UNIT_BITS } from "./dyadic_reference.ts";

/** Sums are on their safe side. */
export function requireSums(): void {
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

/** Chances that underflow count as more than nothing, and those that are 0 as nothing. */
export function requireChancesAtEnds(): void {
  // The largest losses have no chance: the moment is that of the others.
  for (const order of [[0, 1, 2], [2, 1, 0]]) {
    const losses = Float64Array.from(order, (i) => [1000, 0, -1000][i]!);
    const masses = Float64Array.from(order, (i) => [0, 0.25, 0.5][i]!);
    requireNear(logMoment({ losses, masses }, 1), Math.log(0.25), { what: "a moment" });
    requireNear(logMoment({ losses, masses }, -3), 3000 + Math.log(0.5), { what: "a moment" });
  }
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
  // What underflows under P alone counts as the least double in a cell above, and as nothing in one below.
  const { low, high, merged } = lossCell(rare, { from: -5.5, to: -4.5 });
  requireEqual([low, high, merged], [0, Number.MIN_VALUE, 0], "a cell that underflows");
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
