/**
 * Reports: the outcome of an audit in words, as JSON, as JUnit XML and as one HTML page.
 *
 * @module
 */

// Reports: an audit's outcome in words.
export { exactJson } from "./exact_json.ts";
export { exactText } from "./exact_text.ts";
export { htmlReport } from "./html.ts";
export { jsonReport } from "./json.ts";
export { junitReport } from "./junit.ts";
export { terminalReport } from "./terminal.ts";
