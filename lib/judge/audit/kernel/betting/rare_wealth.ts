import { logSumExp } from "../../../../core/numeric/log_sum_exp.ts";
import type { RareBatch, RareCell } from "./prediction_batch.ts";
import { RARE_SHARE } from "./shares.ts";

/** A point of a claim: every event has P(S) ≤ e^ε·Q(S) + δ. */
interface Point {
  readonly epsilon: number;
  readonly delta: number;
}

/** Stakes as shares of the largest one, each with its share of a cell's wealth. An event of one dataset alone wins most by all. */
const STAKES = [
  { of: 1, share: 0.55 },
  { of: 0.7, share: 0.15 },
  { of: 0.4, share: 0.15 },
  { of: 0.15, share: 0.15 },
];

/**
 * The share of a cell's wealth that bets on the dataset on which the cell was seen more often before; the rest bets on the
 * other one.
 */
const ON_FAVOURED = 0.8;

/** The families of cells: one where they are few, one where each value that repeats may have a cell. */
const FAMILIES = 2;

/** The share of the k-th cell of a family, k from 0 on, is HEAD/((k + HEAD)(k + HEAD + 1)): all together 1. */
const HEAD = 6;

/** Cells with fewer draws are left out when wealth is added up. That makes the wealth smaller, never larger. */
const FEWEST_DRAWS = 3;

/** A cell that is bet on. */
interface Stake {
  readonly share: number;
  readonly favoured: "left" | "right";
  /** Draws of its pair when it was first bet on. */
  readonly since: number;
  readonly hits: { left: number; right: number };
  isLost: boolean;
}

/** The cells of one predictor. */
interface Cells {
  draws: number;
  readonly stakes: Stake[];
}

/**
 * The wealth of bets on rare cells of outputs: values, kinds and ranges that hardly ever come.
 *
 * A cell is bet on from the batch after the one in which it was found, with a share of the stake that depends on the order in which
 * cells were found, and with fixed stakes. So its wealth depends on its counts alone, and each cell's loss is its own: thousands of
 * cells that show nothing take nothing from the one that shows a difference. The sum over cells, with shares fixed before their
 * draws, is an e-process, for each of them is one.
 */
export class RareWealth {
  readonly #cells = new Map<number, Cells>();
  readonly #begun: number[] = new Array(FAMILIES).fill(0);

  /** Settles the bets on a batch. Cells that were found before it, and are not bet on yet, are bet on from this batch on. */
  add({ of, known, hits, draws }: RareBatch): void {
    let own = this.#cells.get(of);
    if (own === undefined) this.#cells.set(of, own = { draws: 0, stakes: [] });
    if (known.length > own.stakes.length) this.#begin(own, known.slice(own.stakes.length));
    own.draws += draws;
    for (const { cell, left, right } of hits) {
      const stake = own.stakes[cell];
      if (stake === undefined) continue;
      stake.hits.left += left;
      stake.hits.right += right;
    }
  }

  /**
   * Gives up all cells that are bet on: draws whose outputs did not come may have been in any of them, on the side that loses
   * the bet.
   */
  lose(): void {
    for (const { stakes } of this.#cells.values()) for (const stake of stakes) stake.isLost = true;
  }

  /** Bets on these cells from now on; those that differed most before have the largest shares. */
  #begin({ draws, stakes }: Cells, cells: readonly RareCell[]): void {
    const difference = ({ seen: { left, right } }: RareCell): number => Math.abs(left - right);
    const order = [...cells.keys()].sort((a, b) => difference(cells[b]!) - difference(cells[a]!));
    const begun = new Array<Stake>(cells.length);
    for (const at of order) {
      const { family, seen } = cells[at]!;
      begun[at] = {
        share: shareOf(this.#begun[family]!++) / FAMILIES,
        favoured: seen.left > seen.right ? "left" : "right",
        since: draws,
        hits: { left: 0, right: 0 },
        isLost: false,
      };
    }
    stakes.push(...begun);
  }

  /** Cells that were bet on so far, of each family. */
  get begun(): readonly number[] {
    return this.#begun;
  }

  /** Returns the logarithm of the wealth against the claim with these points. */
  logAgainst(points: readonly Point[]): number {
    let idle = 1;
    const logs: number[] = [];
    for (const { draws, stakes } of this.#cells.values()) {
      for (const { share, favoured, since, hits, isLost } of stakes) {
        idle -= share;
        if (isLost || hits.left + hits.right < FEWEST_DRAWS) continue;
        const other = favoured === "left" ? "right" : "left";
        const bets = { points, draws: draws - since };
        logs.push(
          Math.log(share * ON_FAVOURED) +
            logWealthOf({ favoured: hits[favoured], other: hits[other] }, bets),
          Math.log(share * (1 - ON_FAVOURED)) +
            logWealthOf({ favoured: hits[other], other: hits[favoured] }, bets),
        );
      }
    }
    return logSumExp([...(idle > 0 ? [Math.log(idle)] : []), ...logs]);
  }
}

/** Returns the logarithm of all wealth: of bets on rare cells, and of all others. Both arguments are logarithms. */
export function withRareShare(others: number, rare: number): number {
  return rare <= others
    ? others + Math.log1p(RARE_SHARE * Math.expm1(rare - others))
    : rare + Math.log1p((1 - RARE_SHARE) * Math.expm1(others - rare));
}

/** Returns the share of the k-th cell of a family, k from 0 on. */
function shareOf(k: number): number {
  return HEAD / ((k + HEAD) * (k + HEAD + 1));
}

/** Returns the logarithm of the wealth in the next cell that is found, after `hits` draws in it, all of one dataset. */
export function logWealthOfNextCell(
  hits: number,
  { begun, points, draws }: {
    /** Cells of each family so far. */
    readonly begun: readonly number[];
    readonly points: readonly Point[];
    /** Draws of the pair. */
    readonly draws: number;
  },
): number {
  const share = shareOf(Math.max(0, ...begun)) / FAMILIES * ON_FAVOURED;
  return Math.log(share) + logWealthOf({ favoured: hits, other: 0 }, { points, draws });
}

/**
 * Returns the logarithm of the wealth in one cell. The bet of point (ε, δ) with stake s ≤ 1/(2e^ε + δ) multiplies the wealth by 1 + 2s − sδ at a draw of the favoured dataset in the
 * cell, by 1 − 2s·e^ε − sδ at one of the other dataset in the cell, and by 1 − sδ at any other draw: at most 1 in expectation.
 * What is computed is s·e^ε, for e^ε has no double above ε = 709.
 */
function logWealthOf(
  { favoured, other }: { readonly favoured: number; readonly other: number },
  { points, draws }: { readonly points: readonly Point[]; readonly draws: number },
): number {
  const logs: number[] = [];
  for (const { epsilon, delta } of points) {
    const decay = Math.exp(-epsilon);
    for (const { of, share } of STAKES) {
      const grown = of / (2 + delta * decay), s = grown * decay;
      const lost = Math.max(0, 1 - 2 * grown - s * delta);
      logs.push(
        Math.log(share / points.length) + favoured * Math.log1p(2 * s - s * delta) +
          (other === 0 ? 0 : other * Math.log(lost)) +
          (draws - favoured - other) * Math.log1p(-s * delta),
      );
    }
  }
  return logSumExp(logs);
}
