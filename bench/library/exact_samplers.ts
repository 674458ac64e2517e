/** Exact draws a second on one core, beside their targets. Run: deno task bench exact-samplers */
import type { Source } from "../../lib/core/mechanism/source.ts";
import { replaceOne } from "../../lib/core/relations/relation.ts";
import { laplace } from "../../lib/dp/mechanisms/laplace.ts";
import { rational } from "../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../lib/core/random/discrete_gaussian.ts";
import { discreteLaplace } from "../../lib/core/random/discrete_laplace.ts";
import { SecureSource } from "../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

const block = new Float64Array(65536);

/** Millions of draws a second, over about half a second after the tables are made. */
function millionsPerSecond(fill: (out: Float64Array) => void): number {
  for (let i = 0; i < 10; i++) fill(block);
  const start = performance.now();
  let draws = 0;
  while (performance.now() - start < 500) {
    fill(block);
    draws += block.length;
  }
  return draws / (performance.now() - start) / 1e3;
}

const sources: readonly [string, Source][] = [
  ["secure", new SecureSource()],
  ["seeded", new SeededSource(1)],
];
for (const size of [1, 10, 1000, 2 ** 20]) {
  const laplace = discreteLaplace({ scale: rational(size) });
  const gaussian = discreteGaussian({ variance: rational(BigInt(size) ** 2n) });
  for (const [kind, source] of sources) {
    const a = millionsPerSecond((out) => laplace.fill(source, out));
    const b = millionsPerSecond((out) => gaussian.fill(source, out));
    console.log(
      `${kind} source, scale ${size}: discrete Laplace ${a.toFixed(1)}, ` +
        `discrete Gaussian ${b.toFixed(1)} million/s (target 2)`,
    );
  }
}

// Releases on a grid: a value of 0.3 with sensitivity 1 and steps from coarse to fine.
for (const granularity of [1, 2 ** -10, 2 ** -30]) {
  const mechanism = laplace<number>({
    query: (rows) => rows[0]!,
    epsilon: 1,
    sensitivity: 1,
    granularity,
    relation: replaceOne,
  });
  for (const [kind, source] of sources) {
    const rate = millionsPerSecond((out) => mechanism.sampleMany!([0.3], out.length, source));
    console.log(
      `${kind} source, granularity 2^${Math.log2(granularity)}: Laplace releases ` +
        `${rate.toFixed(1)} million/s (target 5)`,
    );
  }
}
