import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { NotEnumerable } from "../../../../lib/judge/exact/enumeration/branching_source.ts";
import { checkExactly } from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import type { EnumeratedProgram } from "../../../../lib/judge/exact/enumeration/enumerated_program.ts";
import { drawingFrom } from "../../../../lib/judge/exact/enumeration/drawing_from.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { nextDown, nextUp } from "../../../../lib/core/numeric/round_outward.ts";
import { type Program, respond, shipped as check } from "./path_cases.ts";

// Mutants: equality taken for a violation; doubles compared; a claim rounded.
Deno.test("checkExactly() decides equality, and the next double below is refuted", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 100, noNaN: true }), (epsilon) => {
      const tight = check(respond(epsilon), { epsilon });
      assertEquals([tight.verdict, tight.attained, tight.kind], ["holds", true, "exact"]);
      assertEquals(tight.epsilon, { lower: epsilon, upper: epsilon });
      assertEquals(tight.everyEpsilon, true);
      assertEquals(check(respond(epsilon), { epsilon: nextDown(epsilon) }).verdict, "refuted");
      const loose = check(respond(epsilon), { epsilon: nextUp(epsilon) });
      assertEquals([loose.verdict, loose.attained], ["holds", false]);
      assert(loose.epsilon.lower <= epsilon && epsilon <= loose.epsilon.upper);
      assert(loose.epsilon.upper - loose.epsilon.lower < 1e-13 * (1 + epsilon));
    }),
    { seed: 1, numRuns: 25 },
  );
});

// Bounds of 256 binary places leave these open, so that the signs of exponential sums decide. Mutants: a positive sum of one output that is not a violation, as
// sums for δ are not; an excess that is rounded away.
Deno.test("checkExactly() refutes a loss that exceeds ε or δ by 2^−400, and none that falls short by as much", () => {
  const near = (sign: bigint): Program => {
    const unit = 2n ** 400n, exponents = [rational(0n), rational(unit + sign, unit)];
    return (row, source) => row ^ source.choice({ exponents });
  };
  assertEquals(check(near(1n), { epsilon: 1 }).verdict, "refuted");
  assertEquals(check(near(0n), { epsilon: 1 }).verdict, "holds");
  const below = check(near(-1n), { epsilon: 1 });
  assertEquals([below.verdict, below.epsilon.upper], ["holds", 1]);
  const part = (sign: bigint): Program => (row, source) => {
    const unit = 2n ** 400n, probability = rational(unit / 4n + sign, unit);
    return row === 0 ? source.bernoulli({ probability }) : false;
  };
  assertEquals(check(part(1n), { epsilon: 1, delta: 0.25 }).verdict, "refuted");
  assertEquals(check(part(0n), { epsilon: 1, delta: 0.25 }).verdict, "holds");
});

// Mutant: as many binary places for e^−170 as for 1.
Deno.test("checkExactly() computes losses of outputs that are hardly ever seen", () => {
  const { epsilon } = check(respond(170), { epsilon: 171 });
  assert(epsilon.lower <= 170 && 170 <= epsilon.upper && epsilon.upper - epsilon.lower < 1e-11);
});

// Mutants: left and right not both ways round; the witness of another pair.
Deno.test("checkExactly() shows the output that tells a pair apart, from its likelier side", () => {
  const report = check(
    (row, source) => source.bernoulli({ probability: row === 0 ? 0.5 : 0.125 }),
    { epsilon: 1 },
  );
  assertEquals(report.verdict, "refuted");
  assertEquals(report.witness!.output, true);
  assertEquals(report.witness!.left, [0]);
  const { left, right } = report.witness!.probability;
  assert(left.lower <= 0.5 && 0.5 <= left.upper && right.lower <= 0.125 && 0.125 <= right.upper);
  assert(report.epsilon.lower <= Math.log(4) && Math.log(4) <= report.epsilon.upper);
  assertEquals(
    check((row, source) => row === 1 && source.bernoulli({ probability: 0.01 }), { epsilon: 9 })
      .epsilon.upper,
    Infinity,
  );
});

// Mutants: sums for one direction; the denominators of the sides mixed up; δ compared with one output alone.
Deno.test("checkExactly() decides δ exactly, on sides whose draws differ in number", () => {
  // P = (3/4, 1/4), Q = (1/2·1/2, …): δ(ln 2) = max(3/4 − 2/4, 3/4 − 2/4).
  const program: Program = (row, source) =>
    row === 0
      ? source.bernoulli({ probability: 0.75 })
      : source.bernoulli({ probability: 0.5 }) && source.bernoulli({ probability: 0.5 });
  const epsilon = Math.log(2);
  const exact = 0.75 - 0.25 * 2;
  const report = check(program, { epsilon, delta: 0.3 });
  assert(Math.abs(report.delta.upper - exact) < 1e-15 && report.delta.lower <= report.delta.upper);
  assertEquals(report.verdict, "holds");
  assertEquals(check(program, { epsilon, delta: 0.2499 }).verdict, "refuted");
  // Two outputs that must be added up: 1/8 each beyond e^ε = 1.
  const two: Program = (row, source) =>
    source.choice({ weights: row === 0 ? [3, 3, 1, 1] : [1, 1, 3, 3] });
  assertEquals(check(two, { epsilon: 1e-9, delta: 0.4 }).verdict, "refuted");
  assertEquals(check(two, { epsilon: 1e-9, delta: 0.5 }).verdict, "holds");
  // δ(ε) = 2·(3 − e^ε)/8 is 1/4 at ln 2.
  const least = check(two, { epsilon: 1, delta: 0.25 }).epsilon;
  assert(least.lower <= Math.log(2) && Math.log(2) <= least.upper);
  assert(least.upper - least.lower < 1e-9);
  // Attained as a sum: e^0·… is not rational for ε > 0, but δ = 1/4 at ratio 0 is.
  const rare: Program = (row, source) => row === 0 && source.bernoulli({ probability: 0.25 });
  const tight = check(rare, { epsilon: 1, delta: 0.25 });
  assertEquals([tight.verdict, tight.attained], ["holds", true]);
  // With this δ every ε holds: what leaks is impossible on the other side.
  assertEquals(tight.epsilon, { lower: 0, upper: 0 });
  assertEquals(check(rare, { epsilon: 1, delta: nextDown(0.25) }).verdict, "refuted");
});

// Mutant: bounds on δ that meet the claim end the comparison.
Deno.test("checkExactly() says that a δ is attained where lower bounds are the chances themselves", () => {
  for (const k of [1, 2, 5]) {
    const program: Program = (row, source) => source.integer({ below: 2 ** k }) === 0 && row === 1;
    const attained = (delta: number): unknown[] => {
      const { verdict, attained } = check(program, { epsilon: 1, delta });
      return [verdict, attained];
    };
    assertEquals(attained(2 ** -k), ["holds", true]);
    assertEquals(attained(nextUp(2 ** -k)), ["holds", false]);
    assertEquals(attained(nextDown(2 ** -k)), ["refuted", false]);
  }
});

// Mutants: a remainder not carried; carried on the wrong side; e^ε rounded the wrong way.
Deno.test("checkExactly() bounds what has no end from both sides, for any remainder", () => {
  for (const remainder of [1e-1, 1e-3, 1e-6, 1e-9]) {
    const noisy: Program = (row, source) => row + source.discreteLaplace({ rate: 1 / 2 });
    const report = check(noisy, { epsilon: 1 / 2, remainder });
    assertEquals([report.verdict, report.kind], ["holds", "certified"]);
    assert(report.remainder > 0 && report.remainder <= remainder);
    assert(report.epsilon.lower <= 1 / 2 && report.epsilon.upper <= 1 / 2 + 1e-10);
    assert(report.epsilon.upper > 1 / 2 - 8 * remainder, `${report.epsilon.upper}`);
    // δ(ε) = (1 − e^(ε − 1/2))·P(X ≥ 1), with q/(1 + q) for the chance.
    const epsilon = 1 / 4, q = Math.exp(-1 / 2);
    const delta = (1 - Math.exp(epsilon - 1 / 2)) * (1 - q / (1 + q));
    const between = check(noisy, { epsilon, remainder }).delta;
    assert(between.lower <= delta && delta <= between.upper);
    assert(between.upper - between.lower < 4 * remainder);
    assertEquals(check(noisy, { epsilon: 0.499, remainder: 1e-6 }).verdict, "refuted");
  }
});

Deno.test("checkExactly() is undecided when too much was not run, and says how much", () => {
  const sums: Program = (row, source) => {
    const values = Array.from({ length: 4 }, () => source.discreteLaplace({ rate: 1 / 8 }));
    return values.map((value) => value + row);
  };
  const report = check(sums, { epsilon: 1 / 2, maxBranches: 2000 });
  assertEquals(report.verdict, "undecided");
  assert(report.remainder > 0.1);
});

// Mutants: t^k for t; coefficients in the wrong order.
Deno.test("checkExactly() says whether the inequalities hold at every ε", () => {
  assertEquals(check(respond(1), { epsilon: 1.5 }).everyEpsilon, true);
  // The lie's chance does not fall with ε: at a smaller one the claim is false.
  const fixed: Program = (row, source) => row ^ Number(source.bernoulli({ probability: 0.3 }));
  const report = check(fixed, { epsilon: 1 });
  assertEquals([report.verdict, report.everyEpsilon], ["holds", false]);
  // 1 + t against 2 at t² = e^ε: (1 + t)/2 ≤ t² for t ≥ 1, decided beyond coefficients in t.
  const mixed: Program = (row, source) =>
    source.choice({ exponents: row === 0 ? [0, 0] : [0, 1 / 2] });
  assertEquals(check(mixed, { epsilon: 1 }).everyEpsilon, true);
});

// Mutants: what paths to a state are divided by forgotten, on the side that draws once more before it.
Deno.test("checkExactly() decides equality through merged states", () => {
  const program: Program = (row, source) => {
    if (row === 0) source.integer({ below: 3 });
    const first = row ^ source.choice({ exponents: [0, 1 / 2] });
    source.merge([row, first]);
    return [first, row ^ source.choice({ exponents: [0, 1 / 4] })];
  };
  const report = check(program, { epsilon: 3 / 4 });
  assertEquals([report.verdict, report.attained, report.everyEpsilon], ["holds", true, true]);
  assertEquals(check(program, { epsilon: nextDown(3 / 4) }).verdict, "refuted");
});

/** Numbers from 0 to 299 as datasets of one row, all neighbours of the first. */
const many = {
  claim: pure({ epsilon: 1, relation: replaceOne }),
  datasets: Array.from({ length: 300 }, (_, i) => [i]),
  neighbours: Array.from({ length: 299 }, (_, i) => [0, i + 1] as const),
};

// Mutants: laws of shared instances computed again up to a number of runs, or on no more than a few datasets.
Deno.test("checkExactly() computes all laws of shared instances again, in another order", () => {
  const program = (leaks: boolean): EnumeratedProgram => {
    const instance = (): EnumeratedProgram["run"] => {
      let largest = 0;
      return drawingFrom(([row], source) => {
        largest = Math.max(largest, row as number);
        const value = source.integer({ below: 400 });
        return leaks && largest > (row as number) + 250 ? -1 : value;
      });
    };
    return { name: "it", run: instance(), instances: Array.from({ length: 299 }, instance) };
  };
  const { report } = checkExactly(program(false), many);
  assertEquals([report.verdict, report.branches, report.repeats], ["holds", 120_000, 120_000]);
  assertThrows(
    () => checkExactly(program(true), many),
    NotEnumerable,
    "it answers otherwise on",
  );
});

// Mutants: a deadline for all but the first dataset, or for none; a verdict on those that were run.
Deno.test("checkExactly() is undecided after its seconds, and says how many datasets were run", () => {
  const run = drawingFrom(([row], source) => {
    for (const end = performance.now() + 10; performance.now() < end;);
    return source.bernoulli({ probability: 0.5 }) || row === 0;
  });
  const { report } = checkExactly({ name: "slow", run }, { ...many, maxSeconds: 0.2 });
  assertEquals(report.verdict, "undecided");
  assertEquals(report.outOfTime, { seconds: 0.2, datasets: 300 });
  assert(report.datasets < 20, `${report.datasets} datasets of at least 10 ms each`);
  for (const maxSeconds of [0, -1, NaN]) {
    assertThrows(
      () => checkExactly({ name: "slow", run }, { ...many, maxSeconds }),
      RangeError,
      "maxSeconds must be above 0",
    );
  }
});

// Mutant: states that are compared by one of the paths that lead to them.
Deno.test("checkExactly() refuses a state that forgets what is drawn after it, whichever of sixteen it is", () => {
  for (let place = 0; place < 16; place++) {
    const program: Program = (row, source) => {
      const state = source.integer({ below: 16 }), bit = source.integer({ below: 2 });
      source.merge([row, state]);
      const more = source.integer({ below: 2 });
      return state === place ? [state, bit, more] : [state, more];
    };
    assertThrows(() => check(program, { epsilon: 1 }), Error, "after merge()");
  }
});

// Mutant: the logarithm of equal numbers, rounded upwards.
Deno.test("checkExactly() says that the least ε of equal laws is 0", () => {
  for (const probability of [0.3, 0.5]) {
    const run = drawingFrom((_, source) => source.bernoulli({ probability }));
    const { report } = checkExactly({ name: "blind", run }, many);
    assertEquals([report.verdict, report.epsilon], ["holds", { lower: 0, upper: 0 }]);
  }
});
