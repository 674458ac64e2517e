import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { PointEvidence } from "../../../../lib/audit/betting/point_evidence.ts";
import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import { batchOf, CLAIM, type Draw, followedBatch } from "./point_evidence_cases.ts";

// Mutants: bettors on leaves and on a shift, or on two points, who multiply one another's wealth.
Deno.test("PointEvidence.logEValue is the average of bettors of their own: what each wins adds up", () => {
  const draws = Array.from(
    { length: 12 },
    (_, k): Draw => ({ leaf: k % 3 === 0 ? 1 : 0, label: 1 }),
  );
  const certain = [6, -0.5], nothing = [0, 0];
  const won = (
    [leaves, asData, asSeen]: readonly boolean[],
    points: readonly (readonly { epsilon: number; delta: number }[])[],
  ): number => {
    const claimIndex = points.length - 1;
    const grid = Float64Array.from(points.keys(), (j) => j + 1);
    const evidence = new PointEvidence({ grid, claimIndex, alpha: 0.05, points });
    const followed = followedBatch(draws, asData ? certain : nothing, asSeen ? certain : nothing);
    evidence.add({ ...batchOf(draws, leaves ? [6, -0.5] : [0, 0]), shifted: followed.shifted });
    return Math.expm1(evidence.logEValue);
  };
  const other = { epsilon: 0.3, delta: 0.1 };
  for (const own of [[CLAIM], [CLAIM, other]]) {
    const each = [0, 1, 2].map((k) => won([k === 0, k === 1, k === 2], [own]));
    for (const gain of each) assert(gain > 0.01, `${each}`);
    const all = won([true, true, true], [own]);
    assertAlmostEquals(all, each.reduce((a, b) => a + b), 1e-9 * all);
  }
  // One bettor a point and direction: two points share the money of one.
  const apart = [[CLAIM], [other]].map((points) => won([true, true, true], [points]));
  const together = won([true, true, true], [[CLAIM, other]]);
  assertAlmostEquals(together, (apart[0]! + apart[1]!) / 2, 1e-9 * together);
  // What is bet against one hypothesis does not depend on the points of another.
  const both = [CLAIM, other];
  assertAlmostEquals(
    won([true, true, true], [[CLAIM], both]),
    won([true, true, true], [both]),
    1e-9,
  );
});

/** Leaves of a partition, with draws before and of a batch on either side, and log odds. */
interface Leaf {
  readonly place: number;
  readonly before: readonly [number, number];
  readonly drawn: readonly [number, number];
  readonly odds: number;
}

/** Logarithm of the wealth after a batch that falls into these leaves. */
function wealthOf(leaves: readonly Leaf[]): number {
  const nodes = 1 + Math.max(...leaves.map(({ place }) => place));
  // Nodes that are no leaves hold what must not be read.
  const before = new Float64Array(2 * nodes).fill(1e6),
    counts = new Float64Array(2 * nodes).fill(50);
  const odds = new Float64Array(nodes).fill(9);
  for (const { place, ...leaf } of leaves) {
    before.set(leaf.before, 2 * place);
    counts.set(leaf.drawn, 2 * place);
    odds[place] = leaf.odds;
  }
  const evidence = new PointEvidence({
    grid: Float64Array.of(0.3),
    claimIndex: 0,
    alpha: 0.05,
    points: [[{ epsilon: 0.3, delta: 0.002 }, { epsilon: 0.1, delta: 0.03 }]],
  });
  evidence.add({
    counts,
    before,
    logOdds: STANDARD_ERRORS.map(() => odds),
    leaves: Int32Array.from(leaves, ({ place }) => place),
    draws: leaves.reduce((sum, { drawn }) => sum + drawn[0] + drawn[1], 0),
  });
  return evidence.logEValue;
}

// Mutants: counts, masses or odds of another leaf or side; masses that are not shares; one side of before alone.
Deno.test("PointEvidence bets on a leaf by its share of what was seen on both sides, wherever it stands", () => {
  const leaf = fc.record({
    before: fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 90 })),
    drawn: fc.tuple(fc.nat(20), fc.nat(20)),
    // Evenly spread: numbers of `fc.double` are nearly all close to 0.
    odds: fc.integer({ min: -4000, max: 4000 }).map((step) => step / 1000),
  });
  let bets = 0;
  fc.assert(
    fc.property(
      fc.array(leaf, { minLength: 2, maxLength: 5 }),
      fc.uniqueArray(fc.nat(40), { minLength: 5, maxLength: 5 }),
      (drawn, places) => {
        const leaves = drawn.map((own, i): Leaf => ({ ...own, place: i }));
        const wealth = wealthOf(leaves);
        if (Math.abs(wealth) > 0.01) bets++;
        const same = (others: readonly Leaf[]): void =>
          assertAlmostEquals(wealthOf(others), wealth, 1e-9 * (1 + Math.abs(wealth)));
        same(leaves.map((own, i) => ({ ...own, place: places[i]! })));
        same(leaves.map((own) => ({ ...own, before: [own.before[1], own.before[0]] })));
        same(leaves.toReversed());
        for (const scale of [8, 2 ** -20]) {
          same(leaves.map((own) => ({
            ...own,
            before: [scale * own.before[0], scale * own.before[1]],
          })));
        }
        same(leaves.map((own) => ({
          ...own,
          drawn: [own.drawn[1], own.drawn[0]],
          odds: -own.odds,
        })));
      },
    ),
    { seed: 1515, numRuns: 300 },
  );
  assert(bets > 200, `${bets} of 300 batches are bet on`);
});

// Mutants: masses that say nothing of the leaf.
Deno.test("PointEvidence stakes less for δ where a clear leaf is rare", () => {
  // Nothing of the batch falls into the clear leaf: what is lost is the cap times δ for each draw.
  const lost = (share: number): number =>
    -wealthOf([
      { place: 1, before: [0, 1000 * share], drawn: [0, 0], odds: 5 },
      { place: 2, before: [0, 1000 * (1 - share)], drawn: [50, 50], odds: 0 },
    ]);
  const losses = [0.5, 0.1, 0.03, 0.01].map(lost);
  losses.forEach((loss, k) => assert(k === 0 || loss <= losses[k - 1]!, `${losses}`));
  assert(losses.at(-1)! < losses[0]! / 2, `${losses}`);
});

Deno.test("PointEvidence bets on odds of less than one nat where ε is smaller", () => {
  assert(
    wealthOf([
      { place: 1, before: [30, 60], drawn: [0, 40], odds: 0.9 },
      { place: 2, before: [10, 10], drawn: [10, 10], odds: 0 },
    ]) > 0.1,
  );
});
