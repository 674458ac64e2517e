/**
 * Assertions for tests of differential privacy, for any test runner: {@linkcode assertPrivate} audits
 * code, {@linkcode assertSensitivity} looks for neighbours that a query tells apart too well,
 * {@linkcode assertUtility} tests a theorem on the error. Arbitraries of datasets and of neighbours, for
 * fast-check, are in `@dpcheck/dpcheck/arbitraries`.
 *
 * @module
 */
export {
  assertPrivate,
  type AssertPrivateOptions,
  type RandomisedFunction,
} from "./assert_private.ts";
export {
  assertSensitivity,
  type AssertSensitivityOptions,
  type SensitivityReport,
} from "./assert_sensitivity.ts";
export { assertUtility, type AssertUtilityOptions, type UtilityReport } from "./assert_utility.ts";
export { AssertionError } from "./assertion_error.ts";
