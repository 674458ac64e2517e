import type { Source } from "../../../../lib/core/mechanism/source.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import type { RiskMinimisation } from "../../../../lib/dp/learners/erm/noise/sample_minimiser.ts";
import type { InMemory } from "../../../../lib/dp/learners/erm/solver/visit_rows.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** One labelled row: features, and −1 or 1. */
export type Labelled = readonly [features: readonly number[], label: number];

/** Two neighbouring datasets. */
export interface Neighbours {
  readonly left: readonly Labelled[];
  readonly right: readonly Labelled[];
}

/** Rows and signs as the learners take them, with what is minimised. */
export function risk(
  data: readonly Labelled[],
  objective: Pick<RiskMinimisation, "loss" | "regulariser" | "lambda">,
): InMemory<RiskMinimisation> {
  return {
    ...objective,
    rows: denseRows(data.map(([features]) => features)),
    signs: Float64Array.from(data, ([, label]) => label),
  };
}

/**
 * Neighbours of n rows in d columns, no row longer than `normBound`, that differ in the first row: a row
 * against its opposite label, against zero, or against another one; the other rows are zero, along the
 * same axis or anywhere.
 */
export function generatedNeighbours(
  source: SeededSource,
  { n, d, normBound }: { readonly n: number; readonly d: number; readonly normBound: number },
): Neighbours {
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
  const choose = <Value>(values: readonly (() => Value)[]): Value =>
    values[source.uint32() % values.length]!();
  const axis = onSphere(), zero = axis.map(() => 0);
  const other = choose([() => () => zero, () => () => axis, () => inBall]);
  const others = Array.from({ length: n - 1 }, (): Labelled => [other(), label()]);
  const first: Labelled = [axis, 1];
  const second = choose<Labelled>([
    () => [axis, -1],
    () => [zero, 1],
    () => [onSphere(), label()],
    () => [inBall(), label()],
  ]);
  return { left: [first, ...others], right: [second, ...others] };
}

/** Neighbours near these: all first rows, and the shared second one, moved within the ball. */
export function movedNeighbours(
  { left, right }: Neighbours,
  { source, size, normBound }: { source: Source; size: number; normBound: number },
): Neighbours {
  const moved = ([features, label]: Labelled): Labelled => {
    const moves = floatNormal(source, new Float64Array(features.length), { scale: size });
    const next = features.map((value, j) => value + moves[j]!);
    const shrink = Math.max(1, Math.hypot(...next) / normBound);
    return [next.map((value) => value / shrink), label];
  };
  const shared = left.slice(1).map((row, i) => i === 0 ? moved(row) : row);
  return { left: [moved(left[0]!), ...shared], right: [moved(right[0]!), ...shared] };
}
