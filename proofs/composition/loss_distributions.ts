import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
  lossOfClaim,
} from "../../lib/accounting/privacy_loss.ts";
import { deltaBounds, epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { normalTail } from "../../lib/numeric/normal_tail.ts";
import { knownCompositions } from "../checks/known_compositions.ts";
import { casesOf, requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  deltaBounds,
  epsilonBounds,
  laplaceLoss,
  gaussianLoss,
  finiteLoss,
  poissonSubsampledLoss,
};

type Losses = typeof shipped;

/** How far bounds may be from δ, as a share of it. */
const NEAR = 1e-3;

/** Bounds on δ and ε, and the laws that they come from. */
export const lossDistributions = theorem<Losses>({
  id: "composition/loss_distributions",
  statement:
    "Bounds on δ at ε, and on ε at δ, from privacy loss distributions enclose the exact ones of compositions of different mechanisms (Gaussian, sampled, finite, " +
    "approximate, Laplace) within a thousandth of δ, and a ten-thousandth of ε; the laws of single losses are those of their definitions.",
  citation:
    "Koskela, Jälkö, Honkela 2020; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022; Zhu, Dong, Wang 2022 on sampling",
  source: "lib/accounting: privacy_loss_distribution and what it is built of",
  kind: "sampled",
  checked:
    "14 compositions of one to 3,000 parts, by closed forms and by sums over all outputs: δ at ε = .3 and 1.5, ε at δ = 1e-3; masses of 60 stretches of losses of six laws",
  subject: shipped,
  check: (of) =>
    casesOf({
      "laws of single losses": () => requireLaws(of),
      "compositions": () => requireCompositions(of),
    }),
  mutants: {
    "a use forgotten": {
      ...shipped,
      deltaBounds: (parts, options) =>
        deltaBounds(
          parts.map((part) => ({ ...part, count: Math.max(1, part.count - 1) })),
          options,
        ),
    },
    "bounds a fiftieth too low": {
      ...shipped,
      deltaBounds: (parts, options) => {
        const { lower, upper } = deltaBounds(parts, options);
        return { lower: 0.98 * lower, upper: 0.98 * upper };
      },
    },
    "ε of a tenth of δ": {
      ...shipped,
      epsilonBounds: (parts, options) =>
        epsilonBounds(parts, { ...options, delta: options.delta / 10 }),
    },
    "one direction of sampling": {
      ...shipped,
      poissonSubsampledLoss: (loss, options) => {
        const { forward } = poissonSubsampledLoss(loss, options);
        return { forward, backward: forward };
      },
    },
  },
});

function requireCompositions({ deltaBounds, epsilonBounds }: Losses): void {
  for (const { name, parts, delta } of knownCompositions) {
    for (const epsilon of [0.3, 1.5]) {
      const exact = delta(epsilon);
      if (exact < 1e-12) continue;
      const { lower, upper } = deltaBounds(parts, { epsilon });
      const shown = (): string => `${name} at ${epsilon}: [${lower}, ${upper}] for ${exact}`;
      requireThat(lower <= exact * (1 + 1e-9) && exact * (1 - 1e-9) <= upper, shown);
      requireThat(exact - lower <= NEAR * exact && upper - exact <= NEAR * exact, shown);
    }
    const { lower, upper } = epsilonBounds(parts, { delta: 1e-3 });
    const shown = `${name}: ε in [${lower}, ${upper}] at δ = .001`;
    if (lower === Infinity) {
      requireThat(parts.some(({ loss }) => loss.forward.infinite > 0), shown);
      continue;
    }
    requireThat(lower <= upper && upper - lower <= 1e-4 * upper + 1e-6, shown);
    requireThat(
      delta(upper) <= 1e-3 * (1 + 1e-6) &&
        (lower === 0 || delta(lower * (1 - 1e-9)) >= 1e-3 * (1 - 1e-6)),
      shown,
    );
  }
  // The probability of an infinite loss alone, and no parts at all.
  const leaking = [{ loss: approximateLoss({ epsilon: 0.1, delta: 0.2 }), count: 2 }];
  requireEqual(epsilonBounds(leaking, { delta: 0.3 }).upper, Infinity);
  requireThat(epsilonBounds(leaking, { delta: 0.4 }).upper < 0.21, "δ above what leaks");
  requireEqual(deltaBounds([], { epsilon: 0.5 }).lower, 0);
  requireEqual(epsilonBounds([{ loss: gaussianLoss({ mu: 1e-3 }), count: 1 }], { delta: 0.5 }), {
    lower: 0,
    upper: 0,
  });
}

const phi = (x: number): number => 1 - normalTail(x);

function requireLaws(
  { laplaceLoss, gaussianLoss, finiteLoss, poissonSubsampledLoss }: Losses,
): void {
  for (const epsilon of [0.3, 2]) {
    const { forward: rr, backward } = approximateLoss({ epsilon, delta: 0.1 });
    requireThat(rr === backward, "both directions of a response");
    const truth = 0.9 / (1 + Math.exp(-epsilon));
    requireEqual(rr.atoms.map(({ loss }) => loss), [-epsilon, epsilon]);
    rr.atoms.forEach(({ p, q }, i) => {
      requireNear(p, i === 1 ? truth : 0.9 - truth, { relative: 1e-13 });
      requireNear(q, i === 0 ? truth : 0.9 - truth, { relative: 1e-13 });
    });
    requireEqual([rr.infinite, rr.lowest, rr.highest, rr.deviation], [
      0.1,
      -epsilon,
      epsilon,
      epsilon,
    ]);
    // Lap(0) against Lap(1): the loss of an output y in (0, 1) is ε(1 − 2y).
    const { forward: laplace } = laplaceLoss({ epsilon });
    requireEqual([laplace.infinite, laplace.lowest, laplace.highest, laplace.atoms.length], [
      0,
      -epsilon,
      epsilon,
      2,
    ]);
    requireNear(laplace.atoms[1]!.p, 0.5);
    requireNear(laplace.atoms[1]!.q, Math.exp(-epsilon) / 2);
    requireNear(laplace.atoms[0]!.p, Math.exp(-epsilon) / 2);
    requireNear(laplace.atoms[0]!.q, 0.5);
    // P(loss ≤ l) = ½·e^(−(ε − l)/2) on (−ε, ε), Q(loss ≤ l) = 1 − ½·e^(−(ε + l)/2).
    requireMasses(laplace, {
      p: (l) => Math.exp(-(epsilon - Math.min(epsilon, Math.max(-epsilon, l))) / 2) / 2,
      q: (l) => 1 - Math.exp(-(epsilon + Math.min(epsilon, Math.max(-epsilon, l))) / 2) / 2,
    }, [
      [-0.9 * epsilon, 0.2 * epsilon],
      [-2 * epsilon, 2 * epsilon],
      [0.1, 0.1 + 1e-3],
      [
        -2 * epsilon,
        -0.5 * epsilon,
      ],
      [epsilon, 2 * epsilon],
      [1.5 * epsilon, 2 * epsilon],
      [-3 * epsilon, -2 * epsilon],
    ]);
  }
  for (const mu of [0.2, 1.5]) {
    const { forward: normal } = gaussianLoss({ mu }), mean = mu * mu / 2;
    requireEqual([normal.infinite, normal.atoms.length, normal.deviation], [0, 0, mu]);
    requireNear(normal.highest, mean + 12 * mu);
    requireNear(normal.lowest, mean - 12 * mu);
    const stretches = [[-1, 0.5], [0, 0.1], [mean, mean + mu], [-3 * mu, -2 * mu], [
      2,
      2.5,
    ]] as const;
    const p = (l: number): number => phi((l - mean) / mu),
      q = (l: number): number => phi((l + mean) / mu);
    requireMasses(normal, { p, q }, stretches);
    for (const rate of [0.1, 0.6]) {
      const { forward, backward } = poissonSubsampledLoss(gaussianLoss({ mu }), { rate });
      // A loss of the mixture at most l: 1 − r + r·e^x ≤ e^l.
      const at = (l: number): number => {
        const excess = Math.expm1(l) / rate;
        return excess <= -1 ? -Infinity : Math.log1p(excess);
      };
      const mixedP = (l: number): number => (1 - rate) * q(at(l)) + rate * p(at(l));
      requireMasses(forward, { p: mixedP, q: (l) => q(at(l)) }, [[-0.05, 0.3], [0, 0.1], [0.5, 2], [
        -1,
        0,
      ]]);
      // The other way round losses change their sign, and the sides their places.
      requireMasses(backward, { p: (l) => 1 - q(at(-l)), q: (l) => 1 - mixedP(-l) }, [
        [-0.3, 0.05],
        [-0.1, 0],
        [-2, -0.5],
      ]);
      requireNear(backward.lowest, -forward.highest);
      requireNear(backward.highest, -forward.lowest);
      requireNear(forward.highest, Math.log(1 - rate + rate * Math.exp(normal.highest)), {
        relative: 1e-9,
      });
    }
  }
  // Differences of narrow stretches are there, where subtracting would lose their digits.
  for (const mu of [0.01, 1]) {
    const normal = gaussianLoss({ mu }), sampled = poissonSubsampledLoss(normal, { rate: 0.1 });
    for (const law of [normal.forward, sampled.forward, sampled.backward]) {
      for (const width of [1e-2, 1e-5]) {
        const { rise, fall } = law.intervalDifference!(0, width * mu)!;
        const { p } = law.intervalMass!(0, width * mu);
        // About half of the width, of each.
        requireNear(rise / p, width * mu / 2, { relative: 0.05, what: "a rise" });
        requireNear(fall / p, width * mu / 2, { relative: 0.05, what: "a fall" });
      }
    }
  }
  const finite = finiteLoss({ p: [0.5, 0.5, 0], q: [0.25, 0.65, 0.1] });
  requireEqual([finite.forward.infinite, finite.backward.infinite], [0, 0.1]);
  const losses = [Math.log(0.5 / 0.65), Math.log(2)];
  finite.forward.atoms.forEach(({ loss, p, q }, i) => {
    requireNear(loss, losses[i]!);
    requireEqual([p, q], i === 0 ? [0.5, 0.65] : [0.5, 0.25]);
  });
  finite.backward.atoms.forEach(({ loss }, i) => requireNear(loss, -losses[1 - i]!));
  requireNear(finite.forward.lowest, losses[0]!);
  requireNear(finite.forward.highest, losses[1]!);
  requireNear(finite.forward.deviation, (losses[1]! - losses[0]!) / 2);
  const sampled = poissonSubsampledLoss(approximateLoss({ epsilon: 1 }), { rate: 0.25 });
  sampled.forward.atoms.forEach(({ loss, p, q }) =>
    requireNear(loss, Math.log(p / q), { relative: 1e-12 })
  );
  requireNear(sampled.forward.atoms[1]!.p, 0.25 / (1 + Math.exp(-1)) + 0.75 / (1 + Math.E));
  const whole = gaussianLoss({ mu: 1 });
  requireThat(poissonSubsampledLoss(whole, { rate: 1 }) === whole, "a rate of 1");
  requireEqual([
    lossOfClaim(zcdp({ rho: 1, relation })),
    lossOfClaim(renyi({ order: 2, epsilon: 1, relation })),
  ], [undefined, undefined]);
  requireEqual(
    lossOfClaim(pure({ epsilon: 0.5, relation }))!.forward,
    approximateLoss({ epsilon: 0.5 }).forward,
  );
  requireEqual(
    lossOfClaim(approximate({ epsilon: 0.5, delta: 0.1, relation }))!.forward,
    approximateLoss({ epsilon: 0.5, delta: 0.1 }).forward,
  );
  requireEqual(
    lossOfClaim(gaussian({ mu: 0.5, relation }))!.forward.highest,
    gaussianLoss({ mu: 0.5 }).forward.highest,
  );
}

/** Masses of stretches, and what they exceed e^from times the other side's by, from distribution functions. */
function requireMasses(
  law: LossLaw,
  { p, q }: { readonly p: (loss: number) => number; readonly q: (loss: number) => number },
  stretches: readonly (readonly [number, number])[],
): void {
  for (const [from, to] of stretches) {
    const found = law.intervalMass!(from, to), what = `of (${from}, ${to}]`;
    const [a, b] = [p(to) - p(from), q(to) - q(from)];
    requireNear(found.p, a, { absolute: 2e-14, relative: 1e-11, what: `P ${what}` });
    requireNear(found.q, b, { absolute: 2e-14, relative: 1e-11, what: `Q ${what}` });
    const difference = law.intervalDifference?.(from, to);
    if (difference === undefined) continue;
    requireNear(difference.rise, a - Math.exp(from) * b, {
      absolute: 2e-13,
      relative: 1e-9,
      what: `rise ${what}`,
    });
    requireNear(difference.fall, b - Math.exp(-to) * a, {
      absolute: 2e-13,
      relative: 1e-9,
      what: `fall ${what}`,
    });
  }
}
