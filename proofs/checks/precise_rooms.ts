import { precisePoint } from "../../lib/learners/erm/precise_point.ts";
import { smoothElasticNet, squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { add, multiply, rational, toNumber } from "../../lib/numeric/rational.ts";
import { requireNear } from "../engine/requirement.ts";
import {
  flat,
  gamma,
  LAYOUTS,
  length,
  problemOn,
  ramp,
  roundingOfRows,
  storedIn,
  TABLE,
  U,
} from "./gradient_rooms.ts";

/** The room for rounding in the bound of a point of twice the precision, and its terms where they are all that there is. */
export function requirePreciseRooms(): void {
  for (const rows of LAYOUTS) {
    const high = Float64Array.of(0.1, -0.3, 0.7), low = Float64Array.of(3e-18, 1e-18, -2e-17);
    for (const regulariser of [squaredNorm, smoothElasticNet(0.7)]) {
      for (
        const [lambda, quadratic, linear, loss] of [
          // The bound of a slope so large that its rounding is all that there is.
          [0.5, 0.25, undefined, ramp({ from: -1e3, steep: 1, bound: 1e9 })],
          [0.5, 0, [1, 2, -2], ramp({ from: -1e3, steep: 1, bound: 1e9 })],
          // A ramp of 1e−15, over which margins of twice the precision are known.
          [0.5, 0.25, undefined, ramp({ from: -0.1 * 3 - 0.7 * 4, steep: 1e15, bound: 1 })],
        ] as const
      ) {
        const problem = problemOn(rows, { loss, regulariser, lambda, quadratic, linear });
        const point = precisePoint(problem, { high, low });
        const stored = storedIn(rows);
        const errors = TABLE.map((row, i) =>
          2 * U * Math.abs(point.margins[i]!) +
          2 * gamma(4 * stored[i]! + 8) ** 2 *
            row.reduce((sum, x, j) => sum + Math.abs(x * high[j]!), 0) +
          1e-300
        );
        const { slopes, mass } = roundingOfRows({
          rows: TABLE,
          loss,
          margins: point.margins,
          errors,
          rowCount: 5,
        });
        const plain = regulariser === squaredNorm, pull = new Float64Array(3);
        if (!plain) regulariser.addGradient(high, { scale: lambda, into: pull });
        const room = slopes + (gamma(130) + gamma(5) ** 2 + 4 * U) * mass + 24 * U * length(pull);
        requireNear(
          point.gradientNormBound - length(point.gradient),
          length(point.gradient) * gamma(11) + room * (1 + 1e-6),
          { relative: 1e-6, absolute: 4e-16, what: "the room at a precise point" },
        );
      }
    }
  }
  requireZeroMargins();
  requireCancelledTerms();
  // Only the last additions of what cancels are left: 64u² of their sizes.
  const weights = Float64Array.of(2, -4, 1), nowhere = new Float64Array(3);
  const zero = problemOn(denseRows([[0, 0, 0]]), {
    loss: flat,
    lambda: 0.5,
    quadratic: 0.25,
    linear: [...weights].map((f) => -0.75 * f),
  });
  const point = precisePoint(zero, { high: weights, low: nowhere });
  requireNear(length(point.gradient), 0);
  requireNear(point.gradientNormBound, 64 * U ** 2 * 7 * 1.5 * (1 + 1e-6), { relative: 1e-9 });
}

/** Where terms of the gradient cancel, what is left of them is the rounding of their products, to the last bit of a double. */
function requireCancelledTerms(): void {
  const high = Float64Array.of(0.3, -1.7, 1e3), low = Float64Array.of(1e-18, -3e-17, 5e-14);
  for (const [lambda, quadratic] of [[0.1, 0], [0.1, 0.7], [1e-3, 1 / 3]] as const) {
    const linear = [...high].map((f) => -(lambda * f + quadratic * f));
    const { gradient } = precisePoint(
      problemOn(denseRows([[0, 0, 0]]), { loss: flat, lambda, quadratic, linear }),
      { high, low },
    );
    gradient.forEach((found, j) => {
      const scale = add(rational(lambda), rational(quadratic));
      const exact = add(
        multiply(scale, add(rational(high[j]!), rational(low[j]!))),
        rational(linear[j]!),
      );
      requireNear(found, toNumber(exact), {
        relative: 1e-12,
        absolute: 64 * U ** 2 * Math.abs(high[j]!),
        what: "a gradient of terms that cancel",
      });
    });
  }
}

/** Margins that are 0, by products that cancel: what is left is the square of a rounding. */
function requireZeroMargins(): void {
  const high = Float64Array.of(4, -1.25, 3), low = new Float64Array(3), steep = 1e27;
  for (const rows of LAYOUTS) {
    const problem = problemOn(rows, {
      loss: ramp({ from: -0.5 / steep, steep, bound: 1 }),
      lambda: 1,
    });
    const point = precisePoint(problem, { high, low });
    requireNear(length(point.margins.filter((_, i) => i < 3)), 0);
    let slopes = 0;
    for (const [i, size] of [[0, 24], [2, 30]] as const) {
      slopes += steep * 2 * gamma(4 * storedIn(rows)[i]! + 8) ** 2 * size * length(TABLE[i]!) / 5;
    }
    requireNear(
      (point.gradientNormBound - length(point.gradient)) / (1 + 1e-6),
      slopes,
      { relative: 1e-9, what: "the room at margins of 0" },
    );
  }
}
