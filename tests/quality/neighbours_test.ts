import { assert } from "@std/assert";
import { audit } from "../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { type Claim, gaussian, pure } from "../../lib/core/mod.ts";
import type { Domain, RowSpec } from "../../lib/core/relations/dataset.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { dailyOf, LONG } from "../long.ts";

/** A program that breaks its claim on pairs that differ in many places of a row at once, or in one field alone. */
interface Broken {
  readonly name: string;
  readonly claim: Claim;
  readonly run: (data: never[], source: Source) => unknown;
  readonly domain: Domain;
}

function vector(length: number, bound: number, norm?: number): RowSpec {
  const of = { type: "number", min: -bound, max: bound } as const;
  return { type: "vector", length, of, ...(norm === undefined ? {} : { norm }) };
}

/** Vectors of Euclidean length at most 1 are summed with Laplace noise for that length: true ε = 4 in 16 dimensions. */
function sumOfVectors(relation: Relation): Broken {
  const sensitivity = relation === replaceOne ? 2 : 1;
  return {
    name: `a sum of vectors with noise for their length (${relation.name})`,
    claim: pure({ epsilon: 1, relation }),
    run: (data: number[][], source) => {
      const noise = floatLaplace(source, new Float64Array(16), { scale: sensitivity });
      return Array.from(noise, (x, j) => data.reduce((sum, row) => sum + row[j]!, x));
    },
    domain: { rows: vector(16, 1, 1), size: { min: 1, max: 5 } },
  };
}

/** Logistic regression in 5 rounds; each coordinate of a gradient is clipped to 1, with noise for norm 1: true μ = √d. */
function clippedByCoordinate(d: number): Broken {
  const rounds = 5;
  return {
    name: `gradients of ${d} coordinates clipped one by one`,
    claim: gaussian({ mu: 1, relation: addRemoveOne }),
    run: (data: { features: number[]; label: number }[], source) => {
      const weights = new Array<number>(d).fill(0);
      for (let round = 0; round < rounds; round++) {
        const gradient = floatNormal(source, new Float64Array(d), { scale: Math.sqrt(rounds) });
        for (const { features, label } of data) {
          const margin = label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0);
          const slope = -label / (1 + Math.exp(margin));
          features.forEach((x, j) => gradient[j]! += Math.max(-1, Math.min(1, slope * x)));
        }
        gradient.forEach((value, j) => weights[j]! -= 0.1 * value);
      }
      return weights;
    },
    domain: {
      rows: {
        type: "record",
        fields: { features: vector(d, 5), label: { type: "category", values: [-1, 1] } },
      },
      size: { min: 0, max: 20 },
    },
  };
}

/** A mean of features with noise, and the share of positive labels without any. */
const bareLabels: Broken = {
  name: "labels counted without noise among noisy features",
  claim: pure({ epsilon: 1, relation: replaceOne }),
  run: (data: { x: number; y: number; label: string }[], source) => [
    data.reduce(
      (sum, { x }) => sum + x,
      floatLaplace(source, new Float64Array(1), { scale: 100 })[0]!,
    ),
    data.reduce(
      (sum, { y }) => sum + y,
      floatLaplace(source, new Float64Array(1), { scale: 100 })[0]!,
    ),
    Math.round(data.filter(({ label }) => label === "c").length + 0.2 * source.uniform()),
  ],
  domain: {
    rows: {
      type: "record",
      fields: {
        x: { type: "number", min: 0, max: 50 },
        y: { type: "number", min: 0, max: 50 },
        label: { type: "category", values: ["a", "b", "c"] },
      },
    },
    size: { min: 1, max: 50 },
  },
};

/** Sums by cluster of points of the box, with noise for a point that changes its cluster: a move within one is √d as long. */
const withinCluster: Broken = {
  name: "sums by cluster with noise for a change of cluster",
  claim: gaussian({ mu: 1, relation: replaceOne }),
  run: (data: number[][], source) => {
    const sums = floatNormal(source, new Float64Array(40), { scale: Math.sqrt(2) });
    for (const row of data) {
      const cluster = row[0]! > 2 ? 20 : 0;
      row.forEach((x, j) => sums[cluster + j]! += x);
    }
    return Array.from(sums);
  },
  domain: {
    rows: { type: "vector", length: 20, of: { type: "number", min: 0, max: 1 } },
    size: { min: 1, max: 60 },
  },
};

const unit = { type: "number", min: 0, max: 1 } as const;
const ten = { type: "number", min: 0, max: 10 } as const;
const letters = [..."abcdefghij"];

/** A program that keeps ε = 1 but where rows have a value that programs treat apart, or stand to others as few rows do. */
function ofOneValue(name: string, rows: RowSpec, run: Broken["run"], min = 1): Broken {
  return {
    name,
    claim: pure({ epsilon: 1, relation: replaceOne }),
    run,
    domain: { rows, size: { min, max: 8 } },
  };
}

function laplace(source: Source, scale: number): number {
  return floatLaplace(source, new Float64Array(1), { scale })[0]!;
}

const sum = (data: readonly number[]): number => data.reduce((total, x) => total + x, 0);

function failsOn(data: readonly unknown[], value: unknown): void {
  if (data.includes(value)) throw new RangeError(`no such key: ${value}`);
}

const oneValue: readonly Broken[] = [
  ofOneValue(
    "sums by group with noise for one group",
    {
      type: "record",
      fields: { group: { type: "category", values: ["a", "b", "c"] }, x: unit },
    },
    (data: { group: string; x: number }[], source) =>
      ["a", "b", "c"].map((group) =>
        sum(data.filter((row) => row.group === group).map(({ x }) => x)) + laplace(source, 1)
      ),
  ),
  ofOneValue(
    "little noise where a point is the centre of the box",
    { type: "vector", length: 3, of: unit },
    (data: number[][], source) =>
      sum(data.map((row) => row[0]!)) +
      laplace(source, data.some((row) => row.every((x) => x === 0.5)) ? 0.4 : 1),
  ),
  ofOneValue(
    "zeros taken for missing values",
    { type: "number", min: -10, max: 10 },
    (data: number[], source) => data.filter((x) => x !== 0).length + laplace(source, 0.4),
  ),
  ofOneValue("little noise where one row stands out", ten, (data: number[], source) => {
    const counts = Map.groupBy(data, (x) => x).values().map((rows) => rows.length).toArray();
    const standsOut = counts.length === 1 || (counts.length === 2 && counts.includes(1));
    return sum(data) / 10 + laplace(source, standsOut ? 0.4 : 1);
  }, 4),
  ofOneValue(
    "pairs of equal rows with noise for few",
    { type: "category", values: letters },
    (data: string[], source) =>
      sum(data.map((x, i) => data.slice(0, i).filter((y) => y === x).length)) +
      laplace(source, 2.5),
  ),
  ofOneValue(
    "an error on a value that was not seen before",
    { type: "category", values: letters },
    (data: string[], source) => {
      failsOn(data, "j");
      return data.filter((x) => x === "a").length + laplace(source, 1);
    },
  ),
  ofOneValue(
    "no noise where a text is empty",
    { type: "category", values: [...letters, "", "z"] },
    (data: string[], source) =>
      data.filter((x) => x === "a").length + (data.includes("") ? 0 : laplace(source, 1)),
  ),
  ofOneValue(
    "an error on a value of a field that was not seen before",
    { type: "record", fields: { x: unit, city: { type: "category", values: letters } } },
    (data: { x: number; city: string }[], source) => {
      failsOn(data.map(({ city }) => city), "j");
      return sum(data.map(({ x }) => x)) + laplace(source, 1);
    },
  ),
];

const SEEDS = LONG ? Array.from({ length: 10 }, (_, k) => 2101 + k) : [2101];

const LEAKS = [
  sumOfVectors(replaceOne),
  sumOfVectors(addRemoveOne),
  clippedByCoordinate(3),
  clippedByCoordinate(10),
  bareLabels,
  withinCluster,
  ...oneValue,
];

for (
  const { name, claim, run, domain } of dailyOf(LEAKS, (_, place) => place % 2 === 0)
) {
  // Mutants: vectors move along axes alone; all fields of a record at once, or none but the first; no rows with a value of their own.
  Deno.test(`audit() finds the neighbours on which ${name} break the claim within 100,000 draws`, async () => {
    for (const seed of SEEDS) {
      const source = new SeededSource(seed).split(name);
      const { verdict, draws } = await audit(functionSubject(run, { name, source, domain }), {
        claim,
        seed,
        maxDraws: 100_000,
        shrink: false,
      });
      assert(verdict === "refuted", `${verdict} after ${draws} draws with seed ${seed}`);
    }
  });
}
