import { assert, assertEquals, assertRejects } from "@std/assert";
import { TimeLimit } from "../../../../../lib/judge/audit/kernel/drawing/time_limit.ts";
import { functionSubject } from "../../../../../lib/judge/audit/subjects/function_subject.ts";
import { Sampler } from "../../../../../lib/judge/audit/kernel/drawing/sampler.ts";
import {
  countOf,
  type Outputs,
  type PairOutputs,
} from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { type Subject, SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { echo, labels, pair } from "./echoing_subjects.ts";

Deno.test("Sampler.draw() asks each side for as many outputs as coins say where outputs are declared independent, in either order", async () => {
  const subject = echo();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6 });
  const firsts = new Set<number>();
  let right = 0;
  for (let k = 0; k < 40; k++) {
    const sides = await sampler.draw(pair, 50);
    assertEquals(countOf(sides.left) + countOf(sides.right), 50);
    assert(sides.left.values.every((x) => x === 0) && sides.right.values.every((x) => x === 1));
    right += countOf(sides.right);
    firsts.add(subject.requests[2 * k]!.row);
  }
  assertEquals(sampler.draws, 2000);
  assert(Math.abs(right - 1000) < 120, `${right} of 2000 on the right`);
  assertEquals(firsts.size, 2);
});

Deno.test("Sampler.spent reaches 1 when the seconds are over", async () => {
  const limit = new TimeLimit(0.02);
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 100, limit });
  assert(sampler.spent < 1 && !sampler.wasCut);
  await new Promise((resolve) => setTimeout(resolve, 40));
  // What remains is a count, and nothing that the clock decides.
  assert(sampler.spent >= 1 && sampler.wasCut && sampler.remainingDraws === 100);
});

// Mutants: coins that the program has not seen counted as lost; a batch that is awaited to its end.
Deno.test("Sampler.draw() ends a batch between two outputs when the seconds are over", async () => {
  const { now } = performance;
  let late = 0, calls = 0;
  performance.now = () => now.call(performance) + late;
  try {
    const run = (): number => {
      if (++calls === 40) late = 2e6;
      return calls;
    };
    const subject = functionSubject(run, { name: "late", source: labels() });
    const limit = new TimeLimit(1000);
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1000, limit });
    const { left, right, lost, unasked } = await sampler.draw(pair, 100);
    assertEquals([calls, countOf(left) + countOf(right), lost], [40, 40, undefined]);
    assertEquals(unasked!.left + unasked!.right, 60);
    assertEquals([sampler.draws, sampler.wasCut], [40, true]);
  } finally {
    performance.now = now;
  }
});

// Mutants: outputs that do not come are waited for; they are dropped, so that a program is silent where it would lose.
Deno.test("Sampler.draw() takes outputs for lost that do not come soon after the seconds are over", async () => {
  const never: Subject = {
    ...echo(),
    drawsElsewhere: true,
    drawInOrder: () => new Promise(() => {}),
  };
  const sampler = new Sampler(never, {
    labels: labels(),
    maxDraws: 1000,
    limit: new TimeLimit(0.01),
  });
  const { lost } = await sampler.draw(pair, 100);
  assertEquals(lost!.left + lost!.right, 100);
  assertEquals([sampler.draws, sampler.wasCut, sampler.spent], [100, true, 1]);
});

// Mutant: batches of the size that the clock allows.
// Mutants: a first batch of some hundred, or batches twice as large as all before, which are late by as much.
Deno.test("Sampler.draw() rejects with the reason of a signal that was aborted", async () => {
  const controller = new AbortController();
  const sampler = new Sampler(echo(), {
    labels: labels(),
    maxDraws: 100,
    signal: controller.signal,
  });
  await sampler.draw(pair, 10);
  controller.abort(new Error("enough"));
  await assertRejects(() => sampler.draw(pair, 10), Error, "enough");
  assertEquals(sampler.draws, 10);
});

// Mutant: no pause for timers between batches, so that an abort by a timer waits for seconds.
/** A subject whose answers have so many outputs too many, from the third one on. */
function miscounting(extra: number, kind: Outputs["kind"]): Subject {
  let answers = 0;
  return {
    ...echo(),
    name: "miscounter",
    draw(_, count): Outputs {
      const wrong = Math.max(0, count + (++answers > 2 ? extra : 0));
      return kind === "block"
        ? { kind, width: 2, values: new Float64Array(2 * wrong) }
        : { kind, values: new Array(wrong).fill("a") };
    },
  };
}

// Mutants: no check of a block, at values, at outputs drawn elsewhere, or at those on one dataset.
Deno.test("Sampler fails when a subject returns more outputs than were asked for, or fewer", async () => {
  for (const kind of ["block", "values"] as const) {
    for (const extra of [-1, 1, 0.5, -20]) {
      if (extra === 0.5 && kind === "values") continue;
      const here = miscounting(extra, kind);
      const there: Subject = {
        ...miscounting(extra, kind),
        drawsElsewhere: true,
      };
      const { draw } = there;
      const later: Subject = { ...there, draw: async (data, count) => await draw(data, count) };
      for (const subject of [here, later]) {
        const sampler = new Sampler(subject, { labels: labels(), maxDraws: 100 });
        await sampler.draw(pair, 20);
        await assertRejects(
          () => sampler.draw(pair, 20),
          SubjectFailure,
          "miscounter returned ",
        );
        assertEquals(sampler.draws, 20);
      }
      const single = new Sampler(miscounting(extra, kind), {
        labels: labels(),
        maxDraws: 100,
      });
      await single.drawOn([0], 20);
      await single.drawOn([0], 20);
      await assertRejects(
        () => single.drawOn([0], 20),
        SubjectFailure,
        `miscounter returned ${20 + extra} outputs where 20 were asked for`,
      );
    }
  }
});

// Mutants: no check of the left outputs, or at the right ones, that a subject deals to the sides itself.
Deno.test("Sampler fails when the outputs of one side are too few or too many", async () => {
  for (const wrong of ["left", "right"] as const) {
    for (const extra of [-1, 1]) {
      const subject: Subject = {
        ...echo(),
        name: "miscounter",
        drawInOrder(_, coins): PairOutputs {
          const on = (side: "left" | "right"): Outputs => ({
            kind: "block",
            width: 1,
            values: new Float64Array(coins[side] + (side === wrong ? extra : 0)),
          });
          return { left: on("left"), right: on("right") };
        },
      };
      const sampler = new Sampler(subject, { labels: labels(), maxDraws: 100 });
      await assertRejects(() => sampler.draw(pair, 40), SubjectFailure, "miscounter returned ");
    }
  }
});
