/** Answers by randomised response with this ε, and how many there are. */
interface Answers {
  readonly epsilon: number;
  readonly count: number;
}

/**
 * ln of the probability that l of `count` answers are lies, for l from 0 to `count`, when each is one with probability
 * 1/(1 + e^ε). All are known within {@linkcode errorOfLieProbabilities}.
 */
export function logLieProbabilities({ epsilon, count }: Answers): Float64Array {
  const logs = new Float64Array(count + 1);
  const truth = -Math.log1p(Math.exp(-epsilon));
  let log = count * truth, carry = 0;
  logs[0] = log;
  for (let lies = 1; lies <= count; lies++) {
    // Kahan's sum: ten thousand logarithms must not add up ten thousand roundings.
    const term = Math.log((count - lies + 1) / lies) - epsilon - carry, next = log + term;
    carry = (next - log) - term;
    log = next;
    logs[lies] = log;
    // Beyond the range of doubles nothing is carried on: the probability is 0, and so are those of more lies.
    if (log === -Infinity) return logs.fill(log, lies);
  }
  return logs;
}

/**
 * Returns an upper bound on the absolute error of these logarithms: EPSILON·count·(4 + 2ε). The first one is count·ln 2 at most, with three half roundings.
 * The absolute values of all that is added to it sum to count·(ε + 2·ln 2) at most, each with a rounding of its own, and a
 * compensated sum is off by one EPSILON of that (Higham 2002, section 4.3).
 */
export function errorOfLieProbabilities({ epsilon, count }: Answers): number {
  return 2 * Number.EPSILON * count * (2 + epsilon);
}
