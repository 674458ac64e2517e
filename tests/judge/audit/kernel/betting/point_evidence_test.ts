import { assert, assertEquals } from "@std/assert";
import { PointEvidence } from "../../../../../lib/judge/audit/kernel/betting/point_evidence.ts";
import { approximate, deltaAt, gaussian, pure, renyi, zcdp } from "../../../../../lib/core/mod.ts";
import { pointsOf } from "../../../../../lib/core/claims/claim_curve.ts";
import { replaceOne } from "../../../../../lib/core/relations/relation.ts";
import { batchOf, CLAIM, type Draw, followedBatch, LAW } from "./point_evidence_cases.ts";

const relation = replaceOne;

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
