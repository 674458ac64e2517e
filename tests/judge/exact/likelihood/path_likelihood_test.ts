import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { sparseVectorForm } from "../../../../proofs/judge/exact/checks/continuous_form.ts";
import { pure } from "../../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { asserted } from "../../../../lib/core/relations/relation.ts";
import { pairCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { leavesOf } from "../../../../lib/judge/exact/alignment/prove_case.ts";
import { type Affine, constant, variable } from "../../../../lib/judge/exact/alignment/affine.ts";
import { NoiseLaws } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import { interval } from "../../../../lib/judge/exact/interval.ts";
import {
  type NumberPath,
  type OutputLikelihoods,
  outputLikelihoods,
} from "../../../../lib/judge/exact/likelihood/output_likelihoods.ts";
import { pathsOf } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { pathLikelihood } from "../../../../lib/judge/exact/likelihood/path_likelihood.ts";
import { transcriptProbability } from "../../../../proofs/tools/quadrature.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

type Program = (answers: readonly Real[], source: ProgramSource) => unknown;

type Found = ReturnType<typeof pathLikelihood>;

/** The paths of a program on some answers: an output, with null for what is released, and its likelihood at some values. */
async function pathsOn(
  program: Program,
  answers: readonly number[],
): Promise<{ output: unknown; at: (...values: number[]) => Found }[]> {
  const { details } = await proveAlignment({
    name: "it",
    run: (data, source) => program(data as number[], source),
  }, {
    claim: pure({ epsilon: 100, relation: asserted }),
    cases: pairCases(answers, answers).slice(0, 1),
  });
  const { proof, laws } = details[0]!;
  return pathsOf(leavesOf(proof)[0]!.left).map(({ constraints, output: { shown, released } }) => ({
    output: shown,
    at: (...values) =>
      pathLikelihood({ constraints, released }, {
        values: released.map((_, i) => rational(values[i]!)),
        laws,
      }),
  }));
}

// Mutants: a piece left out; the law of the centre taken for that of the others; a bound of a range on the wrong side.
Deno.test("likelihoods of transcripts are those of quadrature, and add up to 1", async () => {
  const lots = new SeededSource("transcripts");
  for (const size of [1, 2, 4]) {
    for (const [thresholdScale, answerScale] of [[2, 4], [2, 1], [0.5, 0.5]] as const) {
      const answers = Array.from({ length: size }, () => Math.round(64 * lots.uniform() - 32) / 8);
      const program = sparseVectorForm({ cutoff: Infinity, thresholdScale, answerScale });
      let total = 0;
      for (const { output, at } of await pathsOn(program, answers)) {
        const { rank, value: { lower, upper } } = at()!;
        // The threshold is 1.
        const truth = transcriptProbability(
          (output as boolean[]).map((above, i) => ({ answer: answers[i]! - 1, above })),
          { thresholdScale, answerScale },
        );
        assertEquals(rank, 0);
        assert(
          upper - lower < 1e-9 * upper && lower <= truth * (1 + 1e-9) &&
            truth <= upper * (1 + 1e-9),
        );
        total += (lower + upper) / 2;
      }
      assertAlmostEquals(total, 1, 1e-9);
    }
  }
});

Deno.test("densities of gaps and of values add up to the chances of what is above", async () => {
  const answers = [0.5, -1, 1.5], options = { cutoff: 1, thresholdScale: 2, answerScale: 3 };
  const plain = await pathsOn(sparseVectorForm(options), answers);
  for (const above of ["gap", "value"] as const) {
    const paths = await pathsOn(sparseVectorForm({ ...options, above }), answers);
    for (const [i, { output, at }] of paths.entries()) {
      if ((output as unknown[]).at(-1) === false) continue;
      const { value: { lower: chance } } = plain[i]!.at()!, step = 0.25;
      let sum = 0;
      for (let y = -80 + step / 2; y < 80; y += step) {
        const { rank, value: { lower, upper } } = at(y)!;
        if (upper > 0) assertEquals(rank, 1);
        sum += step * lower;
      }
      assertAlmostEquals(sum, chance, 2e-3);
    }
  }
});

Deno.test("noise of one side has a likelihood, and what is not known has none", async () => {
  const one = async (program: Program, values: readonly number[] = []): Promise<Found> =>
    (await pathsOn(program, [0.5]))[0]!.at(...values);
  const exponential = (await one(
    ([x], source) => source.less(x!, source.exponential({ scale: 1 })),
  ))!;
  assertAlmostEquals(exponential.value.lower, Math.exp(-0.5), 1e-12);
  const noise = (source: ProgramSource): Real => source.laplace({ scale: 1 });
  const unknown: [Program, number[]][] = [
    [([x], source) => source.less(x!, source.gaussian({ deviation: 1 })), []],
    [([x], source) => source.less(x!, source.gumbel({ scale: 1 })), []],
    // The same noise twice.
    [([x], source) => {
      const value = source.sum(x!, noise(source));
      return [value, source.multiple(2, value)];
    }, [1, 2]],
    // Each compared with the next: no star.
    [(_, source) => {
      const [a, b, c, d] = [noise(source), noise(source), noise(source), noise(source)];
      return source.less(a!, b!) && source.less(b!, c!) && source.less(c!, d!);
    }, []],
    // At 0 the density of exponential noise jumps.
    [([x], source) => source.sum(x!, source.exponential({ scale: 1 })), [0.5]],
    // A value that is the limit with which it was compared.
    [([x], source) => {
      const value = source.sum(x!, noise(source));
      return [source.less(2, value), value];
    }, [2]],
  ];
  for (const [program, values] of unknown) {
    assertEquals(await one(program, values), undefined, String(program));
  }
});

// Mutants: a number without noise taken for one of no density; only likelihoods of equal rank counted.
Deno.test("a density and a probability of the same output are not compared as densities", () => {
  const laws = new NoiseLaws(), name = laws.nameOf(0, { kind: "laplace", rate: rational(1) });
  const path = (form: Affine): NumberPath => ({ constraints: [], label: "it", released: [form] });
  const noise = path(variable(name)), five = path(constant(rational(5)));
  const likelihoods = (left: NumberPath[], right: NumberPath[]): OutputLikelihoods | undefined =>
    outputLikelihoods({ left, right }, { label: "it", values: [rational(5)], laws });
  assertEquals(likelihoods([noise], [five]), undefined);
  const other = likelihoods([five], [noise])!;
  assertEquals([other.rank, other.right], [0, interval(0)]);
  assertEquals(likelihoods([noise], [noise])!.rank, 1);
});
