import { gaussian, pure, renyi, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { accountPage } from "../../../lib/judge/report/account_page.ts";
import { boundOf } from "../../../lib/judge/report/bound.ts";
import { htmlReport } from "../../../lib/judge/report/html.ts";
import { junitReport } from "../../../lib/judge/report/junit.ts";
import { terminalReport } from "../../../lib/judge/report/terminal.ts";
import { notRefuted, refuted } from "./sample_reports.ts";

function bound(
  epsilonLowerBound: number,
  epsilon: number,
  report: AuditReport = refuted,
): string {
  return boundOf({ ...report, epsilonLowerBound, claim: pure({ epsilon, relation: replaceOne }) });
}

// Mutants: four digits whatever the claim; all digits; rounded to the nearest; one digit too few.
Deno.test("boundOf() has as many digits as show that the claim is refuted", () => {
  assertEquals(bound(1.0723, 1), "ε ≥ 1.072");
  assertEquals(bound(1.00047, 1), "ε ≥ 1.0004");
  assertEquals(bound(1.0000001239, 1), "ε ≥ 1.0000001");
  assertEquals(bound(1 + Number.EPSILON, 1), "ε ≥ 1.0000000000000002");
  assertEquals(bound(0.10025, 0.1), "ε ≥ 0.1002");
  assertEquals(bound(1.00047, 1, notRefuted), "ε ≥ 1");
  assertEquals(bound(Infinity, 1), "ε ≥ ∞");
});

// Mutant: a bound that is the claim itself said to be reached.
Deno.test("boundOf() lies above a claim that is refuted, and never above the bound", () => {
  const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(positive, fc.double({ min: 0, max: 1e-3, noNaN: true }), (epsilon, more) => {
      const lower = epsilon * (1 + more);
      const [, sign, shown] = bound(lower, epsilon).match(/^ε (≥|>) (.+)$/)!;
      if (sign === ">") assertEquals([lower, Number(shown)], [epsilon, epsilon]);
      else assert(Number(shown) > epsilon && Number(shown) <= lower, `${shown} of ${lower}`);
    }),
    { seed: 5, numRuns: 2000 },
  );
});

// Mutant: ε whatever the claim is about.
Deno.test("boundOf() is about the parameter of the claim", () => {
  const ends = { ...refuted, epsilonLowerBound: 1.885 };
  assertEquals(boundOf({ ...ends, claim: gaussian({ mu: 1, relation: replaceOne }) }), "μ ≥ 1.885");
  assertEquals(boundOf({ ...ends, claim: zcdp({ rho: 1, relation: replaceOne }) }), "ρ ≥ 1.885");
  assertEquals(
    boundOf({ ...ends, claim: renyi({ order: 2, epsilon: 1, relation: replaceOne }) }),
    "ε ≥ 1.885",
  );
});

// Mutant: one of them writes its own.
Deno.test("all readable reports show the same bound", () => {
  for (const lower of [1.0000001239, 1]) {
    const report = {
      ...refuted,
      epsilonLowerBound: lower,
      claim: pure({ epsilon: 1, relation: replaceOne }),
    };
    const shown = boundOf(report);
    assertStringIncludes(terminalReport(report), `${shown} with 99% confidence; claimed: 1.`);
    assertStringIncludes(junitReport(report), shown.replace(">", "&gt;"));
    assertStringIncludes(htmlReport(report), `${shown.replace(">", "&gt;")} (confidence 0.99)`);
    assertEquals(htmlReport(report).split(shown.replace(">", "&gt;")).length, 4);
  }
});

// Mutant: rounded to the nearest.
Deno.test("no report is sure by 100%, and a page of an account promises no more than its bounds", () => {
  for (const confidence of [1 - 1e-7, 1 - 2 ** -53]) {
    const shown = terminalReport({ ...refuted, confidence });
    assertStringIncludes(shown, "with 99.99% confidence");
  }
  // 1 − 0.25004 − 0.05 = 0.69996
  const curve = [{ epsilon: 0, lower: 0.249996, upper: 0.25004 }];
  const page = accountPage({ releases: [], totals: [], curve });
  assertStringIncludes(page, "misses at least 69.9%");
  for (const bound of ["0.2499<", "0.2501<"]) assertStringIncludes(page, bound);
});

// A Rényi claim bounds no ratio of probabilities. Mutant: it does.
Deno.test("terminalReport() says what ratio a claim allows only where it allows one", () => {
  assertStringIncludes(terminalReport(refuted), "the claim allows 1.105 times");
  const claim = renyi({ order: 2, epsilon: 0.1, relation: replaceOne });
  assert(!terminalReport({ ...refuted, claim }).includes("the claim allows"));
});
