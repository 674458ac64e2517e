import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { ProgramSource } from "../../../lib/core/mechanism/continuous_draws.ts";
import { AssertionError, assertPrivate, assertRecorded } from "../../../lib/judge/testing/mod.ts";

const options = {
  epsilon: 1,
  relation: "add-remove-one",
  domain: { rows: { type: "number", min: 0, max: 3 }, size: { min: 0, max: 4 } },
} as const;

/** A sum of numbers that are taken to be 1 at most. */
function noisySum(rows: number[], source: ProgramSource): number {
  return rows.reduce((sum, x) => sum + x, 0) + (source.laplace({ scale: 1 }) as number);
}

const noisyCount = (rows: number[], source: ProgramSource): unknown =>
  source.sum(rows.length, source.laplace({ scale: 1 }));

Deno.test("assertRecorded() throws with the line and a small pair, and says what correct noise pays for", async () => {
  const { message, report } = await assertRejects(
    () => assertRecorded(noisySum, options),
    AssertionError,
  );
  assertStringIncludes(
    message,
    "hides a change of at most 1; with row 1 removed the value moves by 3: 3 times the claim",
  );
  assertStringIncludes(message, "tests/judge/testing/assert_recorded_test.ts:13");
  assertEquals((report as { verdict: string }).verdict, "suspected");
  const { verdict, cost } = await assertRecorded(noisyCount, options);
  assertEquals([verdict, cost], ["nothing found", 1]);
  assertEquals(
    (await assertRecorded(noisySum, { ...options, strict: false })).verdict,
    "suspected",
  );
  await assertRejects(
    () => assertRecorded(noisySum, { ...options, seeds: 1 } as never),
    RangeError,
    "options must be among",
  );
});

// Mutant: silence that passes for a check.
Deno.test("assertRecorded() throws where noise is not followed, and names the line", async () => {
  const compared = (rows: number[], source: ProgramSource): boolean =>
    rows.length + (source.laplace({ scale: 1 }) as number) > 2;
  const { message, report } = await assertRejects(
    () => assertRecorded(compared, { ...options, maxPairs: 4, maxSeconds: 60, strict: false }),
    AssertionError,
  );
  assert(message.startsWith("NOT FOLLOWED  compared"), message);
  assertStringIncludes(message, "assert_recorded_test.ts:");
  assertEquals((report as { verdict: string }).verdict, "not followed");
});

// Mutants: seconds that bound the recording; randomness, or functions of Math, that stay replaced.
Deno.test("assertPrivate() names the line, the same each time, and leaves everything as it was", async () => {
  const { random, round } = Math, { getRandomValues } = crypto;
  const messageOf = async (recording: boolean): Promise<string> => {
    const { message } = await assertRejects(
      () => assertPrivate(noisySum, { ...options, recording, maxDraws: 4000 }),
      AssertionError,
    );
    return message;
  };
  const watched = await messageOf(true);
  assertStringIncludes(watched, "Where it may come from, as watched noise shows");
  assertStringIncludes(watched, "assert_recorded_test.ts:13");
  assert(!(await messageOf(false)).includes("watched noise"));
  const few = { ...options, maxDraws: 2000, requirePower: Infinity };
  const { recording } = await assertPrivate(noisyCount, few);
  assertEquals(recording, (await assertPrivate(noisyCount, few)).recording);
  assert(Math.random === random && Math.round === round);
  assert(crypto.getRandomValues === getRandomValues);
});
