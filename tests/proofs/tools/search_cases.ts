import { pure } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { certifiedMaximum } from "../../../proofs/tools/certified_maximum.ts";
import { largestLogRatio } from "../../../proofs/tools/density_ratio.ts";
import { gaussLegendre } from "../../../proofs/tools/gauss_legendre.ts";
import { reciprocal, square } from "../../../proofs/tools/gradient_interval.ts";
import { largestMechanismLoss } from "../../../proofs/tools/mechanism_loss.ts";
import {
  laplaceIntegral,
  noisyMaxProbability,
  transcriptProbability,
} from "../../../proofs/tools/quadrature.ts";
import { largestChange } from "../../../proofs/tools/sensitivity.ts";
import {
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../../../proofs/engine/requirement.ts";

/** The searches of lib/judge/exact. */
export const shipped = {
  certifiedMaximum,
  largestLogRatio,
  gaussLegendre,
  largestMechanismLoss,
  laplaceIntegral,
  noisyMaxProbability,
  transcriptProbability,
  largestChange,
  square,
  reciprocal,
};

/** Searches in their place. */
export type Searches = typeof shipped;

/** Searches climb to closed forms, start where they are told to, and report no more than there is. */
export function requireLogRatios(largestLogRatio: Searches["largestLogRatio"]): void {
  const found = largestLogRatio<readonly number[]>({
    pairs: [{ left: [0, 0, 0], right: [1, 2, 2] }, { left: [0, 0, 0], right: [0.1, 0, 0] }],
    logDensity: (y, centre) => -2 * Math.hypot(...y.map((value, j) => value - centre[j]!)),
    dimension: 3,
    starts: 20,
    seed: 1,
  });
  requireNear(found.loss, 6, { relative: 2e-4 });
  requireThat(found.loss <= 6 + 1e-9, "more than there is");
  requireEqual([found.left, found.right], [[0, 0, 0], [1, 2, 2]]);
  const spike = (y: Float64Array, centre: number): number => y[0] === 7 && centre === 0 ? 5 : 0;
  const search = { pairs: [{ left: 0, right: 1 }], logDensity: spike, dimension: 1, starts: 1 };
  requireEqual(largestLogRatio({ ...search, seed: 1, outputs: [Float64Array.of(7)] }).loss, 5);
  requireEqual(largestLogRatio({ ...search, seed: 1 }).loss, 0);
  // It climbs by steps of the start's scale, which are halved: from 0 to the top at −2.37.
  const top = largestLogRatio({
    pairs: [{ left: 0, right: 1 }],
    logDensity: (y, side) => side === 0 ? 0 : Math.min(0, Math.abs(y[0]! + 2.37) - 9),
    dimension: 1,
    starts: 1,
    outputs: [Float64Array.of(0)],
    seed: 1,
  });
  requireNear(top.loss, 9, { absolute: 1e-3 });
  // Along each axis, either way.
  for (const axis of [0, 1, 2]) {
    for (const place of [2.37, -2.37]) {
      const found = largestLogRatio({
        pairs: [{ left: 0, right: 1 }],
        logDensity: (y, side) => side === 0 ? 0 : Math.min(0, Math.abs(y[axis]! - place) - 9),
        dimension: 3,
        starts: 1,
        outputs: [new Float64Array(3)],
        seed: 1,
      });
      requireNear(found.loss, 9, { absolute: 1e-3, what: `a top at ${place} along axis ${axis}` });
    }
  }
  for (
    const [wrong, words] of [
      [{ pairs: [] }, "pairs must not be empty"],
      [{ starts: 0, outputs: [Float64Array.of(7)] }, "starts must be"],
      [{ starts: 1.5 }, "starts must be"],
      [{ dimension: 0 }, "dimension must be"],
    ] as const
  ) {
    requireRefused(
      "a search of nothing",
      () => largestLogRatio({ ...search, seed: 1, ...wrong }),
      words,
    );
  }
  requireStarts(largestLogRatio);
}

/** Where searches start, and that what they show is where they found it. */
function requireStarts(largestLogRatio: Searches["largestLogRatio"]): void {
  const one = { pairs: [{ left: 0, right: 1 }], dimension: 1, seed: 1 };
  const seen: number[] = [];
  largestLogRatio({
    ...one,
    starts: 400,
    logDensity: ([y], side) => {
      if (side === 0) seen.push(Math.abs(y!));
      return side === 0 ? 0 : Infinity;
    },
  });
  // One look at each start: normal numbers times 10^u with u uniform on [−2, 2].
  requireEqual(seen.length, 400);
  for (
    const [below, least, most] of [[0.1, 0.25, 0.4], [1, 0.5, 0.65], [10, 0.76, 0.88]] as const
  ) {
    const share = seen.filter((y) => y < below).length / 400;
    requireThat(share > least && share < most, () => `${share} of the starts are below ${below}`);
  }
  // What neither side can put out loses nothing, wherever it is met.
  const nowhere = largestLogRatio({
    ...one,
    starts: 2,
    outputs: [Float64Array.of(5), Float64Array.of(0.25)],
    logDensity: ([y], side) => y === 5 ? -Infinity : Math.abs(y!) < 1 ? -side : 0,
  });
  requireEqual(nowhere.loss, 1);
  // The output that is shown has the loss that is shown, to the last bit of both.
  for (const at of [0.1, 1 / 3, 0.7]) {
    for (const most of [3, Infinity]) {
      const found = largestLogRatio({
        ...one,
        starts: 1,
        outputs: [Float64Array.of(at)],
        logDensity: ([y], side) => y === at && side === 0 ? most : 0,
      });
      requireEqual([found.loss, found.output], [most, [at]]);
    }
  }
}

/** Losses of laws are those of their largest ratio, of either sign; densities are climbed where outputs are numbers. */
export function requireMechanismLosses(
  largestMechanismLoss: Searches["largestMechanismLoss"],
): void {
  const asked = { name: "by hand", claim: pure({ epsilon: 1, relation: replaceOne }) };
  const sides = { left: [0], right: [1] };
  const chances = [[0, 0.1, 0.9], [0, 0.5, 0.5]];
  const listed = {
    ...asked,
    sample: (): number => 1,
    distribution: ([row]: readonly number[]) =>
      chances[row!]!.map((probability, output) => ({ output, probability })),
  };
  const law = largestMechanismLoss(listed, { pairs: [sides], seed: 1 });
  requireNear(law.loss, Math.log(5));
  requireEqual([law.output, law.left, law.right], [1, [0], [1]]);
  requireRefused(
    "no draws",
    () => largestMechanismLoss(listed, { pairs: [sides], seed: 1, draws: 0 }),
  );
  requireRefused("no pairs", () => largestMechanismLoss(listed, { pairs: [], seed: 1 }));
  requireEqual(largestMechanismLoss(listed, { pairs: [sides], seed: 1, draws: 1 }), law);
  const logDensity = (y: readonly number[], [row]: readonly number[]): number =>
    -y.reduce((total, value) => total + Math.abs(value - row!), 0);
  const lists = { ...asked, sample: () => [0.5, 0.5], logDensity };
  const two = largestMechanismLoss<number, number[]>(lists, { pairs: [sides], seed: 1 });
  requireNear(two.loss, 2, { relative: 1e-3 });
  requireEqual(two.output.length, 2);
  const single = {
    ...asked,
    sample: () => 0.5,
    logDensity: (y: number, data: readonly number[]) => logDensity([y], data),
  };
  const one = largestMechanismLoss<number, number>(single, { pairs: [sides], seed: 1 });
  requireNear(one.loss, 1, { relative: 1e-3 });
  requireEqual(typeof one.output, "number");
  const drawn = [0, 0];
  const texts = {
    ...asked,
    sample: ([row]: readonly number[]) => (drawn[row!]!++, "a"),
    logDensity: (y: string, [row]: readonly number[]) => {
      requireThat(y === "a" || y === "b", () => `the density of ${y} is asked for`);
      return y === "a" ? [-Infinity, -1][row!]! : -Infinity;
    },
  };
  const said = largestMechanismLoss<number, string>(texts, {
    pairs: [sides],
    outputs: ["b"],
    seed: 1,
  });
  requireEqual([said.loss, said.output, drawn], [Infinity, "a", [20, 20]]);
  const impossible = { ...texts, logDensity: () => -Infinity };
  requireEqual(
    largestMechanismLoss<number, string>(impossible, { pairs: [sides], seed: 1 }).loss,
    0,
  );
  requireRefused(
    "a mechanism without a law",
    () => largestMechanismLoss({ ...asked, sample: () => 0 }, { pairs: [sides], seed: 1 }),
    "must be known",
  );
  // Uniform on [0, 1], or on [0.2, 1.2]: e^−40 counts as nothing where it climbs.
  const uniform = {
    ...asked,
    sample: () => 0.5,
    logDensity: (y: number, [row]: readonly number[]) =>
      y >= 0.2 * row! && y <= 1 + 0.2 * row! ? 0 : -Infinity,
  };
  requireEqual(
    largestMechanismLoss<number, number>(uniform, { pairs: [sides], seed: 1 }).loss,
    40,
  );
}

/** The change that is reported is the largest one found, less its uncertainty. */
export function requireChanges(largestChange: Searches["largestChange"]): void {
  const measure = ([x]: readonly number[]) => ({ distance: 1 - (x! - 0.7) ** 2, uncertainty: 0.1 });
  const still = largestChange({ pairs: [[0]], measure, bound: 2, seed: 1 });
  requireNear(still.share, (0.51 - 0.1) / 2);
  requireNear(still.most, (0.51 + 0.1) / 2);
  requireEqual(largestChange({ pairs: [[0]], measure, bound: 2, climbs: 0, seed: 1 }), still);
  const climbed = largestChange<readonly number[]>({
    pairs: [[0]],
    measure,
    move: ([x], { source, size }) => [x! + size * (2 * source.uniform() - 1)],
    bound: 2,
    seed: 1,
  });
  requireThat(climbed.share > 0.44 && climbed.share <= 0.45, "what it climbs to");
  requireEqual(climbed.pairs, 61);
  const best = largestChange<number>({
    pairs: [1, 2, 3, 2],
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair === 3 ? 7 : 0,
    bound: 10,
    climbs: 1,
    steps: 1,
    seed: 1,
  });
  requireEqual([best.pair, best.share, best.pairs], [7, 0.7, 5]);
  // A climb that ends below the best pair does not replace it.
  const kept = largestChange<number>({
    pairs: [5, 1, 2],
    measure: (pair) => ({ distance: pair, uncertainty: 0 }),
    move: (pair) => pair === 5 ? 0 : pair + 0.01,
    bound: 10,
    climbs: 3,
    steps: 5,
    seed: 1,
  });
  requireEqual(kept.pair, 5);
  const sizes: number[] = [];
  largestChange<number>({
    pairs: [1],
    measure: () => ({ distance: 1, uncertainty: 0 }),
    move: (pair, { size }) => (sizes.push(size), pair),
    bound: 1,
    seed: 1,
  });
  requireEqual([sizes.length, sizes[0]], [60, 0.5], "moves, and the size of the first");
  requireThat(sizes.every((size, i) => i === 0 || size < sizes[i - 1]!), "sizes that do not fall");
  for (const wrong of [{ bound: 0 }, { bound: -1 }, { bound: 1, climbs: -1 }]) {
    requireRefused(
      "a bound of 0",
      () => largestChange({ pairs: [[0]], measure, seed: 1, ...wrong }),
    );
  }
  requireRefused("no pairs", () => largestChange({ pairs: [], measure, bound: 1, seed: 1 }));
}
