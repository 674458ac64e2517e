import type { Evidence } from "./betting/claim_evidence.ts";
import type { PredictionBatch } from "./betting/prediction_batch.ts";
import type { Progress } from "./drawing/progress.ts";
import type { BegunBatch, Sampler } from "./drawing/sampler.ts";
import { countOf, type Outputs, type PairOutputs } from "./outputs.ts";
import type { PairData, SideCounts } from "./subject.ts";

/** A pair to draw on, with the predictor of its outputs. */
export interface Player {
  /** The two datasets. */
  readonly pair: PairData;
  /** Predicts a batch by what it learned before, then learns from it. */
  readonly predictor: {
    /** Draws that it learned from. */
    readonly draws: number;
    /** The size of the next batch, as a share of these. */
    readonly batchShare: number;
    /** Its prediction of a batch, with the batch counted. */
    observe(left: Outputs, right: Outputs): PredictionBatch;
  };
}

/** Options of {@linkcode Play.drawWhile}. */
interface DrawWhile {
  /** The purpose of the draws. */
  readonly phase: Progress["phase"];
  /** Ends it, asked before each batch. */
  readonly until: () => boolean;
  /** Called with each batch that was settled. */
  readonly see?: (batch: PredictionBatch) => void;
  /** The most draws that may be under way, or drawn and not passed to `see` yet. */
  readonly most?: () => number;
}

/** Batches begun ahead where the subject draws elsewhere: one that it draws, and the next one. */
const AHEAD = 2;

/** The draws at which the first restart begins, and the factor by which they grow until the next one. */
const FIRST_RESTART = 64, RESTART_GROWTH = 1.6;

/** The draws on a pair that are bet on one by one. */
const FINE_UNTIL = 64;

/** Draws batches, has them predicted, and settles the bets on them, one batch after the other. */
export class Play {
  /** The sampler of the draws. */
  readonly sampler: Sampler;
  /** The evidence that batches add to. */
  readonly evidence: Evidence;
  readonly #goesOn: boolean;
  readonly #drawsOn = new WeakMap<PairData, SideCounts>();
  #nextRestart = FIRST_RESTART;

  /** Begins without draws. With `goesOn` it goes on after a refutation. */
  constructor(
    sampler: Sampler,
    evidence: Evidence,
    { goesOn = false }: { readonly goesOn?: boolean } = {},
  ) {
    this.sampler = sampler;
    this.evidence = evidence;
    this.#goesOn = goesOn;
  }

  /** Draws that were bet on, by the dataset of this pair that they were made on. */
  drawsOn(pair: PairData): SideCounts {
    return this.#drawsOn.get(pair) ?? { left: 0, right: 0 };
  }

  /** Counts draws on a pair that were made elsewhere, and settled there. */
  countElsewhere(pair: PairData, { left, right }: SideCounts): void {
    this.#addDrawsOn(pair, { left, right });
    this.sampler.countElsewhere({ draws: left + right });
  }

  #addDrawsOn(pair: PairData, { left, right }: SideCounts): void {
    const before = this.drawsOn(pair);
    this.#drawsOn.set(pair, { left: before.left + left, right: before.right + right });
  }

  /** Draws a batch on the pair of a player and settles the bets on it. */
  async step(player: Player, phase: Progress["phase"]): Promise<PredictionBatch> {
    const { predictor: { batchShare, draws } } = player;
    const size = this.#fineSize(batchShare * draws, draws);
    return this.#settle(await this.sampler.draw(player.pair, size), {
      player,
      phase,
    });
  }

  /**
   * Draws a batch that the player learns from, and on which nothing is bet. Not to bet is decided before it is drawn, as any other
   * stake is. Bets on many pairs that are looked at for the first time would lose what the bets on a few have won.
   */
  async look({ pair, predictor }: Player, phase: Progress["phase"]): Promise<PredictionBatch> {
    const { left, right } = await this.sampler.draw(pair, this.#sizeFor({ predictor }));
    const batch = predictor.observe(left, right);
    this.#report(phase);
    return batch;
  }

  /**
   * Steps with some players, those of fewest draws first, until told to stop. Where the subject draws elsewhere, batches
   * are begun before the last one is learned from; their sizes and coins are fixed then.
   *
   * Why bets stay fair: batches are drawn and settled in the order in which they were begun. So a bet on a batch is fixed
   * by batches drawn before its first output, and a coin is independent of all of these. Every batch that was begun is
   * settled, also after the deadline: otherwise a program could, by being slow, have the batches dropped that show its leak.
   * Outputs that did not come are settled as if the worst had come ({@linkcode withLost}). Only a refutation that ends the play,
   * which is a fact about batches already settled, drops batches. A failure of the subject drops them too, and leaves no e-value.
   */
  async drawWhile(
    players: readonly Player[],
    { phase, until, see = () => {}, most = () => Infinity }: DrawWhile,
  ): Promise<void> {
    const { sampler, evidence } = this;
    const ahead = sampler.drawsElsewhere ? AHEAD : 0;
    const begun: (BegunBatch & { readonly player: Player })[] = [];
    /** Draws that are made and not passed to `see` yet. */
    let unseen = 0;
    const drawsOf = (player: Player): number =>
      begun.reduce(
        (sum, batch) => sum + (batch.player === player ? batch.count : 0),
        player.predictor.draws,
      );
    const begin = async (): Promise<BegunBatch & { readonly player: Player }> => {
      const player = players.reduce((a, b) => (drawsOf(b) < drawsOf(a) ? b : a));
      const left = Math.max(1, most() - sampler.inFlight - unseen);
      const drawn = drawsOf(player), { batchShare } = player.predictor;
      const count = Math.min(this.#fineSize(batchShare * player.predictor.draws, drawn), left);
      return { player, ...await sampler.begin(player.pair, count) };
    };
    while (!until()) {
      const next = begun.shift() ?? await begin();
      const sides = await sampler.use(next);
      unseen = next.count;
      while (begun.length < ahead && !sampler.isAllBegun) begun.push(await begin());
      unseen = 0;
      see(this.#settle(sides, { player: next.player, phase }));
    }
    const isDropped = evidence.refuted && !this.#goesOn && sampler.spent < 1;
    for (const next of begun) {
      // A failure among outputs that are dropped is reported by the next draw.
      if (isDropped) await sampler.use(next, { isDropped }).catch(() => {});
      else see(this.#settle(await sampler.use(next), { player: next.player, phase }));
    }
  }

  /**
   * Returns the size of a batch that is bet on. A bet is fixed before its batch, so the first ones of an audit that ends with a refutation are
   * single draws: they are bet on by what all before them showed. Sizes depend on counts of earlier draws alone.
   */
  #fineSize(wanted: number, draws: number): number {
    const isFine = !this.#goesOn && draws < FINE_UNTIL;
    return this.sampler.batchSize(isFine ? 1 : wanted, {
      isFine: !this.#goesOn,
    });
  }

  #sizeFor({ predictor }: Pick<Player, "predictor">): number {
    return this.sampler.batchSize(predictor.batchShare * predictor.draws);
  }

  /** Settles the bets on a batch, and learns from it. */
  #settle(
    { left, right, lost }: PairOutputs,
    { player, phase }: { player: Player; phase: Progress["phase"] },
  ): PredictionBatch {
    const { sampler, evidence } = this;
    this.#addDrawsOn(player.pair, { left: countOf(left), right: countOf(right) });
    const observed = player.predictor.observe(left, right);
    const batch = lost === undefined ? observed : { ...observed, lost };
    evidence.add(batch);
    if (sampler.draws >= this.#nextRestart) {
      evidence.restart();
      this.#nextRestart = RESTART_GROWTH * sampler.draws;
    }
    this.#report(phase);
    return batch;
  }

  #report(phase: Progress["phase"]): void {
    const { sampler, evidence } = this;
    sampler.report(() => ({
      epsilonLowerBound: evidence.lowerBound,
      eValue: Math.exp(evidence.logEValue),
      phase,
    }));
  }
}
