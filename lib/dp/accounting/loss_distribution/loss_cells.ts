import type { LossLaw } from "./privacy_loss.ts";

const UNIT_ROUNDOFF = 2 ** -53;

/**
 * The outputs whose loss is in (from, to], replaced in two ways. Upper bounds use two outputs with the
 * losses `from` and `to`, from which the true ones are obtained by merging ("connect the dots":
 * Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, section 4); lower bounds use the merger of all.
 * Both differ from the truth by the square of the width. Every number is rounded to its safe side.
 */
export interface LossCell {
  /** The lower end, in nats. */
  readonly from: number;
  /** The upper end. */
  readonly to: number;
  /** With `high` at least the probability under P of the cell: what goes to the lower end, or less where more goes to the upper. */
  readonly low: number;
  /** At least that which goes to the upper end. */
  readonly high: number;
  /** At most the probability under P of the cell. */
  readonly merged: number;
  /** At most the loss of the merger. */
  readonly middle: number;
}

/** The cell of `law` from one loss to another. */
export function lossCell(law: LossLaw, { from, to }: { from: number; to: number }): LossCell {
  const { p, q } = law.intervalMass!(from, to);
  const difference = law.intervalDifference?.(from, to);
  const split = -Math.expm1(from - to);
  // With what a rounding of an end does to the differences, relative to them.
  const error = 4 * law.relativeError + 16 * UNIT_ROUNDOFF +
    (8 * UNIT_ROUNDOFF * Math.max(Math.abs(from), Math.abs(to))) / (to - from);
  const merged = p * (1 - error);
  if (!(merged > 0 && q > 0)) {
    // Too rare to divide: all of it at the end that is worse, and nothing of it in lower bounds.
    return { from, to, low: 0, high: p * (1 + error) + Number.MIN_VALUE, merged: 0, middle: from };
  }
  if (difference !== undefined) {
    const { rise, fall } = difference;
    const within = -Math.log1p(-Math.min(1 - UNIT_ROUNDOFF, (rise / p) * (1 - 2 * error)));
    return {
      from,
      to,
      low: ((fall * Math.exp(from)) / split) * (1 + error),
      high: (rise / split) * (1 + error),
      merged,
      middle: downwards(from + within * (1 - error), from),
    };
  }
  const most = p * (1 + error);
  const high = Math.min(
    most,
    Math.max(0, p - q * Math.exp(from) + 3 * error * p) * ((1 + error) / split),
  );
  const middle = Math.log(p) - Math.log(q);
  const slack = 3 * error + 4 * UNIT_ROUNDOFF * (Math.abs(Math.log(p)) + Math.abs(Math.log(q)));
  return { from, to, low: most - high, high, merged, middle: downwards(middle - slack, from) };
}

function downwards(loss: number, least: number): number {
  return Math.max(least, loss - 4 * UNIT_ROUNDOFF * Math.abs(loss));
}

/** Finitely many losses and their probabilities under P, which need not sum to 1. */
export interface FiniteLosses {
  /** In nats, in no order. */
  readonly losses: Float64Array;
  /** Probabilities under P: positive. */
  readonly masses: Float64Array;
}

/** The part of a law between two losses, cut into cells. */
export interface CutLaw {
  /** The law that was cut. */
  readonly law: LossLaw;
  /** The cells end here; atoms above count as absent. */
  readonly to: number;
  /** Side by side up to `to`; none where there is no continuous part. */
  readonly cells: readonly LossCell[];
}

/** The law up to one loss in two cells, which meet at `edge` if that is inside. */
export function cutLaw(law: LossLaw, { edge, to }: { edge: number; to: number }): CutLaw {
  const { lowest } = law, end = Math.min(to, law.highest);
  if (law.intervalMass === undefined || !(end > lowest)) return { law, to, cells: [] };
  if (!(edge > lowest && edge < end)) {
    return { law, to, cells: [lossCell(law, { from: lowest, to: end })] };
  }
  const cells = [{ from: lowest, to: edge }, { from: edge, to: end }].map((ends) =>
    lossCell(law, ends)
  );
  return { law, to, cells };
}

/** Losses of the same cells, split at an edge. */
export interface SplitLosses {
  /** The losses up to the edge. */
  readonly below: FiniteLosses;
  /** The losses above the edge. */
  readonly above: FiniteLosses;
}

/** Losses that dominate the law up to `to`, and so give upper bounds. */
export function dominatingLosses(
  { law, to, cells }: CutLaw,
  { edge }: { edge: number },
): SplitLosses {
  const error = law.relativeError + 16 * UNIT_ROUNDOFF, more = Math.exp(error);
  const below: Collected = { losses: [], masses: [] },
    above: Collected = { losses: [], masses: [] };
  for (const { loss, p } of law.atoms) {
    if (loss <= to) put(loss <= edge ? below : above, loss + error, p * more);
  }
  if (law.intervalMass !== undefined) {
    const { lowest } = law;
    put(lowest < edge ? below : above, lowest, law.intervalMass(-Infinity, lowest).p * more);
  }
  for (const cell of cells) {
    put(cell.to <= edge ? below : above, cell.from, cell.low);
    put(cell.to <= edge ? below : above, cell.to, cell.high);
  }
  return { below: finite(below), above: finite(above) };
}

/** Losses that are dominated by the law up to `to`, and so give lower bounds. */
export function dominatedLosses(
  { law, to, cells }: CutLaw,
  { edge }: { edge: number },
): SplitLosses {
  const error = law.relativeError + 16 * UNIT_ROUNDOFF, less = 1 - error;
  const below: Collected = { losses: [], masses: [] },
    above: Collected = { losses: [], masses: [] };
  for (const { loss, p } of law.atoms) {
    if (loss <= to) put(loss <= edge ? below : above, loss - error, p * less);
  }
  for (const cell of cells) put(cell.to <= edge ? below : above, cell.middle, cell.merged);
  return { below: finite(below), above: finite(above) };
}

interface Collected {
  readonly losses: number[];
  readonly masses: number[];
}

/** Joins neighbours of one loss; roundings of the sum are covered by the cells' own. */
function put({ losses, masses }: Collected, loss: number, mass: number): void {
  if (!(mass > 0)) return;
  if (losses.at(-1) === loss) masses.push(masses.pop()! + mass);
  else {
    losses.push(loss);
    masses.push(mass);
  }
}

function finite({ losses, masses }: Collected): FiniteLosses {
  return { losses: Float64Array.from(losses), masses: Float64Array.from(masses) };
}
