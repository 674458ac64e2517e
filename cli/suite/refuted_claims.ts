/** Selects the claims that are refuted with a family-wise error of at most the sum of the levels: e-values of at least 1/level. */
export function familyWise(eValues: readonly number[], levels: readonly number[]): boolean[] {
  return eValues.map((eValue, index) => eValue >= 1 / levels[index]!);
}

/**
 * Selects the claims that are refuted with a false discovery rate of at most `alpha`, however the e-values depend on each other: e-BH, the
 * largest k with k e-values of at least m/(kα) (Wang, Ramdas 2022, Theorem 5.1).
 */
export function falseDiscoveryRate(eValues: readonly number[], alpha: number): boolean[] {
  const sorted = [...eValues].sort((one, other) => other - one);
  const size =
    sorted.findLastIndex((eValue, index) => eValue >= sorted.length / ((index + 1) * alpha)) + 1;
  return eValues.map((eValue) => eValue >= sorted.length / (size * alpha));
}
