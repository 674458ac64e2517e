import { type CertifiedMaximum, certifiedMaximum } from "../../tools/certified_maximum.ts";
import {
  affine,
  chain,
  coordinates,
  type GradientInterval,
  product,
  reciprocal,
  square,
  sum,
} from "../../tools/gradient_interval.ts";
import {
  addIntervals,
  type Interval,
  interval,
  risingInterval,
} from "../../../lib/judge/exact/interval.ts";
import { noisyMaxProbability } from "../../tools/quadrature.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** b·ln b on [0, 1], which falls to 1/e and rises from there. */
function timesLog(b: GradientInterval): GradientInterval {
  const of = (x: number): number => x === 0 ? 0 : x * Math.log(x);
  return chain(b, {
    value: ({ lower, upper }) => {
      const ends = [interval(lower), interval(upper)].map((x) => risingInterval(x, of));
      const turns = lower <= 0.368 && upper >= 0.3678;
      return {
        lower: turns ? -0.36788 : Math.min(...ends.map((end) => end.lower)),
        upper: Math.max(...ends.map((end) => end.upper)),
      };
    },
    slope: (x) => addIntervals(interval(1), risingInterval(x, Math.log)),
  });
}

/** P and P − N at one point of a part of the plane, both divided by the same positive number. */
interface Part {
  readonly name: string;
  readonly sides: number;
  readonly parts: (box: readonly Interval[]) => { p: GradientInterval; rest: GradientInterval };
}

/**
 * P(g₁, g₂) is the chance that an answer g₁ and g₂ above the two others wins, with Lap(1) on all three, and
 * N its slope along (1, 1): closed forms by parts, g₁ ≥ g₂, from ∫ e^(−|z|)/2·F(z + g₁)F(z + g₂)dz. Every part
 * of the plane is a box in the exponentials of −|g|, or in 1/(1 + |g|) beside them.
 */
const PARTS: readonly Part[] = [
  {
    name: "g₂ ≥ 0: e^(−g₂) and e^(g₂ − g₁)",
    sides: 2,
    parts: (box) => {
      const [b, t] = coordinates(box) as [GradientInterval, GradientInterval];
      const both = product(timesLog(b), affine(t, { shift: 1 }));
      const bt = product(b, t), btt = product(b, square(t)), bbt = product(square(b), t);
      return {
        p: sum(
          affine(btt, { scale: 1 / 24, shift: 1 }),
          affine(b, { scale: -1 / 2 }),
          affine(bt, { scale: -1 / 8 }),
          affine(both, { scale: 1 / 4 }),
          affine(bbt, { scale: -1 / 12 }),
        ),
        rest: sum(
          affine(btt, { scale: 1 / 12, shift: 1 }),
          affine(b, { scale: -3 / 4 }),
          affine(both, { scale: 1 / 2 }),
          affine(bbt, { scale: -1 / 4 }),
        ),
      };
    },
  },
  {
    name: "g₁ ≥ 0 ≥ g₂: e^(−g₁), e^(g₂) and 1/(1 − g₂)",
    sides: 3,
    parts: (box) => {
      const [a, b, v] = coordinates(box) as [GradientInterval, GradientInterval, GradientInterval];
      const near = sum(
        affine(square(a), { scale: 1 / 24, shift: 1 / 4 }),
        affine(a, { scale: -1 / 4 }),
        affine(product(a, b), { scale: 1 / 24 }),
      );
      const rest = sum(
        affine(square(a), { scale: 1 / 12, shift: 1 / 4 }),
        affine(a, { scale: -1 / 4 }),
      );
      return {
        p: affine(product(v, near), { shift: 1 / 4 }),
        rest: product(v, rest),
      };
    },
  },
  {
    name: "0 ≥ g₁: e^(g₁), e^(g₂ − g₁) and 1/(1 + g₁ − g₂)",
    sides: 3,
    parts: (box) => {
      const [a, t, v] = coordinates(box) as [GradientInterval, GradientInterval, GradientInterval];
      const near = sum(
        affine(a, { scale: -1 / 12, shift: 1 / 8 }),
        affine(t, { scale: 1 / 24 }),
      );
      return {
        p: affine(product(v, near), { shift: 1 / 4 }),
        rest: product(v, affine(a, { scale: 1 / 12 })),
      };
    },
  },
];

/** N/P = 1 − (P − N)/P, the slope of ln P, at its largest in a part. */
function largestSlope({ sides, parts }: Part): CertifiedMaximum {
  return certifiedMaximum({
    box: new Array<Interval>(sides).fill(interval(0, 1)),
    enclose: (box) => {
      const { p, rest } = parts(box);
      return affine(product(rest, reciprocal(p)), { scale: -1, shift: 1 });
    },
    gap: 1e-3,
  });
}

/** Of a central difference: its error is about STEP²/6. */
const STEP = 1e-3;

/** P and its slope N by the closed forms. */
function closedForm(g1: number, g2: number): { p: number; slope: number } {
  const [part, at, by] = g2 >= 0
    ? [PARTS[0]!, [Math.exp(-g2), Math.exp(g2 - g1)], 1] as const
    : g1 >= 0
    ? [PARTS[1]!, [Math.exp(-g1), Math.exp(g2), 1 / (1 - g2)], Math.exp(g2) * (1 - g2)] as const
    : [
      PARTS[2]!,
      [Math.exp(g1), Math.exp(g2 - g1), 1 / (1 + g1 - g2)],
      Math.exp(g2) * (1 + g1 - g2),
    ] as const;
  const { p, rest } = part.parts(at.map((x) => interval(x)));
  const middle = ({ lower, upper }: Interval): number => by * (lower + upper) / 2;
  return { p: middle(p), slope: middle(p) - middle(rest) };
}

/** Noisy max among three answers, for all reals at once. */
export const noisyMaxCertified = theorem<{ readonly scale: number }>({
  id: "mechanisms/noisy_max_certified",
  statement:
    "The index of the largest of three answers with noise Lap(2Δ/ε) is ε-differentially private, " +
    "whatever three real numbers the answers are.",
  citation: "Dwork, Roth 2014, Claim 3.9; branch and bound in interval arithmetic",
  source: "notes on exact checks of sparse vector and noisy max",
  remember: () =>
    `Every three real numbers fall into ${PARTS.length} parts of a plane, and the loss is bounded on all of each.`,
  assumptions: [
    "answers move by at most Δ, so that the winner's leads grow by at most 2Δ each: the loss is at most 2Δ times the slope of ln P along (1, 1), certified on all of the plane in three parts",
  ],
  onPaper: true,
  kind: "certified",
  checked:
    "three answers, ε = 1: every three real numbers; the closed forms that are bounded, of P and of its slope, are compared with quadrature at 45 points",
  subject: { scale: 2 },
  check: ({ scale }) => {
    let off = 0, slopeOff = 0;
    for (let g1 = -8; g1 <= 8; g1 += 2) {
      for (let g2 = -8; g2 <= g1; g2 += 2) {
        const p = noisyMaxProbability([0, -g1, -g2], { index: 0, scale: 1 });
        off = Math.max(off, Math.abs(closedForm(g1, g2).p / p - 1));
        // The slope along (1, 1), by a central difference.
        const [up, down] = [STEP, -STEP].map((h) =>
          noisyMaxProbability([0, -g1 - h, -g2 - h], { index: 0, scale: 1 })
        );
        const slope = (up! - down!) / (2 * STEP);
        slopeOff = Math.max(slopeOff, Math.abs(closedForm(g1, g2).slope - slope) / p);
      }
    }
    const found = PARTS.map(largestSlope);
    const [lower, upper] = [
      Math.max(...found.map((each) => each.lower)),
      Math.max(...found.map((each) => each.upper)),
    ].map((slope) => 2 * slope / scale);
    const boxes = found.reduce((total, each) => total + each.boxes, 0);
    const outcome = atMost(1, {
      value: upper!,
      detail: `largest loss certified between ${short(lower!)} and ${short(upper!)} at ε = 1, ` +
        `${boxes} boxes; closed forms off by ${short(off)}, their slopes by ${short(slopeOff)}`,
      witness: `an answer far behind two others, which all move towards each other, loses ${
        short(lower!)
      }`,
    });
    return { ...outcome, holds: outcome.holds && off < 1e-9 && slopeOff < 1e-6 };
  },
  mutants: { "noise at 0.87": { scale: 0.87 * 2 }, "noise Lap(Δ/ε)": { scale: 1 } },
});
