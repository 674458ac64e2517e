import { type Claim, gaussian, pure, replaceOne as relation, zcdp } from "../../lib/core/mod.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { floatExponential } from "../../lib/core/random/float_exponential.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import {
  type Distribution,
  exponential,
  gumbel,
  laplace,
  laplaceQuantile,
  places,
  shiftedLaplace,
} from "../limit/laws.ts";
import type { Laws } from "../limit/limit.ts";
import type { Query } from "./queries.ts";

/** Numbers in each dataset. */
const ROWS = 5;
/** Columns of a dataset of the tracks that select one. */
export const COLUMNS = 8;
/** The claims: ε = 1, μ = 1 and ρ = 1/2. */
const EPSILON = 1, MU = 1, RHO = 1 / 2;

/** Two datasets that differ in one row. */
export interface Sides {
  readonly left: Dataset;
  readonly right: Dataset;
}

/** The noise of the questions whose answer is no, of the noise that the claim needs, and the file in which they are. */
export interface BrokenNoise {
  readonly share: number;
  /** The name of the file in `category_1` of the data. */
  readonly file: string;
  /** What says so in the text of a question. */
  readonly text: string;
}

/** A way to answer a query, with the noise that its claim needs, or with less. */
export interface Track {
  readonly name: string;
  readonly claim: Claim;
  readonly broken: BrokenNoise;
  /** The program, with so many times the noise that the claim needs. */
  program(query: Query, noise: number): Mechanism;
  /** Neighbours on which too little noise breaks the claim. */
  worst(query: Query): Sides;
  /** Of pure claims the laws of the output on these neighbours: the same for every query. */
  laws?(noise: number): Laws;
}

/** One number: the query plus noise. */
function numeric(
  name: string,
  claim: Claim,
  { scale, fill, broken, laws }: {
    readonly broken: BrokenNoise;
    /** The scale of the noise for a sensitivity of 1. */
    readonly scale: number;
    readonly fill: (source: Source, out: Float64Array) => unknown;
    readonly laws?: Track["laws"];
  },
): Track {
  return {
    name,
    claim,
    broken,
    ...(laws && { laws }),
    program: (query, noise) => {
      const unit = noise * scale * query.sensitivity;
      return {
        name: `${name}: ${query.name}`,
        claim,
        domain: {
          rows: { type: "number", min: 0, max: 1 },
          size: { min: ROWS, max: ROWS },
        },
        width: 1,
        sample: (data, source) => query.of(data as number[]) + unit * one(source, fill),
        sampleMany: (data, count, source) => {
          const out = new Float64Array(count), value = query.of(data as number[]);
          fill(source, out);
          return out.map((standard) => value + unit * standard);
        },
      };
    },
    worst: ({ left, right }) => ({ left, right }),
  };
}

function one(source: Source, fill: (source: Source, out: Float64Array) => unknown): number {
  const out = new Float64Array(1);
  fill(source, out);
  return out[0]!;
}

/**
 * One column of {@linkcode COLUMNS}: that of the largest query plus noise. With exponential noise that is permute-and-flip (Ding et al.
 * 2021), with Gumbel noise the exponential mechanism.
 */
function selecting(
  name: string,
  fill: (source: Source, out: Float64Array) => unknown,
  { broken, ...law }: {
    readonly broken: BrokenNoise;
    readonly noise: Distribution;
    readonly quantile: (tail: number) => number;
  },
): Track {
  const claim = pure({ epsilon: EPSILON, relation });
  return {
    name,
    claim,
    broken,
    program: (query, noise) => {
      const unit = noise * 2 * query.sensitivity / EPSILON;
      const sampleMany = (data: Dataset, count: number, source: Source): Float64Array => {
        const scores = Array.from(
          { length: COLUMNS },
          (_, column) => query.of((data as number[][]).map((row) => row[column]!)) / unit,
        );
        const noise = new Float64Array(count * COLUMNS), out = new Float64Array(count);
        fill(source, noise);
        for (let k = 0, at = 0; k < count; k++, at += COLUMNS) {
          let best = 0;
          for (let i = 1; i < COLUMNS; i++) {
            if (scores[i]! + noise[at + i]! > scores[best]! + noise[at + best]!) best = i;
          }
          out[k] = best;
        }
        return out;
      };
      return {
        name: `${name}: ${query.name}`,
        claim,
        domain: {
          rows: { type: "vector", length: COLUMNS, of: { type: "number", min: 0, max: 1 } },
          size: { min: ROWS, max: ROWS },
        },
        width: 1,
        sample: (data, source) => sampleMany(data, 1, source)[0]!,
        sampleMany,
      };
    },
    // The first column goes down as all others go up.
    worst: ({ left, right }) => {
      const beside = (first: readonly number[], others: readonly number[]): number[][] =>
        first.map((value, i) => [value, ...new Array<number>(COLUMNS - 1).fill(others[i]!)]);
      return { left: beside(right, left), right: beside(left, right) };
    },
    laws: (noise) => {
      const gap = EPSILON / (2 * noise);
      const rest = new Array<number>(COLUMNS - 1).fill(0);
      return { left: places([gap, ...rest], law), right: places([-gap, ...rest], law) };
    },
  };
}

/** Gumbel noise: −ln of exponential noise. */
function fillGumbel(source: Source, out: Float64Array): void {
  floatExponential(source, out);
  for (let i = 0; i < out.length; i++) out[i] = -Math.log(out[i]!);
}

/** The tracks. With the noise that it needs each program keeps its claim, and with what is missing none does. */
export const tracks: readonly Track[] = [
  numeric("Laplace", pure({ epsilon: EPSILON, relation }), {
    scale: 1 / EPSILON,
    fill: (source, out) => floatLaplace(source, out),
    broken: { share: 1 / 2, file: "cate_1_Laplace_pureDP.json", text: "{2\\varepsilon}" },
    laws: (noise) => shiftedLaplace(1, noise / EPSILON),
  }),
  numeric("Gaussian, μ", gaussian({ mu: MU, relation }), {
    scale: 1 / MU,
    fill: floatNormal,
    broken: { share: Math.SQRT1_2, file: "cate_1_Gaussian_GDP.json", text: "(2\\beta^{2})" },
  }),
  numeric("Gaussian, ρ", zcdp({ rho: RHO, relation }), {
    scale: 1 / Math.sqrt(2 * RHO),
    fill: floatNormal,
    broken: { share: Math.SQRT1_2, file: "cate_1_Gaussian_zCDP.json", text: "{4\\rho}" },
  }),
  selecting("noisy max", (source, out) => floatLaplace(source, out), {
    broken: {
      share: 1 / 2,
      file: "cate_1_LaplaceRNM_pureDP.json",
      text: "2\\cdot(\\varepsilon)",
    },
    noise: laplace,
    quantile: laplaceQuantile,
  }),
  selecting("permute-and-flip", (source, out) => floatExponential(source, out), {
    broken: { share: 1 / 2, file: "cate_1_PF_pureDP.json", text: "2\\cdot(\\varepsilon)" },
    noise: exponential,
    quantile: (tail) => -Math.log(tail),
  }),
  selecting("exponential mechanism", fillGumbel, {
    broken: { share: 1 / 2, file: "cate_1_ExpoMech_pureDP.json", text: "2\\cdot(\\varepsilon)" },
    noise: gumbel,
    quantile: (tail) => -Math.log(-Math.log1p(-tail)),
  }),
];
