import { Play } from "../../../../lib/audit/play/play.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { searchPairs, type SearchResult } from "../../../../lib/audit/search/search_pairs.ts";
import { mechanismSubject } from "../../../../lib/audit/subjects/mechanism_subject.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pointsOf } from "../../../../lib/core/claim_curve.ts";
import type { Domain } from "../../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
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
  { seed, draws, end = 1, effort = "quick" }: {
    seed: number;
    draws: number;
    /** The share of the draws at which the search ends. */
    end?: number;
    effort?: "quick" | "thorough";
  },
): Promise<SearchResult & { readonly log: string[] }> {
  const log: string[] = [];
  const inner = mechanismSubject(picky, { source: new SeededSource(seed).split("subject") });
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
    points: pointsOf(claim),
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
        points: pointsOf(claim),
        effort: "quick",
        until: () => sampler.spent >= 1,
      }),
    RangeError,
    "the domain must have two neighbours under replace-one",
  );
});

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
