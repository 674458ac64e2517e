import { assert, assertEquals } from "@std/assert";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { keyOf } from "../../../../lib/audit/search/mutate_pairs.ts";
import { distanceOf, Screening } from "../../../../lib/audit/search/screening.ts";
import { seedPairs } from "../../../../lib/audit/search/seed_pairs.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import type { RowSpec } from "../../../../lib/core/dataset.ts";
import { changeEach, type Pair, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const once = { min: 1, max: 1 };
const integers = (max: number): RowSpec => ({ type: "integer", min: 0, max });
const space = { domain: { rows: integers(9), size: once }, relation: replaceOne };

const options = { points: [{ epsilon: 0.1, delta: 0 }], listed: [] };

/** A biased coin for each row, and a column that does not depend on it; the draws by row. */
function coins(chance: (row: number) => number): Subject & { readonly asked: number[] } {
  const source = new SeededSource(3);
  const asked: number[] = [];
  return {
    name: "coins",
    asked,
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      asked[row] = (asked[row] ?? 0) + count;
      const values = Float64Array.from(
        { length: 2 * count },
        (_, k) => k % 2 === 1 ? Number(source.uniform() < chance(row)) : source.uniform(),
      );
      return { kind: "block", width: 2, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  };
}

function samplerOf(subject: Subject, { maxDraws = 1e9, maxSeconds = Infinity } = {}): Sampler {
  return new Sampler(subject, { labels: new SeededSource(1), maxDraws, maxSeconds });
}

const rowsOf = ({ left, right }: Pair): unknown[] => [left[0], right[0]];

Deno.test("Screening.of() screens few datasets with more pairs than datasets", () => {
  const exists = (rows: RowSpec, size = once): boolean =>
    Screening.of({ domain: { rows, size }, relation: replaceOne }) !== undefined;
  // Three datasets have three pairs, four have six.
  assertEquals([integers(2), integers(3), integers(31)].map((rows) => exists(rows)), [
    false,
    true,
    true,
  ]);
  assert(!exists(integers(32)) && !exists({ type: "number", min: 0, max: 3 }));
  // Of eight rows of three bits each has three neighbours: twelve pairs.
  assert(exists({ type: "boolean" }, { min: 3, max: 3 }));
  // In a chain each has its next.
  const chain = { domain: { rows: integers(9), size: once }, relation: changeEach({ by: 1 }) };
  assertEquals(Screening.of(chain), undefined);
});

// Mutants: nothing taken off for chance; something for bins that are empty on both sides; one column only.
Deno.test("distanceOf() is 0 on average for equal laws: it subtracts 1 for each bin but one of a column", () => {
  const two = Float64Array.of(6, 4, 0), other = Float64Array.of(2, 8, 0);
  const three = Float64Array.of(5, 5, 5);
  assertEquals(distanceOf([three], [three]), -2);
  // 16/8 + 16/12 − 1, whatever is the same besides.
  const own = 16 / 8 + 16 / 12 - 1;
  assertEquals(distanceOf([two], [other]), own);
  assertEquals(distanceOf([two, three], [other, three]), own - 2);
});

// Mutants: as many draws on each; no round but the first; the worst are kept.
Deno.test("Screening.ranking() puts the pairs that differ most first, and draws most on these", async () => {
  const subject = coins((row) => [0.5, 0.5, 0.5, 0.5, 0.3, 0.5, 0.5, 0.62, 0.5, 0.5][row]!);
  const sampler = samplerOf(subject);
  const ranking = await Screening.of(space)!.ranking(sampler, { ...options, effort: "quick" });
  assertEquals(ranking.length, 45);
  assertEquals(new Set(ranking.map(keyOf)).size, 45);
  assert(ranking.slice(0, 2).some((pair) => `${rowsOf(pair)}` === "4,7"));
  // Of the four in the last round, 4 and 7 are two; then come the five before that, then the others.
  assert(ranking.slice(1, 6).filter((pair) => rowsOf(pair).includes(4)).length >= 2);
  const { asked } = subject;
  assertEquals([asked[4], asked[7]], [Math.max(...asked), Math.max(...asked)]);
  assert(Math.min(...asked) < asked[4]! / 2);
});

// Mutant: pairs by the difference of their outputs alone.
Deno.test("Screening.ranking() puts a rare event that exceeds an (ε, δ) claim before likelier ones within it", async () => {
  // Each row but the last is e times as likely to say 1 as one of its neighbours; the last says it in 6% of draws, others never.
  const subject = coins((row) => row === 9 ? 0.06 : row % 2 === 0 ? 0 : 0.009);
  const ranking = await Screening.of(space)!.ranking(samplerOf(subject), {
    effort: "quick",
    points: [{ epsilon: 1, delta: 0.01 }],
    listed: [],
  });
  assert(rowsOf(ranking[0]!).includes(9), `${rowsOf(ranking[0]!)}`);
});

Deno.test("Screening.ranking() draws more in a thorough audit, little where the budget is small", async () => {
  const drawn = async (effort: "quick" | "thorough", maxDraws: number): Promise<number> => {
    const sampler = samplerOf(coins(() => 0.5), { maxDraws });
    await Screening.of(space)!.ranking(sampler, { ...options, effort });
    return sampler.draws;
  };
  assert(await drawn("thorough", 1e9) >= 2 * await drawn("quick", 1e9));
  // A sixteenth of the draws in the first round, 31 on each.
  assertEquals(await drawn("thorough", 5000), 31 * 23);
  assertEquals(await drawn("quick", 5000), 31 * 23);
  assertEquals(await drawn("quick", 2500), 16 * 23);
  // It ends after a quarter of them.
  const few = await drawn("thorough", 200);
  assert(few >= 50 && few < 50 + 16, `${few}`);
  assertEquals(await drawn("thorough", 15), 0);
});

// Mutant: the budget of an audit whose end is a time is 0 before the first draw.
Deno.test("Screening.ranking() estimates how much it may draw before a deadline", async () => {
  const sampler = samplerOf(coins(() => 0.5), { maxSeconds: 1000 });
  await Screening.of(space)!.ranking(sampler, { ...options, effort: "thorough" });
  assert(sampler.draws > 10_000);
});

// Mutant: a slow subject is drawn from for as long as it takes.
Deno.test("Screening.ranking() ends early where the subject is slow", async () => {
  const subject = coins(() => 0.5);
  const slow: Subject = {
    ...subject,
    async draw(data, count): Promise<Outputs> {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return await subject.draw(data, count);
    },
  };
  const sampler = samplerOf(slow, { maxSeconds: 0.4 });
  const screening = Screening.of(space)!;
  const ranking = await screening.ranking(sampler, { ...options, effort: "thorough" });
  assertEquals(ranking.length, 45);
  assert(subject.asked.length < 10);
  assertEquals(screening.outputsOn(ranking.at(-1)!), undefined);
});

Deno.test("Screening.outputsOn() gives the outputs on both sides, if they are as many", async () => {
  const subject = coins((row) => row < 2 ? 0.2 + 0.6 * row : 0.5);
  const screening = Screening.of(space)!;
  const ranking = await screening.ranking(samplerOf(subject), { ...options, effort: "quick" });
  const [first] = ranking;
  assertEquals(rowsOf(first!), [0, 1]);
  const { left, right } = screening.outputsOn(first!)!;
  const mean = ({ values }: Outputs): number =>
    (values as Float64Array).reduce((sum, x, k) => sum + (k % 2) * x, 0) / 1024;
  assertEquals([left.values.length, right.values.length], [2048, 2048]);
  assert(Math.abs(mean(left) - 0.2) < 0.05 && Math.abs(mean(right) - 0.8) < 0.05);
  const last = ranking.find((pair) =>
    rowsOf(pair).includes(0) && subject.asked[rowsOf(pair)[1] as number] === 256
  );
  assertEquals(screening.outputsOn(last!), undefined);
});

Deno.test("Screening.isDue() holds when a quick search has made a few draws", async () => {
  const sampler = samplerOf(coins(() => 0.5));
  const screening = Screening.of(space)!;
  assert(!screening.isDue(sampler));
  const [pair] = seedPairs(space);
  await sampler.draw(pair!, 767);
  assert(!screening.isDue(sampler));
  await sampler.draw(pair!, 1);
  assert(screening.isDue(sampler));
});
