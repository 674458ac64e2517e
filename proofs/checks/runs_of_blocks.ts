import { requireThat } from "../engine/requirement.ts";

/** Deviations beyond which something is off: of a normal number 1e-10 is beyond. */
const DEVIATIONS = 6.5;

/** Mean and squared deviation. */
function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / values.length };
}

/** Outputs that come one after the other in a block are not correlated, in any two of their parts. */
export function requireIndependent(
  name: string,
  block: ArrayLike<number>,
  width: number,
): void {
  const parts = Math.min(width, 6), runs = Math.floor(block.length / width);
  for (let part = 0; part < parts; part++) {
    for (let other = 0; other < parts; other++) {
      const pairs: [number, number][] = [];
      for (let run = 0; run + 1 < runs; run += 2) {
        const pair = [block[run * width + part]!, block[(run + 1) * width + other]!] as const;
        if (pair.every((value) => !Number.isNaN(value))) pairs.push([pair[0], pair[1]]);
      }
      if (pairs.length < 200) continue;
      const [one, next] = [0, 1].map((k) => momentsOf(pairs.map((pair) => pair[k]!)));
      const scale = Math.sqrt(one!.variance * next!.variance);
      if (!(scale > 0)) continue;
      const sum = pairs.reduce((sum, [a, b]) => sum + (a - one!.mean) * (b - next!.mean), 0);
      const correlation = sum / scale / pairs.length;
      requireThat(
        Math.abs(correlation) <= DEVIATIONS / Math.sqrt(pairs.length),
        () =>
          `${name}: part ${part} of an output and part ${other} of the next one are correlated by ${correlation}`,
      );
    }
  }
}

/** Outputs of several parts are on average as likely in blocks as one by one. */
export function requireLikely(
  name: string,
  { singly, outputs, chanceOf }: {
    readonly singly: readonly unknown[];
    readonly outputs: readonly unknown[];
    readonly chanceOf: (output: unknown) => number;
  },
): void {
  const [one, other] = [singly, outputs].map((drawn) => ({
    ...momentsOf(drawn.map((output) => Math.log(chanceOf(output)))),
    length: drawn.length,
  }));
  const deviation = Math.sqrt(
    one!.variance / one!.length + other!.variance / other!.length,
  );
  requireThat(
    Math.abs(one!.mean - other!.mean) <= DEVIATIONS * deviation + 1e-9,
    () => `${name}: logarithms of chances are ${one!.mean} one by one, ${other!.mean} in blocks`,
  );
}
