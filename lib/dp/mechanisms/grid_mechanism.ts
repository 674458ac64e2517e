import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import { minusSum, plusInteger, plusIntegers } from "./exact_sum.ts";
import { toWholeGrid } from "./grid.ts";

/** Properties of a mechanism that adds exact integer noise on a grid, besides its claim. */
export interface GridNoise {
  /** The step of the grid: every output is a whole multiple. */
  readonly granularity: number;
  /** The sensitivity that the noise is scaled to, raised for the rounding, in steps. */
  readonly sensitivityInSteps: number;
  /** Scale (Laplace) or standard deviation parameter (Gaussian) of the noise, in steps. */
  readonly scaleInSteps: number;
}

/** A mechanism whose outputs are whole multiples of one step: exact integers of noise, no floating point. */
export type GridMechanism<Row, Output> = Mechanism<Row, Output> & {
  /** Step, sensitivity and scale of the noise. */
  readonly grid: GridNoise;
  /** Throws when the data cannot be released. */
  check(data: Dataset<Row>): void;
};

/** Parts of a grid mechanism. */
interface GridParts<Row, Center> {
  readonly name: string;
  readonly claim: Claim;
  readonly alsoKeeps?: readonly Claim[] | undefined;
  readonly grid: GridNoise;
  /** Of each coordinate, in steps. */
  readonly noise: Pick<IntegerNoise, "fill" | "logProbability">;
  /** The value to release; it is rounded to the grid. */
  readonly query: (data: Dataset<Row>) => Center;
  readonly domain?: Domain | undefined;
}

/** A number rounded to the grid plus one integer of noise, times the step. */
export function gridNumber<Row>(
  { query, ...parts }: GridParts<Row, number>,
): GridMechanism<Row, number> {
  const { name, grid: { granularity } } = parts;
  return gridInteger({
    ...parts,
    center: (data) => toWholeGrid(`release ${name}`, query(data), granularity),
  });
}

/**
 * A number of steps plus one integer of noise, times the step. The steps may be more than doubles count; what comes
 * out is then the double nearest to their exact sum with the noise, and `logDensity` is near it.
 */
export function gridInteger<Row>(
  { name, claim, alsoKeeps, grid, noise, domain, ...parts }:
    & Omit<GridParts<Row, number>, "query">
    & {
      /** The number without noise, in steps. */
      readonly center: (data: Dataset<Row>) => number | bigint;
    },
): GridMechanism<Row, number> {
  const { granularity } = grid, center = evaluatedOnce(parts.center);
  return {
    name,
    claim,
    ...(alsoKeeps && { alsoKeeps }),
    grid,
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void center(data),
    sample(data: Dataset<Row>, source: Source): number {
      const at = center(data);
      return plusInteger(at, noise.fill(source, new Float64Array(1))[0]!) * granularity;
    },
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const at = center(data);
      const out = noise.fill(source, new Float64Array(count));
      plusIntegers(at, { noise: out, step: granularity });
      return out;
    },
    logDensity(output: number, data: Dataset<Row>): number {
      const steps = output / granularity;
      return Number.isInteger(steps)
        ? noise.logProbability(minusSum(steps, center(data)))
        : -Infinity;
    },
  };
}

/** A vector rounded to the grid plus independent integer noise in each coordinate, times the step. */
export function gridVector<Row>(
  { name, claim, grid, noise, query, domain, dimension }:
    & GridParts<Row, readonly number[]>
    & { dimension: number },
): GridMechanism<Row, number[]> {
  const { granularity } = grid;
  const center = evaluatedOnce((data: Dataset<Row>): (number | bigint)[] => {
    const values = query(data);
    if (values.length !== dimension) {
      throw new RangeError(
        `Cannot release ${name}: query must give ${dimension} numbers: current number is ${values.length}`,
      );
    }
    const action = `release ${name}`, whole: (number | bigint)[] = [];
    for (let i = 0; i < dimension; i++) whole.push(toWholeGrid(action, values[i]!, granularity));
    return whole;
  });
  return {
    name,
    claim,
    grid,
    ...(domain === undefined ? {} : { domain }),
    width: dimension,
    check: (data) => void center(data),
    sample(data: Dataset<Row>, source: Source): number[] {
      const at = center(data);
      const out = noise.fill(source, new Float64Array(dimension));
      return at.map((value, i) => plusInteger(value, out[i]!) * granularity);
    },
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const at = center(data);
      const out = noise.fill(source, new Float64Array(count * dimension));
      const near = at.every((value) => typeof value === "number") ? Float64Array.from(at) : at;
      for (let i = 0, j = 0; i < out.length; i++) {
        out[i] = plusInteger(near[j]!, out[i]!) * granularity;
        if (++j === dimension) j = 0;
      }
      return out;
    },
    logDensity(output: number[], data: Dataset<Row>): number {
      const at = center(data);
      if (output.length !== dimension) return -Infinity;
      return at.reduce<number>(
        (sum, value, i) => {
          const steps = output[i]! / granularity;
          return sum +
            (Number.isInteger(steps) ? noise.logProbability(minusSum(steps, value)) : -Infinity);
        },
        0,
      );
    },
  };
}
