import { type CutLaw, cutLaw, dominatedLosses, dominatingLosses, lossCell } from "./loss_cells.ts";
import { sumAbove, sumBelow } from "./certain_sum.ts";
import type { DeltaCurve } from "./delta_curve.ts";
import {
  logMomentOfSum,
  logPeak,
  type LossPower,
  momentEpsilon,
  saddleDensity,
  saddleTilt,
  shareAbove,
  splitMoment,
} from "./loss_moment.ts";
import { capAll, infiniteBelow, type Level, levelsOf } from "./loss_levels.ts";
import type { LawPower, LossLaw } from "./privacy_loss.ts";
import { aliased, smoothedBounds, type Smoothing } from "./smoothed_delta.ts";

/** Point of the curve at which the bounds must be tight. */
export interface CurveFocus {
  /** The ε near which the bounds must be tight. */
  readonly epsilon: number;
  /** Approximate δ at that ε. */
  readonly delta: number;
  /** Distance of the bounds, relative to δ. */
  readonly gap: number;
}

/** Bounds that are certain everywhere and near each other about one ε. */
export interface FocusedCurve extends DeltaCurve {
  /** Losses times points of the contours: what the bounds took. */
  readonly work: number;
  /** True if the work reached its limit, so that no gap can be narrower. */
  readonly limited: boolean;
}

/** Cells at most, and losses times points of a contour at most; a point itself takes as long as so many losses. */
const MOST_CELLS = 2 ** 14, MOST_WORK = 6e7, LOSSES_A_POINT = 48;
/** Share of δ that may go to losses counted as infinite. */
const RARE_SHARE = 1e-6;
/** Share of the gap that aliased sums, whole periods away, may add. */
const ALIAS_SHARE = 1e-2;
/** Standard deviations after which a normal factor is left out: below 1e-12. */
const NORMAL_END = 7.5;
/** Nats of smoothing at most: what it adds to δ is bounded well up to here. */
const WIDEST = 1;

interface CutPower {
  readonly cut: CutLaw;
  readonly count: number;
}

function dominating(cuts: readonly CutPower[], level: Level): LossPower[] {
  return cuts.map(({ cut, count }) => ({ split: dominatingLosses(cut, level), count }));
}

interface Aim {
  readonly tilt: number;
  /** Upper limit on the total cost of the cells. */
  readonly most: number;
}

/**
 * An eighth of the squared width for every run, tilted: times the density at ε, the gap it makes in δ. A
 * run above the edge is in every outcome of the level, where it is only in `share` of all.
 */
function costsOf(
  { cut, count }: CutPower,
  { split, level, tilt, share }: {
    split: LossPower["split"];
    level: Level;
    tilt: number;
    share: number;
  },
): number[] {
  const { log } = splitMoment(split, tilt);
  return cut.cells.map(({ from, to, low, high }) =>
    ((0.125 * count * (to - from) ** 2) / (to > level.edge ? share : 1)) *
    (low * Math.exp(tilt * from - log) + high * Math.exp(tilt * to - log))
  );
}

/** Halves the cells that cost more than their share until all together cost little enough. */
function refined(
  laws: readonly LawPower[],
  level: Level,
  aim: (parts: readonly LossPower[]) => Aim,
): CutPower[] {
  let cuts: CutPower[] = laws.map(({ law, count }) => ({ cut: cutLaw(law, level), count }));
  for (let before = -1;;) {
    const parts = dominating(cuts, level), { tilt, most } = aim(parts);
    const share = shareAbove(parts, tilt);
    const costs = cuts.map((cut, i) =>
      costsOf(cut, { split: parts[i]!.split, level, tilt, share })
    );
    const total = costs.flat().reduce((sum, cost) => sum + cost, 0);
    const cells = cuts.reduce((sum, { cut }) => sum + cut.cells.length, 0);
    if (!(total > most) || cells > MOST_CELLS || cells === before) return cuts;
    before = cells;
    const dear = Math.max(most, total / 8) / (2 * cells);
    cuts = cuts.map(({ cut, count }, i) => ({
      cut: {
        ...cut,
        cells: cut.cells.flatMap((cell, j) => halves(cell, cut.law, costs[i]![j]! > dear)),
      },
      count,
    }));
  }
}

type Cell = CutLaw["cells"][number];

function halves(cell: Cell, law: LossLaw, dear: boolean): Cell[] {
  const { from, to } = cell, middle = 0.5 * (from + to);
  if (!dear || middle <= from || middle >= to) return [cell];
  return [lossCell(law, { from, to: middle }), lossCell(law, { from: middle, to })];
}

/** Roughly the ε at δ: the quick bound by moments, of laws cut just finely enough for it. */
export function roughEpsilon(laws: readonly LawPower[], { delta }: { delta: number }): number {
  let epsilon = 0;
  const { cap, infinite } = capAll(laws, 0.1 * delta);
  if (infinite >= delta) return Infinity;
  const level = { to: cap, edge: -Infinity };
  refined(laws, level, (parts) => {
    epsilon = momentEpsilon(parts, { delta: delta - infinite });
    const tilt = saddleTilt(parts, { epsilon });
    // No ε is needed: nothing has to be cut.
    if (!(epsilon > 0)) return { tilt, most: Infinity };
    return { tilt, most: Math.min(0.01 * epsilon, 0.2 / tilt) / (1 + tilt) };
  });
  return Math.max(0, epsilon);
}

/** Roughly δ at ε: Chernoff's bound, of laws cut just finely enough for it. */
export function roughDelta(laws: readonly LawPower[], { epsilon }: { epsilon: number }): number {
  let delta = 1;
  refined(laws, { to: Infinity, edge: -Infinity }, (parts) => {
    const tilt = saddleTilt(parts, { epsilon });
    delta = Math.exp(logMomentOfSum(parts, tilt) + logPeak(tilt) - tilt * epsilon);
    return { tilt, most: 0.01 / (1 + tilt) ** 2 };
  });
  return Math.min(1, Math.max(1e-300, delta));
}

/** Bounds on the δ of the composition of all laws. */
export function focusedCurve(laws: readonly LawPower[], focus: CurveFocus): FocusedCurve {
  const { epsilon, delta, gap } = focus;
  const { cap, infinite } = capAll(laws, RARE_SHARE * delta);
  const levels = levelsOf(laws, { cap, epsilon });
  const share = (gap * delta) / levels.length;
  const curves = levels.map((level) => levelCurve(laws, level, { epsilon, share }));
  const certain = infiniteBelow(laws);
  return {
    upperAt: (at) => sumAbove([infinite, ...curves.map(({ upper }) => upper.upperAt(at))]),
    lowerAt: (at) => sumBelow([certain, ...curves.map(({ lower }) => lower.lowerAt(at))]),
    work: curves.reduce((sum, { work }) => sum + work, 0),
    limited: curves.some(({ limited }) => limited),
  };
}

function levelCurve(
  laws: readonly LawPower[],
  level: Level,
  { epsilon, share }: { epsilon: number; share: number },
): { upper: DeltaCurve; lower: DeltaCurve; work: number; limited: boolean } {
  let saddle = 1, most = 0;
  const cuts = refined(laws, level, (parts) => {
    saddle = saddleTilt(parts, { epsilon });
    const density = saddleDensity(parts, { epsilon, tilt: saddle });
    // More than this would make δ another: by a factor of e^(tilt·(tilt + 1)·most/2).
    most = Math.min((0.5 * share) / density, 0.25 / (saddle * (1 + saddle)));
    return { tilt: saddle, most };
  });
  const above = dominating(cuts, level);
  const below = cuts.map(({ cut, count }) => ({ split: dominatedLosses(cut, level), count }));
  const { smoothing: chosen, limited } = smoothing(above, {
    epsilon,
    saddle,
    width: Math.min(WIDEST, Math.sqrt(most)),
    alias: ALIAS_SHARE * share,
  });
  return {
    upper: smoothedBounds(above, chosen),
    lower: smoothedBounds(below, chosen),
    work: chosen.points * (lossesOf(above) + lossesOf(below) + 2 * LOSSES_A_POINT),
    limited,
  };
}

/**
 * The shortest period that adds as little as `alias` to δ, and the tilt for it: with less than the saddle's, rare large
 * sums need a shorter one.
 */
function periodOf(
  parts: readonly LossPower[],
  { epsilon, saddle, width, alias }: {
    epsilon: number;
    saddle: number;
    width: number;
    alias: number;
  },
): { tilt: number; period: number } {
  let tilt = saddle, period = 1e3 / saddle;
  for (let less = saddle; less > 0.2 * saddle; less *= 0.75) {
    for (let trial = 5 / less; trial < period; trial *= 1.2) {
      const smoothing = { tilt: less, step: (2 * Math.PI) / trial, points: 0, width };
      if (aliased(parts, smoothing, epsilon) <= alias) [tilt, period] = [less, trial];
    }
  }
  return { tilt, period };
}

/** The least points on the contour that make so little smoothing and aliasing, if they are not too many. */
function smoothing(
  parts: readonly LossPower[],
  aim: { epsilon: number; saddle: number; width: number; alias: number },
): { smoothing: Smoothing; limited: boolean } {
  const { tilt, period } = periodOf(parts, aim), { width } = aim;
  const step = (2 * Math.PI) / period;
  const wanted = Math.ceil(NORMAL_END / (width * step)) + 1;
  const points = Math.min(wanted, Math.ceil(MOST_WORK / (lossesOf(parts) + LOSSES_A_POINT)));
  const limited = points < wanted;
  return {
    smoothing: { tilt, step, points, width: limited ? NORMAL_END / (points * step) : width },
    limited,
  };
}

function lossesOf(parts: readonly LossPower[]): number {
  return parts.reduce(
    (sum, { split: { below, above } }) => sum + below.losses.length + above.losses.length,
    1,
  );
}
