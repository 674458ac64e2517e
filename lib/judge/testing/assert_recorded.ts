import { SeededSource } from "../../core/random/seeded_source.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { requireInteger, requireKind, requirePositive } from "../../core/numeric/require.ts";
import type { RecordReport } from "../recording/record.ts";
import { recordText } from "../report/record_text.ts";
import { AssertionError } from "./assertion_error.ts";
import { type RandomisedFunction, subjectOf } from "./assert_private.ts";
import { numbersOfSubject } from "./numbers_of_subject.ts";
import { OptionCheck } from "./option_check.ts";
import { type AssertPrivateOptions, auditOptionsOf } from "./private_options.ts";

/** Options of {@linkcode assertRecorded}: claim, datasets, and time for watching. */
export interface AssertRecordedOptions extends
  Pick<
    AssertPrivateOptions,
    | "claim"
    | "epsilon"
    | "delta"
    | "relation"
    | "pair"
    | "domain"
    | "numbers"
    | "withRows"
    | "require"
    | "seed"
  > {
  /** Most pairs that are looked at. Default 400. */
  readonly maxPairs?: number;
  /** All of it is cut after so many seconds, and the report says so. Default 120. */
  readonly maxSeconds?: number;
  /** Whether a suspicion is an error, too, and not only a broken declaration. Default true. */
  readonly strict?: boolean;
}

/** Every option. */
const NAMES: Readonly<Record<keyof AssertRecordedOptions, true>> = {
  claim: true,
  epsilon: true,
  delta: true,
  relation: true,
  pair: true,
  domain: true,
  numbers: true,
  withRows: true,
  require: true,
  seed: true,
  maxPairs: true,
  maxSeconds: true,
  strict: true,
};

const check: OptionCheck = new OptionCheck("assert recorded noise");

/**
 * Watches the noise of code in a test, as `dpcheck record` does: runs it on pairs of datasets with the same noise, and throws with the line
 * whose noise does not cover what changes, and the smallest pair found. It takes a second, and equal seeds give equal answers unless
 * the report was cut. One coupling of the noise shows what is suspected: {@linkcode assertPrivate} confirms it or not.
 *
 * @param subject a mechanism, or a function of a dataset and a source.
 * @returns what was found, with the share of the claim that the noise pays for, and where it could not be followed.
 * @throws {AssertionError} where something is suspected, and where noise was not followed: nothing is known then.
 * @throws {RangeError} when an option is out of bounds or something needed is missing.
 *
 * @example
 * ```ts
 * import type { ProgramSource } from "@dpcheck/dpcheck/core";
 * import { assertRecorded } from "@dpcheck/dpcheck/testing";
 *
 * const noisyCount = (rows: readonly number[], source: ProgramSource) =>
 *   source.sum(rows.length, source.laplace({ scale: 1 }));
 * await assertRecorded(noisyCount, {
 *   epsilon: 1,
 *   relation: "add-remove-one",
 *   domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 0, max: 5 } },
 * });
 * ```
 */
export async function assertRecorded<Row, Output>(
  subject: Mechanism<Row, Output> | RandomisedFunction<Row[]>,
  options: AssertRecordedOptions = {},
): Promise<RecordReport> {
  requireKind("assertRecorded", "subject", subject, "record");
  requireKind("assertRecorded", "options", options, "record");
  check.names(options, NAMES);
  const { maxPairs = 400, maxSeconds = 120, strict = true, ...others } = options;
  requireInteger("assert recorded noise", "maxPairs", maxPairs, { min: 1 });
  requirePositive("assert recorded noise", "maxSeconds", maxSeconds);
  const [{ validateOptions }, { besideRows }, { record }, { recorderOf }] = await Promise.all([
    import("../audit/validate_options.ts"),
    import("../recording/record_before.ts"),
    import("../recording/record.ts"),
    import("./recorded_subject.ts"),
  ]);
  const { numbers = numbersOfSubject(subject), ...settings } = auditOptionsOf(others);
  const own = subjectOf(subject, new SeededSource(1));
  const recorder = recorderOf(subject, { name: own.name });
  if (recorder === undefined) {
    return check.refuse("subject", "be a function or a mechanism", "another subject");
  }
  const { claim, pair, space, withRows, seed } = validateOptions(own, { ...settings, numbers });
  const begun = performance.now();
  const report = await record(besideRows(recorder, withRows), {
    claim,
    seed,
    ...(pair === undefined ? { space } : { pair }),
    maxPairs,
    maxSeconds,
  });
  if (report.verdict === "nothing found" || (!strict && report.verdict === "suspected")) {
    return report;
  }
  const seconds = (performance.now() - begun) / 1000;
  throw new AssertionError(recordText(report, { subject: own.name, seconds }).trimEnd(), {
    report,
  });
}
