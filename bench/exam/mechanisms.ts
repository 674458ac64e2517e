import type { PureClaim } from "../../lib/core/claims/claim.ts";
import { drawsWithKnownOdds } from "../limit/known_odds.ts";
import { type Laws, limitOfDraws } from "../limit/limit.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";
import type { Answer, Question } from "./answer.ts";
import { queries } from "./queries.ts";
import { type Track, tracks } from "./tracks.ts";

const alpha = 0.001;
const maxDraws = Number(option("draws") ?? 100_000);
/** Each question has a seed of its own, from this one on: nothing was chosen on these seeds. */
const firstSeed = Number(option("seed") ?? 61_001);
const wanted = option("tracks")?.split(",");

/** A question, and its answer by the key: true if the program keeps its claim. */
interface Keyed extends Question {
  readonly keeps: boolean;
}

/** A record of the data. */
interface Printed {
  readonly question: string;
  readonly label: 0 | 1;
  readonly function_id: number;
}

/** The questions of a track, by the data, whose text says which noise is drawn; without data by our own proofs, which agree with them. */
async function questionsOf(
  { broken }: Track,
  data: string | undefined,
): Promise<{ readonly query: number; readonly noise: number; readonly keeps: boolean }[]> {
  if (data === undefined) {
    return queries.flatMap((_, query) =>
      [1, broken.share].map((noise) => ({ query, noise, keeps: noise === 1 }))
    );
  }
  const text = await Deno.readTextFile(`${data}/category_1/${broken.file}`);
  return (JSON.parse(text) as Printed[]).map(({ question, label, function_id }) => ({
    query: function_id - 1,
    noise: question.includes(broken.text) ? broken.share : 1,
    keeps: label === 1,
  }));
}

/** All answers, by workers that take the next question when they have answered one. */
async function answers(
  questions: readonly Question[],
  jobs: number,
): Promise<Map<Question, Answer>> {
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

/** Prints, by track, how many of the questions of the first part are answered as the key has it. */
export async function examineMechanisms(data: string | undefined): Promise<void> {
  const byTrack = await Promise.all(tracks.map((track) => questionsOf(track, data)));
  const questions: Keyed[] = byTrack.flatMap((some, track) =>
    some.map((one) => ({ ...one, track }))
  ).map((question, i) => ({
    ...question,
    seed: firstSeed + i,
    alpha,
    maxDraws,
    given: Deno.args.includes("--given"),
  })).filter(({ track }) => wanted?.some((word) => tracks[track]!.name.startsWith(word)) ?? true);
  const begun = performance.now();
  const given = await answers(questions, Number(option("jobs") ?? 2));
  const isRight = (question: Keyed): boolean =>
    given.get(question)!.verdict === (question.keeps ? "not-refuted" : "refuted");
  const share = (some: readonly Keyed[]): string =>
    `${some.filter(isRight).length} of ${some.length}`;

  console.log("| track | answer yes | answer no | median draws to refute | limit | odds known |");
  console.log("| --- | --- | --- | ---: | ---: | ---: |");
  tracks.forEach(({ name, claim, laws, broken }, track) => {
    const own = questions.filter((question) => question.track === track);
    if (own.length === 0) return;
    const no = own.filter(({ keeps }) => !keeps);
    const draws = no.map((question) => isRight(question) ? given.get(question)!.draws : Infinity);
    // Claims that are curves have no limit here.
    const bounds = claim.kind === "pure" ? boundsOf(laws!(broken.share), claim) : undefined;
    const timesLimit = (some: number): string =>
      bounds === undefined ? String(some) : `${some} (${(some / bounds.limit).toFixed(1)})`;
    const cells = [
      name,
      share(own.filter(({ keeps }) => keeps)),
      share(no),
      timesLimit(median(draws)),
      bounds?.limit.toFixed(0) ?? "",
      bounds === undefined ? "" : timesLimit(bounds.known),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(
    `\n${
      share(questions)
    } questions, ${seconds} s; α = ${alpha}, at most ${maxDraws} draws, seeds from ${firstSeed}`,
  );
  for (const question of questions.filter((one) => !isRight(one))) {
    const { verdict } = given.get(question)!;
    console.log(
      `- ${tracks[question.track]!.name}, ${queries[question.query]!.name}, the key says ${
        question.keeps ? "yes" : "no"
      }: ${verdict}`,
    );
  }
}
