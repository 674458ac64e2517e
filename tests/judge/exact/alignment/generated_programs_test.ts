import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { approximate, gaussian, pure } from "../../../../lib/core/mod.ts";
import { changeEach } from "../../../../lib/core/relations/relation.ts";
import { alignmentCertificate } from "../../../../lib/judge/exact/alignment/alignment_certificate.ts";
import {
  neighbourCases,
  pairCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";
import { normalTail } from "../../../../lib/core/numeric/normal_tail.ts";
import { rejection } from "../../../../lib/judge/certificates/check_alignment.ts";
import { LONG } from "../../../long.ts";

const relation = changeEach({ by: 1 });
const casesOf = (size: number): NonNullable<ReturnType<typeof neighbourCases>> =>
  neighbourCases(
    { rows: { type: "number", min: -5, max: 5 }, size: { min: size, max: size } },
    relation,
  )!;

/** Two noisy values A·noise + B·answers of two draws: what comes out tells the noise if the answers are known. */
interface Line {
  readonly noise: readonly (readonly number[])[];
  readonly answers: readonly (readonly number[])[];
  readonly widths: readonly number[];
}

const small = fc.integer({ min: -2, max: 2 });
const pairOf = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(each, { minLength: 2, maxLength: 2 });
const lines: fc.Arbitrary<Line> = fc.record({
  noise: pairOf(pairOf(small)).filter(([a, b]) => a![0]! * b![1]! !== a![1]! * b![0]!),
  answers: pairOf(pairOf(small)),
  widths: pairOf(fc.integer({ min: 1, max: 8 }).map((n) => n / 4)),
});

function runLine(
  { noise, answers }: Line,
  draws: readonly Real[],
): (data: readonly Real[], source: ProgramSource) => Real[] {
  return (data: readonly Real[], source: ProgramSource): Real[] =>
    noise.map((row, i) =>
      source.sum(
        ...row.map((factor, k) => source.multiple(factor, draws[k]!)),
        ...data.map((answer, k) => source.multiple(answers[i]![k]!, answer)),
      )
    );
}

/** How far each draw must move for each corner of the changes: A⁻¹·B·c. */
function movesOf({ noise, answers }: Line): number[][] {
  const [[a, b], [c, d]] = noise as [[number, number], [number, number]];
  const determinant = a * d - b * c;
  return [-1, 1].flatMap((first) =>
    [-1, 1].map((second) => {
      const [u, v] = answers.map(([x, y]) => x! * first + y! * second) as [number, number];
      return [(d * u - b * v) / determinant, (a * v - c * u) / determinant];
    })
  );
}

// Mutants: the cost of the last draw forgotten; half of a shift; rates taken for scales.
Deno.test("the loss of generated lines of Laplace and Gaussian noise is at least what it is, and is that where the claim asks for it", async () => {
  const seen = { tight: 0, loose: 0 };
  for (const line of fc.sample(lines, { seed: 1, numRuns: 24 })) {
    const { widths } = line, moves = movesOf(line);
    const prove = (epsilon: number): ReturnType<typeof proveAlignment> =>
      proveAlignment({
        name: "line",
        run: (data, source) =>
          runLine(line, widths.map((rate) => source.laplace({ rate })))(data as Real[], source),
      }, { claim: pure({ epsilon, relation }), cases: casesOf(2) });
    const laplace = await prove(100);
    const truth = Math.max(
      ...moves.map((move) => sum(move.map((x, k) => widths[k]! * Math.abs(x)))),
    );
    const corners = sum(
      [0, 1].map((k) => widths[k]! * Math.max(...moves.map((move) => Math.abs(move[k]!)))),
    );
    assert(laplace.report.epsilon >= truth - 1e-12);
    assertAlmostEquals(laplace.report.epsilon, corners, 1e-12);
    seen[Math.abs(corners - truth) < 1e-12 ? "tight" : "loose"]++;
    assertEquals(rejection(alignmentCertificate(laplace)), undefined);
    if (truth > 0 && corners - truth > 1e-12) {
      // Split by the signs of the shifts where the claim asks for it.
      const sharp = await prove(truth * (1 + 1e-12));
      assertAlmostEquals(sharp.report.epsilon, truth, 1e-11);
      assertEquals(rejection(alignmentCertificate(sharp)), undefined);
    }
    const normal = await proveAlignment({
      name: "line",
      run: (data, source) =>
        runLine(line, widths.map((variance) => source.gaussian({ variance })))(
          data as Real[],
          source,
        ),
    }, { claim: gaussian({ mu: 100, relation }), cases: casesOf(2) });
    const mu = Math.sqrt(
      Math.max(...moves.map((move) => sum(move.map((x, k) => x * x / widths[k]!)))),
    );
    assert(normal.report.mu >= mu - 1e-12 && normal.report.epsilon === 0);
    assertEquals(rejection(alignmentCertificate(normal)), undefined);
  }
  assert(seen.tight > 6 && seen.loose > 2, JSON.stringify(seen));
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const KINDS = ["laplace", "exponential", "gumbel"] as const;
type Kind = typeof KINDS[number];

/** A comparison n·noise + a·answer + b > 0, or a text to put out. */
type Tree = string | {
  readonly noise: readonly [number, number];
  readonly answer: number;
  readonly more: number;
  readonly yes: Tree;
  readonly no: Tree;
};

const labels = fc.constantFrom("a", "b", "c");
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 3 },
    labels,
    fc.record({
      noise: fc.constantFrom([1, 0], [0, 1], [1, -1], [-1, 0], [1, 1]) as fc.Arbitrary<
        [number, number]
      >,
      answer: fc.constantFrom(-1, 0, 1),
      more: fc.integer({ min: -2, max: 2 }),
      yes: tie("tree"),
      no: tie("tree"),
    }),
  ),
}));
const programs = fc.record({
  tree: tree.filter((each) => typeof each !== "string"),
  kinds: pairOf(fc.constantFrom<Kind>(...KINDS)),
  rates: pairOf(fc.constantFrom(0.25, 0.5, 1)),
});
type Program = typeof programs extends fc.Arbitrary<infer T> ? T : never;

function runTree(program: Program, answer: Real, source: ProgramSource): string {
  const draws = program.kinds.map((kind, k) => source[kind]({ rate: program.rates[k]! }));
  const walk = (at: Tree): string =>
    typeof at === "string" ? at : walk(
      source.less(
          0,
          source.sum(
            ...at.noise.map((factor, k) => source.multiple(factor, draws[k]!)),
            source.multiple(at.answer, answer),
            at.more,
          ),
        )
        ? at.yes
        : at.no,
    );
  return walk(program.tree);
}

const distributionOf: Record<Kind, (x: number) => number> = {
  laplace: (x) => x < 0 ? Math.exp(x) / 2 : 1 - Math.exp(-x) / 2,
  exponential: (x) => x < 0 ? 0 : 1 - Math.exp(-x),
  gumbel: (x) => Math.exp(-Math.exp(-x)),
};
const quantileOf: Record<Kind, (u: number) => number> = {
  laplace: (u) => u < 0.5 ? Math.log(2 * u) : -Math.log(2 * (1 - u)),
  exponential: (u) => -Math.log(1 - u),
  gumbel: (u) => -Math.log(-Math.log(u)),
};
/** Slices of the first draw, all equally likely. */
const SLICES = 500;

/** The probability of each text: the second draw exactly, between the values where a comparison turns, the first by slices. */
function lawOf({ tree, kinds, rates }: Program, answer: number): Record<string, number> {
  const law: Record<string, number> = { a: 0, b: 0, c: 0 };
  const cuts: { slope: number; rest: (x: number) => number }[] = [];
  const collect = (at: Tree): void => {
    if (typeof at === "string") return;
    const { noise, answer: factor, more } = at;
    cuts.push({ slope: noise[1], rest: (x) => noise[0] * x + factor * answer + more });
    collect(at.yes);
    collect(at.no);
  };
  collect(tree);
  const cumulative = (y: number): number => distributionOf[kinds[1]!](y * rates[1]!);
  for (let i = 0; i < SLICES; i++) {
    const x = quantileOf[kinds[0]!]((i + 0.5) / SLICES) / rates[0]!;
    const ends = cuts.filter(({ slope }) => slope !== 0).map(({ slope, rest }) => -rest(x) / slope)
      .sort((a, b) => a - b);
    const all = [-Infinity, ...ends, Infinity];
    for (let k = 0; k + 1 < all.length; k++) {
      const [low, high] = [all[k]!, all[k + 1]!];
      const y = low === -Infinity
        ? high === Infinity ? 0 : high - 1
        : high === Infinity
        ? low + 1
        : (low + high) / 2;
      const end = (at: Tree): string => {
        if (typeof at === "string") return at;
        const { noise, answer: factor, more } = at;
        return end(noise[0] * x + noise[1] * y + factor * answer + more > 0 ? at.yes : at.no);
      };
      law[end(tree)]! += (cumulative(high) - cumulative(low)) / SLICES;
    }
  }
  return law;
}

// Mutants: a comparison left out of a region; the no of a comparison taken for its yes; a draw that costs nothing; support forgotten.
Deno.test("the loss of generated comparisons of noise is never below what quadrature shows", async () => {
  let finite = 0, lossy = 0;
  for (const program of fc.sample(programs, { seed: 2, numRuns: LONG ? 100 : 25 })) {
    const run = (data: unknown, source: ProgramSource): string =>
      runTree(program, (data as Real[])[0]!, source);
    const proof = await proveAlignment({ name: "tree", run }, {
      claim: pure({ epsilon: 100, relation }),
      cases: casesOf(1),
    });
    const { epsilon } = proof.report;
    if (epsilon === Infinity) continue;
    finite++;
    assertEquals(rejection(alignmentCertificate(proof)), undefined);
    let worst = 0;
    for (const answer of [-4, -2, -1, 0, 1, 3]) {
      const laws = [lawOf(program, answer), lawOf(program, answer + 1)] as const;
      for (const [left, right] of [laws, laws.toReversed()] as const) {
        for (const [label, chance] of Object.entries(left!)) {
          // A slice may be on either side of a jump, for each comparison.
          const tolerance = (1 + Math.exp(epsilon)) * 4 / SLICES;
          assert(
            chance <= Math.exp(epsilon) * right![label]! + tolerance,
            `${JSON.stringify(program)} at ${answer}: ${chance} and ${
              right![label]
            } with ε ≤ ${epsilon}`,
          );
          if (right![label]! > 0.05) worst = Math.max(worst, Math.log(chance / right![label]!));
        }
      }
    }
    if (worst > epsilon / 2) lossy++;
  }
  const few = LONG ? 1 : 1 / 2;
  assert(
    finite > 15 * few && lossy > 6 * few,
    `${finite} were proved, ${lossy} lose half of what was proved`,
  );
});

// Mutant: classes of the left that go to one class of the right. Their noise would be counted twice.
Deno.test("two classes of outputs do not go to one", async () => {
  const run = (data: unknown, source: ProgramSource): unknown => {
    const [a, b, more] = data as [number, number, number];
    const value = source.laplace({ rate: 2 ** -10 }), noise = source.laplace({ rate: 1 });
    if (source.less(noise, a)) return "low";
    if (source.less(noise, a + 1)) return ["in", value];
    return source.less(noise, b) ? ["in", source.sum(value, more)] : "high";
  };
  const lossOf = async (left: number[], right: number[]): Promise<number> =>
    (await proveAlignment({ name: "two", run }, {
      claim: pure({ epsilon: 6, relation }),
      cases: pairCases(left, right),
    })).report.epsilon;
  assertEquals(await lossOf([0, 1, 0], [5, 6, 0]), 5);
  // P(0 < noise < 2)/P(5 < noise < 6), where each half of the former alone would have a shift of 5 at most.
  const truth = Math.log(1 - Math.exp(-2)) - Math.log(Math.exp(-5) - Math.exp(-6));
  assert(truth > 5.3);
  assert(await lossOf([0, 2, 0.5], [5, 6, 0]) >= truth - 0.001);
});

// Mutant: a shift of Gaussian noise for each class of outputs. Both tails together lose twice what one shift allows.
Deno.test("Gaussian noise has one shift for all outputs", async () => {
  const run = (data: unknown, source: ProgramSource): string => {
    const [limit] = data as [number], noise = source.gaussian({ deviation: 1 });
    return source.less(limit, noise) ? "high" : source.less(noise, -limit) ? "low" : "middle";
  };
  const delta = gaussianDelta(1, 1);
  // P(|noise| > 1/2) − e·P(|noise| > 3/2).
  const truth = 2 * (normalTail(0.5) - Math.E * normalTail(1.5));
  assertAlmostEquals(truth, 2 * delta, 1e-12);
  const { report } = await proveAlignment({ name: "tails", run }, {
    claim: approximate({ epsilon: 1, delta: 1.5 * delta, relation }),
    // One way round, in which each output has a shift of its own.
    cases: pairCases([0.5], [1.5]).slice(0, 1),
  });
  assertEquals(report.verdict, "not proved");
});
