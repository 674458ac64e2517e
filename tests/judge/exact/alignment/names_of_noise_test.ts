import type { ProgramSource } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import {
  exampleDataset,
  type FirstDraw,
  firstDraw,
} from "../../../../lib/judge/exact/alignment/first_draw.ts";
import {
  NoiseLaws,
  placeOf,
  rateOf,
  supportConstraints,
  varianceOf,
} from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { requireEqual, requireRefused } from "../../../../proofs/engine/requirement.ts";

Deno.test("names of noise are those of draws, and of no data", () => {
  const laws = new NoiseLaws();
  const one = { kind: "laplace", rate: rational(1) } as const;
  const names = [
    laws.nameOf(0, one),
    laws.nameOf(1, { kind: "exponential", rate: rational(1) }),
    laws.nameOf(0, { ...one, rate: rational(1, 2) }),
    laws.nameOf(0, { kind: "gaussian", variance: rational(1) }),
    laws.nameOf(10, one),
    laws.nameOf(0, one),
  ];
  requireEqual(names, ["n0", "n1", "n0.2", "n0.3", "n10", "n0"]);
  requireEqual(names.map(placeOf), [0, 1, 0, 0, 10, 0]);
  requireEqual(laws.of("n0.3").kind, "gaussian");
  requireEqual([...laws.entries()].length, 5);
  requireEqual(supportConstraints(laws).map(({ form, strict }) => [[...form.keys()], strict]), [
    [["n1"], true],
  ]);
  requireEqual(
    [rateOf({ scale: 4 }), rateOf({ rate: 4 }), rateOf({ scale: rational(2, 3) })],
    [rational(1, 4), rational(4), rational(3, 2)],
  );
  requireEqual(
    [varianceOf({ deviation: 3 }), varianceOf({ variance: 3 })],
    [rational(9), rational(3)],
  );
  for (const bad of [0, -1, NaN, Infinity, rational(0), rational(-1)]) {
    requireRefused("a scale", () => rateOf({ scale: bad }), "scale");
    requireRefused("a rate", () => rateOf({ rate: bad }), "rate");
    requireRefused("a deviation", () => varianceOf({ deviation: bad }), "deviation");
    requireRefused("a variance", () => varianceOf({ variance: bad }), "variance");
  }
  const beside = (draw: (source: ProgramSource) => unknown) => (source: ProgramSource): unknown => [
    draw(source),
    source.gumbel({ scale: 1 }),
  ];
  const first: [(source: ProgramSource) => unknown, FirstDraw][] = [
    [(source) => source.laplace({ scale: 1 }), "continuous"],
    [(source) => source.exponential({ scale: 1 }), "continuous"],
    [(source) => source.gumbel({ scale: 1 }), "continuous"],
    [(source) => source.split("a").gaussian({ deviation: 1 }), "continuous"],
    [beside((source) => source.bernoulli({ probability: 0.5 })), "discrete"],
    [beside((source) => source.integer({ below: 2 })), "discrete"],
    [beside((source) => source.choice({ exponents: [0, 1] })), "discrete"],
    [beside((source) => source.discreteLaplace({ rate: 1 })), "discrete"],
    [beside((source) => source.discreteGaussian({ variance: 1 })), "discrete"],
    [beside((source) => source.geometric({ rate: 1 })), "discrete"],
    [(source) => {
      try {
        source.uniform();
      } catch {
        // Its first draw is what counts.
      }
      return source.laplace({ scale: 1 });
    }, "uniform"],
    [(source) => source.uint32(), "bits"],
    [(source) => source.fillUint32(new Uint32Array(1)), "bits"],
    [() => 1, "nothing"],
    [() => {
      throw new Error("no rows");
    }, "nothing"],
  ];
  for (const [run, expected] of first) {
    requireEqual(firstDraw((_, source) => run(source), [1]), expected, String(run));
  }
  const given = [[1]];
  firstDraw((data) => (data as number[][])[0]!.push(2), given);
  requireEqual(given, [[1]], "data that a program changed");
  const rows: Domain["rows"] = {
    type: "record",
    fields: {
      a: { type: "vector", length: 2, of: { type: "number", min: 1, max: 2 } },
      b: { type: "boolean" },
      c: { type: "category", values: ["x", "y"] },
      d: { type: "integer", min: 7, max: 9 },
    },
  };
  const row = { a: [1, 1], b: false, c: "x", d: 7 };
  requireEqual(exampleDataset({ rows, size: { min: 0, max: 2 } }), [row, row]);
});
