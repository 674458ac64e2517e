import type { Rational } from "../../../core/numeric/rational.ts";
import type { NoiseLaws } from "../alignment/noise_laws.ts";
import type { Affine } from "../alignment/affine.ts";
import type { TracedPath } from "../alignment/trace_program.ts";
import { addIntervals, type Interval, interval } from "../interval.ts";
import { pathLikelihood } from "./path_likelihood.ts";

/** A path on data that are numbers. */
export interface NumberPath {
  readonly constraints: TracedPath["constraints"];
  readonly label: string;
  readonly released: readonly Affine[];
}

/** Likelihoods of one output on two datasets: probabilities, or densities of as many values on both. */
export interface OutputLikelihoods {
  readonly rank: number;
  readonly left: Interval;
  readonly right: Interval;
}

/**
 * Enclosures of the likelihoods of an output: of its values, in all paths that put out what has this label. Paths on the left that cannot
 * be computed are left out there: the likelihood is at least what is computed. On the right all are needed.
 *
 * @returns `undefined` where it is not known how, and where the output is impossible on the left.
 */
export function outputLikelihoods(
  { left, right }: { readonly left: readonly NumberPath[]; readonly right: readonly NumberPath[] },
  { label, values, laws }: {
    readonly label: string;
    readonly values: readonly Rational[];
    readonly laws: NoiseLaws;
  },
): OutputLikelihoods | undefined {
  const ofLabel = (paths: readonly NumberPath[]): ReturnType<typeof pathLikelihood>[] =>
    paths.filter((path) => path.label === label)
      .map((path) => pathLikelihood(path, { values, laws }));
  const from = ofLabel(left).filter((each) => each !== undefined)
    .filter(({ value }) => value.lower > 0);
  if (from.length === 0) return undefined;
  // A small box around the values, without what has fewer dimensions, has least of paths with more densities.
  const rank = Math.min(...from.map((each) => each.rank));
  let to = interval(0);
  for (const each of ofLabel(right)) {
    if (each === undefined) return undefined;
    if (each.value.upper <= 0 || each.rank > rank) continue;
    // A probability, or a density of fewer values, is more than any density of `rank` of them.
    if (each.rank < rank) return undefined;
    to = addIntervals(to, each.value);
  }
  return {
    rank,
    left: from.filter((each) => each.rank === rank).map(({ value }) => value).reduce(addIntervals),
    right: { lower: Math.max(0, to.lower), upper: to.upper },
  };
}
