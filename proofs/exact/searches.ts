import { pure } from "../../lib/core/claim.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import { certifiedMaximum } from "../../lib/exact/certified_maximum.ts";
import { largestLogRatio } from "../../lib/exact/density_ratio.ts";
import { gaussLegendre } from "../../lib/exact/gauss_legendre.ts";
import {
  affine,
  coordinates,
  type GradientInterval,
  logOnePlus,
  product,
  reciprocal,
  square,
  squareRoot,
  sum,
} from "../../lib/exact/gradient_interval.ts";
import { type Interval, interval } from "../../lib/exact/interval.ts";
import { largestMechanismLoss } from "../../lib/exact/mechanism_loss.ts";
import {
  laplaceIntegral,
  laplaceTail,
  noisyMaxProbability,
  transcriptProbability,
} from "../../lib/exact/quadrature.ts";
import { largestChange } from "../../lib/exact/sensitivity.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
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
type Searches = typeof shipped;

/** Functions of three variables in [0.1, 2], and their enclosures. */
const expressions = (
  { square, reciprocal }: Pick<Searches, "square" | "reciprocal">,
): readonly {
  readonly of: (x: readonly number[]) => number;
  readonly enclose: (x: readonly GradientInterval[]) => GradientInterval;
}[] => [
  {
    of: ([x, y, z]) => 3 * x! - 1 + y! + z!,
    enclose: ([x, y, z]) => sum(affine(x!, { scale: 3, shift: -1 }), y!, z!),
  },
  {
    of: ([x, y, z]) => x! * y! * (z! - 1),
    enclose: ([x, y, z]) => product(x!, y!, affine(z!, { shift: -1 })),
  },
  {
    of: ([x, y]) => (x! - y!) ** 2,
    enclose: ([x, y]) => square(sum(x!, affine(y!, { scale: -1 }))),
  },
  { of: ([x, y]) => 1 / (x! + y!), enclose: ([x, y]) => reciprocal(sum(x!, y!)) },
  {
    of: ([x, , z]) => Math.log1p(x! * z!),
    enclose: ([x, , z]) => logOnePlus(product(x!, z!)),
  },
  {
    of: ([x, y, z]) => Math.sqrt(x! * x! + y! * y!) * z!,
    enclose: ([x, y, z]) => product(squareRoot(sum(square(x!), square(y!))), z!),
  },
];

/** Integrals, maxima and searches whose answers are known. */
export const searches = theorem<Searches>({
  id: "exact/searches",
  statement:
    "Slopes and values over boxes are enclosed; certified maxima enclose those that are known, in few boxes; Gauss-Legendre rules integrate " +
    "polynomials; chances of transcripts and of the largest noisy answer are those of closed forms; searches for losses and sensitivities " +
    "report what is there and no more.",
  citation: "Moore 1966; Gauss 1815; dpcheck",
  source: "lib/exact, on which other theorems rest",
  kind: "sampled",
  checked:
    "six expressions on 100 boxes each; four maxima; rules of 1 to 24 nodes; six Laplace integrals, chances for two and three answers; twelve searches by hand",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "values and slopes over boxes": () => {
        const source = new SeededSource(seed).split("boxes");
        const between = ({ lower, upper }: Interval): number =>
          Math.min(upper, Math.max(lower, lower + source.uniform() * (upper - lower)));
        for (const { of: value, enclose } of expressions(of)) {
          for (let k = 0; k < 100; k++) {
            const box = Array.from({ length: 3 }, () => {
              const [a, b] = [0.1 + 1.9 * source.uniform(), 0.1 + 1.9 * source.uniform()];
              return k % 4 === 0 ? interval(a) : interval(Math.min(a, b), Math.max(a, b));
            });
            const over = enclose(coordinates(box)), from = box.map(between);
            const v = value(from);
            requireThat(over.lower <= v && v <= over.upper, "a value outside");
            const points = box.every(({ lower, upper }) => lower === upper);
            requireThat(!points || over.upper - over.lower < 1e-12, "a point too wide");
            for (let j = 0; j < 3; j++) {
              const { lower, upper } = over.gradient[j]!;
              // At a point the slope is that of a central difference.
              if (points) {
                const slope = (value(from.with(j, from[j]! + 1e-5)) -
                  value(from.with(j, from[j]! - 1e-5))) / 2e-5;
                requireThat(
                  upper - lower < 1e-12 && Math.abs(lower - slope) < 1e-6 * (1 + Math.abs(slope)),
                  "a slope at a point",
                );
                continue;
              }
              const to = from.with(j, between(box[j]!)), step = to[j]! - from[j]!;
              if (Math.abs(step) < 1e-3) continue;
              const slope = (value(to) - v) / step;
              requireThat(lower - 1e-10 <= slope && slope <= upper + 1e-10, "a slope outside");
            }
          }
        }
        const [x] = coordinates([interval(-1, 1)]), [zero] = coordinates([interval(0, 1)]);
        requireRefused("a divisor below 0", () => of.reciprocal(x!), "divisor must be positive");
        requireRefused("a divisor of 0", () => of.reciprocal(zero!), "must be positive");
        requireRefused("a logarithm of 0", () => logOnePlus(coordinates([interval(-1, 0)])[0]!));
        const below = logOnePlus(coordinates([interval(-0.5, 0)])[0]!);
        requireThat(below.lower <= -Math.LN2 && below.lower > -Math.LN2 - 1e-12, "ln ½");
        const root = squareRoot(coordinates([interval(-1e-17, 4)])[0]!);
        requireThat(root.lower === 0 && root.upper >= 2 && root.upper < 2 + 1e-12, "√4");
      },
      "maxima that are known": () => requireMaxima(of.certifiedMaximum),
      "rules and integrals": () => requireIntegrals(of),
      "searches for losses": () => requireLosses(of),
      "searches for sensitivities": () => requireChanges(of.largestChange),
    }),
  mutants: {
    "a square's slope without its 2": {
      ...shipped,
      square: (a) => ({ ...square(a), gradient: a.gradient }),
    },
    "1/x for its slope": {
      ...shipped,
      reciprocal: (a) => ({ ...reciprocal(a), gradient: a.gradient.map(() => interval(-1)) }),
    },
    "a maximum below the true one": {
      ...shipped,
      certifiedMaximum: (options) => {
        const found = certifiedMaximum(options);
        return { ...found, upper: found.lower - 1e-9 };
      },
    },
    "weights of half the length": {
      ...shipped,
      gaussLegendre: (count) => {
        const { nodes, weights } = gaussLegendre(count);
        return { nodes, weights: weights.map((weight) => weight / 2) };
      },
    },
    "losses of one sign": {
      ...shipped,
      largestLogRatio: (search) => ({ ...largestLogRatio(search), loss: 0 }),
    },
  },
});

function requireMaxima(certifiedMaximum: Searches["certifiedMaximum"]): void {
  // √(x² + y²) − z·x + z is 1 + 3 at x = 0, y = 1, z = 3.
  const three = certifiedMaximum({
    box: [interval(0, 1), interval(-1, 1), interval(0, 3)],
    enclose: (box) => {
      const [x, y, z] = coordinates(box) as [GradientInterval, GradientInterval, GradientInterval];
      return sum(
        squareRoot(sum(square(x), square(y))),
        affine(product(z, x), { scale: -1 }),
        z,
      );
    },
    gap: 1e-6,
  });
  requireThat(three.complete && three.lower <= 4 && three.upper >= 4, "the cone");
  requireThat(three.upper - three.lower <= 1e-6 && three.boxes < 2000, "the cone's bounds");
  const hill = (box: readonly Interval[]): GradientInterval => {
    const [x, y] = coordinates(box);
    return affine(
      sum(square(affine(x!, { shift: -1 / 3 })), square(affine(y!, { shift: 1 / 7 }))),
      { scale: -1, shift: 2 },
    );
  };
  const box = [interval(-1, 1), interval(-1, 1)];
  const two = certifiedMaximum({ box, enclose: hill, gap: 1e-8 });
  requireThat(two.complete && two.lower <= 2 && two.upper >= 2 && two.boxes < 600, "the hill");
  two.at.forEach((x, i) => requireNear(x, [1 / 3, -1 / 7][i]!, { absolute: 1e-3 }));
  const flat = certifiedMaximum({
    box,
    enclose: (here) => {
      const { lower, upper } = hill(here);
      return { lower, upper };
    },
    gap: 1e-3,
  });
  requireThat(
    flat.complete && flat.upper >= 2 && flat.upper - flat.lower <= 1e-3,
    "without slopes",
  );
  requireThat(flat.boxes > 100 && flat.boxes < 20_000, "boxes without slopes");
  const unit = [interval(0, 1)];
  const kink = certifiedMaximum({
    box: unit,
    enclose: (here) => affine(squareRoot(square(coordinates(here)[0]!)), { scale: -1 }),
    gap: 1e-3,
  });
  requireThat(kink.complete && kink.upper >= 0 && kink.upper <= 1e-3, "a kink");
  const point = certifiedMaximum({ box: [interval(2)], enclose: ([x]) => x!, gap: 1e-9 });
  requireEqual([point.lower, point.upper, point.complete], [2, 2, true]);
  // Slopes of one sign lead to an end at once.
  for (
    const [low, high, at] of [[0, 0.5, 1], [0.2, 0.5, 1], [-0.5, 0, 0], [-0.5, -0.2, 0]] as const
  ) {
    const found = certifiedMaximum({
      box: unit,
      enclose: ([x]) => ({
        ...(x!.lower === at && x!.upper === at ? interval(9) : interval(0, 9)),
        gradient: [interval(low, high)],
      }),
      gap: 1e-9,
    });
    requireEqual([found.boxes, found.complete], [2, true]);
  }
  // From the middle, slopes of ±0.2 over half of the side say 0.1; the enclosure says 0.01.
  const sloped = certifiedMaximum({
    box: unit,
    enclose: ([x]) => ({
      ...(x!.lower === x!.upper ? interval(0) : interval(0, 9)),
      gradient: [interval(-0.2, 0.2)],
    }),
    gap: 0.11,
  });
  requireThat(sloped.boxes === 1 && sloped.upper > 0.0999 && sloped.upper < 0.1001, "mean values");
  const tight = certifiedMaximum({
    box: unit,
    enclose: () => ({ ...interval(0, 0.01), gradient: [interval(-9, 9)] }),
    gap: 0.5,
  });
  requireEqual([tight.boxes, tight.upper], [1, 0.01]);
  const many = certifiedMaximum({ box: unit, enclose: () => interval(0, 1), gap: 1e-9, most: 10 });
  requireEqual([many.boxes, many.upper, many.complete], [10, Infinity, false]);
  const numbers = certifiedMaximum({
    box: unit,
    enclose: () => ({ lower: NaN, upper: NaN, gradient: [interval(0)] }),
    gap: 1,
    most: 100,
  });
  requireEqual([numbers.complete, numbers.upper], [false, Infinity]);
  // The wider side of what may change more is halved.
  const widths: number[][] = [];
  certifiedMaximum({
    box: [interval(5, 6), interval(1000, 1016)],
    enclose: (here) => {
      const own = here.map(({ lower, upper }) => upper - lower);
      if (own.some((width) => width > 0)) widths.push(own);
      return own.every((width) => width === 0) ? interval(0) : interval(0, 9);
    },
    gap: 1e-9,
    most: 5,
  });
  requireEqual(widths, [[1, 16], [0.5, 16], [0.5, 8], [0.25, 8], [0.25, 4]]);
  const steep: number[][] = [];
  certifiedMaximum({
    box: [interval(0, 1), interval(0, 1)],
    enclose: (here) => {
      const own = here.map(({ lower, upper }) => upper - lower);
      if (own.some((width) => width > 0)) steep.push(own);
      const value = own.every((width) => width === 0) ? interval(0) : interval(0, 9);
      return { ...value, gradient: [interval(-1, 1), interval(-2, 1)] };
    },
    gap: 1e-9,
    most: 2,
  });
  requireEqual(steep[1], [1, 0.5]);
  requireRefused(
    "a gap of 0",
    () => certifiedMaximum({ box: unit, enclose: () => interval(0), gap: 0 }),
  );
  requireRefused(
    "no sides",
    () => certifiedMaximum({ box: [], enclose: () => interval(0), gap: 1 }),
  );
}

function requireIntegrals(
  { gaussLegendre, laplaceIntegral, transcriptProbability, noisyMaxProbability }: Searches,
): void {
  for (let count = 1; count <= 24; count++) {
    const { nodes, weights } = gaussLegendre(count);
    requireEqual([nodes.length, weights.length], [count, count]);
    // ∫ x^k over [−1, 1] is 2/(k + 1) for even k.
    for (let k = 0; k < 2 * count; k++) {
      const value = nodes.reduce((total, x, i) => total + weights[i]! * x ** k, 0);
      requireNear(value, k % 2 === 0 ? 2 / (k + 1) : 0, { absolute: 4e-15 * (1 + count / 4) });
    }
  }
  for (const scale of [0.5, 1, 3]) {
    const integral = (integrand: (z: number) => number, kinks: number[] = []): number =>
      laplaceIntegral(integrand, { scale, kinks });
    requireNear(integral(() => 1), 1, { relative: 1e-13 });
    requireNear(integral((z) => z * z), 2 * scale * scale, { relative: 1e-12 });
    requireNear(integral((z) => Math.abs(z - 1), [1]), 1 + scale * Math.exp(-1 / scale), {
      relative: 1e-12,
    });
    requireNear(integral((z) => z > 2 ? 1 : 0, [2]), Math.exp(-2 / scale) / 2, { relative: 1e-12 });
    requireNear(laplaceTail(1.3, scale), Math.exp(-1.3 / scale) / 2);
    requireNear(laplaceTail(-1.3, scale), 1 - Math.exp(-1.3 / scale) / 2);
  }
  requireEqual([-1, 0, 1].map((x) => laplaceTail(x, 0)), [1, 0, 0]);
  for (const wrong of [{ scale: 0 }, { scale: 1, smallest: 0 }]) {
    requireRefused("a scale of 0", () => laplaceIntegral(() => 1, { kinks: [], ...wrong }));
  }
  // A narrow integrand is cut finely enough: e^(−1000|z|) against noise of scale 1.
  requireNear(
    laplaceIntegral((z) => Math.exp(-1000 * Math.abs(z)), { scale: 1, kinks: [], smallest: 1e-3 }),
    1 / 1001,
    { relative: 1e-10 },
  );
  // P(X − Y > a) for two independent Laplace variables of scale 1: (1/2 + a/4)·e^−a.
  for (const a of [0, 0.7, 3]) {
    const far = (0.5 + a / 4) * Math.exp(-a);
    const one = { thresholdScale: 1, answerScale: 1 };
    requireNear(transcriptProbability([{ answer: -a, above: true }], one), far, {
      relative: 1e-11,
    });
    requireNear(transcriptProbability([{ answer: -a, above: false }], one), 1 - far, {
      relative: 1e-11,
    });
    requireNear(noisyMaxProbability([0, a], { index: 0, scale: 1 }), far, { relative: 1e-11 });
    // Without noise on the answer the threshold's noise alone decides.
    requireNear(
      transcriptProbability([{ answer: -a, above: true }], { thresholdScale: 2, answerScale: 0 }),
      Math.exp(-a / 2) / 2,
      { relative: 1e-11 },
    );
  }
  // All transcripts of two answers, and all indices of three, add up to 1; equal answers are alike.
  let total = 0;
  for (const first of [true, false]) {
    for (const second of [true, false]) {
      total += transcriptProbability(
        [{ answer: 0.3, above: first }, { answer: -1, above: second }],
        { thresholdScale: 2, answerScale: 0.25 },
      );
    }
  }
  requireNear(total, 1, { relative: 1e-11 });
  const answers = [0, 1.5, -0.4];
  requireNear(
    [0, 1, 2].reduce((sum, index) => sum + noisyMaxProbability(answers, { index, scale: 0.8 }), 0),
    1,
    { relative: 1e-11 },
  );
  requireNear(noisyMaxProbability([2, 2, 2], { index: 1, scale: 5 }), 1 / 3, { relative: 1e-11 });
}

function requireLosses({ largestLogRatio, largestMechanismLoss }: Searches): void {
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
  for (const wrong of [{ pairs: [] }, { starts: 0 }, { dimension: 0 }]) {
    requireRefused("a search of nothing", () => largestLogRatio({ ...search, seed: 1, ...wrong }));
  }
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
    logDensity: (y: string, [row]: readonly number[]) =>
      y === "a" ? [-Infinity, -1][row!]! : -Infinity,
  };
  const said = largestMechanismLoss<number, string>(texts, {
    pairs: [sides],
    outputs: ["b"],
    seed: 1,
  });
  requireEqual([said.loss, said.output, drawn], [Infinity, "a", [20, 20]]);
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

function requireChanges(largestChange: Searches["largestChange"]): void {
  const measure = ([x]: readonly number[]) => ({ distance: 1 - (x! - 0.7) ** 2, uncertainty: 0.1 });
  const still = largestChange({ pairs: [[0]], measure, bound: 2, seed: 1 });
  requireNear(still.share, (0.51 - 0.1) / 2);
  requireNear(still.most, (0.51 + 0.1) / 2);
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
  for (const wrong of [{ bound: 0 }, { bound: -1 }, { bound: 1, climbs: -1 }]) {
    requireRefused(
      "a bound of 0",
      () => largestChange({ pairs: [[0]], measure, seed: 1, ...wrong }),
    );
  }
  requireRefused("no pairs", () => largestChange({ pairs: [], measure, bound: 1, seed: 1 }));
}
