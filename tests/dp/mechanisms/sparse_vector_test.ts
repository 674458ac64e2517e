import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import {
  aboveThreshold,
  numericSparseVector,
  type SparseVectorOptions,
} from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { breachOfDraws } from "../../../lib/judge/testing/laws/stated_laws.ts";

const options: SparseVectorOptions<number> = {
  answers: (rows) => rows,
  epsilon: 1.5,
  sensitivity: 2,
  threshold: 3.2,
  count: 1,
  granularity: 0.5,
  relation: changeEach({ by: 2 }),
};

/** ln P(X = k) of the discrete Laplace law, ∝ e^(−|k|/scale). */
function logMass(k: number, scale: number): number {
  return Math.log(Math.tanh(1 / (2 * scale))) - Math.abs(k) / scale;
}

/** ln P(X ≥ k) of it. */
function logTail(k: number, scale: number): number {
  return k > 0
    ? -k / scale - Math.log1p(Math.exp(-1 / scale))
    : Math.log1p(-Math.exp(logTail(1 - k, scale)));
}

/**
 * ln P of a transcript by the definition (Dwork, Roth 2014, Algorithms 1 to 3), with noise of scale `thresholdScale` on
 * the threshold and of `answerScale` on answers, all in whole steps.
 */
function logTranscript(
  said: readonly boolean[],
  { at, limit, thresholdScale, answerScale }: {
    at: readonly number[];
    limit: number;
    thresholdScale: number;
    answerScale: number;
  },
): number {
  const reach = Math.ceil(100 * thresholdScale) +
    Math.max(...at.map((answer) => Math.abs(answer - limit)));
  const logs = Array.from({ length: 2 * reach + 1 }, (_, k) => {
    const shift = k - reach;
    return said.reduce((log, above, i) => {
      const gap = limit + shift - at[i]!;
      return log + logTail(above ? gap : 1 - gap, answerScale);
    }, logMass(shift, thresholdScale));
  });
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

/** All lists of so many truth values. */
function listsOf(length: number): boolean[][] {
  return Array.from(
    { length: 2 ** length },
    (_, bits) => Array.from({ length }, (_, i) => (bits >> i) % 2 === 1),
  );
}

/** Where it stops if these answers are above: after the `count`-th that is, or at the end. */
function transcriptOf(above: readonly boolean[], count: number): boolean[] {
  let left = count;
  return above.filter((each) => {
    if (left === 0) return false;
    if (each) left--;
    return true;
  });
}

// Mutants: the scale of another sensitivity or factor; a transcript that goes on or stops short.
Deno.test("sparse vectors give each transcript its probability, and none to what cannot be said", () => {
  const data = [2.1, 5, -3], at = [4, 10, -6], limit = 6, steps = 4;
  for (const count of [1, 2, 3]) {
    const above = aboveThreshold({ ...options, count });
    const numeric = numericSparseVector({ ...options, count });
    const possible = new Set(
      listsOf(3).map((list) => JSON.stringify(transcriptOf(list, count))),
    );
    const law = new Map(
      above.distribution!(data).map((each) => [JSON.stringify(each.output), each.probability]),
    );
    assertEquals(new Set(law.keys()), possible);
    for (const said of [0, 1, 2, 3, 4].flatMap(listsOf)) {
      const key = JSON.stringify(said);
      // Told numbers two steps above their answers.
      const numbers = said.map((above, i) => above ? ((at[i] ?? 0) + 2) / 2 : null);
      if (!possible.has(key)) {
        assertEquals(above.logDensity!(said, data), -Infinity, key);
        assertEquals(numeric.logDensity!(numbers, data), -Infinity, key);
        continue;
      }
      const scales = (threshold: number, answer: number): number =>
        logTranscript(said, {
          at,
          limit,
          thresholdScale: threshold * steps / 1.5,
          answerScale: answer * count * steps / 1.5,
        });
      assertAlmostEquals(above.logDensity!(said, data), scales(2, 4), 1e-11);
      assertAlmostEquals(law.get(key)!, Math.exp(scales(2, 4)), 1e-12);
      const told = said.filter((above) => above).length;
      assertAlmostEquals(
        numeric.logDensity!(numbers, data),
        scales(3, 6) + told * logMass(2, 3 * count * steps / 1.5),
        1e-11,
      );
    }
  }
});

// Mutants: sums that stop where the threshold has moved a little only.
Deno.test("sparse vectors give rare transcripts their probability, however far the answers are", () => {
  // 45 scales of the threshold are 5 steps.
  const fine = { ...options, epsilon: 18, sensitivity: 1, granularity: 1 };
  // Answers beside the threshold.
  const cases: [number[], boolean[], number][] = [
    [[-3], [true], 1],
    [[-3, 4], [false, true], 1],
    [[-60], [true], 1],
    [[-60, 2], [false, true], 1],
    [[-60, -9], [true, true], 2],
    [[2, -60, 4], [true, true], 2],
    [[66], [false], 1],
    [[66, 66, 66, 66, 66, 66, 66, 66], Array<boolean>(8).fill(false), 1],
    [[66, 1, 66, 66, 66, 66, 66], [...Array<boolean>(6).fill(false), true], 1],
    [[1, 66, 2, 50, 50, 40, 30], [...Array<boolean>(6).fill(false), true], 1],
  ];
  for (const [beside, said, count] of cases) {
    for (const threshold of [-1000, 0, 1000]) {
      const data = beside.map((answer) => threshold + answer);
      const exact = logTranscript(said, {
        at: data,
        limit: threshold,
        thresholdScale: 2 / 18,
        answerScale: 4 * count / 18,
      });
      // The sums leave out less than e^−45; half of what they go over holds all but e^−22.5.
      const log = aboveThreshold({ ...fine, count, threshold }).logDensity!(said, data);
      assertAlmostEquals(log, exact, 2e-11);
    }
  }
});

// Mutants: a threshold that is noise alone; a tie that counts as below; numbers in steps.
Deno.test("sparse vectors draw the law of their densities where ties are likely", () => {
  const data = [3, 3.5, 2.5, 3];
  for (const count of [1, 2]) {
    const coarse = { ...options, epsilon: 8 * count, sensitivity: 0.5, count };
    for (const mechanism of [aboveThreshold(coarse), numericSparseVector(coarse)]) {
      const source = new SeededSource(1611).split(count);
      const outputs = Array.from({ length: 6000 }, () => mechanism.sample(data, source));
      assertEquals(
        breachOfDraws(mechanism as Mechanism, { data: data, drawn: outputs }),
        undefined,
      );
    }
  }
});

// Mutant: noise of one row of a block that the next one uses again.
Deno.test("aboveThreshold() draws rows of a block that know nothing of one another", () => {
  const runs = 6000, width = 3;
  const mechanism = aboveThreshold({
    ...options,
    epsilon: 8,
    sensitivity: 0.5,
    threshold: 0,
    count: 9,
    mostAnswers: width,
  });
  const block = mechanism.sampleMany!([0, 0, 0], runs, new SeededSource(1612));
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < width; j++) {
      let [both, one, other] = [0, 0, 0];
      for (let run = 0; run + 1 < runs; run++) {
        const a = block[run * width + i]!, b = block[(run + 1) * width + j]!;
        both += a * b;
        one += a;
        other += b;
      }
      const n = runs - 1, p = one / n, q = other / n;
      const z = (both / n - p * q) / Math.sqrt(p * (1 - p) * q * (1 - q) / n);
      // |z| ≤ 5.5 nine times: false alarm 4e-7.
      assert(Math.abs(z) < 5.5, `${i}, ${j}: ${z}`);
    }
  }
});
