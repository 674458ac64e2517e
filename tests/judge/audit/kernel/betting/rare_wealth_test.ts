import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type {
  RareBatch,
  RareCell,
} from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import {
  logWealthOfNextCell,
  RareWealth,
} from "../../../../../lib/judge/audit/kernel/betting/rare_wealth.ts";
import { expectationOverLabels } from "../../batches.ts";

const cellOf = (left: number, right: number, family: 0 | 1 = 0): RareCell => ({
  family,
  seen: { left, right },
});

function batchOf(known: readonly RareCell[], hits: RareBatch["hits"], draws = 1): RareBatch {
  return { of: 1, known, hits, draws };
}

// Mutants: a cell whose share is counted twice, shares that depend on the label of the batch, a stake above the largest one.
Deno.test("RareWealth has expectation 1 under the worst true claim, and at most 1 whichever way a program chooses cells", () => {
  const epsilon = 1, likelier = 1 / (1 + Math.exp(-epsilon));
  const cells = [cellOf(0, 2), cellOf(1, 0, 1), cellOf(3, 1)];
  // The cell that comes next may depend on the labels before: a program knows them.
  for (const nextCell of [() => 0, (labels: readonly number[]) => (labels.at(-1) ?? 0) + 1]) {
    const mean = expectationOverLabels((labels) => {
      const wealth = new RareWealth();
      labels.forEach((label, k) => {
        const cell = nextCell(labels.slice(0, k));
        // The third cell becomes known after two draws.
        const known = k < 2 ? cells.slice(0, 2) : cells;
        wealth.add(batchOf(known, [{ cell, left: 1 - label, right: label }]));
      });
      return Math.exp(wealth.logAgainst([{ epsilon, delta: 0 }]));
    }, { draws: 8, rightProbability: likelier });
    assert(mean <= 1 + 1e-9 && mean > 0.5, `${mean}`);
  }
});

// Mutants: the price of δ left out, or paid at draws in the cell alone.
Deno.test("RareWealth has expectation at most 1 under an (ε, δ) claim that is kept with nothing to spare", () => {
  const epsilon = 0.5, delta = 0.3, cell = cellOf(0, 5);
  // Right: δ in the cell, and e^ε times q there; left: q.
  const q = 0.2, p = Math.exp(epsilon) * q + delta;
  let mean = 0;
  const visit = (k: number, chance: number, hits: RareBatch["hits"][]): void => {
    if (k === 0) {
      const wealth = new RareWealth();
      for (const own of hits) wealth.add(batchOf([cell], own));
      mean += chance * Math.exp(wealth.logAgainst([{ epsilon, delta }]));
      return;
    }
    visit(k - 1, chance * p / 2, [...hits, [{ cell: 0, left: 0, right: 1 }]]);
    visit(k - 1, chance * q / 2, [...hits, [{ cell: 0, left: 1, right: 0 }]]);
    visit(k - 1, chance * (1 - (p + q) / 2), [...hits, []]);
  };
  visit(7, 1, []);
  assert(mean <= 1 + 1e-9 && mean > 0.5, `${mean}`);
});

/**
 * The expectation of the wealth where each of many cells has these probabilities under the two datasets, by the counts of its draws: the wealth is
 * a sum over cells, so that the expectation is that of any joint law of them.
 */
function expectedOfMany(
  { left, right, draws, points }: {
    readonly left: number;
    readonly right: number;
    readonly draws: number;
    readonly points: readonly { readonly epsilon: number; readonly delta: number }[];
  },
): number {
  const known = Array.from({ length: 1200 }, (_, k) => cellOf(0, 5, (k % 2) as 0 | 1));
  let mean = 0;
  for (let a = 0; a <= draws; a++) {
    for (let b = 0; a + b <= draws; b++) {
      const rest = draws - a - b;
      const logChance = logFactorial(draws) - logFactorial(a) - logFactorial(b) -
        logFactorial(rest) + a * Math.log(left / 2) + b * Math.log(right / 2) +
        rest * Math.log(1 - (left + right) / 2);
      const wealth = new RareWealth();
      wealth.add(batchOf(known, known.map((_, cell) => ({ cell, left: a, right: b })), draws));
      mean += Math.exp(logChance + wealth.logAgainst(points));
    }
  }
  return mean;
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let k = 2; k <= n; k++) sum += Math.log(k);
  return sum;
}

// Mutants: shares of cells, stakes, points or sides that add up to more than 1; a price of δ that is left out of one factor.
Deno.test("RareWealth of a thousand cells has expectation at most 1 under the worst laws, and hardly less where all bets are fair", () => {
  const fair = expectedOfMany({
    ...{ left: 0.5, right: 0.5, draws: 20 },
    points: [{ epsilon: 0, delta: 0 }, { epsilon: 0, delta: 0 }],
  });
  assert(fair <= 1 + 1e-9 && fair > 0.98, `${fair}`);
  for (const [epsilon, delta] of [[0.3, 0.02], [0.3, 0.2], [0, 0.3]] as const) {
    const less = 0.5, more = Math.exp(epsilon) * less + delta, point = { epsilon, delta };
    for (const [left, right] of [[less, more], [more, less]] as const) {
      const mean = expectedOfMany({ left, right, draws: 12, points: [point, point] });
      assert(mean <= 1 + 1e-9, `${mean} for (${epsilon}, ${delta})`);
    }
  }
});

Deno.test("RareWealth that is lost wins nothing more, and keeps what was not staked", () => {
  const points = [{ epsilon: 1, delta: 0 }], wealth = new RareWealth();
  wealth.add(batchOf([cellOf(0, 5)], []));
  const idle = wealth.logAgainst(points);
  wealth.lose();
  wealth.add(batchOf([cellOf(0, 5)], [{ cell: 0, left: 0, right: 50 }], 50));
  assertEquals(wealth.logAgainst(points), idle);
  assert(idle < 0);
});

// Mutants: one wealth for all cells, so that losses of one are losses of all; no share for a late cell.
Deno.test("RareWealth of a cell that tells is not lost in a thousand others that do not", () => {
  const wealth = new RareWealth();
  const others = Array.from({ length: 1000 }, () => cellOf(1, 1, 1)), telling = cellOf(0, 2);
  const known = [...others, telling];
  for (let k = 0; k < 60; k++) {
    const hits = [
      ...others.map((_, cell) => ({ cell, left: 1 - k % 2, right: k % 2 })),
      { cell: 1000, left: 0, right: 1 },
    ];
    wealth.add(batchOf(known, hits, hits.length));
  }
  const points = [{ epsilon: 1, delta: 0 }];
  assert(wealth.logAgainst(points) > Math.log(1000));
  // What the report says of the next cell is what a cell wins.
  const next = new RareWealth(), first = [cellOf(0, 1)];
  next.add(batchOf(first, [{ cell: 0, left: 0, right: 40 }], 100));
  const said = logWealthOfNextCell(40, { begun: [0, 0], points, draws: 100 });
  assertAlmostEquals(next.logAgainst(points), said, 0.01);
});
