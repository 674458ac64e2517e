import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { laplace } from "../../../lib/dp/mechanisms/laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Releases a true value `count` times with Laplace noise of scale 1. */
type Release = (value: number, options: { count: number; source: Source }) => Float64Array;

/** The inverse of the distribution function, in doubles. */
function noise(source: Source): number {
  const u = source.uniform() - 0.5;
  return -Math.sign(u) * Math.log1p(-2 * Math.abs(u));
}

const naive: Release = (value, { count, source }) =>
  Float64Array.from({ length: count }, () => value + noise(source));

const grid: Release = (value, { count, source }) =>
  laplace<number>({
    query: ([row]) => row!,
    epsilon: 1,
    sensitivity: 1,
    granularity: 2 ** -30,
    relation: replaceOne,
  }).sampleMany!([value], count, source);

/** Laplace noise in floating point: which doubles can come out depends on the data. */
export const floatingPointLaplace = falseClaim<Release>({
  id: "common_mistakes/floating_point_laplace",
  statement: "Adding a double of Laplace noise to a double is ε-differentially private.",
  citation: "Mironov 2012; Haney, Desfontaines, Hartman, Shrestha, Hay 2022",
  source: "code that adds doubles",
  remember: () =>
    `About a quarter of the answers at 0 are no multiples of 2⁻⁵³ = ${
      (2 ** -53).toExponential(1)
    }, and no answer at 1 is one of them.`,
  assumptions: [
    "1 + noise is a multiple of 2⁻⁵³, for noise of at least ½ is one and smaller noise is rounded " +
    "when it is added",
    "the probability at 0 is estimated from 20,000 seeded draws",
  ],
  kind: "statistical",
  subject: naive,
  check: (release, { seed }) => {
    const draws = 20_000;
    const seen = [0, 1].map((value) => {
      const source = new SeededSource(seed).split(`noise on ${value}`);
      let off = 0;
      for (const y of release(value, { count: draws, source })) {
        // Fine bits of larger outputs than 1 are few on both sides: only these tell.
        if (Math.abs(y) < 0.5 && !Number.isInteger(y * 2 ** 53)) off++;
      }
      return off / draws;
    });
    const leaks = seen[0]! > 0 && seen[1] === 0;
    return {
      holds: !leaks,
      margin: leaks ? Infinity : 0,
      detail: `not a multiple of 2⁻⁵³: ${short(seen[0]!)} of outputs at 0, ${
        short(seen[1]!)
      } at 1; no false alarm is possible`,
      ...(leaks ? { witness: `the event has probability ${short(seen[0]!)} at 0 and 0 at 1` } : {}),
    };
  },
  corrected: { name: "integer noise on a grid of 2⁻³⁰", subject: grid },
  mutants: {
    "noise rounded to multiples of 2⁻⁵⁵ before it is added": (value, { count, source }) =>
      Float64Array.from(
        { length: count },
        () => value + Math.round(noise(source) * 2 ** 55) / 2 ** 55,
      ),
  },
});
