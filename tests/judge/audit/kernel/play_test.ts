import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../../../lib/judge/audit/kernel/betting/evidence.ts";
import { TimeLimit } from "../../../../lib/judge/audit/kernel/drawing/time_limit.ts";
import { Sampler } from "../../../../lib/judge/audit/kernel/drawing/sampler.ts";
import { candidatePairOf } from "../../../../lib/judge/audit/model/prediction/candidate_pair.ts";
import { type Subject, SubjectFailure } from "../../../../lib/judge/audit/kernel/subject.ts";
import { Play } from "../../../../lib/judge/audit/kernel/play.ts";
import { claim, echo, inWorker, labels, pair } from "./drawing/echoing_subjects.ts";

Deno.test("Play.step() never draws beyond maxDraws", async () => {
  for (const maxDraws of [1, 31, 32, 33, 1000, 5003]) {
    const subject = echo();
    const sampler = new Sampler(subject, { labels: labels(), maxDraws });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    const play = new Play(sampler, evidence);
    while (sampler.spent < 1) await play.step(candidate, "search");
    assertEquals(sampler.draws, maxDraws);
    assertEquals(subject.requests.reduce((sum, { count }) => sum + count, 0), maxDraws);
    assertEquals(candidate.predictor.draws, maxDraws);
  }
});

Deno.test("Play.drawWhile() settles all that it has begun, unless the claim was refuted meanwhile", async () => {
  // With a full budget the game goes on, and a refutation is no reason.
  const cases = [[[0, 0], false, false], [[0, 1], true, false], [[0, 1], true, true]] as const;
  for (const [rows, isRefuted, goesOn] of cases) {
    const subject = { ...inWorker(), asked: 0 };
    const { draw } = subject;
    subject.draw = (data, count) => {
      subject.asked += count;
      return draw([rows[(data as number[])[0]!]], count);
    };
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6 });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    const play = new Play(sampler, evidence, { goesOn });
    await play.drawWhile([candidate], {
      phase: "search",
      until: () => (evidence.refuted && !goesOn) || sampler.draws >= 1000,
    });
    assertEquals(evidence.refuted, isRefuted);
    assertEquals(candidate.predictor.draws, sampler.draws);
    assertEquals(
      sampler.draws < subject.asked,
      isRefuted && !goesOn,
      `${sampler.draws} of ${subject.asked}`,
    );
    // Nothing counts as begun any more: the next batch is as large as it would be.
    assertEquals(sampler.batchSize(1e6) >= 32, true);
    await play.drawWhile([candidate], {
      phase: "search",
      until: () => sampler.draws >= 2000,
    });
    assertEquals(candidate.predictor.draws, sampler.draws);
  }
});

// Mutants: a second draw bet on by what was known before the first; a bet that is fixed after its draw.
Deno.test("Play.step() bets on each of the first draws by what all before it showed, unless the game goes on", async () => {
  for (const goesOn of [false, true]) {
    const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 1e4 });
    const evidence = evidenceFor(claim, 0.05), { add } = evidence;
    const play = new Play(sampler, evidence, { goesOn });
    const candidate = candidatePairOf(pair, { bits: false });
    const sum = (counts: Float64Array): number => counts.reduce((a, b) => a + b, 0);
    let before = 0, single = 0;
    evidence.add = (batch) => {
      assertEquals(sum(batch.before), before);
      assertEquals(sum(batch.counts), batch.draws);
      if (batch.draws === 1) single++;
      before += batch.draws;
      add.call(evidence, batch);
    };
    while (sampler.draws < 1000) await play.step(candidate, "search");
    assertEquals(single, goesOn ? 0 : 64);
  }
});

// Mutant: lost outputs that no evidence is told of, so that a program falls silent for nothing where it would lose.
Deno.test("Play.step() tells the evidence of outputs that were lost", async () => {
  const subject: Subject = {
    ...echo(),
    drawsElsewhere: true,
    // Nothing comes from the right dataset.
    drawInOrder: (_, { left, right }) =>
      Promise.resolve({
        left: { kind: "values", values: new Array(left).fill(0) },
        right: { kind: "values", values: [] },
        lost: { left: 0, right },
      }),
  };
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: 200 });
  const evidence = evidenceFor(claim, 0.05), { add } = evidence;
  let told = 0, drawn = 0;
  evidence.add = (batch) => {
    told += batch.lost?.right ?? 0;
    drawn += batch.draws;
    add.call(evidence, batch);
  };
  const play = new Play(sampler, evidence), candidate = candidatePairOf(pair, { bits: false });
  while (sampler.spent < 1) await play.step(candidate, "search");
  assert(told > 50, `${told}`);
  assertEquals(drawn + told, 200);
});

Deno.test("Play.drawWhile() rejects when a batch that was begun fails", async () => {
  const subject = inWorker();
  const failing: Subject = {
    ...subject,
    draw: (data, count) =>
      subject.requests.length < 6
        ? subject.draw(data, count)
        : Promise.reject(new SubjectFailure("it crashed")),
  };
  const sampler = new Sampler(failing, { labels: labels(), maxDraws: 1e6 });
  const candidate = candidatePairOf(pair, { bits: false });
  await assertRejects(
    () =>
      new Play(sampler, evidenceFor(claim, 0.05)).drawWhile([candidate], {
        phase: "confirm",
        until: () => sampler.spent >= 1,
      }),
    SubjectFailure,
    "it crashed",
  );
  // What came before it is settled, each draw once, and nothing of what came after.
  const asked = subject.requests.reduce((sum, { count }) => sum + count, 0);
  assert(sampler.draws > 0 && sampler.draws <= asked, `${sampler.draws} of ${asked}`);
  assertEquals(candidate.predictor.draws, sampler.draws);
});

// Mutant: batches dropped that the clock ends, once the claim was refuted: a program could have those that it loses dropped.
Deno.test("Play.drawWhile() settles all that it has begun when time is up, though the claim was refuted meanwhile", async () => {
  const { now } = performance;
  let late = 0;
  performance.now = () => now.call(performance) + late;
  try {
    const subject = inWorker();
    const limit = new TimeLimit(1000);
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, limit });
    const play = new Play(sampler, evidenceFor(claim, 0.05));
    let seen = 0;
    await play.drawWhile([candidatePairOf(pair, { bits: false })], {
      phase: "confirm",
      until: () => sampler.spent >= 1,
      see: ({ draws }) => {
        seen += draws;
        if (play.evidence.refuted && seen > 500) late = 2e6;
      },
    });
    assert(play.evidence.refuted && seen > 500);
    assertEquals(subject.requests.reduce((sum, { count }) => sum + count, 0), seen);
    assertEquals(sampler.draws, seen);
  } finally {
    performance.now = now;
  }
});
