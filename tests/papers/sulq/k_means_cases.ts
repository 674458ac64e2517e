import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { KMeansOptions } from "../../../lib/papers/sulq/k_means.ts";

export const box = (d: number): KMeansOptions["bounds"] => ({
  lower: new Array<number>(d).fill(0),
  upper: new Array<number>(d).fill(1),
});

export const options = {
  clusters: 2,
  rounds: 3,
  rho: 1e9,
  bounds: { lower: [0, -10], upper: [8, 10] },
  relation: replaceOne,
};
