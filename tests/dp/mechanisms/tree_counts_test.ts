import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { pure } from "../../../lib/core/mod.ts";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { gaussianTreeCounts, treeCounts } from "../../../lib/dp/mechanisms/tree_counts.ts";
import { divide, multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../../lib/core/random/discrete_gaussian.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { ScriptedSource } from "../../sweeps/scripted_source.ts";

type Counts = Mechanism<number, number[]>;
const stepOf = (step: number): number => step;
const make = (steps: number, relation: Relation = addRemoveOne, epsilon = 1) =>
  treeCounts({ steps, stepOf, epsilon, relation });

/** What is released without noise. */
const exact = (mechanism: Counts, data: Dataset<number>): number[] =>
  mechanism.sample(data, new ScriptedSource());

/** The value of node t: the count at t less the count at t without its last binary one. */
const nodesOf = (counts: readonly number[]): number[] =>
  counts.map((count, i) => count - (i & (i + 1) ? counts[(i & (i + 1)) - 1]! : 0));

/** How far the nodes move between two datasets, in L1. */
function moved(mechanism: Counts, left: Dataset<number>, right: Dataset<number>): number {
  const [a, b] = [nodesOf(exact(mechanism, left)), nodesOf(exact(mechanism, right))];
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0);
}

const streams = fc.integer({ min: 1, max: 130 }).chain((steps) =>
  fc.record({
    steps: fc.constant(steps),
    rows: fc.array(fc.integer({ min: -1, max: steps + 2 }), { maxLength: 40 }),
  })
);

// Mutants: counts from the step after; a node that its parent does not count; a step T that is left out.
Deno.test("treeCounts() counts the rows up to every step, and those of no step nowhere", () => {
  fc.assert(
    fc.property(streams, ({ steps, rows }) => {
      const naive = Array.from(
        { length: steps },
        (_, i) => rows.filter((row) => row >= 1 && row <= i + 1).length,
      );
      assertEquals(exact(make(steps), rows), naive);
      const gaussian = gaussianTreeCounts({ steps, stepOf, rho: 1, relation: replaceOne });
      assertEquals(exact(gaussian, rows), naive);
    }),
    { seed: 3101 },
  );
});

// Mutants: one level less; 2⌊log₂T⌋ + 2 under replace-one, which is more than any row moves; without the trees beyond.
Deno.test("treeCounts() is scaled to the most that one row moves the nodes: all steps, all lengths to 40", () => {
  for (let steps = 1; steps <= 40; steps++) {
    const everywhere = Array.from({ length: steps + 1 }, (_, step) => step);
    const one = make(steps), two = make(steps, replaceOne);
    const added = Math.max(...everywhere.map((step) => moved(one, [], [step])));
    assertEquals(one.nodeSensitivity, added);
    assertEquals(one.nodeScale, added);
    const replaced = everywhere.flatMap((from) => everywhere.map((to) => moved(two, [from], [to])));
    assertEquals(two.nodeSensitivity, Math.max(...replaced), `${steps} steps`);
    const rho = 0.5, wide = gaussianTreeCounts({ steps, stepOf, rho, relation: replaceOne });
    assertAlmostEquals(wide.nodeScale ** 2, two.nodeSensitivity / (2 * rho), 1e-9);
  }
});

/** All datasets of up to two rows in these steps or none. */
function datasets(steps: number): number[][] {
  const rows = Array.from({ length: steps + 1 }, (_, step) => step);
  return [[], ...rows.map((row) => [row]), ...rows.flatMap((a) => rows.map((b) => [a, b]))];
}

/** The largest loss over neighbours of up to two rows: at the noiseless values, where it is largest. */
function largestLoss(mechanism: Counts, steps: number, relation: Relation): number {
  let most = 0;
  const all = datasets(steps);
  for (const left of all) {
    for (const right of all) {
      if (relation.violation(left, right) !== undefined) continue;
      const output = exact(mechanism, left);
      const loss = mechanism.logDensity!(output, left) - mechanism.logDensity!(output, right);
      most = Math.max(most, loss);
    }
  }
  return most;
}

// Mutants below: noise for one level; the noise of add-remove-one under replace-one.
Deno.test("treeCounts() loses ε and no more over all small streams, and its mutants lose more", () => {
  for (let steps = 1; steps <= 9; steps++) {
    for (const relation of [addRemoveOne, replaceOne]) {
      const mechanism = make(steps, relation, 0.7);
      assertAlmostEquals(largestLoss(mechanism, steps, relation), 0.7, 1e-12);
      assertEquals(mechanism.claim, pure({ epsilon: 0.7, relation }));
      if (mechanism.nodeSensitivity === 1) continue;
      const oneLevel = make(steps, relation, 0.7 * mechanism.nodeSensitivity);
      assert(largestLoss(oneLevel, steps, relation) > 1.4 - 1e-9);
    }
    // Under replace-one a row leaves nodes and enters others.
    const weak = make(steps, addRemoveOne, 0.7), whole = make(steps, replaceOne, 0.7);
    const share = whole.nodeSensitivity / weak.nodeSensitivity;
    assertAlmostEquals(largestLoss(weak, steps, replaceOne), 0.7 * share, 1e-12);
    if (steps === 3 || steps > 4) assert(share > 1.2, `${steps} steps`);
  }
});

// Mutant: ε²/(2Δ²), as if the nodes shared one ε.
Deno.test("treeCounts() keeps ε²/(2Δ)-zCDP besides: Δ exact laws that move by 1 each", () => {
  for (const epsilon of [1e-3, 0.1, 1, 4, 20]) {
    for (
      const [steps, relation] of [[1, addRemoveOne], [7, addRemoveOne], [12, replaceOne]] as const
    ) {
      const { alsoKeeps, nodeSensitivity, nodeScale } = make(steps, relation, epsilon);
      const [claim] = alsoKeeps!;
      assert(claim?.kind === "zcdp" && alsoKeeps!.length === 1 && claim.relation === relation);
      const noise = discreteLaplace({ scale: rational(nodeScale) });
      const reach = Math.ceil(60 * nodeScale) + 50;
      for (const order of [1.01, 1.5, 2, 5, 30]) {
        let moment = 0;
        for (let value = -reach; value <= reach; value++) {
          const p = noise.logProbability(value), q = noise.logProbability(value - 1);
          moment += Math.exp(q + order * (p - q));
        }
        const rho = nodeSensitivity * Math.log(moment) / ((order - 1) * order);
        assert(rho <= claim.rho * (1 + 1e-9) + 1e-10, `${rho} above ${claim.rho}`);
        if (epsilon === 1 && steps === 7 && order < 2) assert(rho > 0.97 * claim.rho);
      }
    }
  }
});

// Mutants: ε²/(2Δ) to the nearest double, which may lie below it; to the next one, which may as well.
Deno.test("treeCounts() rounds its ρ up, by no more than a part in 10¹⁴", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 50, noNaN: true }),
      fc.integer({ min: 1, max: 99 }),
      (epsilon, steps) => {
        const { alsoKeeps, nodeSensitivity } = make(steps, replaceOne, epsilon);
        const [claim] = alsoKeeps!;
        assert(claim?.kind === "zcdp");
        const exact = divide(
          multiply(rational(epsilon), rational(epsilon)),
          rational(2 * nodeSensitivity),
        );
        assert(subtract(rational(claim.rho), exact).numerator >= 0n);
        assert(claim.rho <= 0.5 * epsilon ** 2 / nodeSensitivity * (1 + 1e-14));
      },
    ),
    { seed: 3103, examples: [[1.5101496822554206, 7], [1.1305621921035975, 63]] },
  );
});

// Mutants: densities of the counts themselves; of nodes that are added.
Deno.test("treeCounts() states the density of the nodes that make up an output", () => {
  fc.assert(
    fc.property(streams, fc.boolean(), ({ steps, rows }, gaussian) => {
      const mechanism = gaussian
        ? gaussianTreeCounts({ steps, stepOf, rho: 0.5, relation: replaceOne })
        : make(steps, replaceOne);
      const { nodeScale } = mechanism;
      const noise = gaussian
        ? discreteGaussian({ variance: rational(nodeScale ** 2) })
        : discreteLaplace({ scale: rational(nodeScale) });
      const output = mechanism.sample(rows, new SeededSource(3104));
      const [noisy, at] = [nodesOf(output), nodesOf(exact(mechanism, rows))];
      const density = noisy.reduce((sum, node, i) => sum + noise.logProbability(node - at[i]!), 0);
      assertAlmostEquals(mechanism.logDensity!(output, rows), density, 1e-9 * steps);
      assertEquals("domain" in mechanism, false);
      assertEquals("alsoKeeps" in mechanism, !gaussian);
    }),
    { seed: 3105, numRuns: 50 },
  );
});

Deno.test("treeCounts() states a law: densities of two steps add up to 1 over a wide square", () => {
  for (
    const mechanism of [
      make(2, replaceOne, 2),
      gaussianTreeCounts({ steps: 2, stepOf, rho: 0.5, relation: replaceOne }),
    ]
  ) {
    let total = 0;
    for (let a = -60; a <= 60; a++) {
      for (let b = -60; b <= 60; b++) total += Math.exp(mechanism.logDensity!([a, b], [1, 2, 2]));
    }
    assertAlmostEquals(total, 1, 1e-9);
    assertEquals(mechanism.logDensity!([0.5, 1], []), -Infinity);
    assertEquals(mechanism.logDensity!([0], []), -Infinity);
    assertEquals(mechanism.logDensity!([0, 0, 0], []), -Infinity);
  }
});

// 20,000 draws, seed 3102: each variance within 6 standard errors, false alarms below 1e-6 with both signs, 16 times.
Deno.test("treeCounts() has the noise of as many nodes in the count of a step as it has binary ones", () => {
  const draws = 20_000, steps = 8;
  for (
    const mechanism of [
      make(steps, addRemoveOne, 1),
      gaussianTreeCounts({ steps, stepOf, rho: 0.1, relation: addRemoveOne }),
    ]
  ) {
    const block = mechanism.sampleMany!([1, 3, 3], draws, new SeededSource(3102));
    const at = exact(mechanism, [1, 3, 3]);
    const { nodeScale, claim } = mechanism;
    const q = Math.exp(-1 / nodeScale);
    const variance = claim.kind === "pure" ? 2 * q / (1 - q) ** 2 : nodeScale ** 2;
    for (let t = 1; t <= steps; t++) {
      let squares = 0;
      for (let i = 0; i < draws; i++) squares += (block[i * steps + t - 1]! - at[t - 1]!) ** 2;
      const ones = [...t.toString(2)].filter((digit) => digit === "1").length;
      // Fourth moments are at most 6 (Laplace) times the squared variance.
      assert(
        Math.abs(squares / draws / (ones * variance) - 1) < 6 * Math.sqrt(5.5 / draws),
        `${t}`,
      );
    }
  }
});
