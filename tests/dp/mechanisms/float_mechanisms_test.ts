import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { floatLaplaceMechanism } from "../../../lib/dp/mechanisms/float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "../../../lib/dp/mechanisms/float_spherical_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options = { epsilon: 0.7, sensitivity: 2, relation: replaceOne };

/** ∫ over all magnitudes: Simpson's rule up to 60 scales. */
function integral(f: (x: number) => number, scale: number): number {
  const parts = 40_000, h = 60 * scale / parts;
  let sum = f(0) + f(60 * scale);
  for (let k = 1; k < parts; k++) sum += (k % 2 === 1 ? 4 : 2) * f(k * h);
  return sum * h / 3;
}

// Mutants: a sign; a constant of the density; a scale of 1.
Deno.test("floatLaplaceMechanism() has the density of Laplace noise around its value", () => {
  const mechanism = floatLaplaceMechanism<number>({ ...options, query: (rows) => rows[0]! });
  const scale = 2 / 0.7;
  for (const sign of [-1, 1]) {
    const half = integral((x) => Math.exp(mechanism.logDensity!(5 + sign * x, [5])), scale);
    assertAlmostEquals(half, 0.5, 1e-9);
    for (const x of [0.1, 1, 20]) {
      const fallen = mechanism.logDensity!(5, [5]) - mechanism.logDensity!(5 + sign * x, [5]);
      assertAlmostEquals(fallen, x / scale, 1e-12);
    }
  }
  assertThrows(() => mechanism.check!(["5" as unknown as number]), RangeError, "finite number");
});

// Mutants: a part of the constant of the density; the distance to the mirrored value.
Deno.test("floatSphericalLaplace() has a density that falls with the Euclidean distance and integrates to 1", () => {
  const scale = 2 / 0.7;
  /** The size of the sphere of radius 1. */
  const spheres = [2, 2 * Math.PI, 4 * Math.PI, 2 * Math.PI ** 2];
  for (const dimension of [1, 2, 3, 4]) {
    const at = Array.from({ length: dimension }, (_, i) => i + 3);
    const mechanism = floatSphericalLaplace<number>({ ...options, query: () => at, dimension });
    const along = (distance: number): number =>
      mechanism.logDensity!(at.with(dimension - 1, at[dimension - 1]! + distance), []);
    const total = integral(
      (r) => spheres[dimension - 1]! * r ** (dimension - 1) * Math.exp(along(r)),
      scale,
    );
    assertAlmostEquals(total, 1, 1e-9);
    for (const distance of [-3, 0.5, 9]) {
      assertAlmostEquals(along(0) - along(distance), Math.abs(distance) / scale, 1e-12);
    }
    const diagonal = at.map((value) => value + 1);
    assertAlmostEquals(
      along(0) - mechanism.logDensity!(diagonal, []),
      Math.sqrt(dimension) / scale,
      1e-12,
    );
    // A block is of whole vectors.
    const block = mechanism.sampleMany!([], 5, new SeededSource(1621));
    assertEquals(block.length, 5 * dimension);
  }
});

Deno.test("floatSphericalLaplace() has a Gamma norm and a uniform direction", () => {
  const dimension = 3, scale = 2, draws = 20_000;
  const block = floatSphericalLaplace<number>({
    query: () => [0, 0, 0],
    dimension,
    epsilon: 1,
    sensitivity: scale,
    relation: replaceOne,
  }).sampleMany!([0], draws, new SeededSource(117));
  let norm = 0;
  const sums = [0, 0, 0];
  for (let i = 0; i < draws; i++) {
    const vector = block.subarray(3 * i, 3 * i + 3);
    norm += Math.hypot(...vector);
    vector.forEach((x, j) => sums[j]! += x / Math.hypot(...vector));
  }
  // Mean d·scale, standard deviation √d·scale; directions have variance 1/3: five deviations each.
  assert(Math.abs(norm / draws - 6) < 5 * Math.sqrt(3) * scale / Math.sqrt(draws));
  for (const sum of sums) assert(Math.abs(sum) < 5 * Math.sqrt(draws / 3));
});
