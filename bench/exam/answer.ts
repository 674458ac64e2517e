/** A worker of {@link ./mechanisms.ts}: answers one question by an audit. */
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { queries } from "./queries.ts";
import { tracks } from "./tracks.ts";

/** A question: does the program keep its claim? */
export interface Question {
  /** Places in the lists of queries and tracks. */
  readonly query: number;
  readonly track: number;
  /** The noise, of that which the claim needs: 1 or less. */
  readonly noise: number;
  readonly seed: number;
  readonly alpha: number;
  readonly maxDraws: number;
  /** True if the pair is given. */
  readonly given: boolean;
}

/** Answer of an audit. */
export interface Answer {
  readonly verdict: string;
  readonly draws: number;
}

/** Answers a question. */
export async function answer(question: Question): Promise<Answer> {
  const { seed, alpha, maxDraws, noise, given } = question;
  const query = queries[question.query]!, track = tracks[question.track]!;
  const source = new SeededSource(seed).split("draws");
  const { verdict, draws } = await audit(
    mechanismSubject(track.program(query, noise), { source }),
    {
      ...(given ? { pair: pairOf(replaceOne, track.worst(query)) } : {}),
      alpha,
      maxDraws,
      seed,
      shrink: false,
    },
  );
  return { verdict, draws };
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  postMessage(answer: Answer): void;
};
if ("WorkerGlobalScope" in globalThis) {
  scope.onmessage = async ({ data }) => scope.postMessage(await answer(data));
}
