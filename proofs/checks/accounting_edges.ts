import { composedDelta } from "../../lib/accounting/composed_delta.ts";
import { gridCurve, gridSpacing, suitsGrid } from "../../lib/accounting/grid_curve.ts";
import { pessimisticGrid } from "../../lib/accounting/loss_grid.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import {
  approximateLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
  type PrivacyLoss,
} from "../../lib/accounting/privacy_loss.ts";
import { deltaBounds, epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { chooseWindow } from "../../lib/accounting/tilted_convolution.ts";
import { farProbability, tiltedGrid } from "../../lib/accounting/tilted_grid.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";

const U = 2 ** -53;

const sum = (values: Iterable<number>): number =>
  Array.from(values).reduce((total, value) => total + value, 0);

/** A law whose atoms are as they are given. */
export function lawOf(
  atoms: LossLaw["atoms"],
  { relativeError = 0, infinite = 0 }: { relativeError?: number; infinite?: number } = {},
): LossLaw {
  const losses = atoms.map(({ loss }) => loss);
  return {
    atoms,
    infinite,
    lowest: Math.min(...losses),
    highest: Math.max(...losses),
    deviation: 1,
    relativeError,
  };
}

/** Probabilities on grids are not negative where those of P and Q do not fit the loss: within what a law may be off. */
export function requireGridEdges(source: SeededSource): void {
  for (let k = 0; k < 200; k++) {
    const spacing = [0.5, 0.01][k % 2]!, wrong = 0.02 * (source.uniform() - 0.5);
    // Next to either point of the grid, where a part of them is next to nothing.
    const loss = spacing * (source.uint32() % 5 - 2 + [1e-6, 1 - 1e-6, 0.5][k % 3]!);
    const p = 0.1 + 0.9 * source.uniform(), q = p * Math.exp(wrong - loss);
    for (const relativeError of [0, 0.01]) {
      const law = lawOf([{ loss, p, q }], { relativeError, infinite: 1 - p });
      const { masses, infinite, first } = pessimisticGrid(law, { spacing });
      const shown = () => `${p} and ${q} at ${loss} on a grid of ${spacing}: ${masses}`;
      requireThat(masses.every((mass) => mass >= 0 && mass <= p), shown);
      requireNear(sum(masses), p, { relative: 4 * U, what: "a grid's probability" });
      requireEqual(infinite, 1 - p);
      // As much under Q as before, or all at the end that is nearer to it.
      const low = q * Math.exp(first * spacing), inside = low <= p && low >= p * Math.exp(-spacing);
      if (inside) {
        requireNear(
          sum(masses.map((mass, i) => mass * Math.exp(-i * spacing))),
          low,
          { relative: 1e-12, what: "a grid's probability under Q" },
        );
      } else requireEqual(masses[low > p ? 0 : 1], p);
    }
  }
}

/** One loss far below the others that a grid has room for: nothing of it is lost where the tilt makes it vanish. */
export function requireFarLosses(): void {
  for (const size of [300, 3000, 40_000]) {
    for (const side of [1, -1] as const) {
      const masses = new Float64Array(size);
      masses[side === 1 ? 0 : size - 1] = 1;
      const grid = { spacing: 1, first: 0, masses, infinite: 0, relativeError: 0 };
      const tilted = tiltedGrid({ grid, count: 1 }, { tilt: 1e-3 });
      const edge = side === 1 ? 0 : size - 1;
      requireEqual(
        farProbability([tilted], { edge, side }),
        1,
        "the probability of what is certain",
      );
      requireThat(
        farProbability([tilted], { edge: edge + side * size / 2, side }) <= 1e-100,
        "what is far from all losses",
      );
    }
  }
  const finite = (losses: readonly number[], masses: readonly number[]) => ({
    losses: Float64Array.from(losses),
    masses: Float64Array.from(masses),
  });
  // The largest first, and last: by 2000 nats, where the others vanish, or all of them do.
  for (const order of [[0, 1], [1, 0]]) {
    for (const [rare, rarer] of [[0.5, 0.5], [1e-280, 1e-300]] as const) {
      const losses = order.map((i) => [2000, 0][i]!), masses = order.map((i) => [rare, rarer][i]!);
      requireNear(logMoment(finite(losses, masses), 1), 2000 + Math.log(rare), {
        relative: 1e-14,
        what: "a moment",
      });
    }
  }
}

/** Sums of many terms are compensated: a tilted grid's mass is known to some roundings. */
export function requireCompensatedSums(): void {
  for (const [one, other] of [[0.9, 0.1], [0.7, 0.3], [1e-9, 1e-10]] as const) {
    const size = 2 ** 17,
      masses = Float64Array.from({ length: size }, (_, i) => i % 2 ? one : other);
    const grid = { spacing: 1e-9, first: 0, masses, infinite: 0, relativeError: 0 };
    const { logSum } = tiltedGrid({ grid, count: 1 }, { tilt: 0 });
    requireNear(Math.exp(logSum), size / 2 * (one + other), {
      relative: 64 * U,
      what: "a sum of 131,072 masses",
    });
  }
}

/** Windows hold all sums where these are as many as their points, and what is certain keeps its roundings. */
export function requireWindows(): void {
  for (
    const [length, count] of [[16, 1], [17, 1], [2, 15], [2, 16], [4, 5], [4, 6], [1, 9]] as const
  ) {
    for (const first of [-40, 7]) {
      const masses = new Float64Array(length).fill(1 / length);
      const grid = { spacing: 0.1, first, masses, infinite: 0, relativeError: 0 };
      const tilted = [tiltedGrid({ grid, count }, { tilt: 0.5 })];
      const sums = count * (length - 1) + 1, size = 2 ** Math.max(4, Math.ceil(Math.log2(sums)));
      // As short as all sums allow: then nothing is below or above.
      const found = chooseWindow(tilted);
      requireEqual(found, { size, start: count * first, below: 0, above: 0 }, "a window");
    }
  }
  for (const infinite of [0.3, 1e-9, 0.9]) {
    for (const count of [1, 40]) {
      const grid = {
        spacing: 1,
        first: 0,
        masses: Float64Array.of(1 - infinite),
        relativeError: 0,
      };
      const { lower, upper } = composedDelta([{ grid: { ...grid, infinite }, count }], {
        epsilon: 1,
      });
      const exact = -Math.expm1(count * Math.log1p(-infinite));
      requireThat(
        lower <= exact * (1 - 7 * U) && lower >= exact * (1 - 9 * U) &&
          upper >= Math.min(1, exact * (1 + 7 * U)) && upper <= exact * (1 + 9 * U),
        () => `${exact} in [${lower}, ${upper}]`,
      );
    }
  }
}

/** With a spacing, or where grids suit the losses, bounds are those of the grids; ε is found wherever losses can sum up to. */
export function requireGridBounds(): void {
  const coin = approximateLoss({ epsilon: 0.5 }), normal = gaussianLoss({ mu: 0.4 });
  const leaking = approximateLoss({ epsilon: 0.25, delta: 0.01 });
  const cases: [readonly { loss: PrivacyLoss; count: number }[], number | undefined][] = [
    [[{ loss: coin, count: 2 }, { loss: leaking, count: 1 }], undefined],
    [[{ loss: coin, count: 3 }], 0.2],
    [[{ loss: normal, count: 3 }, { loss: coin, count: 1 }], 0.3],
    [[{ loss: laplaceLoss({ epsilon: 1 }), count: 4 }], 0.7],
  ];
  for (const [parts, spacing] of cases) {
    const laws = parts.map(({ loss, count }) => ({ law: loss.forward, count }));
    if (spacing === undefined) requireThat(suitsGrid(laws), "atoms that suit a grid");
    const curve = gridCurve(laws, { spacing: spacing ?? gridSpacing(laws) });
    const options = spacing === undefined ? {} : { spacing };
    for (const epsilon of [0, 0.7]) {
      requireEqual(deltaBounds(parts, { epsilon, ...options }), {
        lower: curve.lowerAt(epsilon),
        upper: curve.upperAt(epsilon),
      }, "bounds by a grid");
    }
    const delta = 0.1, { lower, upper } = epsilonBounds(parts, { delta, ...options });
    requireThat(
      curve.upperAt(upper) <= delta && curve.upperAt(upper * (1 - 4e-6)) > delta &&
        curve.lowerAt(lower) > delta && curve.lowerAt(lower * (1 + 4e-6)) <= delta,
      () => `ε in [${lower}, ${upper}] at ${delta}`,
    );
  }
  // A δ so small that nearly all losses must be as large as can be, of the first part and of the last.
  for (const [one, other] of [[5, 2], [2, 5]] as const) {
    const { lower, upper } = epsilonBounds([{ loss: coin, count: one }, {
      loss: approximateLoss({ epsilon: 1 }),
      count: other,
    }], { delta: 1e-200, spacing: 0.5 });
    const most = one * 0.5 + other;
    requireThat(
      lower >= 0.9 * most && upper >= lower && upper <= most * (1 + 2e-6),
      () => `ε in [${lower}, ${upper}], where losses sum up to ${most}`,
    );
  }
}
