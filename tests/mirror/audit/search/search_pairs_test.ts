import { Play } from "../../../../lib/audit/play/play.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { keyOf } from "../../../../lib/audit/search/mutate_pairs.ts";
import { searchPairs, type SearchResult } from "../../../../lib/audit/search/search_pairs.ts";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import { mechanismSubject } from "../../../../lib/audit/subjects/mechanism_subject.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import type { Domain } from "../../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import type { Source } from "../../../../lib/core/source.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const domain: Domain = { rows: { type: "integer", min: 0, max: 9 }, size: { min: 2, max: 4 } };

/** A fair coin, but for datasets with a 9 and a 0 in them, where it is biased. */
const picky: Mechanism<number, number> = {
  name: "picky",
  claim,
  domain,
  width: 1,
  sample: (data, source) =>
    data.includes(9) && data.includes(0)
      ? Number(source.uniform() < 0.9)
      : Number(source.uniform() < 0.5),
  sampleMany: (data, count, source) =>
    new Float64Array(count).map(() => picky.sample(data, source)),
};

async function search(
  { seed, draws, end = 1, mechanism = picky, effort = "quick" }: {
    seed: number;
    draws: number;
    /** The share of the draws at which the search ends. */
    end?: number;
    mechanism?: typeof picky;
    effort?: "quick" | "thorough";
  },
): Promise<SearchResult & { readonly log: string[] }> {
  const log: string[] = [];
  const inner = mechanismSubject(mechanism, { source: new SeededSource(seed).split("subject") });
  const sampler = new Sampler({
    name: inner.name,
    // In blocks, as the mechanism is drawn from without the log.
    independent: true,
    close: inner.close,
    draw(data, count): Outputs | Promise<Outputs> {
      log.push(`${JSON.stringify(data)} ${count}`);
      return inner.draw(data, count);
    },
  }, { labels: new SeededSource(seed), maxDraws: draws, maxSeconds: Infinity });
  const result = await searchPairs({ domain, relation: replaceOne }, {
    play: new Play(sampler, evidenceFor(claim, 0.05)),
    source: new SeededSource(seed).split("pairs"),
    bits: false,
    target: 1,
    effort,
    until: () => sampler.spent >= end,
  });
  return { ...result, log };
}

Deno.test("searchPairs() finds a pair that tells the sides apart among many that do not", async () => {
  const { finalists: [best], tried } = await search({ seed: 1, draws: 30_000 });
  const special = (data: readonly unknown[]): boolean => data.includes(9) && data.includes(0);
  assert(special(best!.pair.left) !== special(best!.pair.right), JSON.stringify(best!.pair));
  assert(tried > 5);
});

Deno.test("searchPairs() is the same for the same seed, draw by draw, and differs for another", async () => {
  const [a, b, c] = [
    await search({ seed: 2, draws: 8000 }),
    await search({ seed: 2, draws: 8000 }),
    await search({ seed: 3, draws: 8000 }),
  ];
  assertEquals(a.log, b.log);
  const pairsOf = ({ finalists }: SearchResult): unknown[] => finalists.map(({ pair }) => pair);
  assertEquals(pairsOf(a), pairsOf(b));
  assertEquals(a.tried, b.tried);
  assert(a.log.join() !== c.log.join());
});

// Several pairs are equally good.
Deno.test("searchPairs() gives a best pair most of the draws, and the others some", async () => {
  const { log } = await search({ seed: 4, draws: 30_000 });
  const [[key, draws], ...others] = [...drawsByPair(log)].sort(([, a], [, b]) => b - a) as [
    [string, number],
  ];
  assert(draws > 15_000, `${draws} of 30,000`);
  const [left, right] = key.split("|").map((data) => JSON.parse(data)) as [number[], number[]];
  const special = (data: number[]): boolean => data.includes(9) && data.includes(0);
  assert(special(left) !== special(right), key);
  assert(others.length > 5);
});

Deno.test("searchPairs() says so when the domain has no two neighbours", async () => {
  const sampler = new Sampler(mechanismSubject(picky, { source: new SeededSource(1) }), {
    labels: new SeededSource(1),
    maxDraws: 100,
    maxSeconds: 1,
  });
  await assertRejects(
    () =>
      searchPairs({ domain: { ...domain, size: { min: 0, max: 0 } }, relation: replaceOne }, {
        play: new Play(sampler, evidenceFor(claim, 0.05)),
        source: new SeededSource(1),
        bits: false,
        target: 1,
        effort: "quick",
        until: () => sampler.spent >= 1,
      }),
    RangeError,
    "the domain must have two neighbours under replace-one",
  );
});

/** Says 1 with a chance that depends on the data. */
function saying(chance: (data: readonly number[]) => number): typeof picky {
  const mechanism: typeof picky = {
    ...picky,
    name: "saying",
    sample: (data, source) => Number(source.uniform() < chance(data)),
    sampleMany(data, count, source): Float64Array {
      const own = chance(data);
      return new Float64Array(count).map(() => Number(source.uniform() < own));
    },
  };
  return mechanism;
}

/** The draws of each pair, by both its sides; a batch is a line for either side. */
function drawsByPair(log: readonly string[]): Map<string, number> {
  const draws = new Map<string, number>();
  for (let k = 0; k + 1 < log.length; k += 2) {
    const [a, b] = [log[k]!.split(" "), log[k + 1]!.split(" ")];
    const key = [a[0], b[0]].sort().join("|");
    draws.set(key, (draws.get(key) ?? 0) + Number(a[1]) + Number(b[1]));
  }
  return draws;
}

/** The draws of each pair before any other than `pairs` is drawn. */
function untilAnother(log: readonly string[], pairs: readonly string[]): Map<string, number> {
  for (let k = 0; k + 1 < log.length; k += 2) {
    const [key] = drawsByPair(log.slice(k, k + 2)).keys();
    if (!pairs.includes(key!)) return drawsByPair(log.slice(0, k));
  }
  return drawsByPair(log);
}

// Mutants: a trial that goes on until it has its share of the leader's draws, however bad it is; one that ends
// after its first draws, however good.
Deno.test("searchPairs() ends the trial of a pair that is clearly worse, and no other", async () => {
  // Pairs of which one side has a 9 are all equally good.
  const special = (data: readonly number[]): boolean => data.includes(9);
  const mechanism = saying((data) => special(data) ? 0.8 : 0.3);
  const { log } = await search({ seed: 5, draws: 2_000_000, mechanism, effort: "thorough" });
  // The pairs to begin with are not on trial, and the last trial may be cut short.
  const first = seedPairs({ domain, relation: replaceOne }).slice(0, 5).map(keyOf);
  const trials = [...drawsByPair(log)].filter(([key]) => !first.includes(key)).slice(0, -1);
  const sharesOf = (good: boolean): number[] =>
    trials.filter(([key]) => {
      const [left, right] = key.split("|").map((side) => special(JSON.parse(side)));
      return (left !== right) === good;
    }).map(([, count]) => count);
  // The first comparison is at 16,384 draws, a batch is as many draws as went before. A good pair has a whole trial.
  const [bad, good] = [sharesOf(false), sharesOf(true)];
  const comparison = 16_384;
  assert(bad.length > 5 && bad.every((count) => count === comparison), `${bad}`);
  assert(good.length > 3 && good.slice(-3).every((count) => count > comparison), `${good}`);
});

// Mutants: pairs to begin with that go on with their first draws only, trials that end with their share of the
// leader's draws, though that is small; fair trials in a quick search.
Deno.test("searchPairs() gives pairs a fair trial when it is thorough", async () => {
  const first = seedPairs({ domain, relation: replaceOne }).slice(0, 5).map(keyOf);
  // All pairs are equally bad; a fair trial is one draw in a hundred.
  const mechanism = saying(() => 0.5);
  const options = { seed: 7, draws: 2_000_000, mechanism, end: 1 / 2 };
  const { log } = await search({ ...options, effort: "thorough" });
  const begun = untilAnother(log, first);
  assertEquals([...begun.keys()].sort(), first.toSorted());
  assert([...begun.values()].every((count) => count >= 20_000 && count < 40_000), `${[...begun]}`);
  const trials = [...drawsByPair(log)].filter(([key]) => !first.includes(key)).slice(0, -1);
  assert(trials.length > 2 && trials.every(([, count]) => count >= 20_000), `${trials}`);
  const quick = untilAnother((await search(options)).log, first);
  assert([...quick.values()].every((count) => count < 2000), `${[...quick]}`);
});

// Mutants: a trial that goes by its share of a long audit alone; rows that are few not told from others, or single
// numbers that are.
Deno.test("searchPairs() gives pairs a long trial where rows are few", async () => {
  const first = seedPairs({ domain, relation: replaceOne }).slice(0, 5).map(keyOf);
  const options = { seed: 8, draws: 200_000_000, effort: "thorough" as const };
  const drawn = async (width: number, draw: (source: Source) => number): Promise<number[]> => {
    const mechanism: typeof picky = {
      ...picky,
      width,
      sampleMany: (_, count, source) => new Float64Array(width * count).map(() => draw(source)),
    };
    const end = draw(new SeededSource(1)) % 1 === 0 ? 1 / 50 : 1 / 400;
    return [...untilAnother((await search({ ...options, mechanism, end })).log, first).values()];
  };
  const some = await drawn(1, (source) => source.uniform());
  assert(some.every((count) => count >= 49_152 && count < 100_000), `${some}`);
  for (const width of [1, 2]) {
    const many = await drawn(width, (source) => source.uint32() & 1);
    assert(many.every((count) => count >= 2 ** 19 && count < 2 ** 20), `${width}: ${many}`);
  }
});

// Mutant: only the best by rank are finalists.
Deno.test("searchPairs() keeps the first pairs to the end, though others rank higher", async () => {
  const firstCandidates = seedPairs({ domain, relation: replaceOne }).slice(0, 5);
  const useless = firstCandidates.flatMap(({ left, right }) =>
    [left, right].map((side) => `${side}`)
  );
  // Nothing is seen of these, something of all others: one row alone never leaves the remainder as it is.
  const mechanism = saying((data) => {
    if (useless.includes(`${data}`)) return 0.5;
    const rest = data.reduce((a, x) => 3 * a + x, 1) % 11;
    return rest < 5 ? 0.08 + 0.08 * rest : 0.18 + 0.08 * rest;
  });
  const { finalists, tried } = await search({
    seed: 6,
    draws: 1_500_000,
    mechanism,
    effort: "thorough",
  });
  const keys = finalists.map(({ pair }) => keyOf(pair));
  // Six of the best, then the five first ones; there was room for 24 pairs.
  assertEquals(keys.slice(6).filter((key) => firstCandidates.map(keyOf).includes(key)).length, 5);
  assert(tried > 40, `${tried}`);
});
