import { assert, assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../../lib/judge/audit/subjects/function_subject.ts";
import type { Subject } from "../../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { asserted, pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { assertPrivate } from "../../../../lib/judge/testing/assert_private.ts";

const relation = replaceOne;
const claim = pure({ epsilon: 1, relation });
const domain = { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 3 } } as const;

/** Shows the last row where both classes are there, and throws where not. */
function needsBothClasses(seen: unknown[][] = []): Subject {
  return functionSubject((data: number[]) => {
    seen.push(data);
    if (!data.includes(0) || !data.includes(1)) throw new Error("a class is missing");
    return data.at(-1)!;
  }, { name: "f", source: new SeededSource(1), domain });
}

Deno.test("audit() puts public rows before every dataset, and reports the pair without them", async () => {
  const seen: unknown[][] = [];
  const report = await audit(needsBothClasses(seen), {
    claim,
    withRows: [0, 1],
    maxDraws: 5000,
    seed: 1,
  });
  assert(seen.length > 0 && seen.every((data) => data[0] === 0 && data[1] === 1));
  assertEquals(report.subject, "f (beside 2 fixed rows)");
  assert(report.verdict === "refuted" && !report.event!.description.includes("class"));
  assertEquals([report.pair!.left, report.pair!.right].map((data) => (data as number[]).length), [
    1,
    1,
  ]);
});

Deno.test("audit() refuses rows that are no list, and rows beside what is none or was recorded", async () => {
  const subject = needsBothClasses();
  const pair = pairOf(asserted, { left: "a" as never, right: "b" as never });
  const outputs = { kind: "block", width: 1, values: new Float64Array(10) } as const;
  for (
    const [one, options, kind, name] of [
      [subject, { withRows: 3 as never }, TypeError, "withRows must be an array"],
      [subject, { withRows: [1], pair }, RangeError, "pair"],
      [
        { ...subject, recorded: { left: outputs, right: outputs } },
        { withRows: [1] },
        RangeError,
        "withRows",
      ],
    ] as const
  ) {
    await assertRejects(() => audit(one, { claim, maxDraws: 10, ...options }), kind, name);
  }
});

Deno.test("assertPrivate() takes public rows, and replays with them", async () => {
  const error = await assertRejects(() =>
    assertPrivate((data: number[]) => data.at(-1), {
      epsilon: 1,
      relation: "replace-one",
      domain,
      withRows: [0, 1],
      maxDraws: 2000,
    })
  );
  assert(error instanceof Error && error.message.includes('"withRows":[0,1]'), String(error));
});
