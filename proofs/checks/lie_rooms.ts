import { errorOfLieProbabilities } from "../../lib/accounting/lie_probabilities.ts";
import { type CompositionGroup, optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import { nextDown } from "../../lib/numeric/round_outward.ts";
import { bitLength, rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireRefused, requireThat } from "../engine/requirement.ts";
import { exactExp, exactly, UNIT_BITS } from "./dyadic_reference.ts";
import { lieWeights, quotient } from "./lie_weights.ts";

/** What a mutant may stand in for. */
export const lies = { optimalDelta };

/** δ of the composition, in whole numbers. */
export function exactOptimalDelta(groups: readonly CompositionGroup[], epsilon: number): number {
  let table = [{ loss: 0n, weight: 1n }], total = 1n, kept = 1n, all = 1n;
  for (const group of groups) {
    const { weights, total: its } = lieWeights(group), loss = exactly(group.epsilon);
    table = table.flatMap((so) =>
      weights.map((weight, lie) => ({
        loss: so.loss + BigInt(group.count - 2 * lie) * loss,
        weight: so.weight * weight,
      }))
    );
    total *= its;
    const { numerator, denominator } = rational(group.delta ?? 0);
    for (let i = 0; i < group.count; i++) {
      kept = kept * (denominator - numerator);
      all *= denominator;
      // Shorter by what no double shows.
      const extra = BigInt(Math.max(0, bitLength(all) - 4000));
      [kept, all] = [kept >> extra, all >> extra];
    }
  }
  const edge = exactly(epsilon), known = new Map<bigint, bigint>();
  const shareOf = (excess: bigint): bigint => {
    let share = known.get(excess);
    if (share === undefined) {
      // e^−excess in two factors: a double of it, and the rest by its first terms.
      const high = quotient(excess, 1n << UNIT_BITS), rest = excess - exactly(high);
      const low = (1n << UNIT_BITS) - rest + (rest * rest >> (UNIT_BITS + 1n));
      share = high > 700
        ? 1n << UNIT_BITS
        : (1n << UNIT_BITS) - (exactExp(-high) * low >> UNIT_BITS);
      known.set(excess, share);
    }
    return share;
  };
  let answered = 0n;
  for (const { loss, weight } of table) {
    if (loss > edge) answered += weight * shareOf(loss - edge);
  }
  const whole = total << UNIT_BITS;
  // 1 − kept·(1 − answered).
  return quotient(all * whole - kept * (whole - answered), all * whole);
}

/** δ of optimal composition is above the exact one by the room that is derived: of sums, and of each group's logarithms. */
export function requireOptimalRooms(
  { optimalDelta }: typeof lies,
  source: SeededSource,
): void {
  const cases: [CompositionGroup[], number][] = [
    [[{ epsilon: 2, count: 3000 }], 4600],
    [[{ epsilon: 1.5, count: 400, delta: 1e-4 }], 390],
  ];
  for (let k = 0; k < 10; k++) {
    const groups = Array.from({ length: 1 + k % 3 }, () => ({
      epsilon: Math.exp(3 * source.uniform() - 3),
      count: 1 + source.uint32() % 9,
      delta: k % 2 * source.uniform() * 0.02,
    }));
    const most = groups.reduce((sum, { epsilon, count }) => sum + epsilon * count, 0);
    cases.push([groups, source.uniform() * 0.9 * most]);
  }
  // An ε next to a loss: the largest double below all truths, or below one lie of the first or of the last group.
  for (let k = 0; k < 12; k++) {
    const groups = Array.from({ length: 1 + k % 4 }, (_, i) => ({
      epsilon: Math.exp(6 * source.uniform() - 5) * (i === 2 ? 2 ** -40 : 1),
      count: 1 + source.uint32() % 3,
    }));
    const lie = [undefined, groups[0], groups.at(-1)][k % 3];
    const loss = groups.reduce(
      (sum, group) => sum + BigInt(group.count - (group === lie ? 2 : 0)) * exactly(group.epsilon),
      0n,
    );
    // Below a loss of 0 there is no ε.
    if (loss <= 0n) continue;
    let epsilon = quotient(loss, 1n << UNIT_BITS);
    while (epsilon > 0 && exactly(epsilon) >= loss) epsilon = nextDown(epsilon);
    cases.push([groups, epsilon]);
  }
  for (const [groups, epsilon] of cases) {
    const room = groups.reduce((sum, group) => sum + errorOfLieProbabilities(group), 1e-11);
    const above = optimalDelta(groups, { epsilon }) / exactOptimalDelta(groups, epsilon) - 1;
    requireThat(
      above >= 0.8 * room && above <= 1.2 * room,
      () => `δ of ${JSON.stringify(groups)} at ${epsilon} is ${above} above, with room of ${room}`,
    );
  }
  // A million equal terms, which a plain sum rounds to one side, more than the room has for it.
  for (const lead of [1, 0.9, 0.7, 1.3]) {
    const groups = [
      { epsilon: lead, count: 1 },
      ...Array.from({ length: 19 }, () => ({ epsilon: 1e-17, count: 1 })),
    ];
    const epsilon = 0.3, share = -Math.expm1(epsilon - lead);
    const above = optimalDelta(groups, { epsilon }) / (share / (1 + Math.exp(-lead))) - 1;
    requireThat(Math.abs(above - 1e-11) <= 1e-13, `a sum of equal terms is ${above} above`);
  }
  // What is above ε by however little, and however rare, is not 0; what overflows counts as above.
  requireThat(optimalDelta([{ epsilon: 0.5, count: 2000 }], { epsilon: 999 }) > 0, "δ of 0");
  for (const epsilon of [1, Number.MAX_VALUE]) {
    const delta = optimalDelta([{ epsilon: 1e308, count: 9 }], { epsilon });
    requireThat(delta >= 1 - 1e-9 && delta <= 1, `δ of losses that overflow is ${delta}`);
  }
  const small = { epsilon: 1e-3, count: 1_999_999 };
  requireThat(optimalDelta([small], { epsilon: 1999 }) > 0, "two million combinations");
  for (
    const groups of [[{ ...small, count: 2_000_000 }], [{ ...small, count: 1999 }, {
      ...small,
      count: 1000,
    }]]
  ) {
    requireRefused("more combinations", () => optimalDelta(groups, { epsilon: 1 }), "2000000");
  }
}
