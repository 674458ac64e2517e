import type { Claim } from "../lib/core/claim.ts";
import type { Mechanism } from "../lib/core/mechanism.ts";
import { type Relation, replaceOne } from "../lib/core/relation.ts";
import { floatLaplace } from "../lib/random/float_laplace.ts";

/** A mechanism that `--mechanism` knows by name, built for the claim that the user gives. */
export interface NamedMechanism {
  /** The relation its claims are made for unless `--relation` says otherwise. */
  readonly relation: Relation;
  /** @throws {RangeError} when it cannot keep a claim of this kind. */
  build(claim: Claim): Mechanism;
}

/** The mechanisms of `--mechanism`, by name. */
export const mechanisms: Readonly<Record<string, NamedMechanism>> = {
  laplace: { relation: replaceOne, build: laplace },
};

/** The sum of numbers in [0, 1] with Laplace noise of scale 1/ε (Dwork et al. 2006, Example 2). */
function laplace(claim: Claim): Mechanism {
  if (claim.kind !== "pure") throw new RangeError("laplace must have a claim of pure privacy");
  const scale = 1 / claim.epsilon;
  const sum = (data: readonly unknown[]): number =>
    (data as readonly number[]).reduce((total, value) => total + value, 0);
  const sampleMany: NonNullable<Mechanism["sampleMany"]> = (data, count, source) => {
    const center = sum(data);
    const noise = floatLaplace(source, new Float64Array(count), { scale });
    for (let i = 0; i < count; i++) noise[i]! += center;
    return noise;
  };
  return {
    name: "laplace",
    claim,
    domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 5 } },
    width: 1,
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
  };
}
