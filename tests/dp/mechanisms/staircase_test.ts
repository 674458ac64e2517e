import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { staircase, staircaseTread } from "../../../lib/dp/mechanisms/staircase.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { breachOfDraws } from "../../../lib/judge/testing/laws/stated_laws.ts";

const options = {
  query: (rows: readonly number[]) => rows[0]!,
  epsilon: 1,
  sensitivity: 3,
  granularity: 1,
  relation: replaceOne,
};

/** The mean magnitude of a staircase by its definition, summed until nothing is left. */
function meanMagnitude(epsilon: number, steps: number, tread: number): number {
  let sum = 0, total = 0;
  for (let x = 0; x <= steps * (2 + 50 / epsilon); x++) {
    const weight = Math.exp(-epsilon * (Math.floor(x / steps) + (x % steps < tread ? 0 : 1)));
    sum += 2 * x * weight;
    total += x === 0 ? weight : 2 * weight;
  }
  return sum / total;
}

// Mutants: a term of the closed form of the cost; a tread of none; always the one below.
Deno.test("staircaseTread() costs no more than the treads beside it, and than all of a small staircase", () => {
  for (const epsilon of [0.2, 0.5, 1, 2, 3, 5, 9]) {
    for (let steps = 1; steps <= 24; steps++) {
      const tread = staircaseTread({ epsilon, steps });
      assert(Number.isInteger(tread) && tread >= 1 && tread <= steps);
      const least = Math.min(
        ...Array.from({ length: steps }, (_, k) => meanMagnitude(epsilon, steps, k + 1)),
      );
      const cost = meanMagnitude(epsilon, steps, tread);
      assert(cost <= least * (1 + 1e-9), `tread ${tread} of ${steps} at ${epsilon}`);
    }
  }
  // e^ε overflows: nearly all is on the first step.
  assertEquals(staircaseTread({ epsilon: 2000, steps: 4 }), 1);
});

// Mutants: another tread; zero twice, or never; a sign that is lost; a step that is not reached.
Deno.test("staircase() draws the law of its densities where single outputs are likely", () => {
  for (const [sensitivity, epsilon] of [[1, 1], [2, 0.7], [6, 0.5]] as const) {
    const mechanism = staircase<number>({ ...options, sensitivity, epsilon });
    const source = new SeededSource(1601).split(sensitivity);
    const outputs = Array.from({ length: 20_000 }, () => mechanism.sample([2], source));
    assertEquals(breachOfDraws(mechanism as Mechanism, { data: [2], drawn: outputs }), undefined);
    const falls = mechanism.logDensity!(2, [2]) - epsilon;
    const tread = staircaseTread({ epsilon, steps: sensitivity });
    assertAlmostEquals(mechanism.logDensity!(2 + tread, [2]), falls, 1e-12);
    if (tread > 1) {
      assertAlmostEquals(mechanism.logDensity!(1 + tread, [2]), falls + epsilon, 1e-12);
    }
    let total = 0;
    for (let x = -600; x <= 600; x++) total += Math.exp(mechanism.logDensity!(x, [2]));
    assertAlmostEquals(total, 1, 1e-12);
    assertEquals(mechanism.logDensity!(0.5, [2]), -Infinity);
  }
});
