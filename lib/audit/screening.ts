import type { Dataset } from "../core/dataset.ts";
import type { Pair } from "../core/relation.ts";
import { countCells, cutGuide } from "./cut_guide.ts";
import { crossCuts } from "./cuts.ts";
import { countOf, encoderOf } from "./encode.ts";
import { fewDatasets } from "./few_datasets.ts";
import { type SearchSpace, tryPair } from "./propose.ts";
import type { Style } from "./rank_arms.ts";
import { largestFirst } from "./ranking.ts";
import type { Session } from "./session.ts";
import { joinOutputs } from "./subjects/pack_outputs.ts";
import type { Outputs } from "./subject.ts";

/** The most datasets that are all drawn on. */
const MOST_DATASETS = 32;
/** Draws on each dataset in the first round, as far as this share of the whole audit allows. */
const FIRST_ROUND = { quick: 500, thorough: 2048 };
const SHARE = 1 / 16;
/** Draws on each before it is known how many an audit can make. */
const AT_LEAST = 16;
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

/**
 * Where a domain has few datasets, all pairs can be looked at for the price of the datasets: the outputs on
 * one are compared with those on every neighbour. What that tells is only which pairs to try first; nothing is
 * bet on it.
 */
export class Screening {
  readonly #datasets: readonly Dataset[];
  readonly #candidates: readonly Candidate[];
  readonly #outputs: Outputs[];

  private constructor(datasets: readonly Dataset[], candidates: readonly Candidate[]) {
    this.#datasets = datasets;
    this.#candidates = candidates;
    this.#outputs = [];
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
  isDue(session: Session): boolean {
    return session.draws >= WORTH_IT_FROM * FIRST_ROUND.quick * this.#datasets.length;
  }

  /** All pairs, those first whose outputs differ most. */
  async ranking(session: Session, style: Style): Promise<Pair[]> {
    const all = this.#datasets.map((_, at) => at);
    await this.#draw(all, session, AT_LEAST);
    const planned = session.draws + session.remainingDraws;
    const most = Math.max(AT_LEAST, Math.floor(SHARE * planned / all.length));
    const ranking = await this.#rank(all, session, Math.min(FIRST_ROUND[style], most));
    return ranking.map(({ pair }) => pair);
  }

  /**
   * Draws on some datasets until there are `each` outputs on each, and ranks their pairs; then goes on with
   * those of the best pairs: half as many datasets, twice as many draws on each.
   */
  async #rank(places: readonly number[], session: Session, each: number): Promise<Candidate[]> {
    await this.#draw(places, session, each);
    const histograms = histogramsOf(places.map((at) => this.#outputs[at]!));
    const of = new Map(places.map((at, k) => [at, histograms[k]!]));
    const ranking = largestFirst(
      this.#candidates.filter(({ left, right }) => of.has(left) && of.has(right)),
      ({ left, right }) => distanceOf(of.get(left)!, of.get(right)!),
    );
    if (places.length <= FINALISTS) return ranking;
    const best = [...new Set(ranking.flatMap(({ left, right }) => [left, right]))]
      .slice(0, Math.max(FINALISTS, Math.ceil(places.length / 2)));
    return [...new Set([...await this.#rank(best, session, 2 * each), ...ranking])];
  }

  async #draw(places: readonly number[], session: Session, upTo: number): Promise<void> {
    for (const at of places) {
      const drawn = this.#outputs[at];
      const missing = upTo - (drawn === undefined ? 0 : countOf(drawn));
      if (missing < 1) continue;
      const more = await session.drawOn(this.#datasets[at]!, missing);
      this.#outputs[at] = drawn === undefined ? more : joinOutputs([drawn, more]);
    }
  }

  /** The outputs drawn on a pair, of which there are as many on either side. */
  outputsOn(pair: Pair): { left: Outputs; right: Outputs } | undefined {
    const { left, right } = this.#candidates.find((candidate) => candidate.pair === pair)!;
    const outputs = { left: this.#outputs[left]!, right: this.#outputs[right]! };
    return countOf(outputs.left) === countOf(outputs.right) ? outputs : undefined;
  }
}

/** For each of some samples how often each cell of each column occurs. */
function histogramsOf(samples: readonly Outputs[]): Float64Array[][] {
  const encoder = encoderOf(samples);
  const rows = samples.map((sample) => encoder.encode(sample));
  const columns = encoder.columns.map((_, column) =>
    rows.map((own) => columnOf(own, encoder.columns.length, column))
  );
  const histograms = columns.map((own) => {
    const guide = cutGuide(crossCuts(Float64Array.from(own.flatMap((values) => [...values]))));
    return own.map((values) => {
      const counts = new Float64Array(guide.cuts.length + 2);
      countCells(guide, values, values.length, counts);
      return counts;
    });
  });
  return samples.map((_, at) => histograms.map((own) => own[at]!));
}

function columnOf(rows: Float64Array, width: number, column: number): Float64Array {
  return Float64Array.from({ length: rows.length / width }, (_, i) => rows[i * width + column]!);
}

/** The chi-square statistic of two samples of one size, all columns together, less what chance brings. */
function distanceOf(one: readonly Float64Array[], other: readonly Float64Array[]): number {
  let sum = 0;
  one.forEach((counts, column) => {
    let cells = 0;
    counts.forEach((a, cell) => {
      const b = other[column]![cell]!;
      if (a + b === 0) return;
      cells++;
      sum += (a - b) ** 2 / (a + b);
    });
    sum -= cells - 1;
  });
  return sum;
}
