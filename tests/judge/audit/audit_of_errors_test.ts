import { assert, assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Outputs } from "../../../lib/judge/audit/kernel/outputs.ts";
import { type Subject, SubjectFailure, Thrown } from "../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const bit = pairOf(replaceOne, { left: [0], right: [1] });

Deno.test("audit() gives the verdict failed when the subject fails, and passes other errors on", async () => {
  let calls = 0;
  const breaking = (error: () => Error): Subject => ({
    name: "breaking",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    draw(_, count): Outputs {
      if ((calls += count) > 96) throw error();
      return { kind: "block", width: 1, values: new Float64Array(count) };
    },
    close: () => Promise.resolve(),
  });
  const failing = breaking(() => new SubjectFailure("it hung"));
  const report = await audit(failing, { pair: bit, maxDraws: 1000, seed: 1 });
  assertEquals([report.verdict, report.failure], ["failed", "it hung"]);
  assertEquals(report.pair, { left: [0], right: [1] });
  assert(report.draws > 0);
  calls = 0;
  await assertRejects(
    () => audit(breaking(() => new TypeError("a bug")), { pair: bit, maxDraws: 1000, seed: 1 }),
    TypeError,
    "a bug",
  );
});

/** A subject of any kind: it answers as `answer` says. */
function answering(answer: (row: number, index: number) => unknown): Subject {
  let answers = 0;
  return {
    name: "answering",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    draw(data, count): Outputs {
      const [row] = data as [number];
      return {
        kind: "values",
        values: Array.from({ length: count }, () => answer(row, answers++)),
      };
    },
    close: () => Promise.resolve(),
  };
}

// Mutant: the verdict "not-refuted", with a detectable ε.
Deno.test("audit() gives the verdict failed when every output is an error, whatever the subject", async () => {
  const broken = (): never => {
    throw new TypeError("no such column");
  };
  const source = new SeededSource(1);
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const mechanism: Mechanism<number, number> = { name: "broken", claim, sample: broken };
  const subjects: Subject[] = [
    mechanismSubject(mechanism, { source }),
    mechanismSubject({ ...mechanism, width: 1, sampleMany: broken }, { source }),
    functionSubject(broken, { name: "broken", source, claim }),
    functionSubject(async () => await Promise.reject(new Error("no such column")), {
      name: "broken",
      source,
      claim,
    }),
    answering(() => new Thrown("no such column")),
  ];
  for (const subject of subjects) {
    for (const effort of ["quick", "thorough"] as const) {
      const report = await audit(subject, { pair: bit, maxDraws: 500, seed: 1, effort });
      assertEquals(
        [report.verdict, report.failure],
        ["failed", 'every output was an error, as in "no such column"'],
      );
      assertEquals([report.detectableEpsilon, report.event], [null, null]);
      assertEquals(report.pair, { left: [0], right: [1] });
    }
  }
});

// Mutants: errors of different messages end it; a search ends as soon as a pair; a deadline without draws.
Deno.test("audit() ends when every output is the same error, sooner on a fixed pair than in a search", async () => {
  const same = (): Subject => answering(() => new Thrown("no such column"));
  const options = { seed: 1, maxDraws: 40_000, claim: pure({ epsilon: 1, relation: replaceOne }) };
  const domain = { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 3 } } as const;
  const pair = await audit(same(), { ...options, pair: bit });
  const search = await audit(same(), { ...options, domain });
  for (const report of [pair, search]) assertEquals(report.verdict, "failed");
  assert(pair.draws >= 1000 && pair.draws < 1200, `${pair.draws}`);
  assert(search.draws >= 10_000 && search.draws < 12_000, `${search.draws}`);
  // Which error comes may yet tell the datasets apart.
  const others = await audit(answering((_, index) => new Thrown(`no column ${index % 2}`)), {
    ...options,
    maxDraws: 4000,
    pair: bit,
  });
  assertEquals([others.verdict, others.draws], ["failed", 4000]);
});

// Mutants: any error is a failure; errors that differ between the datasets are one.
Deno.test("audit() takes errors as outputs when some outputs are not errors, or the errors leak", async () => {
  const options = { pair: bit, maxDraws: 2000, seed: 1 };
  const now = (index: number, otherwise: unknown): unknown =>
    index === 700 ? otherwise : new Thrown("no");
  const seldom = await audit(answering((_, index) => now(index, 1)), options);
  // Next to all outputs are equal, so that no leak in the others would have been seen.
  assertEquals([seldom.verdict, seldom.failure], ["inconclusive", undefined]);
  // Errors on one dataset only, none on the other.
  const oneSide = await audit(answering((row) => row === 0 ? new Thrown("no") : 1), options);
  assertEquals([oneSide.verdict, oneSide.failure], ["refuted", undefined]);
  // Errors on both that say which dataset it was.
  const telling = await audit(answering((row) => new Thrown(`bad row ${row}`)), options);
  assertEquals([telling.verdict, telling.failure], ["refuted", undefined]);
});
