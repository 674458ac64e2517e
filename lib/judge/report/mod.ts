/**
 * Reports: the outcome of an audit in words, as JSON, JUnit XML, SARIF and Markdown, as an annotation for GitHub Actions, and as
 * one HTML page.
 *
 * @module
 */

// Reports: an audit's outcome in words.
export { exactJson } from "./exact_json.ts";
export { exactText } from "./exact_text.ts";
export { githubAnnotation } from "./github.ts";
export { type HtmlOptions, htmlReport } from "./html.ts";
export { jsonReport } from "./json.ts";
export { junitReport } from "./junit.ts";
export { markdownReport } from "./markdown.ts";
export { oneRunJson, oneRunText } from "./one_run.ts";
export { reportFigures } from "./report_figures.ts";
export { type ReportPlace, sarifReport } from "./sarif.ts";
export { sessionJson, sessionText } from "./session_text.ts";
export { terminalReport } from "./terminal.ts";
