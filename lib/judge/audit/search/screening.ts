import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { byTurns, largestFirst } from "../../../core/numeric/ranking.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { binIndex, countBins } from "../model/encoding/bin_index.ts";
import { encoderOf } from "../model/encoding/encoder.ts";
import { KnownValues } from "../model/encoding/known_values.ts";
import { coarseThresholds } from "../model/encoding/thresholds.ts";
import { type ClaimPoint, refutableEpsilonOf } from "../model/prediction/expected_log_wealth.ts";
import type { AuditEffort } from "../model/prediction/effort.ts";
import { withoutExcepted } from "../subjects/excepted_outputs.ts";
import { countOf, joinOutputs, type Outputs } from "../kernel/outputs.ts";
import { fewPairs, type PlacedPair } from "./few_datasets.ts";
import { horizonOf, REFUTATION_NATS } from "./rank_candidates.ts";
import { keyOf, type SearchSpace } from "./mutate_pairs.ts";

/** Draws on each dataset in the first round, as far as {@linkcode FIRST_ROUND_SHARE} allows. */
const FIRST_ROUND = { quick: 256, thorough: 2048 };
/** The share of the draws of the whole audit that the first round takes at most. */
const FIRST_ROUND_SHARE = 1 / 16;
/** Draws on each dataset before any are compared. */
const FEWEST_DRAWS = 16;
/** The share of the budget after which screening ends, however slow the subject is. */
const MOST_SHARE = 1 / 4;
/** Datasets left in the last round. */
const LAST_DATASETS = 4;
/** What is added to every count (Krichevsky, Trofimov 1981), and by how many standard errors log odds are drawn towards 0. */
const PSEUDO_COUNT = 0.5, SELECTION_ERRORS = 0.5;
/** A quick search begins without screening, for as many draws as this share of the first round: it may end by then. Where pairs are suspected it goes on for longer. */
const SEARCH_FIRST = { usual: 0.3, suspected: 2 };

/** A round of draws. */
interface Round {
  readonly sampler: Sampler;
  /** The points of the claim, where pairs that exceed it come first. */
  readonly points: readonly ClaimPoint[] | undefined;
  /** The share of the budget at which the round ends. */
  readonly until: number;
  /** Outputs wanted on each dataset, those of earlier rounds among them. */
  readonly upTo: number;
}

/**
 * The comparison of all pairs of a domain of few datasets. Each dataset is drawn on once for all its pairs: its outputs are
 * compared with those on every neighbour. That only fixes which pairs are tried first; these draws are not bet on.
 */
export class Screening {
  readonly #datasets: readonly Dataset[];
  readonly #pairs: readonly PlacedPair[];
  /** The outputs on each dataset, by its place. */
  readonly #outputs: Outputs[] = [];

  private constructor(datasets: readonly Dataset[], pairs: readonly PlacedPair[]) {
    this.#datasets = datasets;
    this.#pairs = pairs;
  }

  /** Returns the screening of a space of few datasets; `undefined` where it has many, or no more pairs than datasets. */
  static of(space: SearchSpace): Screening | undefined {
    const { datasets, pairs } = fewPairs(space);
    return pairs.length > datasets.length ? new Screening(datasets, pairs) : undefined;
  }

  /** Returns true if a quick search has made the draws in which it may end without screening. */
  isDue(sampler: Sampler, { suspected = [] }: SearchSpace): boolean {
    const first = SEARCH_FIRST[suspected.length > 0 ? "suspected" : "usual"];
    return sampler.draws >= first * FIRST_ROUND.quick * this.#datasets.length;
  }

  /**
   * Returns all pairs, by turns those first that are expected to exceed the claim most, those whose outputs differ most (the first sees
   * single events, the second many that add up), and as patterns are listed; in that order alone where the budget is too small
   * to draw on all datasets.
   */
  async ranking(
    sampler: Sampler,
    { effort, points: claimed, listed }: {
      readonly effort: AuditEffort;
      /** The points of the claim. */
      readonly points: readonly ClaimPoint[];
      /** Pairs of patterns that break mechanisms, the likeliest first. */
      readonly listed: readonly Pair[];
    },
  ): Promise<Pair[]> {
    const all = this.#datasets.map((_, at) => at);
    const until = Math.min(1, sampler.spent + MOST_SHARE);
    const points = effort === "thorough" ? undefined : claimed;
    let ranking = this.#pairs;
    if (await this.#draw(all, { sampler, points, until, upTo: FEWEST_DRAWS })) {
      const planned = sampler.draws + sampler.remainingDraws;
      const most = Math.max(FEWEST_DRAWS, Math.floor(FIRST_ROUND_SHARE * planned / all.length));
      ranking = await this.#rank(all, {
        sampler,
        points,
        until,
        upTo: Math.min(FIRST_ROUND[effort], most),
      });
    }
    // A thorough search looks for the best bound, and not for what exceeds the claim.
    if (effort === "thorough") return ranking.map(({ pair }) => pair);
    // What is seen in few draws may be chance: the order in which patterns were listed counts as well.
    const pairs = ranking.map(({ pair }) => pair);
    const places = new Map(listed.map((pair, place) => [keyOf(pair), place]));
    const asListed = pairs.filter((pair) => places.has(keyOf(pair)))
      .sort((a, b) => places.get(keyOf(a))! - places.get(keyOf(b))!);
    return byTurns(pairs, asListed);
  }

  /**
   * Draws on some datasets until there are `upTo` outputs on each, and ranks their pairs; then does the same with those of
   * the best pairs, half as many datasets and twice as many draws on each.
   */
  async #rank(places: readonly number[], round: Round): Promise<readonly PlacedPair[]> {
    const among = this.#pairs.filter(({ left, right }) =>
      places.includes(left) && places.includes(right)
    );
    if (!await this.#draw(places, round)) return among;
    const histograms = histogramsOf(places.map((at) => this.#outputs[at]!));
    const histogramAt = new Map(places.map((at, k) => [at, histograms[k]!]));
    const draws = horizonOf(round.sampler), nats = REFUTATION_NATS;
    const byDistance = largestFirst(
      among,
      ({ left, right }) => distanceOf(histogramAt.get(left)!, histogramAt.get(right)!),
    );
    const ranking = round.points === undefined ? byDistance : byTurns(
      largestFirst(
        among,
        ({ left, right }) =>
          refutableByHistograms(
            { left: histogramAt.get(left)!, right: histogramAt.get(right)! },
            { draws, nats, points: round.points! },
          ),
      ),
      byDistance,
    );
    if (places.length <= LAST_DATASETS) return ranking;
    const best = [...new Set(ranking.flatMap(({ left, right }) => [left, right]))]
      .slice(0, Math.max(LAST_DATASETS, Math.ceil(places.length / 2)));
    return [
      ...new Set([...await this.#rank(best, { ...round, upTo: 2 * round.upTo }), ...ranking]),
    ];
  }

  /** Draws on datasets until each has `upTo` outputs; returns whether the budget allowed that. */
  async #draw(places: readonly number[], { sampler, until, upTo }: Round): Promise<boolean> {
    for (const at of places) {
      const drawn = this.#outputs[at], have = drawn === undefined ? 0 : countOf(drawn);
      const missing = upTo - have;
      if (missing < 1) continue;
      if (sampler.spent >= until || sampler.draws + missing > sampler.maxDraws) return false;
      const more = await sampler.drawOn(this.#datasets[at]!, missing);
      if (sampler.isCut) return false;
      this.#outputs[at] = drawn === undefined ? more : joinOutputs([drawn, more]);
    }
    return true;
  }

  /** Returns the outputs drawn on the two datasets of a pair; `undefined` unless there are as many on one as on the other. */
  outputsOn(pair: Pair): { left: Outputs; right: Outputs } | undefined {
    const place = this.#pairs.find((screened) => screened.pair === pair);
    if (place === undefined) return undefined;
    const left = this.#outputs[place.left], right = this.#outputs[place.right];
    if (left === undefined || right === undefined) return undefined;
    return countOf(left) === countOf(right) ? { left, right } : undefined;
  }
}

/** Counts each of several samples of equal size in the bins of each column. */
function histogramsOf(samples: readonly Outputs[]): Float64Array[][] {
  // Excepted outputs are in no bin.
  const kept = samples.map(withoutExcepted);
  const encoder = encoderOf(kept);
  const rows = encoder.encode(joinOutputs(kept)), width = encoder.columns.length;
  const ends = [0];
  for (const outputs of kept) ends.push(ends.at(-1)! + countOf(outputs));
  const known = new KnownValues({ rows, width });
  const columns = encoder.columns.map((_, at) => {
    const column = known.column(at);
    return { values: column.values, index: binIndex(coarseThresholds(column)) };
  });
  return samples.map((_, at) =>
    columns.map(({ values, index }) => {
      const counts = new Float64Array(index.thresholds.length + 2);
      const own = values.subarray(ends[at]!, ends[at + 1]!);
      countBins(index, own, own.length, counts);
      return counts;
    })
  );
}

/** Returns the ε that bets on the bins of one column can refute, of that column where it is largest. */
function refutableByHistograms(
  { left, right }: Readonly<Record<"left" | "right", readonly Float64Array[]>>,
  options: Parameters<typeof refutableEpsilonOf>[1],
): number {
  return Math.max(...left.map((lefts, column) => {
    const rights = right[column]!;
    const counts = new Float64Array(2 * lefts.length), odds = new Float64Array(lefts.length);
    lefts.forEach((count, bin) => {
      const one = count + PSEUDO_COUNT, other = rights[bin]! + PSEUDO_COUNT;
      counts.set([count, rights[bin]!], 2 * bin);
      const log = Math.log(other / one), error = Math.sqrt(1 / one + 1 / other);
      odds[bin] = Math.sign(log) * Math.max(0, Math.abs(log) - SELECTION_ERRORS * error);
    });
    const leaves = Int32Array.from(lefts.keys());
    return refutableEpsilonOf({ leaves, counts, odds }, options);
  }));
}

/** Returns the chi-square statistic of two samples of equal size, summed over columns, less its expectation for equal laws. */
function distanceOf(one: readonly Float64Array[], other: readonly Float64Array[]): number {
  let sum = 0;
  one.forEach((counts, column) => {
    let bins = 0;
    counts.forEach((a, bin) => {
      const b = other[column]![bin]!;
      if (a + b === 0) return;
      bins++;
      sum += (a - b) ** 2 / (a + b);
    });
    sum -= bins - 1;
  });
  return sum;
}
