import type { RiskMinimisation } from "../../../lib/learners/erm/sample_minimiser.ts";
import { denseRows } from "../../../lib/learners/erm/rows.ts";
import { floatNormal } from "../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

/** One labelled row: features, and −1 or 1. */
export type Labelled = readonly [features: readonly number[], label: number];

/** Two neighbouring datasets that differ in the first row. */
export interface Neighbours {
  readonly left: readonly Labelled[];
  readonly right: readonly Labelled[];
}

export function risk(
  data: readonly Labelled[],
  objective: Pick<RiskMinimisation, "loss" | "regulariser" | "lambda">,
): RiskMinimisation {
  return {
    ...objective,
    rows: denseRows(data.map(([features]) => features)),
    signs: Float64Array.from(data, ([, label]) => label),
  };
}

/**
 * The largest |ln p(f|left) − ln p(f|right)| found over f: from starts on all scales, each improved by
 * a pattern search. A lower bound on the loss of the pair, which in one dimension is tight.
 */
export function worstLogRatio(
  logDensity: (weights: Float64Array, data: readonly Labelled[]) => number,
  { left, right, starts = 40, seed = 1 }: Neighbours & { starts?: number; seed?: number },
): number {
  const d = left[0]![0].length;
  const source = new SeededSource(seed).split("starts");
  const ratio = (weights: Float64Array): number =>
    Math.abs(logDensity(weights, left) - logDensity(weights, right));
  let worst = 0;
  for (let start = 0; start < starts; start++) {
    const weights = floatNormal(source, new Float64Array(d), { scale: 1 });
    const scale = 10 ** (4 * source.uniform() - 2);
    for (let j = 0; j < d; j++) weights[j]! *= scale;
    let best = ratio(weights);
    for (let step = scale; step > 1e-4 * scale; step /= 2) {
      for (let improved = true, rounds = 0; improved && rounds < 20; rounds++) {
        improved = false;
        for (let j = 0; j < d; j++) {
          for (const move of [step, -step]) {
            weights[j]! += move;
            const here = ratio(weights);
            if (here > best) {
              best = here;
              improved = true;
              break;
            }
            weights[j]! -= move;
          }
        }
      }
    }
    worst = Math.max(worst, best);
  }
  return worst;
}

/**
 * Neighbouring datasets of rows no longer than `normBound`, n rows in d columns: opposite rows, a row
 * against zero, opposite labels, and rows at random, with the others zero, aligned or at random.
 */
export function generatedNeighbours(
  seed: number,
  { n, d, normBound }: { n: number; d: number; normBound: number },
): Neighbours {
  const source = new SeededSource(seed).split("neighbours");
  const onSphere = (): number[] => {
    const vector = Array.from(floatNormal(source, new Float64Array(d), { scale: 1 }));
    const length = Math.hypot(...vector);
    return vector.map((value) => normBound * value / length);
  };
  const inBall = (): number[] => {
    const share = source.uniform();
    return onSphere().map((value) => share * value);
  };
  const label = (): number => source.uniform() < 0.5 ? 1 : -1;
  const axis = onSphere();
  const otherKind = source.uint32() % 3;
  const others = Array.from({ length: n - 1 }, (): Labelled => [
    otherKind === 0 ? axis.map(() => 0) : otherKind === 1 ? axis : inBall(),
    label(),
  ]);
  const first: Labelled = [axis, 1];
  const kind = source.uint32() % 4;
  const second: Labelled = kind === 0
    ? [axis, -1]
    : kind === 1
    ? [axis.map(() => 0), 1]
    : kind === 2
    ? [onSphere(), label()]
    : [inBall(), label()];
  return { left: [first, ...others], right: [second, ...others] };
}
