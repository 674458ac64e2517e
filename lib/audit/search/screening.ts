import type { AuditEffort } from "../prediction/effort.ts";
import type { Dataset } from "../../core/dataset.ts";
import type { Pair } from "../../core/relation.ts";
import { largestFirst } from "../../numeric/ranking.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { binIndex, countBins } from "../encoding/bin_index.ts";
import { encoderOf } from "../encoding/encoder.ts";
import { pairThresholds } from "../encoding/thresholds.ts";
import { valuesOf } from "../partition/feature_histogram.ts";
import { countOf, joinOutputs, type Outputs } from "../subjects/outputs.ts";
import { fewDatasets } from "./few_datasets.ts";
import { type SearchSpace, tryPair } from "./mutate_pairs.ts";

/** The most datasets that are all drawn on. */
const MOST_DATASETS = 32;
/** Draws on each dataset in the first round, as far as this share of the whole audit allows. */
const FIRST_ROUND = { quick: 500, thorough: 2048 };
const SHARE = 1 / 16;
/** Draws on each before it is known how many an audit can make. */
const AT_LEAST = 16;
/** The share of the whole audit after which screening is given up, however slow the subject. */
const GIVE_UP_AFTER = 1 / 4;
/** Datasets left in the last round. */
const FINALISTS = 4;
/** A quick search that needs no more than this share of the first round is better off without. */
const WORTH_IT_FROM = 0.3;

/** A pair of datasets, by their places. */
interface Candidate {
  readonly pair: Pair;
  readonly left: number;
  readonly right: number;
}

/** A round of draws. */
interface Round {
  readonly sampler: Sampler;
  /** The share of the audit at which it is given up. */
  readonly until: number;
  readonly upTo: number;
}

/**
 * Where a domain has few datasets, all pairs can be looked at for the price of the datasets: the outputs on
 * one are compared with those on every neighbour. What that tells is only which pairs to try first; nothing is
 * bet on it.
 */
export class Screening {
  readonly #datasets: readonly Dataset[];
  readonly #candidates: readonly Candidate[];
  /** What was drawn on each, by its place. */
  readonly #outputs: Outputs[] = [];

  private constructor(datasets: readonly Dataset[], candidates: readonly Candidate[]) {
    this.#datasets = datasets;
    this.#candidates = candidates;
  }

  /** The screening of a space of few datasets; `undefined` where it has many, or no more pairs than datasets. */
  static of(space: SearchSpace): Screening | undefined {
    const datasets = fewDatasets(space.domain, MOST_DATASETS) ?? [];
    const candidates: Candidate[] = [];
    datasets.forEach((data, left) => {
      for (let right = left + 1; right < datasets.length; right++) {
        const pair = tryPair(space, data, datasets[right]!);
        if (pair !== undefined) candidates.push({ pair, left, right });
      }
    });
    return candidates.length > datasets.length ? new Screening(datasets, candidates) : undefined;
  }

  /** Whether it is time for it in a quick search: that has the chance to end without first. */
  isDue(sampler: Sampler): boolean {
    return sampler.draws >= WORTH_IT_FROM * FIRST_ROUND.quick * this.#datasets.length;
  }

  /** All pairs, those first whose outputs differ most; in any order where there is no time to find out. */
  async ranking(sampler: Sampler, effort: AuditEffort): Promise<Pair[]> {
    const all = this.#datasets.map((_, at) => at);
    const until = Math.min(1, sampler.spent + GIVE_UP_AFTER);
    let ranking = this.#candidates;
    if (await this.#draw(all, { sampler, until, upTo: AT_LEAST })) {
      const planned = sampler.draws + sampler.remainingDraws;
      const most = Math.max(AT_LEAST, Math.floor(SHARE * planned / all.length));
      ranking = await this.#rank(all, {
        sampler,
        until,
        upTo: Math.min(FIRST_ROUND[effort], most),
      });
    }
    return ranking.map(({ pair }) => pair);
  }

  /**
   * Draws on some datasets until there are `upTo` outputs on each, and ranks their pairs; then goes on with
   * those of the best pairs: half as many datasets, twice as many draws on each.
   */
  async #rank(places: readonly number[], round: Round): Promise<readonly Candidate[]> {
    const among = this.#candidates.filter(({ left, right }) =>
      places.includes(left) && places.includes(right)
    );
    if (!await this.#draw(places, round)) return among;
    const histograms = histogramsOf(places.map((at) => this.#outputs[at]!));
    const of = new Map(places.map((at, k) => [at, histograms[k]!]));
    const ranking = largestFirst(
      among,
      ({ left, right }) => distanceOf(of.get(left)!, of.get(right)!),
    );
    if (places.length <= FINALISTS) return ranking;
    const best = [...new Set(ranking.flatMap(({ left, right }) => [left, right]))]
      .slice(0, Math.max(FINALISTS, Math.ceil(places.length / 2)));
    return [
      ...new Set([...await this.#rank(best, { ...round, upTo: 2 * round.upTo }), ...ranking]),
    ];
  }

  /** Whether there was time to draw as many outputs on each. */
  async #draw(places: readonly number[], { sampler, until, upTo }: Round): Promise<boolean> {
    for (const at of places) {
      const drawn = this.#outputs[at];
      const missing = upTo - (drawn === undefined ? 0 : countOf(drawn));
      if (missing < 1) continue;
      if (sampler.spent >= until || sampler.draws + missing > sampler.maxDraws) return false;
      const more = await sampler.drawOn(this.#datasets[at]!, missing);
      this.#outputs[at] = drawn === undefined ? more : joinOutputs([drawn, more]);
    }
    return true;
  }

  /** The outputs drawn on a pair, of which there are as many on either side. */
  outputsOn(pair: Pair): { left: Outputs; right: Outputs } | undefined {
    const place = this.#candidates.find((candidate) => candidate.pair === pair)!;
    const left = this.#outputs[place.left], right = this.#outputs[place.right];
    if (left === undefined || right === undefined) return undefined;
    return countOf(left) === countOf(right) ? { left, right } : undefined;
  }
}

/** For each of some samples of one size how often each bin of each column occurs. */
function histogramsOf(samples: readonly Outputs[]): Float64Array[][] {
  const encoder = encoderOf(samples);
  const rows = encoder.encode(joinOutputs(samples)), width = encoder.columns.length;
  const each = rows.length / width / samples.length;
  const columns = encoder.columns.map(({ name }, index) => {
    const values = valuesOf({ kind: "column", index, name }, { rows, width });
    return { values, index: binIndex(pairThresholds(values)) };
  });
  return samples.map((_, at) =>
    columns.map(({ values, index }) => {
      const counts = new Float64Array(index.thresholds.length + 2);
      countBins(index, values.subarray(at * each, (at + 1) * each), each, counts);
      return counts;
    })
  );
}

/** The chi-square statistic of two samples of one size, all columns together, less what chance brings. */
export function distanceOf(one: readonly Float64Array[], other: readonly Float64Array[]): number {
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
