import { type Affine, isNoise } from "../alignment/affine.ts";
import type { NoiseLaw } from "../alignment/noise_laws.ts";

/** The density of a draw that is a form of other draws, for a value of it was released. */
export interface DensityFactor {
  readonly law: NoiseLaw;
  readonly form: Affine;
}

/** Forms above 0 of a draw, the centre, and of one other draw each at most; and densities of the centre alone. */
export interface Star {
  readonly centre: string;
  readonly regions: readonly Affine[];
  readonly densities: readonly DensityFactor[];
}

/** Returns forms that have no draw in common with others, as stars; `undefined` where some of them are not stars. */
export function starsOf(
  regions: readonly Affine[],
  densities: readonly DensityFactor[],
): readonly Star[] | undefined {
  const groups: Set<string>[] = [];
  for (const form of [...regions, ...densities.map((each) => each.form)]) {
    const joined = new Set(noiseOf(form));
    for (const group of groups.filter((each) => [...each].some((name) => joined.has(name)))) {
      groups.splice(groups.indexOf(group), 1);
      for (const name of group) joined.add(name);
    }
    if (joined.size > 0) groups.push(joined);
  }
  const stars: Star[] = [];
  for (const group of groups) {
    const isWithin = (form: Affine): boolean => noiseOf(form).some((name) => group.has(name));
    const own = regions.filter(isWithin), dense = densities.filter(({ form }) => isWithin(form));
    const centre = [...group].find((name) =>
      own.every((form) => noiseOf(form).filter((each) => each !== name).length <= 1) &&
      dense.every(({ form }) => noiseOf(form).every((each) => each === name))
    );
    if (centre === undefined) return undefined;
    stars.push({ centre, regions: own, densities: dense });
  }
  return stars;
}

/** Returns the draws of a form. */
export function noiseOf(form: Affine): string[] {
  return [...form.keys()].filter(isNoise);
}
