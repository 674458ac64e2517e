import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DOMParser } from "linkedom";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { githubAnnotation } from "../../../lib/judge/report/github.ts";
import { junitReport } from "../../../lib/judge/report/junit.ts";
import { markdownReport } from "../../../lib/judge/report/markdown.ts";
import { sarifReport } from "../../../lib/judge/report/sarif.ts";
import { failed, inconclusive, notRefuted, refuted, unconfirmed } from "./sample_reports.ts";

const hostile = "a|b `c` <d> *e*\n::error::f%,g:h";

/** The attributes and children that junit-10.xsd of Jenkins' xunit plugin allows, and the attributes that it requires. */
const JUNIT: Readonly<
  Record<string, { attributes: string[]; required: string[]; children: string[] }>
> = {
  testsuites: {
    attributes: ["name", "time", "tests", "failures", "errors"],
    required: [],
    children: ["testsuite"],
  },
  testsuite: {
    attributes: ["name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp"],
    required: ["name", "tests", "failures", "errors"],
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    attributes: ["name", "time", "classname", "group"],
    required: ["name"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  failure: { attributes: ["type", "message"], required: [], children: [] },
  error: { attributes: ["type", "message"], required: [], children: [] },
  "system-out": { attributes: [], required: [], children: [] },
};

interface Element {
  readonly tagName: string;
  readonly attributes: readonly { readonly name: string }[];
  readonly children: readonly Element[];
}

/** What of an element the schema does not allow. */
function faultsOf({ tagName, attributes, children }: Element): string[] {
  const rule = JUNIT[tagName];
  if (rule === undefined) return [tagName];
  const names = [...attributes].map(({ name }) => name);
  return [
    ...names.filter((name) => !rule.attributes.includes(name)).map((name) => `${tagName}@${name}`),
    ...rule.required.filter((name) => !names.includes(name)).map((name) => `no ${tagName}@${name}`),
    ...[...children].filter((child) => !rule.children.includes(child.tagName))
      .map((child) => `${tagName}/${child.tagName}`),
    ...[...children].flatMap(faultsOf),
  ];
}

// Mutants: `skipped` on all suites together; a suite without `errors`.
Deno.test("junitReport() keeps to the schema of Jenkins' xunit plugin", () => {
  const faults = (xml: string): string[] =>
    faultsOf(new DOMParser().parseFromString(xml, "text/xml").documentElement);
  for (const report of [refuted, notRefuted, failed, inconclusive, unconfirmed]) {
    assertEquals(faults(junitReport(report)), []);
  }
  assertEquals(faults('<testsuites skipped="0"><testcase name="a"/></testsuites>'), [
    "testsuites@skipped",
    "testsuites/testcase",
  ]);
});

// Mutants: a result where nothing is refuted; a failed run that counts as a clean one.
Deno.test("sarifReport() has one result where a claim is refuted, and none where it is not", () => {
  const run = (report: AuditReport): {
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations?: unknown;
      partialFingerprints: unknown;
      properties: { confirmed?: boolean };
    }[];
    invocations: { executionSuccessful: boolean; toolExecutionNotifications: unknown[] }[];
    tool: { driver: { name: string; version: string; rules: { id: string }[] } };
  } => {
    const log = JSON.parse(sarifReport(report, { file: "my programs/é#1.py" }));
    assertEquals([log.version, log.runs.length], ["2.1.0", 1]);
    return log.runs[0];
  };
  const { results: [result, ...others], tool: { driver } } = run(refuted);
  assertEquals(others, []);
  assertEquals([driver.name, driver.version], ["dpcheck", "0.1.0"]);
  assertEquals([result!.ruleId, result!.level], ["claim-refuted", "error"]);
  assertEquals(driver.rules[result!.ruleIndex]!.id, result!.ruleId);
  for (const part of ["ε ≥ 0.1823", "left [0,1], right [1,1]", "output <= 0.5"]) {
    assertStringIncludes(result!.message.text, part);
  }
  assertEquals(result!.locations, [{
    physicalLocation: {
      artifactLocation: { uri: "my%20programs/%C3%A9%231.py" },
      region: { startLine: 1 },
    },
  }]);
  const other = run({ ...refuted, eValue: 999, draws: 7, seed: 3 }).results[0]!;
  assertEquals(other.partialFingerprints, result!.partialFingerprints);

  assertEquals(run(notRefuted).results, []);
  // A refutation that later draws do not repeat is one, and says that the program changes.
  const [changes, ...more] = run(unconfirmed).results;
  assertEquals([changes!.level, changes!.properties.confirmed, more.length], ["error", false, 0]);
  assertStringIncludes(changes!.message.text, "the program changes between draws");
  const broken = run(failed);
  assertEquals(broken.results, []);
  assertEquals(broken.invocations[0]!.executionSuccessful, false);
  assertEquals(broken.invocations[0]!.toolExecutionNotifications.length, 1);
  assertEquals(run(inconclusive).results, []);
  assertEquals(run(inconclusive).invocations[0]!.executionSuccessful, false);
  assertEquals(run(notRefuted).invocations[0]!.executionSuccessful, true);
  assertEquals(JSON.parse(sarifReport(refuted)).runs[0].results[0].locations, undefined);
});

// Mutants: a notice of a refutation; a line end, a comma or a colon that is not escaped.
Deno.test("githubAnnotation() is one line that nothing in a report can break", () => {
  const level = (report: AuditReport): string => githubAnnotation(report).split(" ")[0]!;
  assertEquals([refuted, failed, inconclusive, unconfirmed, notRefuted].map(level), [
    "::error",
    "::error",
    "::error",
    "::error",
    "::notice",
  ]);
  const line = githubAnnotation({ ...refuted, subject: hostile, replay: hostile }, {
    file: "a,b:c.py",
  });
  assertEquals(line.trimEnd().split("\n").length, 1);
  assert(line.startsWith("::error file=a%2Cb%3Ac.py,title=dpcheck%3A REFUTED::a|b"));
  assertStringIncludes(line, "\\n::error::f%25,g:h does not keep its claim");
});

// Mutants: a cell that ends at a bar; a code span that ends at a backtick; markup that is read.
Deno.test("markdownReport() shows verdict, pair and event, and keeps its form when names are hostile", () => {
  const plain = markdownReport(refuted);
  for (
    const part of [
      "### REFUTED: python3 mean.py does not keep its claim of 0.1-DP",
      "**Pair that did most to refute (not confirmed on its own)**",
      "| left | `[0,1]` | 50% (5,000 of 10,000) |",
      "| right | `[1,1]` | 40% (4,000 of 10,000) |",
      "Event: `output <= 0.5`",
      "```sh\ndeno task dpcheck",
    ]
  ) assertStringIncludes(plain, part);
  const text = markdownReport({
    ...refuted,
    subject: hostile,
    replay: "``` x",
    pair: { left: "a|b`", right: "``" },
  });
  assertStringIncludes(text, "a\\|b \\`c\\` \\<d\\> \\*e\\*\\\\n::error::f%,g:h does not");
  assertStringIncludes(text, '| left | ``"a\\|b`"`` |');
  assertStringIncludes(text, '| right | ```"``"``` |');
  assertStringIncludes(text, "````sh\n``` x\n````");
  assert(!markdownReport(failed).includes("Counterexample"));
});
