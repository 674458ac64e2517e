import type { Source } from "../../core/mechanism/source.ts";
import { normalTail } from "../../core/numeric/normal_tail.ts";
import { pick } from "../audit/search/row_values.ts";
import { keyOf, type SearchSpace } from "../audit/search/mutate_pairs.ts";
import type { Point } from "./leaking_event.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import { smallerCandidates } from "./shrink_strategy.ts";
import type { StrategyMaker } from "./strategy_maker.ts";
import type { Candidate, Suspect } from "./strategy_moves.ts";
import type { NoiseWatch, WatchedLoss } from "./watched_loss.ts";

/** Candidates that are climbed from, and suspects that are kept. */
const PARENTS = 12, SUSPECTS = 3;
/** The strength of what needs no more looking for. */
const CLEAR = 0.5;
/** The share of new candidates among those that are watched. */
const FRESH = 0.4;
/** A smaller candidate stands with this share of the strength. */
const KEEPS = 0.9;

/**
 * Watches the noise of strategies on pairs and climbs on what they lose: first towards the claim, then beyond it, where what counts is how
 * clearly transcripts would show it. Nothing is drawn for a verdict: suspects are looked at by ordinary transcripts.
 */
export async function searchByNoise(
  maker: StrategyMaker,
  { watch, points, source, kinds, space, mostRuns, isLate, pause }: {
    readonly watch: NoiseWatch;
    readonly points: readonly Point[];
    readonly source: Source;
    readonly kinds: QuestionKinds;
    /** Where pairs may be made smaller. */
    readonly space: SearchSpace | undefined;
    /** Runs of the service, after which it ends. */
    readonly mostRuns: number;
    readonly isLate: () => boolean;
    /** Lets timers and signals happen. */
    readonly pause: () => Promise<void>;
  },
): Promise<{ readonly suspects: readonly Suspect[]; readonly watched: number }> {
  let parents: Watched[] = [], watched = 0, followed = 0;
  const look = (candidate: Candidate): Watched | undefined => {
    watched++;
    // Two runs, for noise may happen to give one answer.
    const losses = [1, 2].map((seed) => watch.lossOf(candidate, seed));
    if (losses.some((loss) => loss === undefined)) return undefined;
    followed++;
    const least = (losses as WatchedLoss[]).reduce((a, b) => a.loss <= b.loss ? a : b);
    return { candidate, loss: least.loss, strength: strengthOf(least, points) };
  };
  while (watch.runs < mostRuns && !isLate()) {
    await pause();
    const parent = parents.length === 0 || source.uniform() < FRESH
      ? undefined
      : pick(source, parents);
    const found = look(parent === undefined ? maker.fresh() : maker.moved(parent.candidate));
    if (found !== undefined && found.loss > 0) parents.push(found);
    parents = ranked(parents);
    // What is as clear as can be is not made clearer.
    if (parents.length >= SUSPECTS && parents[SUSPECTS - 1]!.strength > CLEAR) break;
    // Services whose noise cannot be followed are not watched for long.
    if (watched > 60 && followed < watched / 20) break;
  }
  const suspects: Suspect[] = [];
  for (const each of parents) {
    if (each.strength <= 0 || suspects.length >= SUSPECTS) break;
    const { candidate, strength } = smaller(each, { look, kinds, space, isLate });
    suspects.push({ ...candidate, moves: [], strength });
  }
  return { suspects, watched };
}

interface Watched {
  readonly candidate: Candidate;
  readonly loss: number;
  readonly strength: number;
}

/** The best, each once: by their strength, and below the claim by their loss. */
function ranked(candidates: readonly Watched[]): Watched[] {
  const seen = new Set<string>();
  return candidates
    .toSorted((a, b) => b.strength - a.strength || b.loss - a.loss)
    .filter(({ candidate: { strategy, pair } }) =>
      seen.size < seen.add(`${JSON.stringify(strategy)} ${keyOf(pair)}`).size
    )
    .slice(0, PARENTS);
}

/**
 * How clearly one transcript a side shows a loss, in standard deviations. Noise that is shifted lies beyond its shift in about half of the runs,
 * so that the event of all of them has probability 2^−k on one side and e^−loss of that on the other. Where many small shifts add up, what they lose
 * together is nearly normal, and its tail is more probable.
 */
function strengthOf({ loss, shifted }: WatchedLoss, points: readonly Point[]): number {
  const p = loss === Infinity ? 1 : 2 ** -shifted, events = [[p, p * Math.exp(-loss)]];
  if (shifted > 1 && loss < Infinity) {
    const each = loss / shifted, mean = shifted * (each + Math.expm1(-each));
    const deviation = Math.sqrt(2 * mean);
    for (let at = -1; at <= 3; at += 0.25) {
      const likely = normalTail(at);
      events.push([likely, Math.max(normalTail(at + deviation), likely * Math.exp(-loss))]);
    }
  }
  return Math.max(
    0,
    ...points.flatMap(({ epsilon, delta }) =>
      events.map(([p, q]) =>
        (p! - Math.exp(epsilon) * q! - delta) / Math.sqrt(p! + Math.exp(2 * epsilon) * q!)
      )
    ),
  );
}

/** The candidate without what its strength does not need. */
function smaller(
  found: Watched,
  { look, kinds, space, isLate }: {
    readonly look: (candidate: Candidate) => Watched | undefined;
    readonly kinds: QuestionKinds;
    readonly space: SearchSpace | undefined;
    readonly isLate: () => boolean;
  },
): Watched {
  let best = found;
  for (let goesOn = true; goesOn && !isLate();) {
    goesOn = false;
    for (const candidate of smallerCandidates(best.candidate, kinds, space)) {
      const tried = look(candidate);
      if (tried === undefined || tried.strength < KEEPS * found.strength) continue;
      best = tried;
      goesOn = true;
      break;
    }
  }
  return best;
}
