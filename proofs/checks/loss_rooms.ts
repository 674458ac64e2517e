import {
  approximateLoss,
  finiteLoss,
  laplaceLoss,
  type LossLaw,
} from "../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { exactExp, UNIT_BITS } from "./dyadic_reference.ts";
import { exactLog, LOG_BITS } from "./exact_logarithm.ts";

/** What a mutant may stand in for. */
export const lossRooms = { finiteLoss };

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
