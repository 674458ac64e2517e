import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { candidatePairOf } from "../../../../lib/audit/prediction/candidate_pair.ts";
import { type Subject, SubjectFailure } from "../../../../lib/audit/subjects/subject.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { Play } from "../../../../lib/audit/play/play.ts";
import {
  claim,
  echo,
  elsewhere,
  inWorker,
  labels,
  macrotask,
  pair,
} from "../drawing/echoing_subjects.ts";

Deno.test("Play.step() never draws beyond maxDraws", async () => {
  for (const maxDraws of [1, 31, 32, 33, 1000, 5003]) {
    const subject = echo();
    const sampler = new Sampler(subject, { labels: labels(), maxDraws, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    const play = new Play(sampler, evidence);
    while (sampler.spent < 1) await play.step(candidate, "search");
    assertEquals(sampler.draws, maxDraws);
    assertEquals(subject.requests.reduce((sum, { count }) => sum + count, 0), maxDraws);
    assertEquals(candidate.predictor.draws, maxDraws);
  }
});

// Mutants: sides asked in turn; the next batches begun after learning; one ahead; begun for a subject in this thread.
Deno.test("Play.stay() has the next batches begun before it learns, where the subject draws elsewhere", async () => {
  const subject = elsewhere();
  const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: Infinity });
  const candidate = candidatePairOf(pair, { bits: false });
  const evidence = evidenceFor(claim, 0.05);
  const play = new Play(sampler, evidence);
  let seen = 0;
  const askedWhenSeen: number[] = [];
  const staying = play.stay([candidate], {
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

Deno.test("Play.stay() settles all that it has begun, unless the claim was refuted meanwhile", async () => {
  // With a full budget the game goes on, and a refutation is no reason.
  const cases = [[[0, 0], false, false], [[0, 1], true, false], [[0, 1], true, true]] as const;
  for (const [rows, isRefuted, goesOn] of cases) {
    const subject = { ...inWorker(), asked: 0 };
    const { draw } = subject;
    subject.draw = (data, count) => {
      subject.asked += count;
      return draw([rows[(data as number[])[0]!]], count);
    };
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(claim, 0.05);
    const play = new Play(sampler, evidence, { goesOn });
    await play.stay([candidate], {
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
    assertEquals(sampler.batchSize(1e6, candidate.pair) >= 32, true);
    await play.stay([candidate], {
      phase: "search",
      until: () => sampler.draws >= 2000,
    });
    assertEquals(candidate.predictor.draws, sampler.draws);
  }
});

Deno.test("Play.stay() draws no further than maxDraws, and one batch at a time in this thread", async () => {
  for (const maxDraws of [1, 33, 5003]) {
    const here = echo();
    const sampler = new Sampler(here, { labels: labels(), maxDraws, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    let batches = 0;
    const play = new Play(sampler, evidenceFor(claim, 0.05));
    await play.stay([candidate], {
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
  await new Play(sampler, evidenceFor(claim, 0.05)).stay([candidate], {
    phase: "confirm",
    until: () => sampler.spent >= 1,
  });
  assertEquals([sampler.draws, candidate.predictor.draws], [5003, 5003]);
  assertEquals(there.requests.reduce((sum, { count }) => sum + count, 0), 5003);
});

Deno.test("Play.stay() rejects when a batch that was begun fails", async () => {
  const subject = inWorker();
  const failing: Subject = {
    ...subject,
    draw: (data, count) =>
      subject.requests.length < 6
        ? subject.draw(data, count)
        : Promise.reject(new SubjectFailure("it crashed")),
  };
  const sampler = new Sampler(failing, { labels: labels(), maxDraws: 1e6, maxSeconds: Infinity });
  const candidate = candidatePairOf(pair, { bits: false });
  await assertRejects(
    () =>
      new Play(sampler, evidenceFor(claim, 0.05)).stay([candidate], {
        phase: "confirm",
        until: () => sampler.spent >= 1,
      }),
    SubjectFailure,
    "it crashed",
  );
  assertEquals(candidate.predictor.draws, 96);
});

Deno.test("Play.step() asks for whole outputs, more the more a candidate has seen", async () => {
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: Infinity });
  const candidate = candidatePairOf(pair, { bits: false });
  const evidence = evidenceFor(claim, 0.05);
  const play = new Play(sampler, evidence);
  const sizes: number[] = [];
  while (sampler.spent < 0.9) {
    const { draws } = await play.step(candidate, "search");
    assert(Number.isInteger(draws) && draws >= 1);
    assert(draws <= Math.max(32, (candidate.predictor.draws - draws) / 16));
    sizes.push(draws);
  }
  assertEquals(sizes[0], 32);
  assert(sizes.at(-1)! > 3000);
});

Deno.test("Play.drawsOn() counts the draws that were bet on, by the dataset of the pair", async () => {
  const sampler = new Sampler(echo(), { labels: labels(), maxDraws: 1e5, maxSeconds: 100 });
  const other = pairOf(replaceOne, { left: [1], right: [0] });
  const [one, two] = [pair, other].map((its) => candidatePairOf(its, { bits: false }));
  const evidence = evidenceFor(claim, 0.05);
  const play = new Play(sampler, evidence);
  assertEquals(play.drawsOn(pair), { left: 0, right: 0 });
  for (let k = 0; k < 20; k++) await play.step(one!, "search");
  await play.stay([two!], {
    phase: "search",
    until: () => two!.predictor.draws >= 500,
  });
  await sampler.drawOn(pair.left, 1000);
  for (const { pair: its, predictor } of [one!, two!]) {
    const { left, right } = play.drawsOn(its);
    assertEquals(left + right, predictor.draws);
    // The predictor has seen the rows themselves: all outputs are 0 or 1.
    assert(left !== right && left > 150 && right > 150, `${left}, ${right}`);
  }
});

// Mutants: what is on its way does not count; what has come and was not shown does not.
Deno.test("Play.stay() has no more draws on their way than it may", async () => {
  for (const subject of [echo(), inWorker()]) {
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e5, maxSeconds: 100 });
    const candidate = candidatePairOf(pair, { bits: false });
    const play = new Play(sampler, evidenceFor(claim, 0.05));
    while (candidate.predictor.draws < 5000) await play.step(candidate, "search");
    let left = 1000;
    const { draws } = sampler;
    await play.stay([candidate], {
      phase: "confirm",
      until: () => left <= 0,
      see: (batch) => {
        assert(batch.draws <= Math.max(1, left));
        left -= batch.draws;
      },
      most: () => left,
    });
    // Where the subject draws elsewhere two batches of one draw may be on their way when it is over.
    assert(sampler.draws - draws >= 1000 && sampler.draws - draws <= 1002);
  }
});

// Mutant: batches dropped that the clock ends, once the claim was refuted: a program could have those that it loses dropped.
Deno.test("Play.stay() settles all that it has begun when time is up, though the claim was refuted meanwhile", async () => {
  const { now } = performance;
  let late = 0;
  performance.now = () => now.call(performance) + late;
  try {
    const subject = inWorker();
    const sampler = new Sampler(subject, { labels: labels(), maxDraws: 1e6, maxSeconds: 1000 });
    const play = new Play(sampler, evidenceFor(claim, 0.05));
    let seen = 0;
    await play.stay([candidatePairOf(pair, { bits: false })], {
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
