import { assert, assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../lib/audit/audit.ts";
import { parseEvent } from "../../../lib/audit/encoding/event_rule.ts";
import { furtherFindings } from "../../../lib/audit/further_findings.ts";
import type { AuditReport } from "../../../lib/audit/report.ts";
import { functionSubject } from "../../../lib/audit/subjects/function_subject.ts";
import { packOutputs } from "../../../lib/audit/subjects/outputs.ts";
import { type Subject, Thrown } from "../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";
import type { Source } from "../../../lib/core/source.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { terminalReport } from "../../../lib/report/terminal.ts";

/** A report as far as findings need it. */
function reportOf(verdict: string, description?: string, more: object = {}): AuditReport {
  const event = description === undefined ? null : { description };
  const pair = { left: [0], right: [1] };
  return {
    verdict,
    event,
    pair,
    epsilonLowerBound: 2,
    eValue: 100,
    draws: 7,
    seed: 5,
    ...more,
  } as unknown as AuditReport;
}

/** Goes on through these reports; returns what was found and what each audit was asked. */
async function goOn(
  reports: readonly AuditReport[],
): Promise<{ rules: string[]; rest: string; asked: string[][]; seeds: number[] }> {
  const asked: string[][] = [], seeds: number[] = [];
  let next = 1;
  const { findings, rest } = await furtherFindings(reports[0]!, {
    except: ["output = 9"],
    auditBesides: ({ except, seed }) => {
      asked.push([...except]);
      seeds.push(seed);
      return Promise.resolve(reports[Math.min(next++, reports.length - 1)]!);
    },
  });
  return { rules: findings.map(({ event }) => event.description), rest, asked, seeds };
}

Deno.test("furtherFindings() excepts each event found, until an audit refutes nothing", async () => {
  const found = await goOn([
    reportOf("refuted", "output = 1"),
    reportOf("refuted", "output = 2"),
    reportOf("not-refuted", "output = 3"),
  ]);
  assertEquals([found.rules, found.rest], [["output = 1", "output = 2"], "not-refuted"]);
  assertEquals(found.asked, [
    ["output = 9", "output = 1"],
    ["output = 9", "output = 1", "output = 2"],
  ]);
  // Fresh draws: no audit has the seed of another.
  assertEquals(new Set([5, ...found.seeds]).size, 3);
});

Deno.test("furtherFindings() ends where there is no new rule to except", async () => {
  const refuted = reportOf("refuted", "output = 1");
  for (
    const [last, rules] of [
      [reportOf("refuted"), 1],
      [refuted, 2],
      [reportOf("refuted", "output.a]b = 1"), 2],
      [reportOf("refuted", "output = 2", { failure: "crashed" }), 2],
      [reportOf("inconclusive"), 1],
      [reportOf("failed"), 1],
    ] as const
  ) {
    const found = await goOn([refuted, last]);
    assertEquals([found.rules.length, found.rest, found.asked.length], [rules, last.verdict, 1]);
  }
  const many = Array.from({ length: 40 }, (_, k) => reportOf("refuted", `output = ${k + 10}`));
  const found = await goOn(many);
  assertEquals([found.rules.length, found.rest], [10, "refuted"]);
});

/** Two errors, each on one dataset alone, and an answer that tells nothing. */
function twoErrors(): Subject {
  const run = ([bit]: readonly number[], source: Source): unknown => {
    if (source.uniform() < 0.2) throw new Error(bit === 0 ? "no class 1" : "no class 0");
    return source.uniform() < 0.5;
  };
  return functionSubject(run as never, { source: new SeededSource(4), name: "two errors" });
}

Deno.test("audit() with all lists each leak once, and says how it ended", async () => {
  const options = {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    seed: 2113,
    maxDraws: 6000,
  };
  const report = await audit(twoErrors(), { ...options, all: true });
  assertEquals(report.verdict, "refuted");
  const { findings, rest } = report.further!;
  // One error each, by whatever rule; the second rule may hold of both, for the first one is left out.
  const rules = findings.map(({ event }) => parseEvent(event.description));
  const errors = ["no class 0", "no class 1"].map((message) => new Thrown(message));
  assertEquals(rules.length, 2);
  assertEquals(errors.filter(rules[0]!).length, 1);
  assert(errors.filter((error) => !rules[0]!(error)).every(rules[1]!));
  assert([true, false].every((answer) => !rules.some((holds) => holds(answer))));
  assertEquals([findings[0]!.event, rest], [report.event, "not-refuted"]);
  const text = terminalReport(report);
  assert(text.includes(`Finding 2, besides those before: ${findings[1]!.event.description}, on `));
  assert(text.includes("Besides these 2 events no violation was seen."));

  const one = await audit(twoErrors(), options);
  assertEquals([one.further, terminalReport(one).includes("Besides")], [undefined, false]);
  const none = await audit(twoErrors(), {
    ...options,
    all: true,
    except: findings.map(({ event }) => event.description),
  });
  assertEquals([none.verdict, none.further], ["not-refuted", undefined]);
  const recorded = { left: packOutputs(Array(60).fill(0)), right: packOutputs(Array(60).fill(1)) };
  await assertRejects(
    () => audit({ ...twoErrors(), recorded }, { ...options, all: true }),
    RangeError,
    "all must be left out where outputs were recorded",
  );
});
