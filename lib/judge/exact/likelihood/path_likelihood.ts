import {
  compare,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";
import {
  type Affine,
  coefficient,
  constant,
  hasNoise,
  minus,
  substitute,
  times,
} from "../alignment/affine.ts";
import type { NoiseLaws } from "../alignment/noise_laws.ts";
import type { TracedPath } from "../alignment/trace_program.ts";
import { type Interval, interval, multiplyIntervals } from "../interval.ts";
import { enclosed } from "./exact_interval.ts";
import { noiseOf, starsOf } from "./star.ts";
import { densityAt, starIntegral } from "./star_integral.ts";

/** How likely an output is on a path. */
export interface PathLikelihood {
  /** Of how many released values there is a density; others are numbers. */
  readonly rank: number;
  /** Their density; with none of them a probability. */
  readonly value: Interval;
}

const one = rational(1);

/**
 * Returns an enclosure of the likelihood of released values on one path, of data that are numbers. A density is continuous there: that of values
 * nearby is near it.
 *
 * `undefined` where it is not known how to compute it: noise that is neither Laplace nor exponential; comparisons that are no stars, in which
 * each draw is compared with the centre alone; values that depend on each other; and ties, at which a density jumps.
 */
export function pathLikelihood(
  { constraints, released }: {
    readonly constraints: TracedPath["constraints"];
    readonly released: readonly Affine[];
  },
  { values, laws }: { readonly values: readonly Rational[]; readonly laws: NoiseLaws },
): PathLikelihood | undefined {
  const impossible: PathLikelihood = { rank: 0, value: interval(0) };
  const forms = constraints.map(({ form }) => form), solved = new Map<string, Affine>();
  let scale = one;
  for (const [i, form] of released.entries()) {
    const equation = minus(form, constant(values[i]!)), rest = substitute(equation, solved);
    if (!hasNoise(rest)) {
      if (rest.size > 0) return impossible;
      if (hasNoise(equation)) return undefined;
      continue;
    }
    const name = leastCompared(rest, forms), factor = coefficient(rest, name);
    scale = multiply(scale, factor.numerator < 0n ? negated(factor) : factor);
    const others = new Map([...rest].filter(([key]) => key !== name));
    const own = new Map([[name, times(divide(rational(-1), factor), others)]]);
    for (const [other, value] of solved) solved.set(other, substitute(value, own));
    solved.set(name, own.get(name)!);
  }
  const regions: Affine[] = [];
  for (const form of forms) {
    const region = substitute(form, solved), sign = compare(coefficient(region, ""), rational(0));
    if (hasNoise(region)) regions.push(region);
    else if (sign < 0) return impossible;
    else if (sign === 0) return undefined;
  }
  const densities = [...solved].map(([name, form]) => ({ law: laws.of(name), form }));
  const fixed = densities.filter(({ form }) => !hasNoise(form));
  const stars = starsOf(regions, densities);
  if (stars === undefined) return undefined;
  const parts = [
    ...fixed.map(({ law, form }) => densityAt(law, coefficient(form, ""))),
    ...stars.map((star) => starIntegral(star, laws)),
  ];
  let value = enclosed(divide(one, scale));
  for (const part of parts) {
    if (part === undefined) return undefined;
    value = multiplyIntervals(value, part);
  }
  return { rank: solved.size, value: { lower: Math.max(0, value.lower), upper: value.upper } };
}

/** Returns the draw of a form that fewest comparisons are about, the last of these. */
function leastCompared(form: Affine, compared: readonly Affine[]): string {
  const uses = (name: string): number => compared.filter((each) => each.has(name)).length;
  return noiseOf(form).reduceRight((best, name) => uses(name) < uses(best) ? name : best);
}
