import type { Dataset } from "../../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import type { Pair } from "../../../../lib/core/relations/relation.ts";
import { gaussLegendre } from "../../../tools/gauss_legendre.ts";
import type { GridNoise } from "../../../../lib/dp/mechanisms/grid_mechanism.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** A mechanism that releases on a grid. */
export type OnGrid = Mechanism & { readonly grid: GridNoise };

/** A stretch of the grid that holds all but e^−70 of the noise: its end on either side, in steps. */
export function reachOf({ grid: { scaleInSteps, sensitivityInSteps } }: OnGrid): number {
  return Math.ceil(12 * scaleInSteps + 3 * sensitivityInSteps);
}

/** Log probabilities of one coordinate on the stretch of the grid within reach, from its lower end. */
export function coordinate(mechanism: OnGrid, data: Dataset, index: number): Float64Array {
  const { granularity } = mechanism.grid;
  const reach = reachOf(mechanism);
  const vector = Array.isArray(mechanism.sample(data, new SeededSource(0)));
  const logs = new Float64Array(2 * reach + 1);
  for (let k = -reach; k <= reach; k++) {
    const value = k * granularity;
    const output = Array.from({ length: mechanism.width! }, (_, i) => i === index ? value : 0);
    logs[k + reach] = mechanism.logDensity!(vector ? output : value, data);
  }
  // Independent coordinates: what the others contribute is a constant.
  const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  const total = most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
  return logs.map((log) => log - total);
}

/** The exact δ of a number: ∫ max(0, P(y) − e^ε·Q(y)), a sum on a grid. */
export function exactDelta(
  mechanism: Mechanism,
  pair: Pair,
  epsilon: number,
): number {
  if (!("grid" in mechanism)) return smoothDelta(mechanism, pair, epsilon);
  const p = coordinate(mechanism as OnGrid, pair.left, 0);
  const q = coordinate(mechanism as OnGrid, pair.right, 0);
  return p.reduce((sum, log, i) => {
    const excess = -Math.expm1(epsilon + q[i]! - log);
    return excess > 0 ? sum + Math.exp(log) * excess : sum;
  }, 0);
}

const RULE = gaussLegendre(24);
/** Where the densities of numbers near 0 are integrated, and the ends of smooth pieces. */
const FAR = 100, PIECES = 400;

/** For a smooth density whose log ratio falls all the way, as that of normal noise does. */
function smoothDelta(mechanism: Mechanism, { left, right }: Pair, epsilon: number): number {
  const log = (y: number): number => mechanism.logDensity!(y, left);
  const excess = (y: number): number => log(y) - mechanism.logDensity!(y, right) - epsilon;
  let low = -FAR, high = FAR;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  const half = (low + FAR) / PIECES / 2;
  let total = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    RULE.nodes.forEach((node, i) => {
      const y = -FAR + half * (2 * piece + 1 + node);
      total += half * RULE.weights[i]! * Math.exp(log(y)) * -Math.expm1(-excess(y));
    });
  }
  return total;
}

/** The exact Rényi divergence of each order: the sum over independent coordinates. */
export function exactRenyi(
  mechanism: OnGrid,
  { left, right }: Pair,
  orders: readonly number[],
): { order: number; loss: number }[] {
  const sums = orders.map(() => 0);
  for (let i = 0; i < mechanism.width!; i++) {
    const p = coordinate(mechanism, left, i), q = coordinate(mechanism, right, i);
    orders.forEach((order, k) => {
      let moment = 0;
      p.forEach((log, at) => moment += Math.exp(order * log - (order - 1) * q[at]!));
      sums[k]! += Math.log(moment) / (order - 1);
    });
  }
  return orders.map((order, k) => ({ order, loss: sums[k]! }));
}
