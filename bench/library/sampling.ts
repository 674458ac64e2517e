/**
 * Nanoseconds per draw of the block samplers, from both sources, beside numpy's Generator on the same
 * core when python3 has it: medians over rounds of 65,536 draws. Run as
 * `deno task bench sampling`.
 *
 * @module
 */
import type { Source } from "../../lib/core/mechanism/source.ts";
import { bernoulli } from "../../lib/core/random/bernoulli.ts";
import { floatExponential } from "../../lib/core/random/float_exponential.ts";
import { floatGamma } from "../../lib/core/random/float_gamma.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { floatUniform } from "../../lib/core/random/float_uniform.ts";
import { SecureSource } from "../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

const DRAWS = 65_536;
const WARM_UP = 60;
const ROUNDS = 101;

const out = new Float64Array(DRAWS);
const bits = new Uint8Array(DRAWS);
const words = new Uint32Array(DRAWS);

/** A sampler and the expression of numpy that draws the same. */
const SAMPLERS: readonly {
  readonly name: string;
  readonly numpy: string;
  readonly draw: (source: Source) => void;
}[] = [
  {
    name: "32-bit words",
    numpy: `g.integers(0, 2**32, n, dtype="uint32")`,
    draw: (source) => source.fillUint32(words),
  },
  { name: "uniform", numpy: "g.random(n)", draw: (source) => floatUniform(source, out) },
  {
    name: "exponential",
    numpy: "g.standard_exponential(n)",
    draw: (source) => floatExponential(source, out),
  },
  { name: "Laplace", numpy: "g.laplace(size=n)", draw: (source) => floatLaplace(source, out) },
  { name: "normal", numpy: "g.standard_normal(n)", draw: (source) => floatNormal(source, out) },
  {
    name: "gamma, shape 3",
    numpy: "g.standard_gamma(3, n)",
    draw: (source) => floatGamma(source, out, { shape: 3 }),
  },
  {
    name: "gamma, shape 0.5",
    numpy: "g.standard_gamma(0.5, n)",
    draw: (source) => floatGamma(source, out, { shape: 0.5 }),
  },
  {
    name: "Bernoulli, 0.3",
    numpy: "g.random(n) < 0.3",
    draw: (source) => bernoulli(source, bits, { probability: 0.3 }),
  },
];

/** Median nanoseconds per draw of each sampler; rounds of all take turns, so that noise hits them alike. */
function measure(source: Source): number[] {
  const seconds: number[][] = SAMPLERS.map(() => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    SAMPLERS.forEach(({ draw }, i) => {
      const start = performance.now();
      draw(source);
      if (round >= WARM_UP) seconds[i]!.push((performance.now() - start) / 1000);
    });
  }
  return seconds.map((times) => times.toSorted((a, b) => a - b)[ROUNDS >> 1]! * 1e9 / DRAWS);
}

/** The same for numpy, or undefined where it is not to be had. */
async function measureNumpy(): Promise<{ version: string; medians: number[] } | undefined> {
  const program = `
import json, time, numpy
g = numpy.random.default_rng(1)
n = ${DRAWS}
draws = [${SAMPLERS.map(({ numpy }) => `lambda: ${numpy}`).join(", ")}]
times = [[] for _ in draws]
for round in range(${ROUNDS}):
    for own, draw in zip(times, draws):
        start = time.perf_counter()
        draw()
        own.append(time.perf_counter() - start)
medians = [sorted(own)[${ROUNDS >> 1}] * 1e9 / n for own in times]
print(json.dumps({"version": numpy.__version__, "medians": medians}))
`;
  try {
    const python = new Deno.Command("python3", { args: ["-c", program], stderr: "null" });
    const { success, stdout } = await python.output();
    return success ? JSON.parse(new TextDecoder().decode(stdout)) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const seeded = measure(new SeededSource(1));
const secure = measure(new SecureSource());
const numpy = await measureNumpy();

console.log(`ns/draw, medians of ${ROUNDS} rounds of ${DRAWS} draws, Deno ${Deno.version.deno}`);
console.log(numpy ? `numpy ${numpy.version}` : "numpy: not found, its column is empty");
console.table(Object.fromEntries(SAMPLERS.map(({ name }, i) => [name, {
  seeded: seeded[i]!.toFixed(2),
  secure: secure[i]!.toFixed(2),
  numpy: numpy?.medians[i]?.toFixed(2) ?? "",
}])));
