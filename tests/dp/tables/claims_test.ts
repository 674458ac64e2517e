import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { foundInMemory } from "../../../lib/dp/tables/engine/memory.ts";
import { neighbours, put, reading, REQUESTS, viewOf } from "./tables_of_rows.ts";

/** The norm of what totals change by, in which noise is scaled. */
const change = (left: Float64Array, right: Float64Array, norm: "l1" | "l2"): number => {
  const moved = left.map((value, i) => Math.abs(value - right[i]!));
  return norm === "l1" ? moved.reduce((a, b) => a + b, 0) : Math.hypot(...moved);
};

// Noise is scaled to what is seen to move, and no wider: sensitivities that are smaller in any case fail the first check, and a search
// that cannot see a loss the second.
Deno.test("questions about tables move by what their noise is scaled to, and some by all of it", () => {
  const attained = new Map<string, number>();
  fc.assert(
    fc.property(
      neighbours,
      fc.boolean(),
      fc.boolean(),
      fc.nat(),
      (pair, grouped, gaussian, seed) => {
        assertEquals(pair.relation.violation(pair.left, pair.right), undefined);
        for (const request of REQUESTS) {
          const cost = gaussian ? { rho: 0.5 } : { epsilon: 0.75 };
          const by = grouped ? "group" : undefined;
          const [left, right] = [pair.left, pair.right].map((rows) =>
            reading(put(viewOf(pair), { ...request, by, cost }), rows, new SeededSource(seed))
          );
          left!.totals.forEach((totals, i) => {
            const { grid, claim } = left!.noisy[i]!.mechanism;
            const moved = change(totals, right!.totals[i]!, gaussian ? "l2" : "l1");
            const ratio = moved / grid.sensitivityInSteps;
            assert(ratio <= 1 + 1e-12, `${request.what} ${i}: ${ratio}`);
            const key = [
              request.what,
              i,
              typeof pair.schema.unit,
              pair.schema.relation.name,
              grouped,
              gaussian,
            ].join(" ");
            attained.set(key, Math.max(attained.get(key) ?? 0, ratio));
            assertEquals(claim.relation.name, pair.relation.name);
          });
        }
      },
    ),
    { numRuns: 4000, seed: 1 },
  );
  // Kinds of totals, units, relations, groups or none, and noise: 1 + 1 + 2 + 3 kinds.
  assertEquals(attained.size, 7 * 2 * 2 * 2 * 2);
  // A row that is replaced by another leaves their number as it is, and a person who is replaced has one row before and after.
  const numbers = /^count 0 \w+ replace-one false/;
  assertEquals(
    [...attained].filter(([key, ratio]) => ratio < 0.999 && !numbers.test(key)),
    [],
  );
});

// Persons are in any order in neighbouring tables. Mutant: totals that stop at the largest on the way.
Deno.test("a total does not depend on the order of persons, however large it gets on the way", () => {
  const [lower, upper] = [-(2 ** 51), 2 ** 51];
  const steps = { lower, upper, granularity: 1, origin: 0, middle: undefined };
  const totalOf = (signs: readonly number[]): number => {
    const found = foundInMemory({
      where: [],
      parts: [],
      clipped: {
        value: { kind: "cell", cell: { column: "value" }, days: false },
        lower,
        upper,
      },
      persons: { column: "person", bounds: { groups: 1, rows: 1 }, key: 1 },
      wanted: { kind: "totals", measures: [{ steps }] },
    }, signs.map((sign, person) => ({ value: sign * upper, person })));
    assert(found.kind === "totals");
    return found.totals[0]![0]! / 2 ** 51;
  };
  for (
    const [up, down, total] of [[9, 8, 1], [9, 9, 0], [3, 9, -2], [9, 1, 2], [9, 6, 2]] as const
  ) {
    const signs = [...Array<number>(up).fill(1), ...Array<number>(down).fill(-1)];
    assertEquals([totalOf(signs), totalOf(signs.toReversed())], [total, total]);
  }
});

Deno.test("answers about tables lose at most their ε on drawn outputs, and some nearly all of it", () => {
  const epsilon = 0.75;
  let most = 0;
  fc.assert(
    fc.property(neighbours, fc.boolean(), fc.nat(), (pair, grouped, seed) => {
      for (const request of REQUESTS) {
        const [left, right] = [pair.left, pair.right].map((rows) =>
          reading(
            put(viewOf(pair), {
              ...request,
              by: grouped ? "group" : undefined,
              cost: { epsilon },
            }),
            rows,
            new SeededSource(seed),
          )
        );
        assertEquals(
          left!.price.claim,
          { kind: "pure", epsilon, relation: left!.price.claim.relation } as never,
        );
        const source = new SeededSource(seed).split("noise");
        const loss = left!.noisy.reduce((sum, { mechanism }, i) => {
          const output = mechanism.sample([], source);
          const other = right!.noisy[i]!.mechanism;
          return sum + mechanism.logDensity!(output, []) - other.logDensity!(output, []);
        }, 0);
        assert(Math.abs(loss) <= epsilon * (1 + 1e-9), `${request.what}: ${loss}`);
        most = Math.max(most, Math.abs(loss));
      }
    }),
    { numRuns: 250, seed: 2 },
  );
  assert(most > 0.9 * epsilon, `${most}`);
});
