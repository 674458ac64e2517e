/**
 * Other people's questions: 49 queries in six tracks, with the noise that the claim needs and with half of it, "does the program keep its
 * claim?". 588 questions of the kind of DPriv-Bench (2026), answered by audits that search for the pair.
 *
 * The queries at odd places are open: what is missed there may be looked at, and searches may be made better by it. Those at even places
 * are closed: nothing is chosen by them, and what is missed is counted and not named.
 *
 * Usage: `deno task bench questions [--half open|closed] [--tracks NAME,…] [--draws N] [--seed N] [--jobs N] [--given]`.
 */
import type { PureClaim } from "../../lib/core/claims/claim.ts";
import { drawsWithKnownOdds } from "../limit/known_odds.ts";
import { type Laws, limitOfDraws } from "../limit/limit.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";
import type { Answer, Question } from "./answer.ts";
import { queries } from "./queries.ts";
import { tracks } from "./tracks.ts";

const alpha = 0.001;
const maxDraws = Number(option("draws") ?? 100_000);
/** Each question has a seed of its own, from this one on: nothing was chosen on these seeds. */
const firstSeed = Number(option("seed") ?? 5001);
const half = option("half"), wanted = option("tracks")?.split(",");
const isOpen = ({ query }: Question): boolean => query % 2 === 0;

const questions: Question[] = tracks.flatMap((_, track) =>
  queries.flatMap((_, query) => [1, 1 / 2].map((noise) => ({ track, query, noise })))
)
  .map((question, i) => ({
    ...question,
    seed: firstSeed + i,
    alpha,
    maxDraws,
    given: Deno.args.includes("--given"),
  }))
  .filter((question) => half === undefined || (half === "open") === isOpen(question))
  .filter(({ track }) => wanted?.includes(tracks[track]!.name) ?? true);

/** All answers, by workers that take the next question when they have answered one. */
async function answers(jobs: number): Promise<Map<Question, Answer>> {
  const waiting = questions.values(), given = new Map<Question, Answer>();
  await Promise.all(Array.from({ length: jobs }, async () => {
    const worker = new Worker(new URL("./answer.ts", import.meta.url), { type: "module" });
    for (const question of waiting) {
      given.set(
        question,
        await new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = reject;
          worker.postMessage(question);
        }),
      );
    }
    worker.terminate();
  }));
  return given;
}

/** The limit of draws on the worst neighbours, and the median of draws with known odds. */
function boundsOf(
  worst: Laws,
  claim: PureClaim,
): { readonly limit: number; readonly known: number } {
  const known = queries.map((_, i) =>
    drawsWithKnownOdds(worst, { claim, alpha, seed: firstSeed + i })
  );
  return { limit: limitOfDraws(worst, claim, alpha), known: median(known) };
}

const begun = performance.now();
const given = await answers(Number(option("jobs") ?? 2));
const isRight = (question: Question): boolean =>
  given.get(question)!.verdict === (question.noise === 1 ? "not-refuted" : "refuted");
const share = (some: readonly Question[]): string =>
  `${some.filter(isRight).length} of ${some.length}`;

console.log(
  "| track | right noise | half of it | open | closed | median draws to refute | limit | odds known |",
);
console.log("| --- | --- | --- | --- | --- | ---: | ---: | ---: |");
const missed: string[] = [];
tracks.forEach(({ name, claim, laws }, track) => {
  const own = questions.filter((question) => question.track === track);
  if (own.length === 0) return;
  const broken = own.filter(({ noise }) => noise < 1);
  const draws = broken.map((question) => isRight(question) ? given.get(question)!.draws : Infinity);
  const middle = median(draws);
  // Claims that are curves have no limit here.
  const bounds = claim.kind === "pure" ? boundsOf(laws!(1 / 2), claim) : undefined;
  const timesLimit = (some: number): string =>
    bounds === undefined ? String(some) : `${some} (${(some / bounds.limit).toFixed(1)})`;
  const cells = [
    name,
    share(own.filter(({ noise }) => noise === 1)),
    share(broken),
    share(own.filter(isOpen)),
    share(own.filter((question) => !isOpen(question))),
    timesLimit(middle),
    bounds?.limit.toFixed(0) ?? "",
    bounds === undefined ? "" : timesLimit(bounds.known),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  for (const question of own) {
    if (isRight(question) || !isOpen(question)) continue;
    const { verdict } = given.get(question)!;
    missed.push(
      `- ${name}, ${queries[question.query]!.name}, ${question.noise} of the noise: ${verdict}`,
    );
  }
});
console.log(
  `\n${share(questions)} questions, ${
    ((performance.now() - begun) / 1000).toFixed(0)
  } s; α = ${alpha}, ` +
    `at most ${maxDraws} draws, seeds from ${firstSeed}`,
);
if (missed.length > 0) console.log(`\nMissed in the open half:\n\n${missed.join("\n")}`);
