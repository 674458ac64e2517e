import * as Plot from "@observablehq/plot";
import { reconstruct, type SubsetAnswers } from "../../../lib/papers/attacks/reconstruction.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { figure, names, writeResults } from "./figure.ts";
import { markdownTable } from "./markdown.ts";

/** One size and one level of noise, averaged over databases. */
interface Point {
  /** n. */
  readonly size: number;
  /** Standard deviation of the noise, in units of √n. */
  readonly noise: number;
  /** The share of rows whose bit is guessed wrong: ½ is guessing. */
  readonly wrong: number;
}

const NOISES = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 2, 4];
const DATABASES = 10;
const SIZES = [32, 64, 128];

/** A random database of n bits, 4n random subset queries with Gaussian noise, and the bits. */
function randomAttack(
  source: SeededSource,
  { size, deviation }: { size: number; deviation: number },
): SubsetAnswers & { readonly bits: Uint8Array } {
  const coins = (): Uint8Array => Uint8Array.from({ length: size }, () => source.uint32() & 1);
  const bits = coins();
  const queries = Array.from({ length: 4 * size }, coins);
  const answers = floatNormal(source, new Float64Array(4 * size), { scale: deviation });
  queries.forEach((query, q) => {
    for (let i = 0; i < size; i++) answers[q]! += query[i]! & bits[i]!;
  });
  return { size, bits, queries, answers };
}

async function wrongShare(
  source: SeededSource,
  { size, noise }: { size: number; noise: number },
): Promise<number> {
  const attack = randomAttack(source, { size, deviation: noise * Math.sqrt(size) });
  const { bits } = await reconstruct(attack);
  return bits.reduce((wrong, bit, i) => wrong + (bit ^ attack.bits[i]!), 0) / size;
}

/**
 * The attack over noise from o(√n) to Ω(√n): a table, a CSV, a plot; and how long n = 512 takes.
 */
export async function reconstructionExperiment(
  source: SeededSource,
  { directory }: { readonly directory: string },
): Promise<void> {
  const points: Point[] = [];
  for (const size of SIZES) {
    for (const noise of NOISES) {
      let wrong = 0;
      for (let k = 0; k < DATABASES; k++) {
        wrong += await wrongShare(source.split(`${size} ${noise} ${k}`), { size, noise });
      }
      points.push({ size, noise, wrong: wrong / DATABASES });
    }
  }
  console.log(`## Reconstruction from 4n answers: rows guessed wrong, ${DATABASES} databases\n`);
  console.log(markdownTable(
    ["noise/√n", ...NOISES.map(String)],
    SIZES.map((size) => [
      `n = ${size}`,
      ...points.filter((point) => point.size === size).map(({ wrong }) =>
        `${(100 * wrong).toFixed(1)}%`
      ),
    ]),
  ));
  const start = performance.now();
  const wrong = await wrongShare(source.split("speed"), { size: 512, noise: 0.1 });
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `n = 512, 2,048 queries, noise 0.1√n: ${seconds.toFixed(1)} s, ${
      (100 * wrong).toFixed(1)
    }% wrong\n`,
  );
  const labelled = points.map((point) => ({ ...point, name: `n = ${point.size}` }));
  const svg = figure({
    width: 640,
    height: 360,
    x: {
      label: "standard deviation of the noise, in √n",
      type: "log",
      ticks: [0.05, 0.1, 0.2, 0.5, 1, 2, 4],
      tickFormat: String,
    },
    y: { label: "share of rows guessed wrong", domain: [0, 0.55] },
    color: { domain: SIZES.map((size) => `n = ${size}`), scheme: "dark2" },
    marks: [
      Plot.ruleY([0.5], { strokeDasharray: "4 3" }),
      Plot.text([{ x: 0.06, y: 0.52 }], { x: "x", y: "y", text: () => "guessing" }),
      Plot.line(labelled, { x: "noise", y: "wrong", stroke: "name" }),
      Plot.dot(labelled, { x: "noise", y: "wrong", fill: "name" }),
      names(SIZES.map((size, i) => ({ name: `n = ${size}`, at: [0.055, 0.46 - 0.03 * i] }))),
    ],
  });
  await writeResults(directory, { name: "reconstruction", points, svg });
}
