import {
  approximate,
  type ApproximateClaim,
  type Claim,
  pure,
  type PureClaim,
} from "../core/claim.ts";
import type { Dataset, Domain } from "../core/dataset.ts";
import type { DiscreteSource } from "../core/discrete_source.ts";
import type { Mechanism } from "../core/mechanism.ts";
import type { Pair, Relation } from "../core/relation.ts";
import { checkExactly, type ExactReport } from "../exact/enumeration/check_exactly.ts";
import { datasetsOfDomain, neighboursAmong } from "../exact/enumeration/finite_domain.ts";
import { drawingFrom } from "../exact/enumeration/drawing_from.ts";
import { exactText } from "../report/exact_text.ts";
import { AssertionError } from "./assertion_error.ts";

/** What is enumerated, and for which claim. */
export interface AssertExactlyPrivateOptions {
  /** The claim. Default: the mechanism's own, or what `epsilon` (and `delta`) make under `relation`. */
  readonly claim?: Claim;
  /** ε in nats, in place of `claim`. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** When two datasets are neighbours. Default: as the claim says. */
  readonly relation?: Relation;
  /** The only pair. Default: all neighbours in the domain. */
  readonly pair?: Pair;
  /** A finite domain. Default: the mechanism's own. */
  readonly domain?: Domain;
  /** Most runs of the program. Default 1,000,000. */
  readonly maxBranches?: number;
  /** The probability that may be left out on a dataset where outputs have no end. Default 1e-9. */
  readonly remainder?: number;
}

/**
 * Runs code on every path of its exact draws, on all neighbours of a finite domain, and throws unless its claim holds. Unlike
 * `assertPrivate` it decides: where outputs are finitely many the answer is exact, else it holds but for the remainder.
 *
 * @param subject a mechanism, or a function of a dataset and a source that draws by the source's discrete methods.
 * @throws {AssertionError} when the claim is refuted, or too much was not run.
 * @throws {RangeError} when an option is out of range or something needed is missing.
 * @throws {NotEnumerable} when the code draws floats, is asynchronous or keeps state.
 *
 * @example
 * ```ts
 * import { pairOf, replaceOne } from "@dpcheck/dpcheck";
 * import type { DiscreteSource } from "@dpcheck/dpcheck/random";
 * import { assertExactlyPrivate } from "@dpcheck/dpcheck/testing";
 *
 * const answer = (data: readonly boolean[], source: DiscreteSource) =>
 *   source.choice({ exponents: [0, 1] }) === 0 ? data[0] : !data[0];
 * assertExactlyPrivate(answer, {
 *   epsilon: 1,
 *   relation: replaceOne,
 *   pair: pairOf(replaceOne, { left: [false], right: [true] }),
 * }).attained; // true: 1-DP, and no smaller ε
 * ```
 */
export function assertExactlyPrivate<Row, Output>(
  subject: Mechanism<Row, Output> | ((data: Row[], source: DiscreteSource) => Output),
  options: AssertExactlyPrivateOptions = {},
): ExactReport {
  const { pair, maxBranches, remainder } = options;
  const mechanism = typeof subject === "function" ? undefined : subject;
  const claim = claimOf(options, mechanism?.claim);
  const domain = options.domain ?? mechanism?.domain;
  if (pair === undefined && domain === undefined) {
    throw new RangeError("Cannot assert privacy: pair or domain must be given");
  }
  const datasets = pair === undefined ? datasetsOfDomain(domain!) : [pair.left, pair.right];
  const neighbours = pair === undefined
    ? neighboursAmong(datasets, options.relation ?? claim.relation)
    : [[0, 1] as const];
  const start = performance.now();
  const { report } = checkExactly({
    name: mechanism?.name ?? ((subject as { name: string }).name || "the function"),
    run: drawingFrom((data, source) =>
      typeof subject === "function"
        ? subject(data as Row[], source)
        : subject.sample(data as Dataset<Row>, source)
    ),
  }, {
    claim,
    datasets,
    neighbours,
    ...(maxBranches === undefined ? {} : { maxBranches }),
    ...(remainder === undefined ? {} : { remainder }),
  });
  if (report.verdict === "holds") return report;
  const seconds = (performance.now() - start) / 1000;
  throw new AssertionError(exactText(report, { seconds }).trimEnd(), { report });
}

function claimOf(
  { claim, epsilon, delta = 0, relation }: AssertExactlyPrivateOptions,
  own: Claim | undefined,
): PureClaim | ApproximateClaim {
  const under = relation ?? claim?.relation ?? own?.relation;
  if (epsilon !== undefined && under === undefined) {
    throw new RangeError(
      "Cannot assert privacy: relation must be given with epsilon: current value is undefined",
    );
  }
  const chosen = epsilon === undefined
    ? claim ?? own
    : delta === 0
    ? pure({ epsilon, relation: under! })
    : approximate({ epsilon, delta, relation: under! });
  if (chosen === undefined || (chosen.kind !== "pure" && chosen.kind !== "approximate")) {
    throw new RangeError(
      `Cannot assert privacy: claim must be pure or approximate: current one is ${
        chosen?.kind ?? "missing"
      }`,
    );
  }
  return chosen;
}
