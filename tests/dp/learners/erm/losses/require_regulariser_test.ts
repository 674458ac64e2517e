import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { requireRegulariser } from "../../../../../lib/dp/learners/erm/losses/require_regulariser.ts";

/** Two points at which a regulariser is compared with itself. */
interface Pair {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly step: Float64Array;
}

/** All pairs of points that are looked at. */
function pairsOf(columnCount: number): Pair[] {
  const points: Float64Array[] = [];
  requireRegulariser({
    ...squaredNorm,
    value(weights): number {
      points.push(weights.slice());
      return squaredNorm.value(weights);
    },
  }, { columnCount });
  return Array.from({ length: points.length / 2 }, (_, k) => {
    const from = points[2 * k]!, to = points[2 * k + 1]!;
    return { from, to, step: to.map((value, j) => value - from[j]!) };
  });
}

const norm = (vector: Float64Array): number => Math.hypot(...vector);
const isAlong = ({ step }: Pair, axis: number): boolean =>
  step[axis] !== 0 &&
  step.every((value, j) => j === axis || Math.abs(value) < 1e-9 * norm(step));

// Mutants: no steps along axes, or no others; all steps of one length; all points near 0, or on one side of it.
Deno.test("requireRegulariser() looks along every axis and elsewhere, near and far, from points on all sides", () => {
  for (const columnCount of [2, 3, 5]) {
    const pairs = pairsOf(columnCount), axes = [...Array(columnCount).keys()];
    for (const axis of axes) {
      const lengths = pairs.filter((pair) => isAlong(pair, axis)).map(({ step }) => norm(step));
      assert(lengths.some((length) => length < 0.1), `near along axis ${axis}`);
      assert(lengths.some((length) => length > 10), `far along axis ${axis}`);
      for (const sign of [1, -1]) {
        const sides = pairs.filter(({ from }) => sign * from[axis]! > 0).length;
        assert(sides > pairs.length / 5, `${sides} points on one side of axis ${axis}`);
      }
    }
    const oblique = pairs.filter((pair) => !axes.some((axis) => isAlong(pair, axis)));
    for (
      const [name, list] of Object.entries({
        points: pairs.map(({ from }) => from),
        steps: oblique.map(({ step }) => step),
      })
    ) {
      const sizes = list.map((each) => Math.max(...each.map(Math.abs)));
      assert(sizes.filter((size) => size < 0.1).length >= 10, `${name} near 0`);
      assert(sizes.filter((size) => size > 10).length >= 5, `${name} far out`);
      // No two alike, in size or direction, and no two coordinates equal.
      const shares = list.map((each) => each[0]! / norm(each));
      assertEquals(
        new Set(shares.map((share) => share.toFixed(6))).size > 0.9 * list.length,
        true,
        name,
      );
      for (const each of list) assert(Math.abs(each[0]! - each[1]!) > 1e-6 * norm(each), name);
    }
    // Large points with small steps, too: what is only curved there is seen.
    assert(oblique.some(({ from, step }) => norm(from) > 10 && norm(step) < 0.01));
    const cosine = ({ from, step }: Pair): number =>
      Math.abs(from.reduce((sum, value, j) => sum + value * step[j]!, 0)) / norm(from) / norm(step);
    assert(oblique.filter((pair) => cosine(pair) < 0.9).length > oblique.length / 2);
  }
});

/** A regulariser whose gradient is wrong at one point only. */
function wrongAt(point: Float64Array, wrong: Float64Array): Regulariser {
  return {
    ...squaredNorm,
    addGradient(weights, { scale, into }): void {
      squaredNorm.addGradient(weights, { scale, into });
      if (!weights.every((value, j) => value === point[j])) return;
      for (let j = 0; j < wrong.length; j++) into[j]! += scale * wrong[j]!;
    },
  };
}

// Mutants: one of the two inequalities left out; a margin for any error.
Deno.test("requireRegulariser() refuses a gradient that is too long at either end of a step", () => {
  const pairs = pairsOf(3);
  for (const { from, to, step } of [pairs[1]!, pairs[7]!, pairs[21]!, pairs[40]!]) {
    const longer = step.map((value) => 1e-3 * value), shorter = step.map((value) => -1e-3 * value);
    for (const regulariser of [wrongAt(from, longer), wrongAt(to, shorter)]) {
      assertThrows(
        () => requireRegulariser(regulariser, { columnCount: 3 }),
        RangeError,
        "1-strongly convex",
      );
    }
  }
});

/** ½‖f‖² and ½(a·f)², with a matrix of which only the lower triangle is there. */
function tilted(a: readonly number[]): Regulariser {
  const along = (vector: Float64Array): number =>
    vector.reduce((sum, value, j) => sum + a[j]! * value, 0);
  return {
    name: "tilted",
    value: (weights) => squaredNorm.value(weights) + along(weights) ** 2 / 2,
    addGradient(weights, { scale, into }): void {
      squaredNorm.addGradient(weights, { scale, into });
      for (let j = 0; j < into.length; j++) into[j]! += scale * a[j]! * along(weights);
    },
    addHessian(_, { scale, into }): void {
      const d = a.length;
      for (let i = 0; i < d; i++) {
        for (let j = 0; j < d; j++) {
          into[i * d + j] = j > i ? NaN : scale * (a[i]! * a[j]! + (i === j ? 1 : 0));
        }
      }
    },
    addHessianProduct(_, { direction, scale, into }): void {
      const length = along(direction);
      for (let j = 0; j < into.length; j++) into[j]! += scale * (direction[j]! + a[j]! * length);
    },
  };
}

Deno.test("requireRegulariser() takes regularisers that are right but for rounding, and reads lower triangles only", () => {
  for (const columnCount of [1, 2, 4, 32]) {
    requireRegulariser(tilted(Array.from({ length: columnCount }, (_, j) => 2 - j / 3)), {
      columnCount,
    });
    // What is added to a value hides its last digits.
    for (const level of [1e5, -1e5]) {
      const value = (weights: Float64Array): number => squaredNorm.value(weights) + level;
      requireRegulariser({ ...squaredNorm, value }, { columnCount });
    }
    requireRegulariser(smoothElasticNet(1e3), { columnCount });
  }
});

/** By what is wrong with them, and what the refusal names. */
const broken: Readonly<Record<string, Regulariser>> = {
  "99.9% of the convexity | 1-strongly convex": scaledBy(0.999),
  "a matrix that is off by a millionth | Hessian that of its products": {
    ...squaredNorm,
    addHessian: (weights, { scale, into }) =>
      squaredNorm.addHessian(weights, { scale: (1 + 1e-6) * scale, into }),
  },
  "a term beside the diagonal that products lack | Hessian that of its products": {
    ...squaredNorm,
    addHessian(weights, { scale, into }): void {
      squaredNorm.addHessian(weights, { scale, into });
      into[weights.length] = 1e-3 * scale;
    },
  },
  "products that are off by 2% for long directions | Hessian that of the gradient": {
    ...squaredNorm,
    addHessianProduct: (weights, { direction, scale, into }) =>
      squaredNorm.addHessianProduct(weights, {
        direction,
        scale: norm(direction) > 100 ? 1.02 * scale : scale,
        into,
      }),
  },
  "a gradient that is doubled by any scale above 1 but for a millionth | gradient that is scaled": {
    ...squaredNorm,
    addGradient: (weights, { scale, into }) =>
      squaredNorm.addGradient(weights, { scale: scale > 1 ? scale - 1e-6 : scale, into }),
  },
};

function scaledBy(share: number): Regulariser {
  return {
    ...squaredNorm,
    value: (weights) => share * squaredNorm.value(weights),
    addGradient: (weights, { scale, into }) =>
      squaredNorm.addGradient(weights, { scale: share * scale, into }),
    addHessian: (weights, { scale, into }) =>
      squaredNorm.addHessian(weights, { scale: share * scale, into }),
    addHessianProduct: (weights, { direction, scale, into }) =>
      squaredNorm.addHessianProduct(weights, { direction, scale: share * scale, into }),
  };
}

for (const [title, regulariser] of Object.entries(broken)) {
  const [what, lacks] = title.split(" | ");
  Deno.test(`requireRegulariser() refuses a regulariser with ${what}`, () => {
    assertThrows(() => requireRegulariser(regulariser, { columnCount: 3 }), RangeError, lacks);
  });
}
