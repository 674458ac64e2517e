import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import {
  neighbourCases,
  pairCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { Broken, requireEqual, requireThat } from "../../../../proofs/engine/requirement.ts";

type Program = (data: readonly Real[], source: ProgramSource) => unknown;

const relation = relationNamed("change-each-by-1")!;

const domain = { rows: { type: "integer", min: -2, max: 3 }, size: { min: 2, max: 2 } } as const;

/** Programs may throw what is no error. */
function thrown(value: unknown): never {
  throw value;
}

/** Programs that cannot be traced, or put out something else with numbers, and words of the reason. */
function refused(): Record<string, readonly [program: Program, words: string]> {
  let calls = 0, kept: Real | undefined, last: Real | undefined, own: ProgramSource | undefined;
  const noisy = (x: Real, source: ProgramSource): Real =>
    source.sum(x, source.laplace({ scale: 1 }));
  const beside = (draw: (source: ProgramSource) => unknown): Program => ([x], source) => [
    noisy(x!, source),
    draw(source),
  ];
  const equal = (of: (value: number) => unknown, other: unknown): Program => ([x], source) => {
    const value = noisy(x!, source);
    return typeof x === "number" ? of(1) : [other, value];
  };
  return {
    "an operator": [
      ([x], source) => (x as number) + (source.laplace({ scale: 1 }) as number),
      "sum, difference",
    ],
    "an operator whose error is caught": [([x], source) => {
      try {
        return `${x}`;
      } catch {
        return noisy(x!, source);
      }
    }, "sum, difference"],
    "JSON of a traced value": [
      ([x], source) => JSON.stringify(noisy(x!, source)),
      "sum, difference",
    ],
    "uniform()": [beside((source) => source.uniform()), "uniform()"],
    "uint32()": [beside((source) => source.uint32()), "uint32()"],
    "fillUint32()": [beside((source) => source.fillUint32(new Uint32Array(1))), "fillUint32()"],
    "bernoulli()": [beside((source) => source.bernoulli({ probability: 0.5 })), "discrete"],
    "integer()": [beside((source) => source.integer({ below: 2 })), "discrete"],
    "choice()": [beside((source) => source.choice({ exponents: [0, 1] })), "discrete"],
    "geometric()": [beside((source) => source.geometric({ rate: 1 })), "discrete"],
    "discreteLaplace()": [beside((source) => source.discreteLaplace({ rate: 1 })), "discrete"],
    "discreteGaussian()": [
      beside((source) => source.discreteGaussian({ variance: 1 })),
      "discrete",
    ],
    "a product of traced values": [
      ([x], source) => source.multiple(x as number, noisy(x!, source)),
      "multiplies by what is computed",
    ],
    "a factor of no number": [
      ([x], source) => source.multiple(NaN, noisy(x!, source)),
      "multiplies by NaN",
    ],
    "a term of no number": [
      ([x], source) => source.sum(NaN, noisy(x!, source)),
      "computes with NaN",
    ],
    "a term of text": [([x], source) => source.sum("1" as never, noisy(x!, source)), "type string"],
    "a limit of no number": [
      ([x], source) => source.less(Infinity, noisy(x!, source)),
      "computes with Infinity",
    ],
    "noise of scale 0": [
      ([x], source) => source.sum(x!, source.laplace({ scale: 0 })),
      "scale must be positive",
    ],
    "noise of rate −1": [
      ([x], source) => source.sum(x!, source.gumbel({ rate: -1 })),
      "rate must be positive",
    ],
    "noise of no deviation": [
      ([x], source) => source.sum(x!, source.gaussian({ deviation: NaN })),
      "deviation must be positive",
    ],
    "noise of variance ∞": [
      ([x], source) => source.sum(x!, source.gaussian({ variance: Infinity })),
      "variance must be positive",
    ],
    "a loop without end": [([x], source) => {
      let rounds = 0;
      while (source.less(0, noisy(x!, source))) rounds++;
      return rounds;
    }, "more than 200 times"],
    "draws without end": [(_, source) => {
      while (true) source.laplace({ scale: 1 });
    }, "more than 2000 times"],
    "an asynchronous program": [
      ([x], source) => Promise.resolve(noisy(x!, source)),
      "asynchronous",
    ],
    "state in a limit": [
      ([x], source) => source.less(noisy(x!, source), calls++),
      "compares otherwise",
    ],
    "a limit of this run or that": [
      ([x], source) =>
        source.less(noisy(x!, source), 0) && source.less(noisy(x!, source), calls++ % 2),
      "compares otherwise",
    ],
    "another order": [([x, y], source) => {
      const values = [noisy(x!, source), noisy(y!, source)];
      return source.indexOfLargest(calls++ % 2 === 0 ? values : values.toReversed());
    }, "compares otherwise"],
    "state that stops comparing": [
      ([x], source) => calls++ % 3 === 0 && source.less(noisy(x!, source), 0),
      "compares less",
    ],
    "noise of no width": [
      ([x], source) => source.sum(x!, source.laplace(1 as never)),
      "{ scale } or { rate }",
    ],
    "noise as wide as an answer": [
      ([x], source) => source.laplace({ scale: x as number }),
      "width of its noise is computed",
    ],
    "noise of an earlier run": [
      ([x], source) => source.sum(x!, kept ??= source.laplace({ scale: 1 })),
      "an earlier call",
    ],
    "an output of an earlier run": [
      ([x], source) => last ??= noisy(x!, source),
      "an earlier call",
    ],
    "a source of an earlier run": [
      ([x], source) => noisy(x!, own ??= source),
      "an earlier call",
    ],
    "errors on every path": [([x], source) => {
      noisy(x!, source);
      throw new Error("no rows");
    }, "every path fails: no rows"],
    "a map": [([x], source) => new Map([[1, noisy(x!, source)]]), "no plain list or record"],
    "a number where it is traced for none": [equal(() => 0, 1), "something else"],
    "one more where it is a number": [equal((value) => [1, value, 1], 1), "something else"],
    "a record with other keys": [
      ([x], source) => typeof x === "number" ? { b: noisy(x, source) } : { a: noisy(x!, source) },
      "something else",
    ],
    "an error where it is a number": [([x], source) => {
      if (typeof x === "number") throw new Error("a number");
      return noisy(x!, source);
    }, "something else"],
    "another value where it is a number": [
      ([x], source) => typeof x === "number" ? noisy(x + 1e-3, source) : noisy(x!, source),
      "something else",
    ],
    "a value that is off by 1.5e-9 where it is a number": [
      ([x], source) => noisy(typeof x === "number" ? x + 1.5e-9 : x!, source),
      "something else",
    ],
    "another value where all are small": [
      ([x], source) =>
        source.sum(
          source.multiple(1e-12, typeof x === "number" ? 2 * x : x!),
          source.laplace({ scale: 1e-12 }),
        ),
      "something else",
    ],
    "null where it is traced for a value": [
      ([x], source) => [noisy(x!, source), typeof x === "number" ? null : noisy(x!, source)],
      "something else",
    ],
    "nothing where it is traced for a value": [
      ([x], source) => typeof x === "number" ? null : noisy(x!, source),
      "something else",
    ],
    "a text that is thrown where it is a number": [([x], source) => {
      if (typeof x === "number") thrown("a number");
      return noisy(x!, source);
    }, "something else"],
    "a number where it is traced for null": [
      ([x], source) => [noisy(x!, source), typeof x === "number" ? 1 : null],
      "something else",
    ],
    "a record that has less where it is a number": [
      ([x], source) => ({ a: noisy(x!, source), ...(typeof x === "number" ? {} : { b: "text" }) }),
      "something else",
    ],
    "a record that has more where it is a number": [
      ([x], source) => ({ a: noisy(x!, source), ...(typeof x === "number" ? { b: "text" } : {}) }),
      "something else",
    ],
    "nothing where it is traced for a text": [
      ([x], source) => [noisy(x!, source), typeof x === "number" ? undefined : "text"],
      "something else",
    ],
    "another text where it is a number": [
      ([x], source) => [typeof x === "number" ? "a" : "b", noisy(x!, source)],
      "something else",
    ],
    "an end of a range that is seen": [
      ([x], source) => (x as unknown) === 3 ? 0 : noisy(x!, source),
      "something else",
    ],
    "zero that is seen": [
      ([x], source) => (x as unknown) === 0 ? 0 : noisy(x!, source),
      "something else",
    ],
    "whole numbers that are seen": [
      ([x], source) => Number.isInteger(x) ? 0 : noisy(x!, source),
      "something else",
    ],
  };
}

/** Programs that look wrong and are taken. */
const taken: Record<string, readonly [program: Program, epsilon: number]> = {
  "an error as an output": [([x], source) => {
    if (source.less(source.sum(x!, source.laplace({ scale: 1 })), 0)) throw new Error("below 0");
    return "above";
  }, 1],
  "a text that is thrown": [([x], source) => {
    if (source.less(source.sum(x!, source.laplace({ scale: 1 })), 0)) thrown("below 0");
    return "above";
  }, 1],
  "records and lists with values": [([x], source) => {
    const value = source.sum(x!, source.laplace({ rate: 0.5 }));
    return { b: [1, value, "text"], a: null, c: undefined };
  }, 0.5],
  "data that nothing reads": [() => "nothing", 0],
  "a split source": [
    ([x], source) => source.sum(x!, source.split("a").exponential({ scale: 1 })) && "any",
    0,
  ],
  "two laws at one place": [([x, y], source) => {
    const first = source.sum(x!, source.laplace({ rate: 0.25 }));
    return source.less(first, 0)
      ? [source.sum(y!, source.laplace({ rate: 0.5 }))]
      : [source.sum(y!, source.laplace({ rate: 0.125 }))];
  }, 0.75],
  "a comparison that is known": [([x], source) => {
    const value = source.sum(x!, source.laplace({ rate: 0.5 }));
    if (source.less(value, 0)) return source.less(source.multiple(2, value), 0) ? "low" : "never";
    return source.less(0, value) ? "high" : "never";
  }, 0.5],
  "a value that is off by rounding": [
    ([x], source) =>
      source.sum(typeof x === "number" ? x * (1 + 2 ** -40) : x!, source.laplace({ scale: 1 })),
    1,
  ],
  "large numbers, whose sums are rounded": [([x, y], source) => {
    const parts = [x!, 3e8 / 7, y!, -1e9 / 3, source.laplace({ rate: rational(1, 4) }), 2e7 / 9];
    return source.multiple(rational(10n ** 6n), source.sum(...parts));
  }, 0.5],
  "numbers that are compared": [
    ([x], source) =>
      source.less(1, 2) && source.indexOfLargest([1, 3, 2]) === 1 && !source.less(2, 2)
        ? source.sum(x!, source.laplace({ scale: 1 }))
        : x,
    1,
  ],
};

Deno.test("programs that cannot be traced, or put out something else with numbers, are refused", async () => {
  const cases = neighbourCases(domain, relation)!;
  const proofOf = (program: Program): ReturnType<typeof proveAlignment> =>
    proveAlignment({ name: "it", run: (data, source) => program(data as Real[], source) }, {
      claim: pure({ epsilon: 1, relation }),
      cases,
    });
  for (const [name, [program, words]] of Object.entries(refused())) {
    let message: string | undefined;
    try {
      await proofOf(program);
    } catch (error) {
      requireThat(error instanceof NotTraceable, () => `${name}: ${error}`);
      ({ message } = error);
    }
    requireThat(message !== undefined, `${name} is traced`);
    requireThat(message.includes(words), `${name}: ${message}`);
  }
  for (const [name, [program, epsilon]] of Object.entries(taken)) {
    const { report } = await proofOf(program);
    requireEqual([name, report.verdict, report.epsilon], [name, "holds", epsilon]);
  }
  // No number outside the domain is tried.
  const low: Program = ([x], source) => {
    if (typeof x === "number" && !(x >= -3.75 && x <= -1.25)) throw new Error("no such data");
    return source.sum(x!, source.laplace({ scale: 1 }));
  };
  const below = await proveAlignment({
    name: "it",
    run: (data, source) => low(data as Real[], source),
  }, {
    claim: pure({ epsilon: 1, relation }),
    cases: neighbourCases({
      rows: { type: "number", min: -3.75, max: -1.25 },
      size: { min: 1, max: 1 },
    }, relation)!,
  });
  requireEqual(below.report.verdict, "holds", "of numbers below 0");
  const three: Program = (data, source) => {
    for (const x of [data[0]!, 1, 2]) {
      if (source.less(0, source.sum(x, source.laplace({ scale: 10 })))) return "above";
    }
    return "below";
  };
  const run = (data: unknown, source: ProgramSource): unknown => three(data as Real[], source);
  const claim = pure({ epsilon: 1, relation });
  const all = { name: "it", run };
  const two = pairCases([0, 0], [1, 1]);
  requireEqual((await proveAlignment(all, { claim, cases: two, maxPaths: 16 })).report.paths, 16);
  for (
    const [what, options] of [
      ["fewer paths", { claim, cases: two, maxPaths: 15 }],
      ["no paths", { claim, cases: two, maxPaths: 0 }],
      ["no cases", { claim, cases: [] }],
    ] as const
  ) {
    const reason = await proveAlignment(all, options).then(
      () => undefined,
      (error: Error) => error,
    );
    requireThat(reason !== undefined && !(reason instanceof Broken), `${what} are taken`);
  }
  const { report } = await proveAlignment(all, { claim, cases: two });
  requireEqual(report.cases, ["the pair", "the pair the other way round"]);
});
