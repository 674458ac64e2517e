import { assert, assertAlmostEquals, assertThrows } from "@std/assert";
import { gaussLegendre } from "../../../proofs/tools/gauss_legendre.ts";
import {
  laplaceIntegral,
  laplaceTail,
  noisyMaxProbability,
  transcriptProbability,
} from "../../../proofs/tools/quadrature.ts";

Deno.test("gaussLegendre() integrates polynomials of degree 2n − 1 exactly, and not 2n", () => {
  for (const count of [2, 5, 24]) {
    const { nodes, weights } = gaussLegendre(count);
    const moment = (power: number): number =>
      nodes.reduce((sum, node, i) => sum + weights[i]! * node ** power, 0);
    assertAlmostEquals(moment(2 * count - 2), 2 / (2 * count - 1), 1e-14);
    assertAlmostEquals(moment(2 * count - 1), 0, 1e-14);
    if (count === 2) assert(Math.abs(moment(4) - 2 / 5) > 0.1);
  }
});

Deno.test("laplaceIntegral() of 1, and of a step, are 1 and the tail", () => {
  for (const scale of [0.5, 2, 30]) {
    assertAlmostEquals(laplaceIntegral(() => 1, { scale, kinks: [] }), 1, 1e-13);
    for (const at of [-3, 0, 7]) {
      const tail = laplaceIntegral((z) => z > at ? 1 : 0, { scale, kinks: [at] });
      assertAlmostEquals(tail / laplaceTail(at, scale), 1, 1e-12);
    }
  }
});

Deno.test("transcriptProbability() of all transcripts sums to 1", () => {
  const answers = [-1, 0.5, 3];
  for (const answerScale of [0, 0.7, 5]) {
    let total = 0;
    for (let said = 0; said < 8; said++) {
      total += transcriptProbability(
        answers.map((answer, i) => ({ answer, above: ((said >> i) & 1) === 1 })),
        { thresholdScale: 2, answerScale },
      );
    }
    assertAlmostEquals(total, 1, 1e-12);
  }
});

Deno.test("noisyMaxProbability() sums to 1 and is even for equal answers", () => {
  const answers = [0, 1.5, -2, 1.5];
  const chances = answers.map((_, index) => noisyMaxProbability(answers, { index, scale: 2 }));
  assertAlmostEquals(chances.reduce((sum, chance) => sum + chance, 0), 1, 1e-12);
  assertAlmostEquals(chances[1]!, chances[3]!, 1e-14);
  assertAlmostEquals(noisyMaxProbability([0, 0], { index: 0, scale: 3 }), 0.5, 1e-13);
});

// Mutants: pieces as wide as the larger noise; the smaller scale taken for the larger.
Deno.test("transcriptProbability() is the tail of a difference of Laplace noises, at any two scales", () => {
  for (const [a, b] of [[1, 0.01], [0.01, 1], [3, 2], [100, 1]] as const) {
    for (const t of [-2, -0.1, 0, 0.3, 5]) {
      const weight = (x: number): number =>
        (a * a * Math.exp(-x / a) - b * b * Math.exp(-x / b)) / (2 * (a * a - b * b));
      const tail = t > 0 ? weight(t) : 1 - weight(-t);
      const found = transcriptProbability([{ answer: -t, above: true }], {
        thresholdScale: a,
        answerScale: b,
      });
      assertAlmostEquals(found, tail, 1e-12);
    }
  }
});

Deno.test("transcriptProbability() of answers without noise is the law of the threshold alone", () => {
  const noise = { thresholdScale: 2, answerScale: 0 };
  const between = transcriptProbability(
    [{ answer: 3, above: true }, { answer: 1, above: false }],
    noise,
  );
  assertAlmostEquals(between, laplaceTail(1, 2) - laplaceTail(3, 2), 1e-12);
});

Deno.test("laplaceIntegral() refuses scales that are none", () => {
  for (const scale of [0, -1, NaN]) {
    assertThrows(() => laplaceIntegral(() => 1, { scale, kinks: [] }), RangeError);
    assertThrows(
      () => laplaceIntegral(() => 1, { scale: 1, smallest: scale, kinks: [] }),
      RangeError,
    );
  }
});

Deno.test("laplaceIntegral() of a far step is its tail", () => {
  for (const at of [-100, 100]) {
    const tail = laplaceIntegral((z) => z > at ? 1 : 0, { scale: 1, kinks: [at] });
    assertAlmostEquals(tail / laplaceTail(at, 1), 1, 1e-12);
  }
});

Deno.test("laplaceTail() of scale 0 has all of its mass at 0", () => {
  for (const [x, tail] of [[-1e-9, 1], [0, 0], [1e-9, 0]] as const) {
    assert(laplaceTail(x, 0) === tail);
  }
});
