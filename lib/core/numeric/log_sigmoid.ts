/** ln 1/(1+e^−x). */
export function logSigmoid(x: number): number {
  return x > 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}
