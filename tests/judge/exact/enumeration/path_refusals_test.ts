import { pure } from "../../../../lib/core/mod.ts";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  changeTogether,
  replaceOne as relation,
} from "../../../../lib/core/relations/relation.ts";
import { checkExactly } from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import {
  datasetsOfDomain,
  neighboursOfDomain,
} from "../../../../lib/judge/exact/enumeration/finite_domain.ts";
import { outputKey, thrownKey } from "../../../../lib/judge/exact/enumeration/output_key.ts";
import { discreteSource } from "../../../../lib/core/random/discrete_source.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import { requireEqual, requireRefused } from "../../../../proofs/engine/requirement.ts";
import { type Program, respond, shipped as check } from "./path_cases.ts";

// Mutants: the largest value left out; short datasets, or long ones; a norm that bounds nothing; a field left out; a pair
// skipped; a dataset its own neighbour.
Deno.test("datasetsOfDomain() and neighboursOfDomain() give every dataset and every pair once", () => {
  const one = { min: 1, max: 1 }, integers = { type: "integer", min: -1, max: 1 } as const;
  requireEqual(datasetsOfDomain({ rows: integers, size: one }), [[-1], [0], [1]]);
  const all = datasetsOfDomain({ rows: { type: "boolean" }, size: { min: 0, max: 3 } });
  requireEqual([all.length, new Set(all.map((data) => JSON.stringify(data))).size], [15, 15]);
  const disc = { type: "vector", length: 2, of: integers, norm: 1 } as const;
  requireEqual(datasetsOfDomain({ rows: disc, size: one }).length, 5);
  const { norm: _, ...square } = disc;
  requireEqual(datasetsOfDomain({ rows: square, size: one }).length, 9);
  const record = { type: "record", fields: { a: { type: "boolean" }, b: integers } } as const;
  requireEqual(datasetsOfDomain({ rows: record, size: one })[5], [{ a: true, b: 1 }]);
  const point = { type: "number", min: 2, max: 2 } as const;
  requireEqual(datasetsOfDomain({ rows: point, size: { min: 2, max: 2 } }), [[2, 2]]);
  requireEqual(
    datasetsOfDomain({ rows: { type: "category", values: ["a", "b"] }, size: one }),
    [["a"], ["b"]],
  );
  requireEqual(
    datasetsOfDomain({ rows: { type: "integer", min: 1, max: 2000 }, size: one }).length,
    2000,
  );
  requireRefused(
    "numbers without end",
    () => datasetsOfDomain({ rows: { type: "number", min: 0, max: 1 }, size: one }),
    "finitely many",
  );
  for (
    const [rows, length] of [
      [{ type: "integer", min: 0, max: 1e6 }, 1],
      [{ type: "integer", min: 0, max: 2000 }, 1],
      [{ type: "boolean" }, 11],
      [{ type: "vector", length: 11, of: { type: "boolean" } }, 1],
      [{
        type: "record",
        fields: {
          a: { type: "integer", min: 0, max: 99 },
          b: { type: "integer", min: 0, max: 99 },
        },
      }, 1],
    ] as const
  ) {
    requireRefused(
      "too many datasets",
      () =>
        datasetsOfDomain({ rows: rows as never, size: { min: length, max: length } }, {
          most: 2000,
        }),
      "at most 2000",
    );
  }
  requireNeighbours();
});

/** Neighbours that are made from a relation are those that it finds among all pairs of datasets, in the same order. */
function requireNeighbours(): void {
  const rows = [
    { type: "integer", min: 0, max: 2 },
    { type: "category", values: [3, 0, 0.5, 1] },
    { type: "category", values: [7] },
  ] as const;
  const relations = [
    relation,
    addRemoveOne,
    changeEach({ by: 1 }),
    changeOne({ by: 1 }),
    changeTogether({ by: 2 }),
    { ...addRemoveOne, name: "replace-one" },
    { ...relation, name: "of your own" },
  ];
  for (const each of rows) {
    for (const size of [{ min: 0, max: 3 }, { min: 2, max: 3 }, { min: 3, max: 3 }]) {
      const datasets = datasetsOfDomain({ rows: each, size });
      for (const relation of relations) {
        const pairs = datasets.flatMap((left, i) =>
          datasets.flatMap((right, j) =>
            i < j && relation.violation(left, right) === undefined ? [[i, j]] : []
          )
        );
        requireEqual([...neighboursOfDomain({ rows: each, size }, relation)], pairs, relation.name);
      }
    }
  }
}

// Mutants: −0 and 0 as one; a text that reads as a number; holes taken for undefined; errors by their messages alone.
Deno.test("outputKey() is the same for equal outputs only, and refuses what cannot be compared", () => {
  const outputs: unknown[] = [
    0,
    -0,
    NaN,
    Infinity,
    "0",
    0n,
    null,
    undefined,
    "null",
    "NaN",
    true,
    "true",
    [],
    [0],
    ["0"],
    [[0]],
  ];
  outputs.push([0, 0], "[0]", Float64Array.of(0), Uint8Array.of(0), {}, { a: 1 }, { a: "1" });
  outputs.push({ b: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }, 'Error {"name":"Error","message":"0"}');
  outputs.push(new Error("0"), new Error("1"), new TypeError("0"), new Error("0", { cause: 1 }));
  outputs.push(new (class Own extends Error {})("0"), Object.assign(new Error("0"), { row: 1 }));
  outputs.push(new DOMException("0"), new DOMException("0", "DataError"));
  outputs.push(Object.defineProperty(new Error("0"), "row", { value: 1 }), new Array(1), [
    undefined,
  ]);
  outputs.push(
    new Array(2),
    Object.assign([0], { row: 1 }),
    Object.create(null),
    Object.freeze({}),
  );
  outputs.push(
    Object.defineProperty({}, "a", { value: 1 }),
    new Map(),
    new Map([[0, 1]]),
    new Set(),
  );
  outputs.push(new Set([0]), new Date(0), new Date(1), /a/, /b/, new ArrayBuffer(1), new Number(0));
  outputs.push(
    new DataView(new ArrayBuffer(8)),
    Float64Array.of(NaN),
    Float64Array.of(0, 1).subarray(0, 1),
  );
  const negativeNaN = new Float64Array(Uint32Array.of(0, 0xfff80000).buffer), twin = {};
  outputs.push({ "a,hidden": 1 }, Object.assign(Float64Array.of(0), { bytes: 1, from: 0 }));
  outputs.push(negativeNaN, [twin, twin], [{}, {}]);
  requireEqual(new Set(outputs.map(outputKey)).size, outputs.length, "different outputs");
  requireEqual(outputKey({ a: 1, b: [NaN] }), outputKey({ a: 1, b: [NaN] }));
  requireEqual(thrownKey(outputs[3]) === outputKey(outputs[3]), false, "what is thrown");
  const around: unknown[] = [];
  around.push(around);
  requireEqual(outputKey(around), "[the 0th object]");
  for (
    const other of [
      () => 0,
      Symbol("x"),
      { [Symbol("x")]: 0 },
      new Proxy({}, {}),
      {
        get row() {
          return 1;
        },
      },
      new (class Row {})(),
      [
        new (class Row extends Error {
          #row = 1;
          row(): number {
            return this.#row;
          }
        })(),
      ],
      Promise.resolve(1),
    ]
  ) {
    requireRefused("an output that cannot be compared", () => outputKey(other), "Cannot compare");
  }
});

Deno.test("checkExactly() refuses programs that it cannot enumerate, and hands out a copy of the data each time", () => {
  let calls = 0, starts = 0;
  const refused: readonly (readonly [Program, string])[] = [
    [(_, source) => source.uniform(), "uses uniform(): audit it"],
    [(_, source) => source.uint32(), "audit it"],
    [(_, source) => floatNormal(source, new Float64Array(2)), "audit it"],
    [(_, source) => {
      try {
        return source.uniform();
      } catch {
        return 0;
      }
    }, "uses uniform()"],
    [(_, source) => Promise.resolve(source.integer({ below: 2 })), "asynchronous"],
    [
      (_, source) => source.integer({ below: 2 + calls++ % 2 }) + source.integer({ below: 2 }),
      "keeps state",
    ],
    [(_, source) => {
      const draws = starts++ === 0 ? 2 : 1;
      return Array.from({ length: draws }, () => source.integer({ below: 2 }));
    }, "keeps state"],
    [(row, source) => [row, calls++, source.integer({ below: 2 })], "keeps state"],
    [(_, source) => source.integer({ below: 2 ** 30 }), "at most 16777216"],
    [() => {
      throw new Error("always");
    }, "every run fails"],
  ];
  for (const [program, words] of refused) {
    requireRefused(words, () => check(program, { epsilon: 1 }), words);
  }
  requireRefused("an output without a key", () => check(() => () => 0, { epsilon: 1 }), "JSON");
  for (
    const wrong of [{ maxBranches: 0 }, { maxBranches: 1.5 }, { remainder: 0 }, { remainder: 1 }]
  ) {
    requireRefused("an option out of range", () => check(respond(1), { epsilon: 1, ...wrong }));
  }
  requireRefused("no neighbours", () =>
    checkExactly({ name: "it", run: () => 0 }, {
      claim: pure({ epsilon: 1, relation }),
      datasets: [[0]],
      neighbours: [],
    }), "neighbours");
  // Each run has its own copy of the data.
  const { epsilon } = checkExactly({
    name: "in place",
    run: (data, source) => {
      (data as number[])[0]! += 1 + discreteSource(source).integer({ below: 2 });
      return (data as number[])[0]! > 2;
    },
  }, { claim: pure({ epsilon: 1, relation }), datasets: [[0], [1]], neighbours: [[0, 1]] }).report;
  requireEqual(epsilon.upper, Infinity);
});
