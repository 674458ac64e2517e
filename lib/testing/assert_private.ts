import { audit } from "../audit/audit.ts";
import type { AuditOptions } from "../audit/options.ts";
import type { AuditReport } from "../audit/report.ts";
import type { Subject } from "../audit/subjects/subject.ts";
import { functionSubject } from "../audit/subjects/function_subject.ts";
import { mechanismSubject } from "../audit/subjects/mechanism_subject.ts";
import { approximate, type Claim, pure } from "../core/claim.ts";
import type { Mechanism } from "../core/mechanism.ts";
import type { Relation } from "../core/relation.ts";
import type { DiscreteSource } from "../core/discrete_source.ts";
import type { Source } from "../core/source.ts";
import { SeededSource } from "../random/seeded_source.ts";
import { terminalReport } from "../report/terminal.ts";
import { AssertionError } from "./assertion_error.ts";

/** A function of a dataset and a source; code with randomness of its own may ignore the source. */
export type RandomisedFunction<Data> = (data: Data, source: DiscreteSource) => unknown;

/**
 * As for `audit`, but made for tests: the seed and the number of draws are fixed unless given, so that
 * a test of code that draws from the given source passes always or never. The claim is the mechanism's
 * own, or `claim`, or `epsilon` (and `delta`) under `relation`.
 */
export interface AssertPrivateOptions extends AuditOptions {
  /** ε in nats, in place of `claim`; needs `relation`. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** Chance of refuting a true claim, at most. Default 0.001, so that continuous runs seldom cry wolf. */
  readonly alpha?: number;
  /** Stop after this many draws. Default 200,000 unless `maxSeconds` is given. */
  readonly maxDraws?: number;
  /** Seed of the draws, the labels and the search. Default 1. */
  readonly seed?: number;
}

/**
 * Audits code inside a test: throws when its claim is refuted, with the verdict, the smallest pair
 * found, the event and the options that replay it; otherwise returns the report. Throws, too, when
 * the subject failed or answered with nothing but errors, and when the run could not have seen a violation of
 * `requirePower` times the claim: then nothing was tested. Passing never means "private": the report's
 * `detectableEpsilon` says what would have been seen.
 *
 * @param subject a mechanism, a function of a dataset and a source, or a subject.
 * @throws {AssertionError} when the claim is refuted, the subject fails, or nothing can be concluded.
 * @throws {RangeError} when an option is out of bounds or something needed is missing.
 *
 * @example
 * ```ts
 * import { pairOf, replaceOne } from "@dpcheck/dpcheck";
 * import { assertPrivate } from "@dpcheck/dpcheck/testing";
 *
 * const answer = (data: readonly boolean[], source: { uniform(): number }) =>
 *   source.uniform() < 0.7 ? data[0] : !data[0];
 * await assertPrivate(answer, {
 *   epsilon: 1,
 *   relation: replaceOne,
 *   pair: pairOf(replaceOne, { left: [false], right: [true] }),
 *   maxDraws: 20_000,
 * });
 * ```
 */
export async function assertPrivate<Row, Output>(
  subject: Mechanism<Row, Output> | RandomisedFunction<Row[]> | Subject,
  options: AssertPrivateOptions = {},
): Promise<AuditReport> {
  const { epsilon, delta, seed = 1, alpha = 0.001, ...rest } = options;
  const claim = rest.claim ?? claimMade({ epsilon, delta, relation: rest.relation });
  const source = new SeededSource(seed).split("subject");
  const audited = subjectOf(subject, source);
  const budget = rest.maxSeconds === undefined ? { maxDraws: 200_000 } : {};
  try {
    const report = await audit(audited, {
      ...budget,
      ...rest,
      ...(claim === undefined ? {} : { claim }),
      seed,
      alpha,
    });
    if (report.verdict === "not-refuted") return report;
    throw new AssertionError(messageOf(report), { report });
  } finally {
    await audited.close();
  }
}

function claimMade(
  { epsilon, delta = 0, relation }: {
    readonly epsilon: number | undefined;
    readonly delta: number | undefined;
    readonly relation: Relation | undefined;
  },
): Claim | undefined {
  if (epsilon === undefined) return undefined;
  if (relation === undefined) {
    throw new RangeError(
      "Cannot assert privacy: relation must be given with epsilon: current value is undefined",
    );
  }
  return delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation });
}

function subjectOf<Row, Output>(
  subject: Mechanism<Row, Output> | RandomisedFunction<Row[]> | Subject,
  source: Source,
): Subject {
  if (typeof subject === "function") {
    return functionSubject(subject, { name: subject.name || "the function", source });
  }
  return "draw" in subject ? subject : mechanismSubject(subject, { source });
}

function messageOf(report: AuditReport): string {
  const replay = report.pair === null || report.verdict === "failed"
    ? `assertPrivate(…, { seed: ${report.seed} })`
    : `assertPrivate(…, { pair: pairOf(relation, ${JSON.stringify(report.pair)}), ` +
      `seed: ${report.seed} })`;
  return terminalReport({ ...report, replay }).trimEnd();
}
