import { assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../../lib/judge/audit/subjects/function_subject.ts";
import { outputProblem } from "../../../../lib/judge/audit/subjects/output_limits.ts";
import { parseAnswer } from "../../../../lib/judge/audit/subjects/process/program_answers.ts";
import { readSamples } from "../../../../lib/judge/audit/subjects/recorded/read_samples.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;

Deno.test("an output that is too deep or too long is named so, and others are taken", () => {
  const circle: unknown[] = [1];
  circle.push(circle);
  const tooLarge = [
    JSON.parse(deep),
    circle,
    "x".repeat(2_000_000),
    Array.from({ length: 200_000 }, () => 0.5),
    { [`k${"x".repeat(2_000_000)}`]: 1 },
    Array.from({ length: 100 }, () => "x".repeat(20_000)),
    new Float64Array(200_000),
  ];
  for (const output of tooLarge) assertEquals(typeof outputProblem(output), "string");
  const tree = (level: number): unknown => level === 0 ? 1 : { left: tree(level - 1), right: 0.5 };
  const taken = [1, NaN, null, undefined, "x".repeat(1_000_000), tree(99), Array(100_000).fill(1)];
  for (const output of taken) assertEquals(outputProblem(output), undefined);
});

Deno.test("an answer, a function and a file with such an output are refused in a sentence", async () => {
  const line = new TextEncoder().encode(`{"id":1,"outputs":[${deep}]}`);
  const answer = parseAnswer(line, { id: 1, count: 1 });
  const sentence = "a value of more than 100 levels, the most that can be audited";
  assertEquals(answer, { kind: "nonsense", reason: `put out ${sentence}` });
  const subject = functionSubject(() => JSON.parse(deep), {
    name: "deep",
    source: new SeededSource(1),
  });
  const report = await audit(subject, {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    maxDraws: 100,
    seed: 1,
  });
  assertEquals(report.verdict === "failed" && report.failure, `deep put out ${sentence}`);
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeTextFile(file, `1\n${deep}\n`);
    await assertRejects(() => readSamples(file), RangeError, `output 2 is ${sentence}`);
  } finally {
    await Deno.remove(file);
  }
});
