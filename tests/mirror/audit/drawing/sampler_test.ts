import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { candidatePairOf } from "../../../../lib/audit/prediction/candidate_pair.ts";
import { countOf, type Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { type Subject, SubjectFailure } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const pair = pairOf(replaceOne, { left: [0], right: [1] });
const claim = pure({ epsilon: 1, relation: replaceOne });

/** A subject that answers with the row it was given, and keeps a list of the requests: blocks, as declared. */
function echo(): Subject & { readonly requests: { row: number; count: number }[] } {
  const requests: { row: number; count: number }[] = [];
  return {
    name: "echo",
    independent: true,
    requests,
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      requests.push({ row, count });
      return { kind: "block", width: 1, values: new Float64Array(count).fill(row) };
    },
    close: () => Promise.resolve(),
  };
}

/** The same, answering later. */
function inWorker(): ReturnType<typeof echo> {
  const here = echo();
  return {
    ...here,
    drawsElsewhere: true,
    draw: async (data, count) => {
      const drawn = here.draw(data, count);
      await macrotask();
      return drawn;
    },
  };
}

/** A subject that never waits: it takes so many milliseconds an output. */
function busy(milliseconds: number): Subject {
  return {
    ...echo(),
    draw(_, count): Outputs {
      const end = performance.now() + milliseconds * count;
      while (performance.now() < end);
      return { kind: "block", width: 1, values: new Float64Array(count) };
    },
  };
}

const labels = (): SeededSource => new SeededSource(5);

Deno.test("Sampler.draw() asks each side for its labels where outputs are declared independent, in either order", async () => {
  const subject = echo();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: 100 });
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

Deno.test("Sampler.step() never draws beyond maxDraws", async () => {
  for (const maxDraws of [1, 31, 32, 33, 1000, 5003]) {
    const subject = echo();
    const sampler = new Sampler(subject, { labels: labels(), maxDraws, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    while (sampler.spent < 1) await sampler.step(candidate, evidence, "search");
    assertEquals(sampler.draws, maxDraws);
    assertEquals(subject.requests.reduce((sum, { count }) => sum + count, 0), maxDraws);
    assertEquals(candidate.predictor.draws, maxDraws);
  }
});

/** A subject elsewhere: it gives what it was given when `answer` is called. */
function elsewhere(): Subject & { readonly asked: number[]; answer(): void } {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  return {
    name: "elsewhere",
    independent: true,
    drawsElsewhere: true,
    asked,
    answer: () => waiting.splice(0).forEach((resolve) => resolve()),
    draw(data, count): Promise<Outputs> {
      asked.push(count);
      const values = new Float64Array(count).fill((data as number[])[0]!);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ kind: "block", width: 1, values }));
      });
    },
    close: () => Promise.resolve(),
  };
}

const macrotask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

// Mutants: sides asked in turn; the next batches begun after learning; one ahead; begun for a subject in this thread.
Deno.test("Sampler.stay() has the next batches begun before it learns, where the subject draws elsewhere", async () => {
  const subject = elsewhere();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: 100 });
  const candidate = candidatePairOf(pair, { bits: false });
  const evidence = evidenceFor(claim, 0.05);
  let seen = 0;
  const askedWhenSeen: number[] = [];
  const staying = sampler.stay([candidate], evidence, {
    phase: "confirm",
    until: () => seen >= 5,
    see: ({ draws }) => {
      seen++;
      assertEquals(draws, 32);
      askedWhenSeen.push(subject.asked.length);
    },
  });
  let ended = false;
  const end = staying.then(() => ended = true);
  while (!ended) {
    subject.answer();
    await macrotask();
  }
  await end;
  assertEquals(askedWhenSeen, [6, 8, 10, 12, 14]);
  // The sixth batch and the seventh were drawn in vain: the claim was refuted.
  assertEquals(sampler.draws, 160);
  assertEquals(candidate.predictor.draws, 160);
});

// A program that stalls whenever the batches begun would lose it its bets must not have them dropped.
// Mutants: what was begun is dropped; settled only where somebody looks; still counted as begun.
Deno.test("Sampler.stay() settles all that it has begun, unless the claim was refuted meanwhile", async () => {
  for (const [rows, isRefuted] of [[[0, 0], false], [[0, 1], true]] as const) {
    const subject = { ...inWorker(), asked: 0 };
    const { draw } = subject;
    subject.draw = (data, count) => {
      subject.asked += count;
      return draw([rows[(data as number[])[0]!]], count);
    };
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    await sampler.stay([candidate], evidence, {
      phase: "search",
      until: () => evidence.refuted || sampler.draws >= 1000,
    });
    assertEquals(evidence.refuted, isRefuted);
    assertEquals(candidate.predictor.draws, sampler.draws);
    assertEquals(sampler.draws < subject.asked, isRefuted, `${sampler.draws} of ${subject.asked}`);
    // Nothing counts as begun any more: the next batch is as large as it would be.
    assertEquals(sampler.batchSize(candidate) >= 32, true);
    await sampler.stay([candidate], evidence, {
      phase: "search",
      until: () => sampler.draws >= 2000,
    });
    assertEquals(candidate.predictor.draws, sampler.draws);
  }
});

Deno.test("Sampler.stay() draws no further than maxDraws, and one batch at a time in this thread", async () => {
  for (const maxDraws of [1, 33, 5003]) {
    const here = echo();
    const sampler = new Sampler(here, { labels: labels(), maxDraws, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    let batches = 0;
    await sampler.stay([candidate], evidenceFor(claim, 0.05), {
      phase: "confirm",
      until: () => sampler.spent >= 1,
      see: () => {
        batches++;
        assertEquals(here.requests.length, 2 * batches);
      },
    });
    assertEquals([sampler.draws, candidate.predictor.draws], [maxDraws, maxDraws]);
  }
  const there = inWorker();
  const sampler = new Sampler(there, { labels: labels(), maxDraws: 5003, maxSeconds: 100 });
  const candidate = candidatePairOf(pair, { bits: false });
  await sampler.stay([candidate], evidenceFor(claim, 0.05), {
    phase: "confirm",
    until: () => sampler.spent >= 1,
  });
  assertEquals([sampler.draws, candidate.predictor.draws], [5003, 5003]);
  assertEquals(there.requests.reduce((sum, { count }) => sum + count, 0), 5003);
});

Deno.test("Sampler.stay() rejects when a batch that was begun fails", async () => {
  const subject = inWorker();
  const failing: Subject = {
    ...subject,
    draw: (data, count) =>
      subject.requests.length < 6
        ? subject.draw(data, count)
        : Promise.reject(new SubjectFailure("it crashed")),
  };
  const sampler = new Sampler(failing, { labels: labels(), maxDraws: 1e6, maxSeconds: 100 });
  const candidate = candidatePairOf(pair, { bits: false });
  await assertRejects(
    () =>
      sampler.stay([candidate], evidenceFor(claim, 0.05), {
        phase: "confirm",
        until: () => sampler.spent >= 1,
      }),
    SubjectFailure,
    "it crashed",
  );
  assertEquals(candidate.predictor.draws, 96);
});

Deno.test("Sampler.step() asks for whole outputs, more the more a candidate has seen", async () => {
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: Infinity });
  const candidate = candidatePairOf(pair, { bits: false });
  const evidence = evidenceFor(claim, 0.05);
  const sizes: number[] = [];
  while (sampler.spent < 0.9) {
    const { draws } = await sampler.step(candidate, evidence, "search");
    assert(Number.isInteger(draws) && draws >= 1);
    assert(draws <= Math.max(32, (candidate.predictor.draws - draws) / 16));
    sizes.push(draws);
  }
  assertEquals(sizes[0], 32);
  assert(sizes.at(-1)! > 3000);
});

Deno.test("Session.spent reaches 1 when the seconds are over", async () => {
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: Infinity, maxSeconds: 0.02 });
  assert(sampler.spent < 1);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert(sampler.spent >= 1 && sampler.remainingDraws === 0);
});

// Mutants: the average rate; drawing takes all of the time; beyond maxDraws; the clock asked without a deadline.
Deno.test("Session.remainingTestDraws is what half of the time left can draw, however long was learned", async () => {
  const sampler = new Sampler(busy(1e-3), { labels: labels(), maxDraws: 1e7, maxSeconds: 0.4 });
  await sampler.drawMany(pair, 2e4);
  // "Learning."
  while (sampler.seconds < 0.2);
  const left = sampler.remainingTestDraws;
  // At most 1,000 a millisecond, for half of the 200 left; on the average it were 20,000.
  assert(left > sampler.remainingDraws && left <= 1e5, `${left}, ${sampler.remainingDraws}`);

  const few = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: 100 });
  await few.drawMany(pair, 9e4);
  assertEquals(few.remainingTestDraws, 1e4);
  const timeless = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: Infinity });
  await timeless.drawMany(pair, 3e4);
  assertEquals(timeless.remainingTestDraws, 7e4);
});

Deno.test("Sampler.drawMany() gives as many as asked for, in batches", async () => {
  const subject = echo();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: Infinity, maxSeconds: 100 });
  const sides = await sampler.drawMany(pair, 3001);
  assertEquals(countOf(sides.left) + countOf(sides.right), 3001);
  assert(sides.left.values.every((x) => x === 0) && sides.right.values.every((x) => x === 1));
});

// Mutant: batches of the size that the clock allows.
Deno.test("Sampler.drawMany() draws the same however fast the subject is", async () => {
  const drawnBy = async (subject: Subject): Promise<number[]> => {
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: Infinity, maxSeconds: 100 });
    const { left, right } = await sampler.drawMany(pair, 30_000);
    return [countOf(left), countOf(right)];
  };
  assertEquals(await drawnBy(busy(0.01)), await drawnBy(echo()));
});

// Mutants: a first batch of some hundred, or batches twice as large as all before, which are late by as much.
Deno.test("Sampler.drawMany() is over in time where a draw takes long", async () => {
  const sampler = new Sampler(busy(50), { labels: labels(), maxDraws: Infinity, maxSeconds: 0.4 });
  const { left, right } = await sampler.drawMany(pair, 1000);
  const drawn = countOf(left) + countOf(right);
  assert(drawn >= 2 && drawn < 14 && drawn === sampler.draws, `${drawn}`);
});

Deno.test("Sampler.draw() rejects with the reason of a signal that was aborted", async () => {
  const controller = new AbortController();
  const sampler = new Sampler(echo(), {
    labels: labels(),
    maxDraws: 100,
    maxSeconds: 100,
    signal: controller.signal,
  });
  await sampler.draw(pair, 10);
  controller.abort(new Error("enough"));
  await assertRejects(() => sampler.draw(pair, 10), Error, "enough");
  assertEquals(sampler.draws, 10);
});

// Mutant: no turn for timers between batches, so that an abort by a timer waits for seconds.
Deno.test("Sampler.drawMany() lets a timer abort a subject that never waits", async () => {
  const signal = AbortSignal.timeout(200);
  const sampler = new Sampler(busy(0.2), {
    labels: labels(),
    maxDraws: Infinity,
    maxSeconds: 4,
    signal,
  });
  const start = performance.now();
  await assertRejects(() => sampler.drawMany(pair, 100_000), DOMException);
  assert(performance.now() - start < 2000, `${performance.now() - start} ms`);
});

/** A subject that answers with so many outputs more than it is asked for, from the third answer on. */
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

// Mutants: no look at a block, at values, at outputs drawn elsewhere, or at those on one dataset.
Deno.test("Session fails when a subject returns more outputs than were asked for, or fewer", async () => {
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
        const sampler = new Sampler(subject, { labels: labels(), maxDraws: 100, maxSeconds: 100 });
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
        maxSeconds: 100,
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

Deno.test("Sampler.drawsOn() counts the draws that were bet on, by the dataset of the pair", async () => {
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: 100 });
  const other = pairOf(replaceOne, { left: [1], right: [0] });
  const [one, two] = [pair, other].map((its) => candidatePairOf(its, { bits: false }));
  const evidence = evidenceFor(claim, 0.05);
  assertEquals(sampler.drawsOn(pair), { left: 0, right: 0 });
  for (let k = 0; k < 20; k++) await sampler.step(one!, evidence, "search");
  await sampler.stay([two!], evidence, {
    phase: "search",
    until: () => two!.predictor.draws >= 500,
  });
  await sampler.drawOn(pair.left, 1000);
  for (const { pair: its, predictor: predictor } of [one!, two!]) {
    const { left, right } = sampler.drawsOn(its);
    assertEquals(left + right, predictor.draws);
    // The predictor has seen the rows themselves: all outputs are 0 or 1.
    assert(left !== right && left > 150 && right > 150, `${left}, ${right}`);
  }
});
