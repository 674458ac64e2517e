import { assert, assertEquals, assertRejects } from "@std/assert";
import { drawMany } from "../../../../lib/audit/drawing/draw_many.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { countOf } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { busy, echo, labels, pair } from "./echoing_subjects.ts";

Deno.test("drawMany(Sampler, ) gives as many outputs as asked for, in batches", async () => {
  const subject = echo();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: Infinity, maxSeconds: 100 });
  const sides = await drawMany(sampler, pair, 3001);
  assertEquals(countOf(sides.left) + countOf(sides.right), 3001);
  assert(sides.left.values.every((x) => x === 0) && sides.right.values.every((x) => x === 1));
});

Deno.test("drawMany(Sampler, ) draws the same however fast the subject is", async () => {
  const drawnBy = async (subject: Subject): Promise<number[]> => {
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: Infinity, maxSeconds: 100 });
    const { left, right } = await drawMany(sampler, pair, 30_000);
    return [countOf(left), countOf(right)];
  };
  assertEquals(await drawnBy(busy(0.01)), await drawnBy(echo()));
});

Deno.test("drawMany(Sampler, ) ends in time where a draw takes long", async () => {
  const sampler = new Sampler(busy(50), { labels: labels(), maxDraws: Infinity, maxSeconds: 0.4 });
  const { left, right } = await drawMany(sampler, pair, 1000);
  const drawn = countOf(left) + countOf(right);
  assert(drawn >= 2 && drawn < 14 && drawn === sampler.draws, `${drawn}`);
});

Deno.test("drawMany(Sampler, ) lets a timer abort a subject that never waits", async () => {
  const signal = AbortSignal.timeout(200);
  const sampler = new Sampler(busy(0.2), {
    labels: labels(),
    maxDraws: Infinity,
    maxSeconds: 4,
    signal,
  });
  const start = performance.now();
  await assertRejects(() => drawMany(sampler, pair, 100_000), DOMException);
  assert(performance.now() - start < 2000, `${performance.now() - start} ms`);
});
