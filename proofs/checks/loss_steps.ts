import { capAll } from "../../lib/accounting/loss_levels.ts";
import {
  type CutLaw,
  cutLaw,
  dominatedLosses,
  dominatingLosses,
  lossCell,
  type SplitLosses,
} from "../../lib/accounting/loss_cells.ts";
import { shareAbove } from "../../lib/accounting/loss_moment.ts";
import {
  approximateLoss,
  finiteLoss,
  laplaceLoss,
  type LossLaw,
} from "../../lib/accounting/privacy_loss.ts";
import { deltaBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, exactly, UNIT_BITS } from "./dyadic_reference.ts";

const U = 2 ** -53;

/** What a mutant may stand in for. */
export const steps = { dominatingLosses, dominatedLosses };

/** What a mutant may stand in for. */
export type Steps = typeof steps;

const pairs = (side: SplitLosses["below"]): number[][] =>
  Array.from(side.losses, (loss, i) => [loss, side.masses[i]!]);

/** Losses that stand for a law lie on their safe side by its error and sixteen roundings, on the right side of the edge. */
export function requireSplits({ dominatingLosses, dominatedLosses }: Steps): void {
  const r = 2 ** -20, error = r + 16 * U;
  const law = {
    atoms: [{ loss: -1, p: 0.125, q: 0.25 }, { loss: 1, p: 0.25, q: 0.125 }, {
      loss: 8,
      p: 0.5,
      q: 0,
    }],
    intervalMass: (from: number) => ({ p: from === -Infinity ? 2 ** -10 : 0, q: 0 }),
    infinite: 0,
    lowest: -2,
    highest: 2,
    deviation: 1,
    relativeError: r,
  } as LossLaw;
  const cell = { from: -2, to: 0, low: 0.01, high: 0.02, merged: 0.025, middle: -1.5 };
  const next = { from: 0, to: 2, low: 0.03, high: 0.04, merged: 0.065, middle: 1.5 };
  const cut: CutLaw = { law, to: 2, cells: [cell, next] };
  const more = Math.exp(error), less = 1 - error;
  // Each loss and mass, and by which end of its output it is on a side of the edge; neighbours of one loss and side join.
  const high = [
    [-1 + error, 0.125 * more, -1],
    [1 + error, 0.25 * more, 1],
    [-2, 2 ** -10 * more, -2],
    [-2, 0.01, 0],
    [0, 0.02, 0],
    [0, 0.03, 2],
    [2, 0.04, 2],
  ] as const;
  const low = [
    [-1 - error, 0.125 * less, -1],
    [1 - error, 0.25 * less, 1],
    [-1.5, 0.025, 0],
    [1.5, 0.065, 2],
  ] as const;
  for (const edge of [-Infinity, -1, 0, 1]) {
    for (
      const [name, found, stated] of [
        ["upper", dominatingLosses(cut, { edge }), high],
        ["lower", dominatedLosses(cut, { edge }), low],
      ] as const
    ) {
      for (const [side, wanted] of [["below", true], ["above", false]] as const) {
        const expected: number[][] = [];
        for (const [loss, mass, end] of stated) {
          // The lowest losses are below an edge that is above them.
          if ((loss === -2 && end === -2 ? end < edge : end <= edge) !== wanted) continue;
          if (expected.at(-1)?.[0] === loss) expected.at(-1)![1]! += mass;
          else expected.push([loss, mass]);
        }
        const given = pairs(found[side]);
        requireEqual(given.length, expected.length, `losses ${side} ${edge} of ${name} bounds`);
        given.forEach(([loss, mass], i) => {
          const [at, weight] = expected[i]!;
          requireNear(loss!, at!, { absolute: 4 * U, relative: 0, what: `a loss of ${name}` });
          requireNear(mass!, weight!, { relative: 4 * U, what: `a mass of ${name} bounds` });
        });
      }
    }
  }
  // Too rare to divide: all at the worse end, more than it is, and never nothing.
  const rare = (p: number) =>
    lossCell({ ...law, intervalMass: () => ({ p, q: 0 }) }, { from: 0, to: 1 });
  requireEqual([rare(0).high, rare(0).merged, rare(0).low], [Number.MIN_VALUE, 0, 0]);
  requireEqual(
    [rare(0.01).low, rare(0.01).merged, rare(0.01).middle],
    [0, 0, 0],
    "a cell of P alone",
  );
  requireCuts();
  requireThat(
    rare(0.01).high >= 0.01 * (1 + 4 * r) && rare(0.01).high <= 0.01 * (1 + 5 * r),
    "a rare cell's room",
  );
}

/** Laws are cut at an edge inside what is left of them, and nowhere else. */
function requireCuts(): void {
  const { forward } = laplaceLoss({ epsilon: 1 });
  for (
    const [to, edge, ends] of [
      [2, -Infinity, [-1, 1]],
      [2, -1, [-1, 1]],
      [2, -0.5, [-1, -0.5, 1]],
      [2, 1, [-1, 1]],
      [2, 1.5, [-1, 1]],
      [0.25, 0, [-1, 0, 0.25]],
      [0.25, 0.25, [-1, 0.25]],
      [0.25, 0.5, [-1, 0.25]],
      [-1, -2, []],
      [-3, -4, []],
    ] as const
  ) {
    const { cells } = cutLaw(forward, { edge, to });
    const found = cells.length === 0 ? [] : [cells[0]!.from, ...cells.map((cell) => cell.to)];
    requireEqual(found, ends, `a law up to ${to} that is cut at ${edge}`);
  }
  const { forward: discrete } = approximateLoss({ epsilon: 1 });
  requireEqual(cutLaw(discrete, { edge: 0, to: 2 }).cells.length, 0, "cells of atoms");
}

/** Of laws with atoms, p is q·e^loss within the stated error, which holds the roundings of an exponential. */
export function requireAtoms(): void {
  const laws: LossLaw[] = [];
  for (let k = 1; k < 40; k++) {
    const epsilon = k * 0.137, share = 1 / (1 + epsilon);
    laws.push(
      laplaceLoss({ epsilon }).forward,
      approximateLoss({ epsilon, delta: 0.01 }).forward,
      finiteLoss({ p: [share, 1 - share], q: [1 - share, share] }).forward,
    );
  }
  for (const law of laws) {
    for (const { loss, p, q } of law.atoms) {
      const stated = exactly(q) * exactExp(loss) >> UNIT_BITS;
      const off = Math.abs(Number(((exactly(p) - stated) << 80n) / stated)) / 2 ** 80;
      requireThat(
        off <= 2 * law.relativeError,
        () => `a loss of ${loss} has chances ${p} and ${q}: off by ${off}`,
      );
    }
  }
}

/** Probabilities do not leave [0, 1], and what cannot be computed counts as certain. */
export function requireProbabilities(): void {
  const apart = finiteLoss({ p: [1, 0], q: [0, 1] });
  const { lower, upper } = deltaBounds([{ loss: apart, count: 2 }], { epsilon: 1 });
  requireThat(lower >= 0 && lower <= 1 && upper === 1, `δ in [${lower}, ${upper}]`);
  const nearly = finiteLoss({ p: [1 - 2 ** -40, 2 ** -40, 0], q: [0, 2 ** -40, 1 - 2 ** -40] });
  const { upper: most } = deltaBounds([{ loss: nearly, count: 30 }], { epsilon: 0 });
  requireThat(most <= 1 && most >= 1 - 1e-9, `δ of at most ${most}`);
  const { infinite } = capAll([{ law: apart.forward, count: 3 }], 1e-6);
  requireThat(infinite >= 1 && infinite <= 1 + 1e-11, `an infinite loss's chance is ${infinite}`);
  // Above one loss below the edge there is a share, not all.
  const one = (loss: number, mass: number) => ({
    losses: Float64Array.of(loss),
    masses: Float64Array.of(mass),
  });
  requireNear(
    shareAbove([{ split: { below: one(0, 0.75), above: one(1, 0.25) }, count: 1 }], 1),
    0.25 * Math.E / (0.75 + 0.25 * Math.E),
    { relative: 1e-13, what: "a share" },
  );
}
