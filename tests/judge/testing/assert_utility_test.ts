import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import { AssertionError, assertUtility } from "../../../lib/judge/testing/mod.ts";
import type { Source } from "../../../mod.ts";

const options = { bound: 0.9, share: 0.9, confidence: 0.999, runs: 300 };
const uniform = (source: Source): number => source.uniform();

Deno.test("assertUtility() passes when the share is as claimed", async () => {
  const report = await assertUtility(uniform, options);
  assert(report.successes >= report.leastSuccesses);
  assert(report.shareAtMost > 0.9 && report.largestError < 1);
});

Deno.test("assertUtility() throws when the share is far below", async () => {
  await assertRejects(
    () => assertUtility((source) => 1.3 * source.uniform(), options),
    AssertionError,
    "of 300 runs",
  );
});

Deno.test("assertUtility() states its exact false-alarm rate, and one success less would exceed it", async () => {
  const { leastSuccesses, falseAlarmRate } = await assertUtility(uniform, options);
  assert(falseAlarmRate <= 0.001);
  assertAlmostEquals(
    1 - Math.exp(logBinomialTail(leastSuccesses, 300, 0.9)),
    falseAlarmRate,
    1e-12,
  );
  assert(1 - Math.exp(logBinomialTail(leastSuccesses + 1, 300, 0.9)) > 0.001);
});

Deno.test("assertUtility() fails at the first number of successes below its limit", async () => {
  const { leastSuccesses } = await assertUtility(uniform, options);
  const exactly = (successes: number) => {
    let run = 0;
    return () => run++ < successes ? 0 : NaN;
  };
  assertEquals((await assertUtility(exactly(leastSuccesses), options)).successes, leastSuccesses);
  await assertRejects(() => assertUtility(exactly(leastSuccesses - 1), options), AssertionError);
});

Deno.test("assertUtility() gives every run a source of its own and the same ones again", async () => {
  const seen: number[] = [];
  const run = (source: Source): Promise<number> => {
    seen.push(source.uint32());
    return Promise.resolve(0);
  };
  await assertUtility(run, options);
  await assertUtility(run, options);
  assertEquals(new Set(seen.slice(0, 300)).size, 300);
  assertEquals(seen.slice(0, 300), seen.slice(300));
});

Deno.test("assertUtility() refuses when no outcome could fail", async () => {
  await assertRejects(
    () => assertUtility(uniform, { ...options, runs: 2 }),
    RangeError,
    "runs must be enough",
  );
  await assertRejects(() => assertUtility(uniform, { ...options, share: 1 }), RangeError, "share");
});
