import { assertEquals } from "@std/assert";
import type { ProgramSource } from "../../../../lib/core/continuous_draws.ts";
import {
  drawsContinuousNoise,
  exampleDataset,
} from "../../../../lib/exact/alignment/first_draw.ts";

Deno.test("drawsContinuousNoise() looks at the first draw", () => {
  const cases: [(source: ProgramSource) => unknown, boolean][] = [
    [(source) => source.laplace({ scale: 1 }), true],
    [(source) => source.split("a").gaussian({ deviation: 1 }), true],
    [(source) => [source.bernoulli({ probability: 0.5 }), source.gumbel({ scale: 1 })], false],
    [(source) => source.discreteLaplace({ rate: 1 }), false],
    [(source) => source.uniform(), false],
    [() => 1, false],
    [() => {
      throw new Error("no rows");
    }, false],
  ];
  for (const [run, expected] of cases) {
    assertEquals(drawsContinuousNoise((_, source) => run(source), [1]), expected, String(run));
  }
});

Deno.test("exampleDataset() has as many rows as a domain allows", () => {
  const rows = {
    type: "record",
    fields: {
      a: { type: "vector", length: 2, of: { type: "number", min: 1, max: 2 } },
      b: { type: "boolean" },
    },
  } as const;
  assertEquals(exampleDataset({ rows, size: { min: 0, max: 2 } }), [
    { a: [1, 1], b: false },
    { a: [1, 1], b: false },
  ]);
  assertEquals(
    exampleDataset({ rows: { type: "category", values: ["x", "y"] }, size: { min: 1, max: 1 } }),
    ["x"],
  );
});
