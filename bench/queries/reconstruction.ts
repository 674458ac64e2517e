import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { reconstruct, type SubsetAnswers } from "../../lib/attacks/reconstruction.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

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
const DATABASES = 3;

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

function figure(points: readonly Point[]): string {
  // linkedom has a document of its own, whose type is not the browser's.
  const { document } = parseHTML("<html><body></body></html>") as unknown as { document: never };
  const svg = Plot.plot({
    document,
    width: 640,
    height: 360,
    grid: true,
    x: { label: "standard deviation of the noise, in √n", type: "log", tickFormat: String },
    y: { label: "share of rows guessed wrong", domain: [0, 0.5] },
    color: { type: "ordinal", scheme: "dark2" },
    marks: [
      Plot.ruleY([0.5], { strokeDasharray: "4 3" }),
      Plot.line(points, { x: "noise", y: "wrong", stroke: "size" }),
      Plot.dot(points, { x: "noise", y: "wrong", fill: "size" }),
      Plot.text(points.filter(({ noise }) => noise === NOISES.at(-1)), {
        x: "noise",
        y: "wrong",
        fill: "size",
        text: ({ size }: Point) => `n = ${size}`,
        textAnchor: "end",
        dy: 12,
      }),
    ],
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return svg.outerHTML + "\n";
}

if (import.meta.main) {
  const [path = "out/reconstruction.svg"] = Deno.args;
  const source = new SeededSource(1);
  const points: Point[] = [];
  for (const size of [32, 64, 128]) {
    for (const noise of NOISES) {
      let wrong = 0;
      for (let k = 0; k < DATABASES; k++) {
        wrong += await wrongShare(source.split(`${size} ${noise} ${k}`), { size, noise });
      }
      points.push({ size, noise, wrong: wrong / DATABASES });
    }
  }
  const row = (size: number): (string | number)[] => [
    `n = ${size}`,
    ...points.filter((point) => point.size === size).map(({ wrong }) =>
      `${(100 * wrong).toFixed(1)}%`
    ),
  ];
  console.log(["noise/√n", ...NOISES].join("\t"));
  for (const size of [32, 64, 128]) console.log(row(size).join("\t"));
  const start = performance.now();
  const wrong = await wrongShare(source.split("speed"), { size: 512, noise: 0.1 });
  const seconds = (performance.now() - start) / 1000;
  console.log(`n = 512, 2048 queries, noise 0.1√n: ${seconds.toFixed(1)} s, ${100 * wrong}% wrong`);
  await Deno.mkdir(path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".", { recursive: true });
  await Deno.writeTextFile(path, figure(points));
  console.log(`drawn: ${path}`);
}
