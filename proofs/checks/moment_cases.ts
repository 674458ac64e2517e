import type { FiniteLosses } from "../../lib/accounting/loss_cells.ts";
import {
  logMomentOfSum,
  logPeak,
  momentEpsilon,
  saddleDensity,
  saddleTilt,
  shareAbove,
  splitMoment,
} from "../../lib/accounting/loss_moment.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { type Moments, sum } from "./moment_parts.ts";

function finite(losses: readonly number[], masses: readonly number[]): FiniteLosses {
  return { losses: Float64Array.from(losses), masses: Float64Array.from(masses) };
}

const none = finite([], []);

/** Moments of finitely many losses are sums of exponentials, where these would overflow too. */
export function requireMoments({ logMoment }: Moments): void {
  for (const tilt of [0, 0.3, 7]) {
    const losses = [-2, 0.5, 1.25, -0.1], masses = [0.1, 0.3, 0.05, 0.4];
    const plain = Math.log(sum(losses.map((loss, i) => masses[i]! * Math.exp(tilt * loss))));
    requireNear(logMoment(finite(losses, masses), tilt), plain, {
      relative: 1e-14,
      absolute: 1e-15,
    });
    // Shifted far beyond what a double holds.
    const far = losses.map((loss) => loss + 2000);
    requireNear(logMoment(finite(far, masses), tilt), plain + 2000 * tilt, {
      relative: 1e-12,
      absolute: 1e-12,
    });
  }
  // The largest loss is so rare that every other one underflows beside it.
  requireNear(logMoment(finite([0, 100, 500], [0.5, 0.25, 1e-300]), 2), 1000 + Math.log(1e-300), {
    relative: 1e-14,
  });
  requireNear(logMoment(finite([10, 1000], [1e-200, 1e-280]), 1), 1000 + Math.log(1e-280), {
    relative: 1e-13,
  });
  requireNear(
    logMoment(finite([500, 0, 499], [1e-300, 1, 1e-299]), 2),
    1000 + Math.log(1e-300 + 1e-299 * Math.exp(-2)),
    { relative: 1e-14 },
  );
  requireEqual(logMoment(none, 1), -Infinity);
  const below = finite([-1, 0.5], [0.4, 0.3]), above = finite([2], [0.01]);
  const [low, high] = [0.4 * Math.exp(-1) + 0.3 * Math.exp(0.5), 0.01 * Math.exp(2)];
  const both = splitMoment({ below, above }, 1);
  requireNear(both.log, Math.log(low + high), { relative: 1e-13 });
  requireNear(both.share, high / (low + high), { relative: 1e-13 });
  requireNear(splitMoment({ below, above: none }, 1).share, 0);
  requireEqual(splitMoment({ below: none, above }, 1).share, 1);
  requireNear(splitMoment({ below: none, above }, 1).log, Math.log(high), { relative: 1e-13 });
  const share = high / (low + high), whole = { below: none, above };
  const parts = [{ split: { below, above }, count: 2 }, {
    split: { below, above: none },
    count: 5,
  }];
  requireNear(shareAbove(parts, 1), 2 * share, { relative: 1e-13 });
  requireEqual([shareAbove([], 1), shareAbove([...parts, { split: whole, count: 1 }], 1)], [1, 1]);
  requireEqual(shareAbove([{ split: { below, above }, count: 12 }], 1), 1);
  const total = 2 * Math.log(low + high) + 5 * Math.log(low);
  requireNear(logMomentOfSum(parts, 1), total + Math.log(2 * share), { relative: 1e-13 });
  requireNear(logMomentOfSum([{ split: whole, count: 3 }], 1), 3 * Math.log(high), {
    relative: 1e-13,
  });
  requireNear(
    logMomentOfSum([{ split: { below, above }, count: 12 }], 1),
    12 * Math.log(low + high),
    { relative: 1e-13 },
  );
  requireEqual(logMomentOfSum([], 1), 0);
  for (const tilt of [0.01, 1, 30]) {
    // e^(−tilt·y)·(1 − e^−y) is largest where e^−y is tilt/(1 + tilt).
    const at = Math.log1p(1 / tilt);
    requireNear(logPeak(tilt), -tilt * at + Math.log(-Math.expm1(-at)), { relative: 1e-12 });
  }
  // A normal loss of mean m and deviation s, in many small steps: its saddle point and its density are known.
  const s = 0.5,
    m = s * s / 2,
    steps = Array.from({ length: 801 }, (_, i) => m + (i - 400) * s / 50);
  const normal = finite(
    steps,
    steps.map((x) => Math.exp(-(((x - m) / s) ** 2) / 2) / (50 * Math.sqrt(2 * Math.PI))),
  );
  const one = [{ split: { below: none, above: normal }, count: 4 }];
  for (const epsilon of [2, 4]) {
    const tilt = saddleTilt(one, { epsilon });
    const height = (at: number): number =>
      4 * (m * at + s * s * at * at / 2) - at * epsilon - Math.log(at * (at + 1));
    requireThat(
      [0.97, 1.03].every((by) => height(by * tilt) > height(tilt)),
      `a saddle at ${tilt}`,
    );
    const deviation = Math.sqrt(4 * s * s + 1 / (tilt * tilt));
    const density = Math.exp(4 * (m * tilt + s * s * tilt * tilt / 2) - tilt * epsilon) /
      (Math.sqrt(2 * Math.PI) * deviation);
    requireNear(saddleDensity(one, { epsilon, tilt }), density, {
      relative: 1e-3,
      what: "a density",
    });
  }
  // For μ-Gaussian privacy Proposition 12 is known: ε = min μ²/2·(tilt + 1) + (ln peak − ln δ)/tilt.
  const mu = 1, scale = Array.from({ length: 200 }, (_, i) => 0.5 + i / 10);
  const known = Math.min(
    ...scale.map((tilt) => mu * (tilt + 1) / 2 + (logPeak(tilt) - Math.log(1e-5)) / tilt),
  );
  requireNear(momentEpsilon(one, { delta: 1e-5 }), known, { relative: 2e-3, what: "ε by moments" });
}
