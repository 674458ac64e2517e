import type { SeededSource } from "../../core/random/seeded_source.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { mostLeaking } from "./leaking_event.ts";
import {
  countEvent,
  excessOf,
  type Scored,
  searchStrategies,
  type TranscriptDrawer,
} from "./search_strategies.ts";
import type { Service } from "./service.ts";
import type { SessionSettings } from "./session_settings.ts";
import { shrinkStrategy } from "./shrink_strategy.ts";
import type { Strategy } from "./strategy.ts";
import { StrategyMaker } from "./strategy_maker.ts";
import { NoiseWatch } from "./watched_loss.ts";
import { searchByNoise } from "./watched_search.ts";

/** A candidate is made smaller from this excess on. */
const WORTH_SHRINKING = 4;
/** The share of the search's transcripts that making it smaller may take. */
const SHRINK_SHARE = 0.4;
/** The share of a bet's transcripts that a smaller candidate is confirmed on, on each side: what shows there is clear to the bet. */
const CONFIRMS_SHARE = 0.125;
/** Runs in which noise is watched, as a share of the search's transcripts. */
const WATCHED_SHARE = 0.1;
/** Transcripts of a side on which the event of a given strategy is selected, and counted. */
const GIVEN = { selected: 200, counted: 400 };

/** Candidates that are worth a bet, and how many strategies were tried and watched for them. */
export interface ChosenStrategies {
  /** The best candidates, the first of them made smaller. */
  readonly candidates: readonly Scored[];
  readonly tried: number;
  readonly watched: number;
}

/** Chooses what is bet on: by watched noise, then on transcripts; or the strategy that was given. */
export async function chooseStrategies(
  settings: SessionSettings,
  { drawer, root, service }: {
    readonly drawer: TranscriptDrawer;
    readonly root: SeededSource;
    /** The service whose noise is watched before transcripts are drawn. */
    readonly service: Service<unknown, unknown> | undefined;
  },
): Promise<ChosenStrategies> {
  const { kinds, lifetime, pair, points, maxSearchDraws } = settings;
  if (settings.strategy !== undefined) {
    const only = await given(settings.strategy, { pair: pair!, drawer, points });
    return { candidates: [only], tried: 0, watched: 0 };
  }
  const maker = new StrategyMaker({ ...settings, source: root.split("moves") });
  const space = pair === undefined ? settings.space : undefined;
  const { suspects, watched } = service === undefined
    ? { suspects: [], watched: 0 }
    : await searchByNoise(maker, {
      watch: new NoiseWatch(service, { kinds, lifetime }),
      points,
      source: root.split("watched"),
      kinds,
      space,
      mostRuns: WATCHED_SHARE * maxSearchDraws,
      isLate: () => drawer.isLate,
      pause: () => drawer.pause(),
    });
  const { best, tried } = await searchStrategies(maker, {
    drawer,
    points,
    budget: maxSearchDraws,
    source: root.split("choices"),
    first: suspects,
  });
  const chosen = { tried: tried + watched, watched };
  const [leader] = best;
  if (leader === undefined) {
    // Nothing stood out: one candidate is bet on all the same.
    const { strategy, pair } = maker.fresh();
    return { candidates: [await given(strategy, { pair, drawer, points })], ...chosen };
  }
  if (!settings.shrink || excessOf(leader, points) < WORTH_SHRINKING) {
    return { candidates: best, ...chosen };
  }
  const smaller = await shrinkStrategy(leader, {
    drawer,
    points,
    kinds,
    space,
    budget: SHRINK_SHARE * maxSearchDraws,
    most: Math.ceil(CONFIRMS_SHARE * settings.maxDraws),
  });
  return { candidates: smaller === leader ? best : [smaller, ...best], ...chosen };
}

/** A given strategy with the event that is selected for it. */
async function given(
  strategy: Strategy,
  { pair, drawer, points }: {
    readonly pair: Pair;
    readonly drawer: TranscriptDrawer;
    readonly points: SessionSettings["points"];
  },
): Promise<Scored> {
  const candidate = { strategy, pair, moves: [] };
  const [left, right] = await drawer.both(candidate, GIVEN.selected);
  const event = mostLeaking(left, right, { points, part: 1 })?.event ?? {
    feature: { name: "the last answer", of: ({ answers }) => answers.at(-1) },
    is: "nothing",
    side: 0,
  };
  const scored: Scored = { ...candidate, event, hits: [0, 0], n: 0 };
  await countEvent(drawer, scored, GIVEN.counted);
  return scored;
}
