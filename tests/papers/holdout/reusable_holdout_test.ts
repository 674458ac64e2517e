import { assert, assertAlmostEquals } from "@std/assert";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { sampleReusableHoldout, type Statistic } from "../../../lib/papers/holdout/thresholdout.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Rows of `width` signs that say nothing of the label, and the label, last. */
function signs(source: Source, { count, width }: { count: number; width: number }): Int8Array[] {
  const words = new Uint32Array(Math.ceil((width + 1) / 32));
  return Array.from({ length: count }, () => {
    source.fillUint32(words);
    return Int8Array.from(
      { length: width + 1 },
      (_, i) => (words[i >>> 5]! >>> (i & 31)) % 2 === 0 ? 1 : -1,
    );
  });
}

/** How often the row's label is the sign of the sum of the chosen columns, each with its own sign. */
function rightly(chosen: readonly { column: number; sign: number }[]): Statistic<Int8Array> {
  return (row) => {
    let sum = 0;
    for (const { column, sign } of chosen) sum += sign * row[column]!;
    return (sum >= 0 ? 1 : -1) === row[row.length - 1] ? 1 : 0;
  };
}

function mean(rows: readonly Int8Array[], statistic: Statistic<Int8Array>): number {
  return rows.reduce((sum, row) => sum + statistic(row), 0) / rows.length;
}

/** The answer to a question. */
type Oracle = (statistic: Statistic<Int8Array>) => number | null;

/**
 * The analyst keeps the columns that training and holdout both say agree with the label, or both
 * disagree, and lets them vote (Dwork et al. 2015, section 5): agreement beyond chance by one
 * deviation, 1/(2√n).
 */
function analyse(
  training: readonly Int8Array[],
  { width, answer }: { width: number; answer: Oracle },
): { vote: Statistic<Int8Array>; reported: number | null; columns: number } {
  const chosen: { column: number; sign: number }[] = [];
  for (let column = 0; column < width; column++) {
    const agrees: Statistic<Int8Array> = (row) => row[column] === row[width] ? 1 : 0;
    const first = mean(training, agrees) - 0.5, second = (answer(agrees) ?? 0.5) - 0.5;
    const least = 0.5 / Math.sqrt(training.length);
    if (Math.abs(first) > least && Math.abs(second) > least && first * second > 0) {
      chosen.push({ column, sign: Math.sign(first) });
    }
  }
  const vote = rightly(chosen);
  return { vote, reported: answer(vote), columns: chosen.length };
}

Deno.test("a holdout asked often fools the analyst, the reusable one does not", () => {
  const source = new SeededSource(640), width = 1200, count = 1200;
  const training = signs(source, { count, width }), holdout = signs(source, { count, width });
  const fresh = signs(source, { count, width });
  const standard = analyse(training, { width, answer: (statistic) => mean(holdout, statistic) });
  const asked = sampleReusableHoldout(source, {
    training,
    holdout,
    threshold: 0.08,
    noiseScale: 0.002,
    count: 50,
  });
  const reusable = analyse(training, { width, answer: (statistic) => asked.answer(statistic) });
  // Labels are coins: 0.5 is the truth of any vote, and 0.065 are 4.5 deviations of a mean of 1,200.
  assertAlmostEquals(mean(fresh, standard.vote), 0.5, 0.065);
  assertAlmostEquals(mean(fresh, reusable.vote), 0.5, 0.065);
  assert(standard.reported! > 0.58);
  assert(reusable.columns > 200);
  assertAlmostEquals(reusable.reported!, 0.5, 0.08);
  assert(asked.remaining > 0);
});

Deno.test("with the theorem's T and σ all answers are within τ of the population in the promised share of 10 runs", () => {
  // Dwork et al. 2015, "Generalization in adaptive data analysis and holdout reuse", on the accuracy of
  // Thresholdout: T = 3τ/4 and σ = τ/(96·ln(4m/β)); its "n large enough" has no constant.
  const width = 1600, count = 800, tau = 0.1, beta = 0.1, questions = width + 1;
  const noiseScale = tau / (96 * Math.log(4 * questions / beta));
  let good = 0, fooled = 0;
  for (let run = 0; run < 10; run++) {
    const source = new SeededSource(642).split(run);
    const training = signs(source, { count, width }), holdout = signs(source, { count, width });
    const asked = sampleReusableHoldout(source, {
      training,
      holdout,
      threshold: 0.75 * tau,
      noiseScale,
      count: 20,
    });
    let worst = 0;
    // The label is a coin: every question here has the mean ½ in the population.
    const watched = (answer: Oracle): Oracle => (statistic) => {
      const value = answer(statistic);
      if (value !== null) worst = Math.max(worst, Math.abs(value - 0.5));
      return value;
    };
    analyse(training, { width, answer: watched((statistic) => asked.answer(statistic)) });
    if (worst < tau && asked.remaining > 0) good++;
    worst = 0;
    analyse(training, { width, answer: watched((statistic) => mean(holdout, statistic)) });
    if (worst >= tau) fooled++;
  }
  // 90% of 10 at least: fewer than 6 with chance below 2e-3. The mean of the holdout itself is not within τ.
  assert(good >= 6, `${good} runs are good`);
  assert(fooled >= 6, `${fooled} runs are fooled`);
});
