import { assert, assertEquals, assertThrows } from "@std/assert";
import { approximate, pure } from "../../../lib/core/mod.ts";
import type { ProgramSource } from "../../../lib/core/mechanism/continuous_draws.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { shippedNamed } from "../../../lib/dp/tables/registry.ts";
import {
  type CheckedProgram,
  NotDerived,
} from "../../../lib/judge/certificates/checked_program.ts";
import { enumerateAgain } from "../../../lib/judge/certificates/second_enumerator.ts";
import { certificateOf } from "../../../lib/judge/exact/enumeration/certificate.ts";
import { checkExactly } from "../../../lib/judge/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../../lib/judge/exact/enumeration/drawing_from.ts";

type Program = (row: number, source: ProgramSource) => unknown;

const of = (program: Program) => (data: unknown, source: unknown): unknown =>
  program((data as number[])[0]!, source as ProgramSource);

function certificate(program: Program, { epsilon = 1, delta = 0 } = {}): string {
  const claim = delta === 0
    ? pure({ epsilon, relation })
    : approximate({ epsilon, delta, relation });
  const options = { claim, datasets: [[0], [1]], neighbours: [[0, 1]] as const };
  const run = drawingFrom((data, source) => of(program)(data, source));
  return certificateOf(checkExactly({ name: "it", run }, options), options);
}

const respond: Program = (row, source) => row ^ source.choice({ exponents: [0, 1] });
const noisy: Program = (row, source) => row + source.discreteLaplace({ rate: 1 });
const mixed: Program = (row, source) =>
  source.bernoulli({ probability: rational(1, 3) })
    ? { coin: source.integer({ below: 3 }), row: row ^ source.choice({ exponents: [0, 1] }) }
    : [source.choice({ weights: [1, 0.5] }), -0, "text"];
const split: Program = (row, source) => {
  const [a, b] = ["a", "b"].map((label) => source.split(label));
  return [row ^ a!.choice({ exponents: [0, 0.5] }), row ^ b!.choice({ exponents: [0, 0.5] })];
};
const merged: Program = (row, source) => {
  let ones = 0;
  for (let i = 0; i < 6; i++) {
    ones += row ^ source.choice({ exponents: [0, 1 / 8] });
    source.merge(ones);
  }
  return ones;
};

/** A choice with this exponent beside noise that has no end. */
const beside = (exponent: number): Program => (row, source) => [
  row ^ source.choice({ exponents: [0, exponent] }),
  source.geometric({ rate: 2 }),
];

Deno.test("enumerateAgain() finds the laws of programs that were enumerated", () => {
  const cases: readonly (readonly [Program, number | undefined, object?])[] = [
    [respond, 4],
    [respond, 4, { epsilon: 0.9 }],
    [mixed, 16],
    [split, 8],
    [merged, 128],
    [noisy, undefined],
    [beside(1), undefined, { epsilon: 1.5 }],
    [noisy, undefined, { epsilon: 0.5, delta: 0.3 }],
    [(row, source) => row + source.geometric({ rate: 2 }), undefined, { epsilon: 3, delta: 0.9 }],
    [
      (row, source) => row + source.discreteGaussian({ variance: 2 }),
      undefined,
      { epsilon: 1, delta: 0.3 },
    ],
  ];
  for (const [program, paths, claim] of cases) {
    const found = enumerateAgain(certificate(program, claim), of(program));
    if (paths === undefined) assert(found > 20);
    else assertEquals(found, paths);
  }
});

Deno.test("enumerateAgain() finds the laws of shipped mechanisms, which draw by laws", () => {
  const candidates = [0, 0, 0, 0];
  const cases: readonly (readonly [string, unknown[], unknown[], number])[] = [
    ["exponential", candidates, [1, 0, 0, 0], 8],
    ["randomised-response", [true, true], [true, false], 8],
    ["k-ary-randomised-response", ["a"], ["b"], 8],
  ];
  for (const [name, left, right, paths] of cases) {
    const mechanism = shippedNamed(name, { epsilon: 1 });
    const options = {
      claim: pure({ epsilon: 1, relation: mechanism.claim.relation }),
      datasets: [left, right],
      neighbours: [[0, 1]] as const,
    };
    const run: CheckedProgram = (data, source) => mechanism.sample(data as never, source as never);
    const text = certificateOf(checkExactly({ name: "it", run: run as never }, options), options);
    assertEquals(enumerateAgain(text, run), paths, name);
  }
});

// Mutants: outputs, weights, totals or the law of a replayed draw that are not compared; a lower bound that is not demanded.
Deno.test("enumerateAgain() rejects laws that are not the program's", () => {
  const wrong: readonly (readonly [Program, Program, object?])[] = [
    [respond, (row, source) => row ^ source.choice({ exponents: [0, 0.5] })],
    [respond, (row, source) => row ^ source.choice({ exponents: [0, 2] })],
    [respond, (row, source) => String(row ^ source.choice({ exponents: [0, 1] }))],
    [respond, (row) => row],
    [respond, (row, source) => source.bernoulli({ probability: 0.5 }) ? row : 1 - row],
    [noisy, (row, source) => row + source.discreteLaplace({ rate: 1.01 })],
    [noisy, (row, source) => row + source.discreteLaplace({ rate: 0.99 })],
    [noisy, (row, source) => 0 * row + source.discreteLaplace({ rate: 1 })],
    [noisy, (row, source) => row + source.discreteGaussian({ variance: 2 })],
    [merged, (row, source) => row ^ (merged(row, source) as number)],
    // Bounds of a choice whose weights sum to more than 1, beside a law without an end.
    [beside(1), beside(0.5), { epsilon: 1.5 }],
    [beside(1), beside(2), { epsilon: 1.5 }],
  ];
  const { laws, ...rest } = JSON.parse(certificate(respond));
  const more = laws.map((law: { outputs: object }) => ({
    ...law,
    outputs: { ...law.outputs, "2": [] },
  }));
  assertThrows(
    () => enumerateAgain(JSON.stringify({ ...rest, laws: more }) + "\n", of(respond)),
    Error,
    "other outputs",
  );
  for (const [program, other, claim] of wrong) {
    assertThrows(
      () => enumerateAgain(certificate(program, claim), of(other)),
      Error,
      "rejected: ",
      `${other}`,
    );
  }
});

Deno.test("enumerateAgain() does not follow what it cannot see", () => {
  const caught = (what: (source: ProgramSource) => void): Program => (row, source) => {
    try {
      what(source);
    } catch { /* The refusal stands all the same. */ }
    return respond(row, source);
  };
  const programs: readonly Program[] = [
    caught((source) => source.uniform()),
    caught((source) => source.laplace({ scale: 1 })),
    caught(() => Math.random()),
    caught((source) => source.geometric({ rate: NaN })),
    (row, source) => new Map([[0, respond(row, source)]]),
    (row, source) => Promise.resolve(respond(row, source)),
    () => {
      throw new Error();
    },
  ];
  for (const program of programs) {
    assertThrows(() => enumerateAgain(certificate(respond), of(program)), NotDerived);
  }
  for (const isMore of [(run: number) => run > 0, (run: number) => run === 0]) {
    let runs = 0;
    const keeps: Program = (_, source) => {
      if (isMore(runs++)) source.bernoulli({ probability: 0.5 });
      return source.choice({ exponents: [0, 1] });
    };
    assertThrows(() => enumerateAgain(certificate(respond), of(keeps)), NotDerived, "keeps state");
  }
  // The first run draws twice, and the others once.
  let calls = 0;
  const less: Program = (row, source) => {
    const first = row ^ source.choice({ exponents: [0, 1] });
    return calls++ === 0 ? [first, source.bernoulli({ probability: 0.5 })] : first;
  };
  assertThrows(() => enumerateAgain(certificate(respond), of(less)), NotDerived, "draws less");
});
