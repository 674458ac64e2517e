import { assert, assertEquals, assertRejects } from "@std/assert";
import { evidenceFor } from "../../lib/audit/evidence.ts";
import { searchPairs, type SearchResult } from "../../lib/audit/search.ts";
import { Session } from "../../lib/audit/session.ts";
import type { Outputs } from "../../lib/audit/subject.ts";
import { mechanismSubject } from "../../lib/audit/subjects/mechanism_subject.ts";
import { pure } from "../../lib/core/claim.ts";
import type { Domain } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const domain: Domain = { rows: { type: "integer", min: 0, max: 9 }, size: { min: 2, max: 4 } };

/** Says nothing, except that it tells a dataset with a 9 and a 0 in it from all others. */
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
  { seed, draws, mechanism = picky }: { seed: number; draws: number; mechanism?: typeof picky },
): Promise<SearchResult & { readonly log: string[] }> {
  const log: string[] = [];
  const inner = mechanismSubject(mechanism, { source: new SeededSource(seed).split("subject") });
  const session = new Session({
    ...inner,
    draw(data, count): Outputs | Promise<Outputs> {
      log.push(`${JSON.stringify(data)} ${count}`);
      return inner.draw(data, count);
    },
  }, { labels: new SeededSource(seed), maxDraws: draws, maxSeconds: Infinity });
  const result = await searchPairs({ domain, relation: replaceOne }, {
    session,
    evidence: evidenceFor(claim, 0.05),
    source: new SeededSource(seed).split("pairs"),
    bits: false,
    target: 1,
    thorough: false,
    until: () => session.spent >= 1,
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

Deno.test("searchPairs() gives the best pair most of the draws, and the others some", async () => {
  const { finalists: [best], log } = await search({ seed: 4, draws: 30_000 });
  const of = (side: readonly unknown[]): number =>
    log.filter((line) => line.startsWith(JSON.stringify(side) + " "))
      .reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);
  assert(of(best!.pair.left) > 3000, `${of(best!.pair.left)} of 15,000`);
  assert(new Set(log.map((line) => line.split(" ")[0])).size > 5);
});

Deno.test("searchPairs() says so when the domain has no two neighbours", async () => {
  const session = new Session(mechanismSubject(picky, { source: new SeededSource(1) }), {
    labels: new SeededSource(1),
    maxDraws: 100,
    maxSeconds: 1,
  });
  await assertRejects(
    () =>
      searchPairs({ domain: { ...domain, size: { min: 0, max: 0 } }, relation: replaceOne }, {
        session,
        evidence: evidenceFor(claim, 0.05),
        source: new SeededSource(1),
        bits: false,
        target: 1,
        thorough: false,
        until: () => session.spent >= 1,
      }),
    RangeError,
    "the domain must have two neighbours under replace-one",
  );
});
