import { requireKnown } from "../../core/text/known_options.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { integerLaplace } from "../../dp/mechanisms/geometric.ts";

/** Options of {@linkcode noisyStatistics}. */
export interface NoisyStatisticsOptions {
  /** The shapes of the Dirichlet prior, one a category; two make a Beta prior. */
  readonly prior: readonly number[];
  /** The claim, in nats. */
  readonly epsilon: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/**
 * Returns the mechanism that adds noise to sufficient statistics of categories (Foulds et al. 2016): exact
 * discrete Laplace noise on the number of rows in every category, brought back to at least 0, gives
 * the shapes of the whole posterior Dirichlet, from which samples and means are free.
 *
 * The sensitivity is 2 when a row is replaced (it leaves one category and enters another) and 1
 * when one is added. For two categories and rows replaced the number of rows is public, so the one
 * count is released with sensitivity 1 and brought into [0, n]; the other is what is left.
 *
 * @returns a mechanism from category indices to the shapes of the posterior.
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a category.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { noisyStatistics } from "./noisy_statistics.ts";
 * const votes = noisyStatistics({ prior: [1, 1, 1], epsilon: 1, relation: addRemoveOne });
 * votes.sample([0, 0, 2, 0, 1], new SeededSource(1)); // about 4, 2, 2
 * ```
 */
export function noisyStatistics(
  options: NoisyStatisticsOptions,
): Mechanism<number, number[]> & { readonly claim: Claim } {
  const { prior, epsilon, relation, domain } = requireFields("noisyStatistics", options, {
    prior: "list",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call noisyStatistics()", options, ["prior", "epsilon", "relation", "domain"]);
  const action = "release noisy statistics";
  const categories = prior.length;
  requireInteger(action, "length of prior", categories, { min: 2 });
  prior.forEach((shape, k) => requirePositive(action, `prior[${k}]`, shape));
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be replace-one or add-remove-one: current value is ${relation.name}`,
    );
  }
  const balanced = relation === replaceOne && categories === 2;
  const counts = integerLaplace<number>({
    query: (data) => countCategories(data, categories).slice(balanced ? 1 : 0),
    dimension: balanced ? 1 : categories,
    sensitivity: relation === addRemoveOne || balanced ? 1 : 2,
    epsilon,
    relation,
  });
  const sampleMany = (data: Dataset<number>, count: number, source: Source): Float64Array => {
    const noisy = counts.sampleMany!(data, count, source);
    const out = new Float64Array(count * categories);
    for (let i = 0; i < count; i++) {
      if (balanced) {
        const second = Math.min(data.length, Math.max(0, noisy[i]!));
        out.set([prior[0]! + data.length - second, prior[1]! + second], 2 * i);
        continue;
      }
      for (let k = 0; k < categories; k++) {
        const at = i * categories + k;
        out[at] = prior[k]! + Math.max(0, noisy[at]!);
      }
    }
    return out;
  };
  return {
    name: "noisy statistics",
    claim: counts.claim,
    ...(domain === undefined ? {} : { domain }),
    width: categories,
    check: (data) => void countCategories(data, categories),
    sample: (data, source) => Array.from(sampleMany(data, 1, source)),
    sampleMany,
  };
}

function countCategories(data: Dataset<number>, categories: number): number[] {
  const counts = new Array<number>(categories).fill(0);
  for (const row of data) {
    if (!(Number.isInteger(row) && row >= 0 && row < categories)) {
      throw new RangeError("Cannot release noisy statistics: rows must be indices of categories");
    }
    counts[row]!++;
  }
  return counts;
}
