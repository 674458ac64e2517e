import { assert, assertEquals } from "@std/assert";
import { jsonReport } from "../../../lib/judge/report/json.ts";
import { failed, notRefuted, refuted } from "./sample_reports.ts";

Deno.test("jsonReport() gives the report back when it is parsed", () => {
  for (const report of [refuted, notRefuted, failed]) {
    const { claim, schemaVersion, ...rest } = JSON.parse(jsonReport(report));
    assertEquals(schemaVersion, 1);
    assertEquals({ ...rest, claim: report.claim }, report);
    assertEquals(claim, { kind: "pure", epsilon: 0.1, relation: "replace-one" });
  }
});

Deno.test("jsonReport() has every field that callers may count on", () => {
  const names = ["verdict", "claim", "epsilonLowerBound", "confidence", "alpha", "eValue"];
  names.push("draws", "seconds", "pair", "event", "seed", "replay");
  for (const report of [refuted, notRefuted, failed]) {
    const written = JSON.parse(jsonReport(report));
    for (const name of names) assert(Object.hasOwn(written, name), name);
  }
});

Deno.test("jsonReport() writes numbers that JSON can hold when a report is not finite", () => {
  const written = JSON.parse(jsonReport({
    ...refuted,
    eValue: Infinity,
    epsilonLowerBound: Infinity,
    detectableEpsilon: Infinity,
    pair: { left: [NaN, { a: -Infinity }], right: [[Infinity], 3n] },
  }));
  assertEquals(written.eValue, Number.MAX_VALUE);
  assertEquals(written.epsilonLowerBound, Number.MAX_VALUE);
  assertEquals(written.detectableEpsilon, null);
  assertEquals(written.pair, { left: ["NaN", { a: "-Infinity" }], right: [["Infinity"], "3"] });
});
