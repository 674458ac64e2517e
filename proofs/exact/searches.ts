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
import { addIntervals, type Interval, interval } from "../../lib/exact/interval.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  requireChanges,
  requireLogRatios,
  requireMechanismLosses,
  type Searches,
  shipped,
} from "../checks/search_cases.ts";
import { requireIntegrals } from "../checks/integral_cases.ts";

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
      "searches for losses": () => {
        requireLogRatios(of.largestLogRatio);
        requireMechanismLosses(of.largestMechanismLoss);
      },
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
  const side = certifiedMaximum({
    box: [interval(2), interval(0, 1)],
    enclose: ([x, y]) => addIntervals(x!, y!),
    gap: 1e-2,
  });
  requireThat(side.complete && side.upper >= 3 && side.upper <= 3.02, "a side that is a point");
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
