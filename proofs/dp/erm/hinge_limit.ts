import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { smoothedHinge } from "../../../lib/dp/learners/erm/losses/smoothed_hinge.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

interface Approximation {
  readonly loss: typeof huberHinge;
  /** As it is printed, between 1 − h and 1 + h. */
  readonly middle: (z: number, h: number) => number;
  /** The largest distance from the hinge, over h. */
  readonly gap: number;
}

const huber: Approximation = {
  loss: huberHinge,
  middle: (z, h) => (1 + h - z) ** 2 / (4 * h),
  gap: 1 / 4,
};
const smoothed: Approximation = {
  loss: smoothedHinge,
  middle: (z, h) =>
    -((1 - z) ** 4) / (16 * h ** 3) + 3 * (1 - z) ** 2 / (8 * h) + (1 - z) / 2 + 3 * h / 16,
  gap: 3 / 16,
};

const hinge = (z: number): number => Math.max(0, 1 - z);

/** The slope of a polynomial of degree four, exactly but for rounding. */
function slopeOf(f: (z: number) => number, z: number, step: number): number {
  return (f(z - 2 * step) - 8 * f(z - step) + 8 * f(z + step) - f(z + 2 * step)) / (12 * step);
}

/** Losses that stand for the hinge. */
export const hingeLimit = theorem<readonly Approximation[]>({
  id: "erm/hinge_limit",
  statement:
    "The smoothed hinge and the Huber hinge are their printed formulas, with the derivatives that belong to them; they are at most 3h/16 and h/4 " +
    "above the hinge, to which they tend as h → 0. The hinge itself has no derivative at 1, nor |w| at 0.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, equations 4 to 7; Chapelle 2007",
  source:
    "JMLR preprint, section 3.4.2 and equations 20 to 23; Chaudhuri’s slides: hinge loss is not differentiable",
  remember: () =>
    `At h = ½ they are ${smoothed.gap / 2} and ${huber.gap / 2} above the hinge at most.`,
  kind: "sampled",
  checked:
    "h = 1, .5, .1 and 2^−10: 4,001 margins within 2h of 1, where alone they differ from the hinge; one-sided slopes at steps of 2^−1 to 2^−40",
  subject: [smoothed, huber],
  check: (approximations) =>
    outcomeOf("two losses, four h", () => {
      for (const { loss, middle, gap } of approximations) {
        for (const h of [1, 0.5, 0.1, 2 ** -10]) {
          const { value, slope, curvature } = loss(h);
          let most = 0;
          for (let k = -2000; k <= 2000; k++) {
            const z = 1 + h * k / 1000, inside = Math.abs(k) <= 1000;
            const what = `h = ${h}, z = ${z}`;
            const expected = inside ? middle(z, h) : hinge(z);
            requireNear(value(z), expected, { absolute: 1e-12, what: `${what}: value` });
            const above = value(z) - hinge(z);
            requireThat(above >= -1e-12, () => `${what}: below the hinge`);
            most = Math.max(most, above);
            // The stencil stays on one side of where the pieces meet.
            const step = h / 1000, near = Math.abs(Math.abs(k) - 1000);
            if (near <= 4) continue;
            requireNear(slope(z), slopeOf(value, z, 2 * step), { absolute: 1e-9, what });
            requireNear(curvature(z), slopeOf(slope, z, 2 * step), { absolute: 1e-8 / h, what });
          }
          requireNear(most, gap * h, { relative: 1e-9, what: `h = ${h}: distance from the hinge` });
          for (const end of [1 - h, 1 + h]) {
            const beside = 1e-9 * h;
            requireNear(slope(end - beside), slope(end + beside), {
              absolute: 1e-8,
              what: "slope",
            });
          }
        }
      }
      for (let k = 1; k <= 40; k++) {
        const t = 2 ** -k;
        for (const [f, at] of [[hinge, 1], [Math.abs, 0]] as const) {
          const [left, right] = [-t, t].map((step) => (f(at + step) - f(at)) / step);
          requireThat(right! - left! >= 1, () => `slopes ${left} and ${right} at ${at}`);
        }
      }
    }),
  mutants: {
    "the Huber hinge h/8 above": [smoothed, { ...huber, gap: 1 / 8 }],
    "the smoothed hinge with u² of 3/(4h)": [
      {
        ...smoothed,
        middle: (z, h) => smoothed.middle(z, h) + 3 * (1 - z) ** 2 / (8 * h),
      },
      huber,
    ],
    "a Huber hinge with half its slope": [
      smoothed,
      {
        ...huber,
        loss: (h) => ({ ...huberHinge(h), slope: (z) => huberHinge(h).slope(z) / 2 }),
      },
    ],
  },
});
