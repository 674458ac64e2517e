import type { Dataset, Domain } from "../../core/dataset.ts";
import type { Mechanism } from "../../core/mechanism.ts";
import { sampleSulq, sulqClaim, type SulqOptions } from "./sulq_database.ts";
import { sulqNoise } from "./sulq_noise.ts";

/**
 * The answers of a SuLQ database as a mechanism, for audits: `next` chooses each query in the light
 * of the answers so far, and the output is the list of all T answers.
 *
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import { addRemoveOne } from "../../core/relation.ts";
 * import { SeededSource } from "../../random/seeded_source.ts";
 * import { sulqMechanism } from "./sulq_mechanism.ts";
 * const twice = sulqMechanism<number>({
 *   next: (answers) => (row) => answers.length === 0 ? row : row * row,
 *   variance: 2,
 *   queries: 2,
 *   relation: addRemoveOne,
 * });
 * twice.sample([0.5, 1], new SeededSource(1)).length; // 2
 * ```
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
