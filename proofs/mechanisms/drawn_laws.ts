import type { Dataset } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { gaussLegendre } from "../../lib/exact/gauss_legendre.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { boundedMean } from "../../lib/mechanisms/bounded_sum.ts";
import {
  additiveNoise,
  mixedNoise,
  wrappedNoise,
} from "../../lib/mechanisms/input_perturbation.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { staircase } from "../../lib/mechanisms/staircase.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { mechanismVariants } from "../checks/mechanism_variants.ts";
import { requireIndependent, requireLikely } from "../checks/runs_of_blocks.ts";
import { outcomeOf, requireThat } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** Outputs drawn one by one, and in blocks. */
const SINGLY = 1000, IN_BLOCKS = 4000;

/** The chance that one count is farther off than Bernstein's bound. */
const ALPHA = 1e-12;

/** What is done to outputs before they are counted. */
type Change = (output: unknown) => unknown;

/** Rows that mechanisms of the registry are run on. */
function dataOf({ domain, name }: Mechanism): Dataset {
  const { rows, size } = domain!, length = Math.min(size.max, 3);
  switch (rows.type) {
    case "boolean":
      return [true, false, true].slice(0, length);
    case "category":
      return [0, 1, 1].map((k) => rows.values[k]).slice(0, length);
    case "number":
      return [0.3, 0.9, 0.1].slice(0, length);
    case "integer":
      return (name === "tree counts" ? [1, 3, 3] : [2, 1, 0]).slice(0, length)
        .concat(size.min > length ? Array<number>(size.min - length).fill(1) : []);
    case "text":
      return ["a", "b", "a"].slice(0, length);
    case "vector":
      return [[0.6, -0.3]];
    case "record":
      return [{ smokes: true, sex: "f" }, { smokes: false, sex: "m" }];
  }
}

/** By Bernstein's inequality a count is within this of what is expected, but for ALPHA. */
function room(expected: number, draws: number): number {
  const log = Math.log(2 / ALPHA), variance = expected * Math.max(0, 1 - expected / draws);
  return log / 3 + Math.sqrt(log * log / 9 + 2 * log * variance);
}

/** Counts of outputs against the chances stated: each that was seen, and all below each of 16 numbers. */
function requireStated(
  name: string,
  outputs: readonly unknown[],
  { chanceOf, below }: {
    readonly chanceOf: ((output: unknown) => number) | undefined;
    readonly below: readonly { readonly at: number; readonly chance: number }[];
  },
): void {
  const draws = outputs.length;
  const compare = (count: number, chance: number, what: string): void =>
    requireThat(
      Math.abs(count - chance * draws) <= room(chance * draws, draws),
      () => `${name}: ${what} comes ${count} times in ${draws}, stated is ${chance}`,
    );
  for (const { at, chance } of below) {
    compare(outputs.filter((output) => (output as number) <= at).length, chance, `at most ${at}`);
  }
  if (chanceOf === undefined) return;
  const counts = new Map<string, { output: unknown; count: number }>();
  for (const output of outputs) {
    const key = JSON.stringify(output), found = counts.get(key);
    if (found === undefined) counts.set(key, { output, count: 1 });
    else found.count++;
  }
  let total = 0;
  for (const [key, { output, count }] of counts) {
    const chance = chanceOf(output);
    total += chance;
    compare(count, chance, key);
  }
  requireThat(total <= 1 + 1e-9, () => `${name}: chances of what was seen add up to ${total}`);
}

const RULE = gaussLegendre(24);

/** Chances of at most some numbers, for outputs that are numbers: sums over a grid, or integrals of a density. */
function belowOf(
  mechanism: Mechanism,
  data: Dataset,
  outputs: readonly unknown[],
): { at: number; chance: number }[] {
  if (mechanism.logDensity === undefined || mechanism.width !== 1) return [];
  const numbers = outputs as readonly number[];
  if (!numbers.every((output) => typeof output === "number")) return [];
  const sorted = numbers.toSorted((a, b) => a - b);
  const marks = [
    ...new Set(
      Array.from({ length: 16 }, (_, i) => sorted[Math.floor((i + 0.5) * sorted.length / 16)]!),
    ),
  ];
  const density = (y: number): number => Math.exp(mechanism.logDensity!(y, data));
  if ("grid" in mechanism) {
    const { granularity, scaleInSteps } =
      (mechanism as { grid: { granularity: number; scaleInSteps: number } }).grid;
    let chance = 0, next = sorted[0]! - Math.ceil(30 * scaleInSteps) * granularity;
    return marks.map((at) => {
      for (; next <= at; next += granularity) chance += density(next);
      return { at, chance };
    });
  }
  if (!mechanism.name.startsWith("float")) return [];
  const spread = sorted.at(-1)! - sorted[0]!;
  let chance = 0, from = sorted[0]! - 3 * spread;
  return marks.map((at) => {
    const pieces = 4 + Math.ceil(400 * (at - from) / spread), half = (at - from) / pieces / 2;
    for (let piece = 0; piece < pieces; piece++) {
      RULE.nodes.forEach((node, i) =>
        chance += half * RULE.weights[i]! * density(from + half * (2 * piece + 1 + node))
      );
    }
    from = at;
    return { at, chance };
  });
}

/** The chance of an output, where outputs are counted one by one. */
function chancesOf(mechanism: Mechanism, data: Dataset): ((output: unknown) => number) | undefined {
  if (mechanism.distribution !== undefined) {
    const stated = mechanism.distribution(data);
    const total = stated.reduce((sum, { probability }) => sum + probability, 0);
    requireThat(Math.abs(total - 1) < 1e-9, `${mechanism.name}: chances add up to ${total}`);
    const byKey = new Map(
      stated.map(({ output, probability }) => [JSON.stringify(output), probability]),
    );
    return (output) => byKey.get(JSON.stringify(output)) ?? 0;
  }
  if (mechanism.name.startsWith("float") || mechanism.name.startsWith("spherical")) {
    return undefined;
  }
  return (output) => Math.exp(mechanism.logDensity!(output, data));
}

/** One output of a block as `sample` gives it. */
function shaped(mechanism: Mechanism, like: unknown, row: readonly number[]): unknown {
  if (!Array.isArray(like)) return row[0];
  const told = row.filter((value) => !Number.isNaN(value));
  return typeof like[0] === "boolean"
    ? told.map((value) => value === 1)
    : mechanism.name.startsWith("above")
    ? told.map(Boolean)
    : told;
}

function requireDrawn(
  name: string,
  mechanism: Mechanism,
  data: Dataset,
  change: Change,
  seed: number,
): void {
  const source = new SeededSource(seed).split(name);
  const singly = Array.from({ length: SINGLY }, () => mechanism.sample(data, source));
  const chanceOf = chancesOf(mechanism, data);
  const compare = (what: string, outputs: readonly unknown[]): void => {
    const changed = outputs.map(change);
    requireStated(`${name}, ${what}`, changed, {
      chanceOf,
      below: belowOf(mechanism, data, outputs),
    });
  };
  compare("one by one", singly);
  if (mechanism.sampleMany === undefined) return;
  const width = mechanism.width!;
  const [one, single] = [1, 1].map((k) => new SeededSource(seed + k));
  const flat = [mechanism.sample(data, one!)].flat().map(Number);
  const first = [...mechanism.sampleMany(data, 1, single!)].slice(0, flat.length);
  requireThat(
    flat.some(Number.isNaN) || first.every((value, i) => Object.is(value, flat[i])),
    () => `${name}: a block of one is ${first}, one output ${flat}`,
  );
  const block = mechanism.sampleMany(data, IN_BLOCKS, source);
  requireThat(block.length === IN_BLOCKS * width, `${name}: a block of ${block.length}`);
  const outputs = Array.from(
    { length: IN_BLOCKS },
    (_, i) => shaped(mechanism, singly[0], Array.from(block.subarray(i * width, (i + 1) * width))),
  );
  compare("in blocks", outputs);
  requireIndependent(name, block, width);
  if (width > 1 && chanceOf !== undefined) {
    requireLikely(name, {
      singly: singly.map(change),
      outputs: outputs.slice(0, 1000).map(change),
      chanceOf,
    });
  }
}

/** The registry and other options. */
export const drawnLaws = theorem<Change>({
  id: "mechanisms/drawn_laws",
  statement:
    "Every shipped mechanism draws, one output by one and in blocks, with the chances that it states.",
  citation: "Bernstein 1924 on counts",
  source: "lib/mechanisms; mechanisms/shipped_by_enumeration has the laws of sample() exactly",
  assumptions: [
    "false alarms: 1e-12 for each count, of which there are fewer than 400,000: 4e-7 in all",
    "correlations and mean logarithms beyond 6.5 deviations are taken for none of chance: 1e-10 each, where their sums are normal",
    "power: but for 1e-12, a chance of 1/2 that is off by .06 is noticed in a block, one of .1 that is off by .035",
  ],
  kind: "statistical",
  checked:
    "1,000 outputs one by one and 4,000 in a block of each mechanism of the registry at ε = .7 and of 34 with other options at ε = 1.1: counts of each output that comes, and of those up to 16 numbers; correlations of neighbours in blocks, and mean logarithms of chances of vectors",
  subject: (output) => output,
  check: (change, { seed }) =>
    outcomeOf(`${mechanismNames.length + mechanismVariants.length} mechanisms`, () => {
      for (const name of mechanismNames) {
        const mechanism = mechanismNamed(name, { epsilon: 0.7, delta: 1e-3 });
        requireDrawn(name, mechanism, dataOf(mechanism), change, seed);
      }
      for (const { name, make, pairs } of mechanismVariants) {
        requireDrawn(name, make(1.1) as Mechanism, pairs[0]!.left.slice(0, 12), change, seed);
      }
      // So few rows that their noisy number is below 1 as often as not.
      for (const rows of [[], [1.5], [0, 2, 3]]) {
        const bounds = { lower: 0, upper: 2 };
        const mean = boundedMean({ bounds, epsilon: 1, granularity: 0.25, relation: addRemoveOne });
        requireDrawn(`the mean of ${rows.length} rows`, mean as Mechanism, rows, change, seed);
      }
      // Few steps to a stair, and so many outputs that those of one stair are told from each other.
      const stairs = staircase<number>({
        query: ([row]) => row!,
        epsilon: 0.7,
        sensitivity: 4,
        granularity: 1,
        relation: replaceOne,
      });
      requireStated(
        "stairs of a few steps",
        [
          ...stairs.sampleMany!([2], 60_000, new SeededSource(seed).split("stairs")),
        ].map(change),
        {
          chanceOf: (output) => Math.exp(stairs.logDensity!(output as number, [2])),
          below: [],
        },
      );
      const source = new SeededSource(seed).split("perturbations");
      for (
        const perturbation of [
          additiveNoise({ size: 6, reach: 2 }),
          wrappedNoise({ size: 7, reach: 2 }),
          mixedNoise({ size: 6, reach: 1, keep: 0.5 }),
        ]
      ) {
        const { name, size } = perturbation;
        for (let entry = 0; entry < size; entry++) {
          const outputs = Array.from(
            { length: 600 },
            () => change(perturbation.perturb(entry, source)),
          );
          const chanceOf = (output: unknown): number =>
            perturbation.probability(entry, output as number);
          requireStated(name, outputs, { chanceOf, below: [] });
          let total = 0;
          for (let output = -size; output <= 2 * size; output++) total += chanceOf(output);
          requireThat(Math.abs(total - 1) < 1e-12 && chanceOf(0.5) === 0, `${name}: chances`);
        }
      }
    }),
  mutants: {
    "numbers are 5% closer to 0": (output) => typeof output === "number" ? 0.95 * output : output,
    "the first of a list is taken twice": (output) =>
      Array.isArray(output) && output.length > 1
        ? [output[0], output[0], ...output.slice(2)]
        : output,
    "true for false": (output) =>
      Array.isArray(output) ? output.map((each) => each === false ? true : each) : output,
  },
});
