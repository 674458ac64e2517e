import { assert, assertEquals } from "@std/assert";
import { precedenceLowerBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence.ts";
import { type Claim, gaussian, pure, zcdp } from "../../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";
import { type Draw, laplace, normal } from "./precedence_cases.ts";

Deno.test("precedenceLowerBound() comes close to the truth from below, for ε, μ and ρ", () => {
  const bound = (draw: Draw, family: (value: number) => Claim): number =>
    precedenceLowerBound(draw(new SeededSource(6), 20_000), {
      family,
      alpha: 0.05,
      source: new SeededSource(7),
      replicates: 199,
      grid: Array.from({ length: 9 }, (_, i) => 0.25 * 1.2 ** i),
    });
  const epsilon = bound(laplace(1), (value) => pure({ epsilon: value, relation }));
  const mu = bound(normal(1), (value) => gaussian({ mu: value, relation }));
  const rho = bound(normal(1), (value) => zcdp({ rho: value, relation }));
  assert(epsilon > 0.7 && epsilon <= 1, `${epsilon}`);
  assert(mu > 0.7 && mu <= 1, `${mu}`);
  assert(rho > 0.2 && rho <= 0.5, `${rho}`);
});

Deno.test("precedenceLowerBound() tests the values of its grid upwards, and refutes at a p-value of alpha", () => {
  const scores = { left: new Float64Array(60).fill(1), right: new Float64Array(60) };
  const seen: number[] = [];
  const grid = Array.from({ length: 157 }, (_, i) => 0.01 * 1.05 ** i);
  const bound = precedenceLowerBound(scores, {
    grid,
    // The same false claim for all of them, so that the p-value is the least there is: 2/20.
    family: (value) => (seen.push(value), pure({ epsilon: 0.01, relation })),
    alpha: 0.1,
    replicates: 19,
    source: new SeededSource(1),
  });
  assertEquals(seen, grid);
  assertEquals(bound, seen.at(-1));
});
