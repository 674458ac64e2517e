import { assert, assertEquals } from "@std/assert";
import { pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { bareJson } from "../../../lib/core/text/bare_json.ts";
import { outputParts } from "../../../lib/judge/recording/output_parts.ts";
import { record } from "../../../lib/judge/recording/record.ts";
import type { Recorder } from "../../../lib/judge/recording/recording.ts";

const sumOf = (data: unknown): number => (data as number[]).reduce((total, x) => total + x, 0);

/** A value of the data, the sum of numbers if it is not given, with Laplace noise of scale 1; each request takes so many milliseconds. */
function noisySum(milliseconds: number, valueOf: (data: unknown) => number = sumOf): Recorder {
  return {
    name: "sum",
    record: async ({ datasets }) => {
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return datasets.map((data) => {
        return {
          output: 7,
          atoms: [{ law: "laplace", at: "sum.py:2" }],
          reads: [{
            at: "sum.py:3",
            kind: "value",
            forms: [[valueOf(data), [[0, 1]]]],
            shape: [],
            value: [7],
          }],
        };
      });
    },
    close: () => Promise.resolve(),
  };
}

const claim = pure({ epsilon: 2, relation: addRemoveOne });
const space = {
  domain: { rows: { type: "number" as const, min: 0, max: 5 }, size: { min: 0, max: 4 } },
  relation: addRemoveOne,
};

Deno.test("record() finds what costs most, and makes its pair small", async () => {
  const { verdict, findings, cost } = await record(noisySum(0), {
    claim,
    space,
    seed: 1,
    maxPairs: 60,
    maxSeconds: 60,
  });
  assertEquals([verdict, findings.length], ["suspected", 1]);
  const { kind, place, change, pays, cost: own, pair } = findings[0]!;
  assertEquals(
    { kind, place, change, pays, own },
    { kind: "too-little-noise", place: "sum.py:3", change: 5, pays: 2, own: 5 },
  );
  assertEquals([pair.left, pair.right].toSorted(), [[], [5]]);
  assert(cost! <= 2);
});

// Mutants: climbing by how far values move and not by where to; going on from the oldest of equal pairs.
Deno.test("record() climbs to a pair whose value goes down further than it goes up", async () => {
  /** Each value counts for the first row that has it, and each row for one value. */
  const distinct = (isOfFirst: boolean) => (data: unknown): number => {
    const owners = new Map<number, number>();
    for (const [i, row] of (data as number[][]).entries()) {
      const own = isOfFirst ? row.filter((value) => !owners.has(value)) : row.slice(0, 1);
      for (const value of own) if (value > 0) owners.set(value, i);
    }
    return isOfFirst ? new Set(owners.values()).size : owners.size;
  };
  const of = { type: "integer" as const, min: 0, max: 4 };
  const domain = { rows: { type: "vector" as const, length: 4, of }, size: { min: 0, max: 4 } };
  const found = async (isOfFirst: boolean, seed: number): Promise<unknown> => {
    const { verdict, findings } = await record(noisySum(0, distinct(isOfFirst)), {
      claim: pure({ epsilon: 1, relation: addRemoveOne }),
      space: { domain, relation: addRemoveOne },
      seed,
      maxPairs: 100,
      maxRuns: 10_000,
    });
    return [verdict, findings[0]?.change];
  };
  const all = await Promise.all(Array.from({ length: 10 }, (_, seed) => found(true, seed)));
  const met = all.filter((one) => bareJson(one) === '["suspected",2]');
  assert(met.length >= 8, `met in ${met.length} of 10`);
  assertEquals(await found(false, 1), ["nothing found", undefined]);
});

// Mutant: a look at a suspected pair that goes on when the seconds are over.
Deno.test("record() of a slow program ends when its seconds are over, and confirms what it found where there are some left", async () => {
  const pair = pairOf(addRemoveOne, { left: [5], right: [] });
  const options = { claim, pair, seed: 1 };
  const { runs, cut } = await record(noisySum(120), { ...options, maxSeconds: 0.1 });
  assertEquals([runs < 16, cut === undefined], [true, false]);
  // A look is one replay on the neighbour and one on the same data, and three more of each confirm it.
  const whole = await record(noisySum(0), { ...options, maxRuns: 1 });
  assertEquals([whole.runs, whole.findings.length], [16, 1]);
});

Deno.test("record() runs each pair on other noise, and where there are no other pairs, all of them on more", async () => {
  const coin: Recorder = {
    name: "coin",
    // A leak that shows for one seed of four.
    record: ({ datasets, seed }) => {
      const output = (data: unknown): number => seed % 4 === 3 ? (data as number[])[0]! : 0;
      return Promise.resolve(
        datasets.map((data) => ({ output: output(data), atoms: [], reads: [] })),
      );
    },
    close: () => Promise.resolve(),
  };
  const domain = (max: number) => ({
    domain: { rows: { type: "integer" as const, min: 0, max }, size: { min: 1, max: 1 } },
    relation: replaceOne,
  });
  const claimed = pure({ epsilon: 1, relation: replaceOne });
  // Two datasets; many, of which four pairs are tried.
  for (const [space, maxPairs] of [[domain(1), 400], [domain(1000), 4]] as const) {
    const options = { claim: claimed, space, seed: 8, maxPairs, maxSeconds: 60 };
    const { findings } = await record(coin, options);
    assertEquals(findings.map(({ kind }) => kind), ["uncovered-output"]);
  }
});

Deno.test("record() shows what a value is not covered by, and not that runs went other ways where another policy keeps them together", async () => {
  const divided: Recorder = {
    name: "divided",
    record: ({ datasets, meet }) =>
      Promise.resolve(datasets.map((data, i) => {
        const rows = (data as number[]).length;
        const read = { kind: "value" as const, forms: [], shape: [], value: [] };
        return meet
          ? { output: 1 / (1 + rows), atoms: [], reads: [{ ...read, at: "mean.py:2" }] }
          : i === 0 || rows === (datasets[0] as number[]).length
          ? { output: 1, atoms: [], reads: [{ ...read, at: "mean.py:3", shape: [rows] }] }
          : {
            output: null,
            atoms: [],
            reads: [],
            apart: { read: 0, expected: null, met: { at: "mean.py:3", kind: "value" } },
          };
      })),
    close: () => Promise.resolve(),
  };
  const pair = pairOf(addRemoveOne, { left: [1], right: [] });
  const { findings } = await record(divided, { claim, pair, seed: 1, maxSeconds: 60 });
  assertEquals(findings.map(({ kind, place }) => [kind, place]), [[
    "uncovered-output",
    "mean.py:2",
  ]]);
});

/** A program whose noise is not followed: the sum of its rows beside noise of the seed, and of its own where it is `restless`. */
function seededSum(restless: boolean): Recorder {
  let own = 0;
  return {
    name: "sum",
    record: ({ datasets }) =>
      Promise.resolve(
        datasets.map(() => ({ output: null, atoms: [], reads: [], notFollowed: "no draws" })),
      ),
    replay: ({ datasets, seed }) =>
      Promise.resolve(datasets.map((data) =>
        outputParts(
          (data as number[]).reduce((sum, x) => sum + x, 0) + Math.sin(seed * 7919) +
            (restless ? own++ : 0),
        )
      )),
    close: () => Promise.resolve(),
  };
}

// Mutants: the first pairs in place of the furthest; no second request of one seed.
Deno.test("record() of noise that is not followed suspects nothing, and ranks pairs by outputs at equal seeds", async () => {
  const options = { claim, space, seed: 1, maxPairs: 150, maxSeconds: 60 };
  const { verdict, findings, furthest } = await record(seededSum(false), options);
  assertEquals([verdict, findings], ["not followed", []]);
  const moved = furthest!.map(({ left, right }) => Math.abs(sumOf(left) - sumOf(right)));
  assertEquals(moved.map((by) => Number(by.toPrecision(12))), [5, 5, 5, 5]);
  assertEquals((await record(seededSum(true), options)).furthest, undefined);
});

// Mutants: pairs that were followed count for those that were not; silence that is taken for noise that covers.
Deno.test("record() finds nothing only where noise was followed on all pairs, and was seen", async () => {
  const options = { claim, space, seed: 1, maxPairs: 20, maxSeconds: 60 };
  const partly: Recorder = {
    name: "partly",
    record: async ({ datasets, ...request }) => {
      const runs = await noisySum(0).record({ datasets: datasets.map(() => []), ...request });
      return runs.map((run, i) =>
        (datasets[i] as number[]).includes(5)
          ? { ...run, notFollowed: "a branch on noise", notFollowedAt: { at: "sum.py:4" } }
          : run
      );
    },
    close: () => Promise.resolve(),
  };
  const { verdict, cost, pairs, notFollowed } = await record(partly, options);
  assertEquals([verdict, cost], ["not followed", 0]);
  assert(notFollowed!.pairs > 0 && notFollowed!.pairs < pairs);
  assertEquals([notFollowed!.reason, notFollowed!.place], ["a branch on noise", "sum.py:4"]);
  const silent: Recorder = {
    name: "silent",
    record: ({ datasets }) =>
      Promise.resolve(datasets.map(() => ({ output: 0, atoms: [], reads: [] }))),
    close: () => Promise.resolve(),
  };
  const nothing = await record(silent, options);
  assertEquals([nothing.verdict, nothing.cost], ["not followed", null]);
  assertEquals(nothing.notFollowed, {
    reason: "the program drew no noise that is watched",
    pairs: nothing.pairs,
  });
  assertEquals(
    (await record(noisySum(0), {
      ...options,
      pair: pairOf(addRemoveOne, {
        left: [1],
        right: [],
      }),
    })).verdict,
    "nothing found",
  );
});
