import { evaluatedOnce } from "./evaluated_once.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";

/** Parts of a mechanism that adds floating-point noise to a number. */
interface FloatNoiseParts<Row> {
  readonly name: string;
  /** Holds in real numbers. */
  readonly claim: Claim;
  /** Likewise in real numbers. */
  readonly alsoKeeps?: readonly Claim[];
  readonly query: (data: Dataset<Row>) => number;
  readonly domain?: Domain | undefined;
  /** Fills the array with independent draws of the noise and returns it. */
  readonly fill: (source: Source, out: Float64Array) => Float64Array;
  /** Natural logarithm of the density of the noise. */
  readonly logDensity: (noise: number) => number;
}

/** A number plus noise, both doubles: private in real numbers at most. */
export function floatNoise<Row>(
  { name, claim, alsoKeeps, query, domain, fill, logDensity }: FloatNoiseParts<Row>,
): Mechanism<Row, number> {
  const center = evaluatedOnce((data: Dataset<Row>): number => {
    const value = query(data);
    if (!Number.isFinite(value)) {
      throw new RangeError("Cannot release: the value must be a finite number");
    }
    return value;
  });
  const sampleMany = (data: Dataset<Row>, count: number, source: Source): Float64Array => {
    const at = center(data);
    return fill(source, new Float64Array(count)).map((noise) => at + noise);
  };
  return {
    name,
    claim,
    ...(alsoKeeps && { alsoKeeps }),
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void center(data),
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
    logDensity: (output, data) => logDensity(output - center(data)),
  };
}
