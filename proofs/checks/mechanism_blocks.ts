import { mapMechanism } from "../../lib/accounting/map_mechanism.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import { discreteGaussianDelta } from "../../lib/mechanisms/discrete_gaussian_delta.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import type { paddedBlocks } from "../../lib/mechanisms/padded_blocks.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { aboveThreshold, numericSparseVector } from "../../lib/mechanisms/sparse_vector.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";
import { FACTORIES } from "./mechanism_factories.ts";
import { mechanismVariants } from "./mechanism_variants.ts";

/** Mechanisms of the registry that are drawn one by one alone: their outputs are texts, or NaN would stand for something. */
const ONE_BY_ONE = ["k-ary-randomised-response", "numeric-sparse-vector"];

/** What each factory calls its mechanism. */
const NAMES = [
  "laplace",
  "vector laplace",
  "staircase",
  "classical gaussian",
  "analytic gaussian",
  "vector gaussian",
  "integer gaussian",
  "geometric",
  "integer laplace",
  "truncated geometric",
  "snapping",
  "float laplace",
  "float gaussian",
  "spherical laplace (floating point)",
  "exponential mechanism",
  "permute and flip",
  "base-2 exponential mechanism",
  "report noisy max (laplace)",
  "report noisy max (exponential)",
  "report noisy max (gumbel)",
  "above threshold",
  "numeric sparse vector",
  "noisy histogram",
  "contingency table",
  "tree counts",
  "gaussian tree counts",
  "count",
  "bounded sum",
  "bounded mean",
  "quantile",
  "randomised response",
  "k-ary randomised response",
  "optimised unary encoding",
  "one-time RAPPOR",
  "additive noise",
  "wrapped noise",
  "keep or replace",
  "mixed noise",
];

/** What a mechanism has is there: no field is undefined, and blocks come with their width, or not at all. */
export function requireFields(): void {
  const whole = (name: string, mechanism: object): void => {
    for (const [field, value] of Object.entries(mechanism)) {
      requireThat(value !== undefined, `${name} has a field ${field} with nothing in it`);
    }
    const { width } = mechanism as { width?: unknown };
    requireEqual("sampleMany" in mechanism, width !== undefined, `blocks of ${name}`);
    requireThat(width === undefined || Number.isInteger(width), `a width of ${width}`);
    if (!("claim" in mechanism)) return;
    const mapped = mapMechanism(mechanism as Mechanism, { name, transform: String });
    requireThat(
      Object.values(mapped).every((value) => value !== undefined) && !("width" in mapped),
      `${name}, mapped, has a field with nothing in it`,
    );
  };
  for (const name of mechanismNames) {
    const mechanism = mechanismNamed(name, { epsilon: 0.5, delta: 1e-3 });
    whole(name, mechanism);
    requireEqual("sampleMany" in mechanism, !ONE_BY_ONE.includes(name), `blocks of ${name}`);
  }
  for (const { name, make } of mechanismVariants) whole(name, make(0.5));
  for (const [make, options] of FACTORIES) whole(make.name, make(options as never) as object);
  requireEqual(
    FACTORIES.map(([make, options]) => (make(options as never) as { name: string }).name),
    NAMES,
    "names of mechanisms",
  );
  requireEqual(
    rappor({ bits: 8, hashes: 1, forget: 0.5, instantaneous: { one: 0.75, zero: 0.25 } }).name,
    "RAPPOR",
  );
  const domain = { rows: { type: "integer", min: 0, max: 9 }, size: { min: 1, max: 2 } };
  for (const [make, options] of FACTORIES) {
    const made = make({ ...options, domain } as never) as object;
    whole(`${make.name} with a domain`, made);
    requireThat(!("domain" in made) || made.domain === domain, `the domain of ${make.name}`);
  }
  // Candidates that are no numbers cannot come in blocks, also where some are.
  for (const candidates of [["a", "b"], ["a", 1], [1, "b"], [[1], [2]]]) {
    const choice = exponentialMechanism<number, unknown>({
      candidates,
      utilities: (rows) => rows,
      epsilon: 1,
      sensitivity: 1,
      monotone: false,
      relation: replaceOne,
    });
    whole("a choice among texts", choice);
    requireEqual("sampleMany" in choice, false, "blocks of texts");
  }
}

/** Blocks are as wide as the longest output, up to 64, and what an output lacks is NaN. */
export function requirePadding(blocks: typeof paddedBlocks): void {
  const ones = (most: number | undefined) =>
    blocks<number>({
      name: "ones",
      most,
      prepare: ({ length }) => ({
        length,
        fill(rows, { width }): void {
          for (let i = 0; i < rows.length; i += width) rows.fill(1, i, i + length);
        },
      }),
    });
  for (const most of [undefined, 0, -1, 1.5, 65, Infinity, NaN]) {
    requireEqual(Object.keys(ones(most)), [], `blocks of ${most}`);
  }
  for (const most of [1, 2, 64]) {
    const { width, sampleMany } = ones(most), source = new SeededSource(1);
    requireEqual(width, most, "a width");
    for (const length of [0, 1, most]) {
      const row = Array.from({ length: most }, (_, i) => i < length ? 1 : NaN);
      requireEqual(sampleMany!(Array(length).fill(0), 2, source), [...row, ...row], "a block");
    }
    requireRefused(
      "an output that is longer",
      () => sampleMany!(Array(most + 1).fill(0), 2, source),
      `at most ${most} parts`,
    );
  }
}

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

/** Each bit of a report has the chance of its category, and of none other. */
export function requireReports(): void {
  const categories = ["a", "b", "c"];
  for (const variant of ["symmetric", "optimised"] as const) {
    const report = unaryEncoding({ epsilon: 2, categories, variant });
    const rate = variant === "symmetric" ? 1 : 2, lie = 1 / (1 + Math.exp(rate));
    for (let at = 0; at < 3; at++) {
      for (let bits = 0; bits < 8; bits++) {
        const said = [0, 1, 2].map((i) => bits >> i & 1);
        const stated = said.reduce((log, bit, i) => {
          const one = i !== at ? lie : variant === "symmetric" ? 1 - lie : 0.5;
          return log + Math.log(bit === 1 ? one : 1 - one);
        }, 0);
        const found = report.logDensity!(said, [categories[at]!]);
        requireThat(
          Math.abs(found - stated) <= 1e-12,
          `ln P(${said}) of ${categories[at]} is ${found}`,
        );
      }
    }
    requireEqual(
      [
        report.logDensity!([1, 0], ["a"]),
        report.logDensity!([1, 0, 0, 0], ["a"]),
        report.logDensity!([1, 0, 2], ["a"]),
      ],
      [-Infinity, -Infinity, -Infinity],
      "reports that cannot be",
    );
  }
}

/** δ of noise that is far wider, or far narrower, than what it hides. */
export function requireLeastDelta(): void {
  for (const [deviation, shift, epsilon] of [[1, 1, 60], [0.5, 1, 100], [1e-3, 1, 1e6]] as const) {
    const delta = discreteGaussianDelta({ deviation, shift, epsilon });
    requireThat(delta > 0 && delta < 1e-290, `a δ of ${delta} that underflows`);
  }
}
