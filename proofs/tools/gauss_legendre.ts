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
    let x = Math.cos(Math.PI * (i + 0.75) / (count + 0.5));
    // Until moves are rounding errors, which no longer shrink.
    for (let least = Infinity;;) {
      const { value, slope } = legendre(count, x), move = value / slope;
      if (!(Math.abs(move) < least)) break;
      least = Math.abs(move);
      x -= move;
    }
    nodes.push(x);
    weights.push(2 / ((1 - x * x) * legendre(count, x).slope ** 2));
  }
  return { nodes, weights };
}

/** The Legendre polynomial near one of its roots, and its derivative there, where the value is 0. */
function legendre(degree: number, x: number): { value: number; slope: number } {
  let previous = 1, value = x;
  for (let k = 2; k <= degree; k++) {
    [previous, value] = [value, ((2 * k - 1) * x * value - (k - 1) * previous) / k];
  }
  return { value, slope: degree * previous / (1 - x * x) };
}
