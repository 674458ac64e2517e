/**
 * Assertions for tests of differential privacy, for any test runner: {@linkcode assertPrivate} audits
 * code, {@linkcode assertExactlyPrivate} decides it, by every path of its discrete draws or by shifts of its continuous noise,
 * {@linkcode assertRecorded} watches its noise and names the line, {@linkcode assertSensitivity} looks for neighbours that a query tells apart too well,
 * {@linkcode assertUtility} tests a theorem on the error. {@linkcode checkMechanism} and {@linkcode checkSubject} check the laws that
 * mechanisms and subjects of your own must keep. Arbitraries of datasets and of neighbours, for
 * fast-check, are in `@dpcheck/dpcheck/arbitraries`.
 *
 * @module
 */
export {
  assertExactlyPrivate,
  type AssertExactlyPrivateOptions,
  type ExactlyPrivate,
} from "./assert_exactly_private.ts";
export type { ExactReport, ExactWitness } from "../exact/enumeration/check_exactly.ts";
export type { Bounds } from "../exact/enumeration/least_epsilon.ts";
export type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
export type { TightPair } from "../exact/alignment/tight_pair.ts";
export { NotTraceable } from "../exact/alignment/traced_value.ts";
export { NotEnumerable } from "../exact/enumeration/branching_source.ts";
export { assertPrivate, type RandomisedFunction } from "./assert_private.ts";
export {
  assertPrivateSession,
  type AssertPrivateSessionOptions,
} from "./assert_private_session.ts";
export { assertRecorded, type AssertRecordedOptions } from "./assert_recorded.ts";
export type { RecordReport } from "../recording/record.ts";
export {
  assertSensitivity,
  type AssertSensitivityOptions,
  type SensitivityReport,
} from "./assert_sensitivity.ts";
export { assertUtility, type AssertUtilityOptions, type UtilityReport } from "./assert_utility.ts";
export { AssertionError } from "./assertion_error.ts";
export {
  checkMechanism,
  type CheckMechanismOptions,
  type MechanismReport,
} from "./check_mechanism.ts";
export { checkSubject, type CheckSubjectOptions } from "./check_subject.ts";
export type { LawReport } from "./laws/law.ts";
export type { GivenPair } from "./option_check.ts";
export type { AssertPrivateOptions } from "./private_options.ts";
