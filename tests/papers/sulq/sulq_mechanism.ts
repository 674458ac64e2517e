import type { Dataset, Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { sampleSulq, sulqClaim, type SulqOptions } from "../../../lib/papers/sulq/sulq_database.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";

/**
 * The answers of a SuLQ database as a mechanism, for audits: `next` chooses each query in the light
 * of the answers so far, and the output is the list of all T answers.
 */
export function sulqMechanism<Row>(
  { next, domain, ...options }: SulqOptions & {
    /** The query to ask after these answers. */
    readonly next: (answers: readonly number[]) => (row: Row) => number;
    /** The datasets that a search may try. */
    readonly domain?: Domain;
  },
): Mechanism<Row, number[]> {
  const prepared = sulqNoise(options);
  return {
    name: "sulq",
    claim: sulqClaim(options),
    ...(domain === undefined ? {} : { domain }),
    sample(data: Dataset<Row>, source): number[] {
      const database = sampleSulq(source, { ...options, data, prepared });
      const answers: number[] = [];
      while (database.remaining > 0) answers.push(database.ask(next(answers)));
      return answers;
    },
  };
}
