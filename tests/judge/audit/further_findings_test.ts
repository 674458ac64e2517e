import { assert, assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { parseEvent } from "../../../lib/judge/audit/model/encoding/event_rule.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { packOutputs } from "../../../lib/judge/audit/kernel/outputs.ts";
import { type Subject, Thrown } from "../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { terminalReport } from "../../../lib/judge/report/terminal.ts";

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
