/** The nodes on [−1, 1] and weights of Gauss–Legendre quadrature. */
interface QuadratureRule {
  /** Where the integrand is evaluated. */
  readonly nodes: readonly number[];
  /** What each value counts; they sum to 2. */
  readonly weights: readonly number[];
}

/** The rule of `count` points, by Newton's method on the Legendre polynomial; exact to rounding. */
export function gaussLegendre(count: number): QuadratureRule {
  const nodes: number[] = [], weights: number[] = [];
  for (let i = 0; i < count; i++) {
    let x = Math.cos(Math.PI * (i + 0.75) / (count + 0.5)), slope = 0;
    for (let step = 0; step < 50; step++) {
      let previous = 1, value = x;
      for (let k = 2; k <= count; k++) {
        [previous, value] = [value, ((2 * k - 1) * x * value - (k - 1) * previous) / k];
      }
      slope = count * (x * value - previous) / (x * x - 1);
      const move = value / slope;
      x -= move;
      if (Math.abs(move) < 1e-16) break;
    }
    nodes.push(x);
    weights.push(2 / ((1 - x * x) * slope * slope));
  }
  return { nodes, weights };
}
