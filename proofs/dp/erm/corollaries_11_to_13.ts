import {
  derivative,
  multiplyPolynomials,
  type Polynomial,
} from "../../../lib/judge/exact/polynomial.ts";
import { subtractPolynomials } from "../../tools/polynomials.ts";
import { nonNegativeFrom } from "../../../lib/judge/exact/sturm.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import type { Loss } from "../../../lib/dp/learners/erm/losses/loss.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { compare, type Rational, rational } from "../../../lib/core/numeric/rational.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { type Outcome, theorem } from "../../engine/theorem.ts";
import { type LossClaim, lossConditions } from "./checks/loss_conditions_check.ts";

const file = "erm/corollaries_11_to_13";

/** Logistic loss meets the conditions of Theorems 6 and 9. */
export const corollary11 = theorem<LossClaim>({
  id: "erm/corollary_11",
  file,
  statement: "ℓ(z) = ln(1 + e^−z) is convex with |ℓ′| ≤ 1 and |ℓ″| ≤ 1/4: Theorems 6 and 9 apply " +
    "with c = 1/4.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Corollary 11",
  source: "JMLR preprint, Corollary 2; Chaudhuri’s slides, logistic loss",
  remember: () => `c = ${logisticLoss.curvatureBound}, at the margin 0.`,
  kind: "sampled",
  checked: "80,001 margins from −10 to 10",
  subject: { loss: logisticLoss, curvature: 1 / 4 },
  check: lossConditions,
  mutants: { "c = 1/5": { loss: { ...logisticLoss, curvatureBound: 1 / 5 }, curvature: 1 / 5 } },
});

/** A loss that is 0 above 1 + h, 1 − z below 1 − h, and h·p(u)/denominator between, u = (1 − z)/h. */
interface SmoothHinge {
  readonly loss: (h: number) => Loss;
  /** p, by its coefficients from the constant up. */
  readonly middle: Polynomial;
  readonly denominator: bigint;
  /** c·h, the bound on h·ℓ″. */
  readonly bound: Rational;
}

const smoothed: SmoothHinge = {
  loss: smoothedHinge,
  middle: [3n, 8n, 6n, 0n, -1n],
  denominator: 16n,
  bound: rational(3, 4),
};

const huber: SmoothHinge = {
  loss: huberHinge,
  middle: [1n, 2n, 1n],
  denominator: 4n,
  bound: rational(1, 2),
};

/** The smoothed hinge, for every half-width. */
export const corollary12 = theorem<SmoothHinge>({
  id: "erm/corollary_12",
  file,
  statement:
    "The smoothed hinge is convex with |ℓ′| ≤ 1 and |ℓ″| ≤ 3/(4h): Theorems 6 and 9 apply " +
    "with c = 3/(4h).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, equation 6 and Corollary 12",
  source: "JMLR preprint, Corollary 3",
  remember: () => `At h = ½, c = ${smoothedHinge(1 / 2).curvatureBound}.`,
  kind: "exact",
  checked:
    "every margin and every h > 0, by polynomials in (1 − z)/h; the shipped loss is that polynomial at 33 margins for each of three h",
  subject: smoothed,
  check: smoothHingeOutcome,
  mutants: {
    "c = 1/(2h)": {
      ...smoothed,
      bound: rational(1, 2),
      loss: (h) => ({ ...smoothedHinge(h), curvatureBound: 1 / (2 * h) }),
    },
    "c = 1/h": {
      ...smoothed,
      bound: rational(1),
      loss: (h) => ({ ...smoothedHinge(h), curvatureBound: 1 / h }),
    },
    "−u⁴/(15h³)": { ...smoothed, middle: [45n, 120n, 90n, 0n, -16n], denominator: 240n },
  },
});

/** The Huber hinge, for every half-width. */
export const corollary13 = theorem<SmoothHinge>({
  id: "erm/corollary_13",
  file,
  statement: "The Huber hinge is convex with |ℓ′| ≤ 1 and, but for two points, |ℓ″| ≤ 1/(2h): " +
    "Theorem 6 applies, and Theorem 9 with c = 1/(2h).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, equation 7 and Corollary 13",
  source: "JMLR preprint, Corollary 4; Chaudhuri’s slides, Huber loss",
  remember: () => `At h = ½, c = ${huberHinge(1 / 2).curvatureBound}; the paper’s text has ¼.`,
  kind: "exact",
  checked:
    "every margin and every h > 0, by polynomials in (1 − z)/h; the shipped loss is that polynomial at 33 margins for each of three h",
  subject: huber,
  check: smoothHingeOutcome,
  mutants: {
    "c = 1/(4h)": {
      ...huber,
      bound: rational(1, 4),
      loss: (h) => ({ ...huberHinge(h), curvatureBound: 1 / (4 * h) }),
    },
  },
});

/** p(u) ≥ 0 for −1 ≤ u ≤ 1: decided for all t ≥ 0 with u = (t − 1)/(t + 1). */
function nonNegativeInside(p: Polynomial): boolean {
  const degree = p.length - 1;
  const terms = p.map((coefficient, k) =>
    multiplyPolynomials(
      [coefficient],
      ...Array.from({ length: k }, (): Polynomial => [-1n, 1n]),
      ...Array.from({ length: degree - k }, (): Polynomial => [1n, 1n]),
    )
  );
  const moved = terms.reduce((sum, term) => subtractPolynomials(sum, term.map((c) => -c)), []);
  return nonNegativeFrom(moved, { from: 0n }).holds;
}

/** p(numerator/8), as a fraction. */
function eighths(p: Polynomial, numerator: number): Rational {
  const top = BigInt(p.length);
  const sum = p.reduce(
    (sum, c, k) => sum + c * BigInt(numerator) ** BigInt(k) * 8n ** (top - BigInt(k)),
    0n,
  );
  return rational(sum, 8n ** top);
}

function smoothHingeOutcome({ loss, middle, denominator, bound }: SmoothHinge): Outcome {
  return outcomeOf("every margin and every h, by polynomials in (1 − z)/h", () => {
    const slope = derivative(middle), curvature = derivative(slope);
    const at = (p: Polynomial, u: number): Rational => eighths(p, 8 * u);
    const same = (a: Rational, b: Rational): boolean => compare(a, b) === 0;
    // It is 0 and flat at one end, and joins 1 − z at the other.
    for (
      const [p, u, value] of [[middle, -1, 0n], [slope, -1, 0n], [middle, 1, 1n], [
        slope,
        1,
        1n,
      ]] as const
    ) {
      requireThat(same(at(p, u), rational(value * denominator)), () => `pieces part at u = ${u}`);
    }
    requireThat(nonNegativeInside(curvature), "it is not convex");
    requireThat(nonNegativeInside(slope), "ℓ′ is above 0");
    requireThat(nonNegativeInside(subtractPolynomials([denominator], slope)), "ℓ′ is below −1");
    const difference = subtractPolynomials(
      [bound.numerator * denominator],
      curvature.map((c) => c * bound.denominator),
    );
    requireThat(nonNegativeInside(difference), "ℓ″ is above c");
    requireThat(
      compare(at(curvature, 0), rational(bound.numerator * denominator, bound.denominator)) === 0,
      "c is not attained at the margin 1",
    );
    // All numbers are sums of few powers of two: doubles hold them exactly.
    for (const h of [1, 1 / 2, 1 / 8]) {
      const shipped = loss(h);
      const divided = ({ numerator, denominator: below }: Rational, by: number): Rational =>
        rational(numerator * BigInt(8 * by), 8n * below * denominator);
      requireThat(
        same(
          rational(shipped.curvatureBound),
          divided({ ...bound, numerator: bound.numerator * denominator }, 1 / h),
        ),
        `the shipped loss has c = ${shipped.curvatureBound} at h = ${h}`,
      );
      for (let k = -16; k <= 16; k++) {
        const inside = Math.abs(k) <= 8, z = 1 - h * k / 8;
        const outside = (value: number): Rational => rational(k > 8 ? value : 0);
        const [value, rise, bend] = inside
          ? [
            divided(eighths(middle, k), h),
            divided(eighths(slope, k), -1),
            divided(eighths(curvature, k), 1 / h),
          ]
          : [outside(1 - z), outside(-1), rational(0)];
        requireThat(
          same(rational(shipped.value(z)), value!) && same(rational(shipped.slope(z)), rise!) &&
            same(rational(shipped.curvature(z)), bend!),
          () => `the shipped loss is not that polynomial at z = ${z}, h = ${h}`,
        );
      }
    }
    return 1;
  });
}
