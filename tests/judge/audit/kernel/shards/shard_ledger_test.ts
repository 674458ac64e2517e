import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type {
  ShardResult,
  ShardTask,
} from "../../../../../lib/judge/audit/kernel/shards/shard_job.ts";
import {
  type LedgerEvent,
  ShardLedger,
} from "../../../../../lib/judge/audit/kernel/shards/shard_ledger.ts";
import { fullResult, guessJob, learnedPredictor } from "./jobs.ts";

const predictor = learnedPredictor(0.73);
const sizes = { predictor, seed: 1, shards: 6, draws: 40, goal: 30 };
const job = guessJob({ ...sizes, isFunctionOfSeed: false });
const seeded = guessJob({ ...sizes, isFunctionOfSeed: true });

const full = (shard: number, attempt = 1, right = 20 + shard): ShardResult =>
  fullResult({ shard, attempt, draws: 40, goal: 30 }, right);

/** What an attempt counted until it was stopped. */
function part(task: ShardTask, draws: number): ShardResult {
  const made = Math.min(draws, task.goal - 1);
  return {
    ...fullResult(task, 0),
    draws,
    left: draws,
    right: 0,
    made,
    rightGuesses: made,
    ended: false,
  };
}

// Mutants: a result that comes twice is added twice; the last one at a shard is taken in place of the first.
Deno.test("ShardLedger: sums do not depend on the order of results, nor on duplicates and late ones", () => {
  const once = new ShardLedger(job);
  for (let shard = 0; shard < 6; shard++) assertEquals(once.take(full(shard)), "counted");
  const more = [0, 1, 2, 3, 4, 5].flatMap((shard) => [full(shard), full(shard)]);
  fc.assert(
    fc.property(fc.shuffledSubarray(more, { minLength: 12 }), (results) => {
      const ledger = new ShardLedger(job);
      for (const result of results) ledger.take(result);
      // A second attempt comes after the first was counted.
      assertEquals(ledger.take(full(3, 2, 30)), "not needed");
      assert(ledger.isComplete);
      assertEquals(ledger.totals, once.totals);
    }),
    { seed: 1, numRuns: 50 },
  );
});

// A bound pays for draws that a program kept to itself. Mutants: those of one side, or of the last shard alone.
Deno.test("ShardLedger adds up unanswered draws of all shards, by side", () => {
  const { guess: _, ...bets } = job;
  const ledger = new ShardLedger(bets), leaves = bets.learned.counts.length / 2;
  for (let shard = 0; shard < 6; shard++) {
    const unanswered = { left: shard, right: 2 * shard + 1 };
    // The rest of each side is in the first leaf.
    const counts = new Array<number>(2 * leaves).fill(0);
    [counts[0], counts[1]] = [20 - unanswered.left, 20 - unanswered.right];
    const result = { ...full(shard, 1, 0), made: 0, rightGuesses: 0, counts, unanswered };
    assertEquals(ledger.take(result), "counted");
  }
  const { unanswered, counts, left, right } = ledger.totals;
  assertEquals(unanswered, { left: 15, right: 36 });
  assertEquals([left, right, counts![0], counts![1]], [120, 120, 105, 84]);
});

Deno.test("ShardLedger begins each shard once, again when it is lost, and says which attempts were", () => {
  const events: LedgerEvent[] = [];
  const ledger = new ShardLedger(job, { record: (event) => events.push(event) });
  const tasks = Array.from({ length: 6 }, () => ledger.begin()!);
  assertEquals(
    tasks.map(({ shard, attempt }) => [shard, attempt]),
    [0, 1, 2, 3, 4, 5].map((k) => [k, 1]),
  );
  assertEquals(ledger.begin(), undefined);
  ledger.lose(tasks[2]!);
  const again = ledger.begin()!;
  assertEquals([again.shard, again.attempt], [2, 2]);
  // The first attempt comes late, and before the second: it is the one that counts, so none is lost.
  const other = new ShardLedger(job, { events });
  assertEquals(other.take(full(2, 1)), "counted");
  assertEquals(other.totals.lost, [1, 1, 1, 1, 1], "the other five were begun and not counted");
  for (const shard of [0, 1, 3, 4, 5]) other.take(full(shard));
  assertEquals(other.totals.lost, []);
  ledger.take(full(2, 2));
  assertEquals(ledger.totals.lost.length, 6);
  for (const shard of [0, 1, 3, 4, 5]) ledger.take(full(shard));
  assertEquals(ledger.totals.lost, [1]);
});

Deno.test("ShardLedger keeps what a stopped attempt counted, and asks for the rest", () => {
  const ledger = new ShardLedger(job);
  const first = ledger.begin()!;
  assertEquals(ledger.take(part(first, 12)), "counted");
  const rest = ledger.begin()!;
  assertEquals(rest, { shard: 0, attempt: 2, draws: 28, goal: 18 });
  assertEquals(ledger.take(fullResult(rest, 9)), "counted");
  assertEquals(ledger.complete, 1);
  const { draws, made, rightGuesses, lost } = ledger.totals;
  assertEquals({ draws, made, rightGuesses, lost }, {
    draws: 40,
    made: 30,
    rightGuesses: 21,
    lost: [],
  });
  // An attempt at the whole that was begun before the part came is of no use any more.
  const late = new ShardLedger(job);
  late.take(part(late.begin()!, 12));
  assertEquals(late.take(full(0, 2)), "not needed");
});

// Mutants: an attempt that is counted is withdrawn; one before the last is.
Deno.test("ShardLedger takes back the start of an attempt that nobody drew, and no other", () => {
  const events: LedgerEvent[] = [];
  const ledger = new ShardLedger(job, { record: (event) => events.push(event) });
  const first = ledger.begin()!, other = ledger.begin()!;
  ledger.withdraw(first);
  assertEquals(ledger.totals.lost, [1], "that of the other one");
  assertEquals(new ShardLedger(job, { events }).totals.lost, [1]);
  assertEquals(ledger.begin(), first);
  ledger.take(fullResult(other, 20));
  ledger.withdraw(other);
  assertEquals([ledger.complete, ledger.totals.lost], [1, [1]]);
  ledger.lose(first);
  const again = ledger.begin()!;
  ledger.withdraw(first);
  assertEquals([again.attempt, ledger.totals.lost, ledger.begin()!.shard], [2, [1, 2], 2]);
});

Deno.test("ShardLedger draws a function of the seed again from its beginning", () => {
  const ledger = new ShardLedger(seeded);
  const first = ledger.begin()!;
  assertEquals(ledger.take(part(first, 12)), "not needed");
  ledger.lose(first);
  assertEquals(ledger.begin(), first);
  ledger.take(full(0));
  assertEquals(ledger.totals.lost, []);
});

Deno.test("ShardLedger goes on from its events, wherever these end", () => {
  const events: LedgerEvent[] = [];
  const ledger = new ShardLedger(job, {
    record: (event) => events.push(JSON.parse(JSON.stringify(event))),
  });
  ledger.take(part(ledger.begin()!, 7));
  while (!ledger.isComplete) {
    const task = ledger.begin()!;
    ledger.take(fullResult(task, task.shard));
  }
  for (let length = 0; length <= events.length; length++) {
    const resumed = new ShardLedger(job, { events: events.slice(0, length) });
    const begun = events.slice(0, length).filter(({ event }) => event === "started").length;
    const counted = length - begun;
    assertEquals(resumed.totals.lost.length, begun - counted, "begun and not counted");
    for (let task = resumed.begin(); task !== undefined; task = resumed.begin()) {
      assertEquals(resumed.take(fullResult(task, task.shard)), "counted");
    }
    const { draws, made } = resumed.totals;
    assertEquals({ draws, made }, { draws: 240, made: 180 }, "no count is lost or doubled");
  }
});

// Mutants: each check of resultProblem() left out.
Deno.test("ShardLedger refuses what no attempt can have counted", () => {
  const wrong: readonly (readonly [Partial<ShardResult>, string])[] = [
    [{ shard: 6 }, "shard must be below 6"],
    [{ shard: -1 }, "shard must be a whole number"],
    [{ attempt: 0 }, "no attempt 0"],
    [{ rightGuesses: 31 }, "right guesses must be at most 30"],
    [{ rightGuesses: NaN }, "rightGuesses must be a whole number: current value is NaN"],
    [{ rightGuesses: 3.5 }, "rightGuesses must be a whole number"],
    [{ draws: 41, right: 21 }, "draws must be at most 40"],
    [{ left: 19 }, "draws must be those of both sides"],
    [{ made: 31, rightGuesses: 0 }, "guesses must be at most 30"],
    [{ draws: 10, left: 5, right: 5 }, "guesses must be at most 10"],
    [{ draws: 39, right: 19, made: 29, rightGuesses: 3 }, "it must end at its last guess"],
    [{ ended: false }, "it must end at its last guess"],
    [{ counts: [1, 2] }, "no counts of leaves"],
    [{ drawsAsked: 400 }, "of a larger shard"],
    [{ goal: 400 }, "of a larger shard"],
    [{ made: "30" as never }, "made must be a whole number"],
    [{ left: undefined as never }, "left must be a whole number"],
  ];
  for (const [change, reason] of wrong) {
    const ledger = new ShardLedger(job), taken = ledger.take({ ...full(0), ...change });
    assert(typeof taken === "object", JSON.stringify(change));
    assertStringIncludes(taken.refused, reason);
    assertEquals(ledger.totals.draws, 0);
    assertEquals(ledger.take(full(0)), "counted", "the shard can still be drawn");
  }
  const { guess: _, ...bets } = job, nodes = job.learned.counts.length;
  const counts: number[] = Array.from({ length: nodes }, (_, at) => at < 2 ? 20 : 0);
  const ok = { ...full(0), made: 0, rightGuesses: 0, goal: 30, counts };
  assertEquals(new ShardLedger(bets).take(ok), "counted");
  for (
    const [change, reason] of [
      [{ counts: counts.slice(1) }, "counts"],
      [{ counts: counts.with(0, 21) }, "at most its draws"],
      [{ counts: counts.with(0, -1) }, "a count must be a whole number"],
      [{ counts: counts.with(0, 0.5) }, "a count must be a whole number"],
      [{ made: 3 }, "no guesses"],
    ] as const
  ) {
    const taken = new ShardLedger(bets).take({ ...ok, ...change });
    assert(typeof taken === "object", JSON.stringify(change));
    assertStringIncludes(taken.refused, reason);
  }
});
