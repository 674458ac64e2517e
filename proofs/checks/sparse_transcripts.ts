import { replaceOne } from "../../lib/core/relation.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";

const stream = {
  answers: (rows: readonly number[]): readonly number[] => rows,
  epsilon: 500,
  sensitivity: 1,
  threshold: 2,
  granularity: 1,
  relation: replaceOne,
};

/** Answers of the sparse vector: as many as there are until enough are above, in blocks of any width, and all lists of them. */
export function requireTranscripts(): void {
  const cases: [readonly number[], number][] = [
    [[], 1],
    [[-9], 1],
    [[9], 1],
    [[-9, 9, -9, 9], 1],
    [[-9, 9, -9, 9], 2],
    [[9, 9, -9], 3],
    [[-9, -9, -9, -9], 2],
    // An answer at the threshold is above it.
    [[1, 2, 1, 3], 2],
  ];
  for (const [data, count] of cases) {
    let left = count;
    const stated: boolean[] = [];
    for (const answer of data) {
      if (left === 0) break;
      stated.push(answer >= 2);
      if (answer >= 2) left--;
    }
    for (const mostAnswers of [Math.max(1, data.length), data.length + 1, 64]) {
      const mechanism = aboveThreshold({ ...stream, count, mostAnswers });
      const source = new SeededSource(5);
      requireEqual(mechanism.sample(data, source), stated, "a transcript");
      const row = Array.from(
        { length: mostAnswers },
        (_, i) => i < stated.length ? Number(stated[i]) : NaN,
      );
      requireEqual(mechanism.sampleMany!(data, 3, source), [...row, ...row, ...row], "a block");
    }
    const numeric = numericSparseVector({ ...stream, count });
    requireEqual(
      numeric.sample(data, new SeededSource(5)),
      stated.map((above, i) => above ? data[i] : null),
      "a numeric transcript",
    );
  }
  requireEqual("width" in aboveThreshold({ ...stream, count: 1, mostAnswers: 65 }), false);
  requireEqual("width" in aboveThreshold({ ...stream, count: 1 }), false);
  requireOnlyTranscripts();
  requireRareTranscripts();
  // All lists of twelve answers are 4096.
  const all = aboveThreshold({ ...stream, count: 12 }), zeros = Array<number>(12).fill(9);
  requireEqual(all.distribution!(zeros).length, 4096, "lists of twelve answers");
  requireRefused("lists of thirteen", () => {
    aboveThreshold({ ...stream, count: 13 }).distribution!([...zeros, 9]);
  }, "at most 4096");
}

/** Lists that are no transcript have no chance: too long, too short, or with answers after enough were above. */
function requireOnlyTranscripts(): void {
  const lists = (length: number): boolean[][] =>
    length === 0 ? [[]] : lists(length - 1).flatMap((list) => [[...list, false], [...list, true]]);
  for (const count of [1, 2, 3]) {
    const options = { ...stream, epsilon: 5, count }, data = [1, -1, 0];
    const mechanism = aboveThreshold(options), numeric = numericSparseVector(options);
    let total = 0;
    for (let length = 0; length <= 4; length++) {
      for (const said of lists(length)) {
        const above = said.filter((told) => told).length;
        const is = said.slice(0, -1).filter((told) => told).length < count &&
          (length === 3 || length < 3 && above === count);
        const log = mechanism.logDensity!(said, data);
        requireEqual(log > -Infinity, is, `the chance of ${said} with ${count} above`);
        total += Math.exp(log);
        requireEqual(
          numeric.logDensity!(said.map((told) => told ? 1 : null), data) > -Infinity,
          is,
          `the numeric chance of ${said}`,
        );
      }
    }
    requireThat(Math.abs(total - 1) <= 1e-12, `chances that add up to ${total}`);
  }
}

/** Transcripts that are next to impossible have the chance of the noise that brings them about: sums over all thresholds. */
function requireRareTranscripts(): void {
  const scale = (factor: number): number => factor / 0.8;
  const tail = (from: number, b: number): number =>
    from > 0
      ? Math.exp(-from / b) / (1 + Math.exp(-1 / b))
      : 1 - Math.exp((from - 1) / b) / (1 + Math.exp(-1 / b));
  for (const threshold of [-70, 0, 70]) {
    for (const answer of [-70, 0, 70, 120]) {
      const mechanism = aboveThreshold({ ...stream, threshold, epsilon: 0.8, count: 1 });
      const one = scale(2), other = scale(4);
      let above = 0, below = 0;
      for (let shift = -1500; shift <= 1500; shift++) {
        const chance = Math.exp(-Math.abs(shift) / one) * Math.tanh(0.5 / one);
        const gap = threshold + shift - answer;
        above += chance * tail(gap, other);
        below += chance * tail(1 - gap, other);
      }
      for (const [said, stated] of [[true, above], [false, below]] as const) {
        const found = mechanism.logDensity!([said], [answer]);
        requireThat(
          Math.abs(found - Math.log(stated)) <= 1e-9 * (1 + Math.abs(found)),
          () =>
            `ln P(${said}) of ${answer} beside ${threshold} is ${found}, not ${Math.log(stated)}`,
        );
      }
    }
  }
}
