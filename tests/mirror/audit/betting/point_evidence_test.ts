import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { PointEvidence } from "../../../../lib/audit/betting/point_evidence.ts";
import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import { approximate, deltaAt, gaussian, pure, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { parameterOf, pointsOf } from "../../../../lib/core/claim_curve.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";

const relation = replaceOne;

/** A draw that falls into one of two leaves: a certain one and another. */
interface Draw {
  readonly leaf: 0 | 1;
  readonly label: 0 | 1;
}

/** Batches of a partition of a root and two leaves, whose log odds are given. */
function batchOf(draws: readonly Draw[], logOdds: readonly [number, number]): PredictionBatch {
  const counts = new Float64Array(6);
  for (const { leaf, label } of draws) counts[2 * (leaf + 1) + label]!++;
  return {
    counts,
    logOdds: Array.from({ length: 3 }, () => Float64Array.of(0, ...logOdds)),
    leaves: Int32Array.of(1, 2),
    before: Float64Array.of(0, 0, 5, 15, 45, 35),
    draws: draws.length,
  };
}

/** Laws of the leaf on the left and right that just keep (1, 0.2): 0.2 is certain, the rest equal. */
const LAW = { left: [0, 1], right: [0.2, 0.8] } as const;
const CLAIM = { epsilon: 1, delta: 0.2 };

function evidenceAt(alpha: number): PointEvidence {
  return new PointEvidence({
    grid: Float64Array.of(0.25, 1, 1.5),
    claimIndex: 1,
    alpha,
    // The smaller claim is false, the middle one just true.
    points: [{ epsilon: 0.25, delta: 0.05 }, CLAIM, { epsilon: 1.5, delta: 0.2 }].map((p) => [p]),
  });
}

/** The exact expectation of a function of six draws under LAW. */
function expectationOverDraws(of: (draws: readonly Draw[]) => number): number {
  const one: [Draw, number][] = [];
  for (const leaf of [0, 1] as const) {
    for (const label of [0, 1] as const) {
      const mass = 0.5 * (label === 1 ? LAW.right : LAW.left)[leaf];
      if (mass > 0) one.push([{ leaf, label }, mass]);
    }
  }
  const visit = (draws: readonly Draw[], mass: number): number =>
    draws.length === 6
      ? mass * of(draws)
      : one.reduce((sum, [draw, own]) => sum + visit([...draws, draw], mass * own), 0);
  return visit([], 1);
}

// Mutants: the largest wealth so far as e-value; a share of the money for each direction of 1.
Deno.test("PointEvidence.logEValue has an e-value of expectation at most 1 under a true claim", () => {
  const mean = expectationOverDraws((draws) => {
    const evidence = evidenceAt(0.05);
    for (const draw of draws) evidence.add(batchOf([draw], [6, -0.5]));
    return Math.exp(evidence.logEValue);
  });
  assert(mean <= 1 + 1e-9 && mean > 0.9, `${mean}`);
});

/** A batch of whose draws nothing is known but the bin of outputs that follow the data. */
function followedBatch(
  draws: readonly Draw[],
  asData: readonly number[],
  asSeen: readonly number[],
): PredictionBatch {
  const { counts, before } = batchOf(draws, [0, 0]);
  const halves = new Float64Array(3);
  return {
    ...batchOf([], [0, 0]),
    draws: draws.length,
    shifted: {
      counts,
      before,
      leaves: Int32Array.of(1, 2),
      halves,
      asData: Float64Array.of(0, ...asData),
      asSeen: Float64Array.of(0, ...asSeen),
    },
  };
}

// Mutants: followers' money counted twice; nothing bet as far as the data, or as far as seen; fewer draws than there
// were.
Deno.test("PointEvidence bets on outputs that follow the data, as far as the data and as far as seen", () => {
  const certain = [6, -0.5], nothing = [0, 0];
  for (const [asData, asSeen] of [[certain, nothing], [nothing, certain], [certain, certain]]) {
    const mean = expectationOverDraws((draws) => {
      const evidence = evidenceAt(0.05);
      for (const draw of draws) evidence.add(followedBatch([draw], asData!, asSeen!));
      return Math.exp(evidence.logEValue);
    });
    assert(mean <= 1 + 1e-9 && mean > 0.9, `${mean}`);
    const evidence = evidenceAt(0.05), draws = Array<Draw>(80).fill({ leaf: 0, label: 1 });
    evidence.add(followedBatch(draws, asData!, asSeen!));
    assert(evidence.refuted);
  }
  const evidence = evidenceAt(0.05);
  evidence.add(followedBatch([{ leaf: 0, label: 1 }], nothing, nothing));
  assertEquals(evidence.logEValue, 0);
});

Deno.test("PointEvidence.refuted has at most probability alpha under a true claim", () => {
  const probability = expectationOverDraws((draws) => {
    const evidence = evidenceAt(0.9);
    for (const draw of draws) evidence.add(batchOf([draw], [6, -0.5]));
    return evidence.refuted ? 1 : 0;
  });
  assert(probability <= 0.9 && probability > 0, `${probability}`);
});

Deno.test("PointEvidence refutes a claim of too small a δ, and in either direction", () => {
  for (const flipped of [false, true]) {
    const evidence = new PointEvidence({
      grid: Float64Array.of(0.5, 1),
      claimIndex: 1,
      alpha: 0.05,
      points: [[{ epsilon: 0.5, delta: 0.01 }], [{ epsilon: 1, delta: 0.01 }]],
    });
    for (let k = 0; k < 60; k++) {
      // 30% of the draws on one side are in the certain leaf: δ is 0.3.
      const certain: Draw = { leaf: 0, label: flipped ? 0 : 1 };
      const draws: Draw[] = [
        certain,
        ...Array.from({ length: 6 }, (_, i): Draw => ({
          leaf: 1,
          label: i % 2 === 0 ? 1 : 0,
        })),
      ];
      evidence.add(batchOf(draws, [flipped ? -6 : 6, 0]));
    }
    assert(evidence.refuted && evidence.logEValue > Math.log(20));
    assertEquals(evidence.lowerBound, 1);
  }
});

Deno.test("PointEvidence bets nothing before anything was learned", () => {
  const evidence = evidenceAt(0.05);
  evidence.add({ ...batchOf([{ leaf: 0, label: 1 }], [6, 0]), before: new Float64Array(6) });
  assertAlmostEquals(evidence.logEValue, 0, 1e-12);
});

Deno.test("pointsOf() gives points of the claimed curve, not below it", () => {
  for (
    const claim of [
      gaussian({ mu: 1, relation }),
      gaussian({ mu: 0.01, relation }),
      zcdp({ rho: 0.5, relation }),
      renyi({ order: 2, epsilon: 1, relation }),
    ]
  ) {
    const points = pointsOf(claim);
    assert(points.length >= 1);
    for (const { epsilon, delta } of points) {
      assert(epsilon >= 0 && delta > 0 && delta < 1);
      assert(delta >= deltaAt(claim, epsilon), `${claim.kind} at ${epsilon}`);
    }
  }
  assertEquals(pointsOf(approximate({ epsilon: 2, delta: 1e-5, relation })), [
    { epsilon: 2, delta: 1e-5 },
  ]);
  assertEquals(pointsOf(pure({ epsilon: 2, relation })), [{ epsilon: 2, delta: 0 }]);
});

Deno.test("evidenceFor() starts with nothing shown, for every kind of claim", () => {
  for (
    const claim of [
      pure({ epsilon: 0.1, relation }),
      approximate({ epsilon: 1, delta: 0, relation }),
      approximate({ epsilon: 1, delta: 1e-6, relation }),
      gaussian({ mu: 1, relation }),
      renyi({ order: 2, epsilon: 1, relation }),
    ]
  ) {
    const evidence = evidenceFor(claim, 0.05);
    assertEquals(evidence.lowerBound, 0);
    assertAlmostEquals(evidence.logEValue, 0, 1e-12, claim.kind);
    assertEquals(evidence.refuted, false);
    assert(parameterOf(claim).value > 0);
  }
});

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

// Mutant: both directions bet with one bettor's money.
Deno.test("PointEvidence has a bettor for each direction", () => {
  const draws = Array.from(
    { length: 30 },
    (_, k): Draw => ({ leaf: k % 2 === 0 ? 1 : 0, label: k % 2 === 0 ? 0 : 1 }),
  );
  const won = (odds: [number, number]): number => {
    const evidence = evidenceAt(0.05);
    evidence.add(batchOf(draws, odds));
    return Math.expm1(evidence.logEValue);
  };
  const each = [won([6, 0]), won([0, -6])];
  for (const gain of each) assert(Math.abs(gain) > 0.01, `${each}`);
  const all = won([6, -6]);
  assertAlmostEquals(all, each[0]! + each[1]!, 1e-9 * Math.abs(all));
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

Deno.test("PointEvidence refutes as soon as the wealth is 1/α", () => {
  const after = (alpha: number, count: number): PointEvidence => {
    const evidence = new PointEvidence({
      grid: Float64Array.of(1),
      claimIndex: 0,
      alpha,
      points: [[CLAIM]],
    });
    evidence.add(batchOf(Array<Draw>(count).fill({ leaf: 0, label: 1 }), [6, -0.5]));
    return evidence;
  };
  // α such that ln 1/α is the logarithm of the wealth, to the last bit.
  const count = Array.from({ length: 60 }, (_, k) => k + 20).find((draws) => {
    const { logEValue } = after(0.05, draws);
    return logEValue > 0.1 && Math.log(1 / Math.exp(-logEValue)) === logEValue;
  })!;
  const alpha = Math.exp(-after(0.05, count).logEValue);
  assert(after(alpha, count).refuted);
  assert(!after(0.999 * alpha, count).refuted);
});
