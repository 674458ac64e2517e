import { assert, assertAlmostEquals } from "@std/assert";
import { gridCurve, gridSpacing, suitsGrid } from "../../../lib/accounting/grid_curve.ts";
import {
  approximateLoss,
  gaussianLoss,
  type LawPower,
  type LossLaw,
} from "../../../lib/accounting/privacy_loss.ts";

const laws = [
  { law: gaussianLoss({ mu: 0.3 }).forward, count: 3 },
  { law: approximateLoss({ epsilon: 0.4 }).forward, count: 2 },
];

// P and Q right up to e^±r each over 5 runs: P' ≤ e^(5r)·P and Q' ≥ e^(−5r)·Q, so that δ' at ε is at most e^(5r) times δ at ε − 10r.
// Mutants: the errors of one law alone; ε moved by one error in place of two, or not at all; the factor e^(5r) left out.
Deno.test("gridCurve() allows for probabilities that are right up to a factor, in both bounds", () => {
  const spacing = gridSpacing(laws), r = 0.004;
  const exact = gridCurve(laws, { spacing });
  const off = gridCurve(
    laws.map(({ law, count }) => ({ law: { ...law, relativeError: r }, count })),
    { spacing },
  );
  for (const epsilon of [0.2, 0.5, 1, 2]) {
    const most = Math.exp(5 * r) * exact.upperAt(epsilon - 10 * r);
    const least = Math.exp(-5 * r) * exact.lowerAt(epsilon + 10 * r);
    const [upper, lower] = [off.upperAt(epsilon), off.lowerAt(epsilon)];
    assert(upper >= most * (1 - 1e-9) && upper <= most * (1 + 1e-6), `${upper} ${most}`);
    assert(lower <= least * (1 + 1e-9) && lower >= least * (1 - 1e-6), `${lower} ${least}`);
    assert(exact.lowerAt(epsilon) <= exact.upperAt(epsilon));
  }
  assert(exact.upperAt(-50) <= 1);
});

/** A law of which only the deviation, the atoms and the ends matter. */
function law(
  { deviation = 1, losses = [], p = 0.5, lowest = -1, highest = 1 }: {
    deviation?: number;
    losses?: readonly number[];
    p?: number;
    lowest?: number;
    highest?: number;
  },
): LossLaw {
  const atoms = losses.map((loss) => ({ loss, p, q: p }));
  return { atoms, infinite: 0, lowest, highest, deviation, relativeError: 0 };
}

// 64 to 256 points to a deviation of one run, and 2¹⁸ to 24 deviations of all where that is between the two.
// Mutants: a count or a square that is left out, ends of the range exchanged, another number of points.
Deno.test("gridSpacing() is a share of one run's deviation, or of all runs' where that is between", () => {
  for (
    const [laws, spacing] of [
      [[{ law: law({ deviation: 0.5 }), count: 1 }], 0.5 / 256],
      [[{ law: law({ deviation: 0.5 }), count: 1e6 }], 0.5 / 64],
      [[{ law: law({ deviation: 0.5 }), count: 1e4 }], 24 * 50 / 2 ** 18],
      // Variance 4·9 + 5·16 = 116 of 9 runs.
      [
        [{ law: law({ deviation: 3 }), count: 4 }, { law: law({ deviation: 4 }), count: 5 }],
        Math.sqrt(116 / 9) / 256,
      ],
      [
        [{ law: law({ deviation: 3 }), count: 4e4 }, { law: law({ deviation: 4 }), count: 5e4 }],
        Math.sqrt(116e4 / 9e4) / 64,
      ],
      [
        [{ law: law({ deviation: 3 }), count: 4e3 }, { law: law({ deviation: 4 }), count: 5e3 }],
        24 * Math.sqrt(116e3) / 2 ** 18,
      ],
      [[{ law: law({ deviation: 0 }), count: 7 }], 1],
      [[], 1],
    ] as const
  ) assertAlmostEquals(gridSpacing(laws), spacing, 1e-12 * spacing);
});

// The finest that is wanted is moved to where atoms are on it. Mutants: an atom, its weight or its sign forgotten; a
// search that ends early, late or at what is worse.
Deno.test("gridSpacing() puts the largest atom on the grid, and the others as near as can be", () => {
  const of = (
    losses: readonly number[],
    { deviation = 1, count = 1, p = 0.5 } = {},
  ): LawPower => ({ law: law({ deviation, losses, p }), count });
  // One atom: as many points as are wanted. 0.7 at 1/256: 179.2.
  assertAlmostEquals(gridSpacing([of([0.7])]), 0.7 / 180, 1e-15);
  assertAlmostEquals(gridSpacing([of([-0.7])]), 0.7 / 180, 1e-15);
  // 3/7 of the largest: the next multiple of 7.
  assertAlmostEquals(gridSpacing([of([0.7, -0.3])]), 0.7 / 182, 1e-15);
  assertAlmostEquals(gridSpacing([of([0.1, -0.7, -0.3])]), 0.7 / 182, 1e-15);
  // Two laws: 0.7 of one, 0.21 of the other: a multiple of 10.
  assertAlmostEquals(gridSpacing([of([0.21]), of([0.7])]), 0.7 / 180, 1e-15);
  assertAlmostEquals(gridSpacing([of([0.7]), of([0.231])]), 0.7 / 200, 1e-15);
  // Exactly twice as many as wanted are tried too: 128 points are wanted, 255/256 of it needs 256.
  assertAlmostEquals(gridSpacing([of([0.5, 0.5 * 255 / 256])]), 0.5 / 256, 1e-15);
  // No grid has both: the one whose distances, weighed by their number of runs and probability, are least.
  // By either alone another grid would be best: 487, 496 or 292 points to 1.
  const weighed = [
    of([1], { count: 3, p: 0.25 }),
    of([0.091 + Math.SQRT2 / 1000], { count: 40, p: 0.02 }),
    of([0.341 + Math.sqrt(3) / 1000], { count: 7, p: 0.3 }),
  ];
  assertAlmostEquals(gridSpacing(weighed), 1 / 356, 1e-15);
  // Of several that are as good the coarsest: less work.
  assertAlmostEquals(gridSpacing([of([1, 0.5])]), 1 / 256, 1e-15);
  assertAlmostEquals(gridSpacing([of([1, 0.25], { deviation: 0.5 })]), 1 / 512, 1e-15);
});

// A transform has 2²⁰ points at most: beyond, cells and contours. Mutants: a law, a count, an end or a limit forgotten.
Deno.test("suitsGrid() wants atoms in every law, and a grid of at most 2²⁰ points", () => {
  const short = { law: approximateLoss({ epsilon: 0.4 }).forward, count: 2 };
  const smooth = { law: gaussianLoss({ mu: 0.3 }).forward, count: 3 };
  assert(suitsGrid([short]) && suitsGrid([]));
  assert(!suitsGrid([smooth]) && !suitsGrid([short, smooth]) && !suitsGrid([smooth, short]));
  // The grid resolves 1 by 256 points, so that 4096 are 2²⁰ of them.
  const range = (lowest: number, highest: number): LawPower => ({
    law: law({ losses: [1], lowest, highest }),
    count: 1,
  });
  assert(suitsGrid([range(-4, 4092)]) && !suitsGrid([range(-4, 4093)]));
  assert(suitsGrid([range(-4092, 4)]) && !suitsGrid([range(-4093, 4)]));
  assert(suitsGrid([range(3, 4099)]) && !suitsGrid([range(3, 4100)]));
  assert(!suitsGrid([range(-4, 4093), range(0, 1)]) && !suitsGrid([range(0, 1), range(-4, 4093)]));
  // 24 deviations of all runs, at 64 points to one: 2²⁰/(24·64) deviations, squared.
  const runs = (2 ** 20 / (24 * 64)) ** 2;
  const many = (count: number, deviation = 1): LawPower => ({
    law: law({ losses: [deviation], deviation }),
    count,
  });
  assert(suitsGrid([many(Math.floor(runs))]) && !suitsGrid([many(Math.ceil(runs) + 1)]));
  assert(suitsGrid([many(Math.floor(runs), 0.5)]) && !suitsGrid([many(Math.ceil(runs) + 1, 0.5)]));
  assert(suitsGrid([many(Math.floor(runs / 2)), many(Math.floor(runs / 2))]));
  assert(!suitsGrid([many(Math.ceil(runs / 2) + 1), many(Math.ceil(runs / 2) + 1)]));
});
