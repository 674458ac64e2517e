import { gridCurve } from "../../lib/accounting/grid_curve.ts";
import { optimisticGrid, pessimisticGrid } from "../../lib/accounting/loss_grid.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, UNIT_BITS } from "./dyadic_reference.ts";
import { exactLog, LOG_BITS } from "./exact_logarithm.ts";
import { sum } from "./moment_parts.ts";

/** What a mutant may stand in for. */
export const lossRooms = { optimisticGrid, pessimisticGrid, finiteLoss };

type LossRooms = typeof lossRooms;

/** The losses of shipped laws are those of their probabilities, within what is said of them: in whole numbers. */
export function requireErrorsOfLaws({ finiteLoss }: LossRooms, source: SeededSource): void {
  const within = (name: string, off: bigint, { relativeError }: LossLaw): void => {
    const { numerator, denominator } = rational(relativeError);
    const room = (numerator << LOG_BITS) / denominator;
    requireThat((off < 0n ? -off : off) <= room, `${name}: off by more than ${relativeError}`);
  };
  const logOf = (value: number): bigint => {
    const { numerator, denominator } = rational(value);
    return exactLog(numerator, denominator);
  };
  const scaled = (value: number): bigint => {
    const { numerator, denominator } = rational(value);
    return (numerator << LOG_BITS) / denominator;
  };
  for (let k = 0; k < 40; k++) {
    // Losses from next to nothing to hundreds.
    const rare = Math.exp(-k * 17 - source.uniform()), other = source.uniform() / 2;
    const { forward } = finiteLoss({ p: [1 - other, other, 0], q: [rare, 1 - rare, 0] });
    for (const { loss, p, q } of forward.atoms) {
      within(`a loss of ${loss}`, scaled(loss) - logOf(p) + logOf(q), forward);
    }
    const epsilon = 20 * source.uniform() + (k % 4 === 0 ? 600 : 0);
    for (
      const { forward, backward } of [
        laplaceLoss({ epsilon }),
        approximateLoss({ epsilon }),
        poissonSubsampledLoss(approximateLoss({ epsilon }), { rate: 0.3 }),
        // So rare that the loss is about ln 2.
        poissonSubsampledLoss(approximateLoss({ epsilon }), { rate: Math.exp(-epsilon) }),
      ]
    ) {
      for (const law of [forward, backward]) {
        for (const { loss, p, q } of law.atoms) {
          within(`an atom of ${loss}`, scaled(loss) - logOf(p) + logOf(q), law);
        }
      }
    }
    const laplace = laplaceLoss({ epsilon }).forward, [lower, upper] = laplace.atoms;
    within("Laplace’s rare atom", logOf(lower!.p) + scaled(epsilon) + exactLog(2n, 1n), laplace);
    requireEqual([lower!.q, upper!.p], [0.5, 0.5]);
    // ½·(e^(to/2) − e^(from/2))·e^(−ε/2) on an interval inside.
    const from = -epsilon * source.uniform(), to = epsilon * source.uniform();
    const exact = (exactExp(to / 2) - exactExp(from / 2)) * exactExp(-epsilon / 2) >>
      (UNIT_BITS + 1n);
    within(
      `Laplace’s (${from}, ${to}]`,
      logOf(laplace.intervalMass!(from, to).p) - exactLog(exact, 1n << UNIT_BITS),
      laplace,
    );
  }
  // A mixture spreads no wider than its law, nor than its rate times a small one.
  for (const [epsilon, rate] of [[0.1, 0.2], [20, 0.9], [90, 0.5]] as const) {
    const { deviation } = poissonSubsampledLoss(approximateLoss({ epsilon }), { rate }).forward;
    requireNear(deviation, Math.min(epsilon, rate * Math.expm1(epsilon)), { what: "a deviation" });
  }
}

/** Mergers keep all of the probability, at points that their losses reach, where atoms lie beside points too. */
export function requireMergers(
  { optimisticGrid, pessimisticGrid }: LossRooms,
  source: SeededSource,
): void {
  for (let k = 0; k < 60; k++) {
    const spacing = [0.25, 0.1, 0.37][k % 3]!;
    const near = k % 2 === 0;
    const draws = Array.from({ length: 2 + source.uint32() % 12 }, () => {
      const place = source.uint32() % 7 - 3;
      // On a point, beside one by less than counts as off it, or anywhere.
      const loss = near
        ? place * spacing + [0, 3e-13, -3e-13][source.uint32() % 3]!
        : (6 * source.uniform() - 3) * spacing;
      const p = 0.05 + source.uniform();
      return { place, loss, p, q: p * Math.exp(-loss) };
    });
    const total = sum(draws.map(({ p }) => p));
    const law: LossLaw = {
      atoms: draws.map(({ loss, p, q }) => ({ loss, p: p / total, q: q / total })),
      infinite: 0,
      lowest: Math.min(...draws.map(({ loss }) => loss)),
      highest: Math.max(...draws.map(({ loss }) => loss)),
      deviation: 1,
      relativeError: 0,
    };
    const { first, masses } = optimisticGrid(law, { spacing });
    const shown = (): string => `${JSON.stringify(law.atoms)} on ${spacing}: ${masses}`;
    requireThat(masses.every((mass) => mass >= 0), shown);
    requireNear(sum(Array.from(masses)), 1, { what: "a grid’s probability" });
    if (near) {
      // Atoms that count as on a point stay there whole, in the grid above too.
      for (const fine of [spacing, spacing / 1024]) {
        const scaled = {
          ...law,
          atoms: draws.map(({ place, loss, p, q }) => ({
            loss: loss + place * (fine - spacing),
            p: p / total,
            q: q / total,
          })),
        };
        const losses = scaled.atoms.map(({ loss }) => loss);
        const above = pessimisticGrid(
          { ...scaled, lowest: Math.min(...losses), highest: Math.max(...losses) },
          { spacing: fine },
        );
        requireEqual(above.infinite, 0);
        above.masses.forEach((mass, i) => {
          const own = sum(draws.map(({ place, p }) => place === above.first + i ? p / total : 0));
          requireThat(Math.abs(mass - own) <= 1e-13, shown);
        });
      }
      masses.forEach((mass, i) => {
        const own = sum(draws.map(({ place, p }) => place === first + i ? p / total : 0));
        requireThat(Math.abs(mass - own) <= 1e-9, shown);
      });
    }
    for (let step = -12; step <= 12; step++) {
      const epsilon = step * spacing / 3;
      const least = sum(
        Array.from(
          masses,
          (mass, i) => mass * Math.max(0, -Math.expm1(epsilon - (first + i) * spacing)),
        ),
      );
      const whole = sum(
        law.atoms.map(({ loss, p }) => p * Math.max(0, -Math.expm1(epsilon - loss))),
      );
      requireThat(least <= whole + 2e-12, shown);
    }
  }
  // What lies beyond a law's range merges to losses beyond it, and is kept.
  for (const beyond of [0.5, 1, 3]) {
    const normal = gaussianLoss({ mu: 1 }).forward;
    const cut = { ...normal, lowest: 0.5 - beyond, highest: 0.5 + beyond };
    for (const spacing of [0.25, 0.01]) {
      requireNear(sum(Array.from(optimisticGrid(cut, { spacing }).masses)), 1, {
        relative: 1e-11,
        what: "the probability of a law that is cut",
      });
    }
  }
  // Outputs that tell nothing, twice.
  const { masses } = optimisticGrid(
    finiteLoss({ p: [0.25, 0.25, 0.5], q: [0.25, 0.25, 0.5] }).forward,
    { spacing: 0.5 },
  );
  requireEqual(sum(Array.from(masses)), 1);
}

/** Bounds by grids are moved by what their laws may be off, in probability and in ε: two runs of an atom on the grid. */
export function requireGridErrors(): void {
  for (const relativeError of [0.01, 1e-4]) {
    const law: LossLaw = {
      atoms: [{ loss: 1, p: 0.5, q: 0.5 / Math.E }],
      infinite: 0,
      lowest: 1,
      highest: 1,
      deviation: 1,
      relativeError,
    };
    const curve = gridCurve([{ law, count: 2 }], { spacing: 0.25 }), error = 2 * relativeError;
    for (const epsilon of [0, 0.7, 1.6]) {
      const delta = (at: number): number => -0.25 * Math.expm1(at - 2);
      const above = Math.exp(error) * delta(epsilon - 2 * error);
      const below = Math.exp(-error) * delta(epsilon + 2 * error);
      requireNear(curve.upperAt(epsilon), above, { relative: 1e-10, what: "a bound above" });
      requireNear(curve.lowerAt(epsilon), below, { relative: 1e-10, what: "a bound below" });
    }
  }
}
