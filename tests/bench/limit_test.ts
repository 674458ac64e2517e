import { assertAlmostEquals, assertEquals } from "@std/assert";
import { shiftedLaplace } from "../../bench/limit/laws.ts";
import { leastDivergence, limitOfDraws } from "../../bench/limit/limit.ts";

const binary = (p: number, q: number): number =>
  p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));

/** The least mean divergence of (p, q) from all claimed pairs of probabilities of one event, by a grid. */
function byGrid(
  p: number,
  q: number,
  { epsilon, delta }: { epsilon: number; delta: number },
): number {
  const factor = Math.exp(epsilon);
  const allowed = (a: number, b: number): boolean => a <= factor * b + delta;
  let least = Infinity;
  const steps = 1000;
  for (let i = 1; i < steps; i++) {
    for (let j = 1; j < steps; j++) {
      const a = i / steps, b = j / steps;
      if (!allowed(a, b) || !allowed(b, a) || !allowed(1 - a, 1 - b) || !allowed(1 - b, 1 - a)) {
        continue;
      }
      least = Math.min(least, (binary(p, a) + binary(q, b)) / 2);
    }
  }
  return least;
}

Deno.test("leastDivergence() is that of the nearest pair of laws that the claim allows", () => {
  for (const [p, q] of [[0.6, 0.3], [0.02, 0.2], [0.9, 0.5]] as const) {
    for (const epsilon of [0.1, 0.5]) {
      for (const delta of [0, 0.01, 0.05]) {
        const found = leastDivergence({ left: [p, 1 - p], right: [q, 1 - q] }, { epsilon, delta });
        assertAlmostEquals(found, byGrid(p, q, { epsilon, delta }), 2e-4);
      }
    }
  }
});

Deno.test("limitOfDraws() of Laplace noise that loses 0.2 where 0.1 is claimed is 2,611 at level 0.05", () => {
  assertEquals(Math.round(limitOfDraws(shiftedLaplace(1, 5), { epsilon: 0.1 }, 0.05)), 2611);
});

Deno.test("limitOfDraws() is infinite where the claim allows the laws", () => {
  assertEquals(limitOfDraws(shiftedLaplace(1, 5), { epsilon: 0.2 }, 0.05), Infinity);
  const oneSided = { left: [0.5, 0.5, 0], right: [0.5, 0, 0.5] };
  assertEquals(limitOfDraws(oneSided, { epsilon: 0.1, delta: 0.51 }, 0.05), Infinity);
});
