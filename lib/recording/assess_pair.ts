import { type AllOutcomes, compareLaws } from "./all_outcomes.ts";
import { bareJson } from "../core/bare_json.ts";
import type { Claim } from "../core/claim.ts";
import type { Pair } from "../core/relation.ts";
import { compareRuns, type Comparison, type Observation, onlyChooses } from "./compare_runs.ts";
import {
  lawOfOutputs,
  MOST_PATHS,
  type NotForced,
  type OutputLaw,
  pathsLike,
  TOO_MANY,
} from "./forced_paths.ts";
import { distanceAtSeeds } from "./distance.ts";
import { claimedAmount, composed, type Loss, NO_LOSS, shareOf } from "./loss.ts";
import { samplingIn } from "./sampling.ts";
import type { TimeLimit } from "../audit/kernel/drawing/time_limit.ts";
import { OutOfTime, timedRecorder } from "./timed_recorder.ts";
import { lossOfDeclared } from "./loss_of_declared.ts";
import type { OutputParts } from "./output_parts.ts";
import type { Read, Recorder, Recording } from "./recording.ts";

/** How grave it is what a pair shows. */
export enum Tier {
  /** All that was read can be covered by the noise, for what the claim allows. */
  covered,
  /** It costs more than the claim. */
  costly,
  /** Something that no shift of noise covers. */
  uncovered,
  /** A declaration that two runs refute. */
  broken,
}

/** What the runs on a pair show. */
export interface Assessment {
  readonly pair: Pair;
  readonly tier: Tier;
  /** The composed loss of all shifts as a multiple of the claim: the largest of the runs. NaN where noise was not followed. */
  readonly share: number;
  readonly loss: Loss;
  /** What makes the tier, or costs most. */
  readonly worst: Observation | undefined;
  /** How many values cost something. */
  readonly costs: number;
  /** Why noise was not followed. */
  readonly notFollowed: string | undefined;
  /** Where noise was not followed: how far outputs at the same seeds are apart ({@linkcode distanceAtSeeds}). */
  readonly distance?: number;
  /** The loss that all declared mechanisms whose values move promise together. */
  readonly declared: { readonly loss: Loss; readonly reads: readonly Read[] } | undefined;
  /** The runs that show it, the first on the left dataset. */
  readonly runs: readonly [Recording, Recording];
  /** Where it seems to draw which rows take part, or in which order: such draws are kept on the neighbour. */
  readonly chosenAt?: string;
  /** The noise that shows it, counted from the first. */
  readonly noise?: number;
  /** Whether the loss is what declared mechanisms promise, whatever their values move by. */
  readonly isPromised?: true;
  /** What the laws of the outputs show, where all outcomes of discrete draws were forced. */
  readonly allOutcomes?: AllOutcomes;
  /** Whether the runs or the time ended before all policies were looked at. */
  readonly isCut?: true;
}

/** How thoroughly a pair is looked at. */
export interface Effort {
  /** Runs with other noise, in each direction. */
  readonly seeds: number;
  /** The first of them. Default 0. */
  readonly from?: number;
  /** Whether the noise of both datasets is replayed on the other one. */
  readonly bothWays: boolean;
  /** Policies of release: where values are read, where noise meets a number, or both, of which the better one counts. */
  readonly policies: readonly boolean[];
}

/** Shares above 1 by no more than this are rounding. */
const EXACT = 1e-6;
/** Scales that were found by sampling are known to so much. */
const SAMPLED = 0.03;
/** Seeds at which outputs are compared, where noise is not followed. */
const SEEDS = 4;
/** The share of the runs left that all outcomes on one dataset may take, and after how many pairs with too many draws no more are tried. */
const FORCED_SHARE = 0.4, MOST_FAILURES = 3;
/** Why runs of the same noise do not compare a loop. */
const REDRAWN =
  "noise is drawn again until it fits, which the same draws on both sides do not compare";
/** Rounds in which functions of noise are found that must be reads. */
const MOST_ROUNDS = 6;

/** Looks at pairs through the noise of a program. */
export class Assessor {
  readonly #recorder: Recorder;
  readonly #claim: Claim;
  readonly #seed: number;
  /** Places of functions of noise that have other arguments on a neighbour, found so far. */
  readonly #asReads = new Set<string>();
  /** Laws of the outputs on datasets whose draws were forced, by their JSON. */
  readonly #laws = new Map<string, OutputLaw>();
  /** Why the draws of this program are not forced. */
  #notForced: NotForced | undefined;
  /** Pairs whose draws were too many. */
  #failures = 0;
  /** Whether equal seeds give equal outputs; `undefined` before it was tried. */
  #repeats: boolean | undefined;
  readonly #limit: TimeLimit;
  /** Runs so far, and how many of these found laws of noise. */
  runs = 0;
  #lawRuns = 0;
  /** The most runs that there may be, about, without those that find laws. */
  maxRuns: number;
  /** Whether the limit of time ended something. */
  wasCut = false;

  /** Runs the program of `recorder` on noise that `seed` decides. */
  constructor(
    recorder: Recorder,
    { claim, seed, maxRuns, limit }: {
      readonly claim: Claim;
      readonly seed: number;
      readonly maxRuns: number;
      readonly limit: TimeLimit;
    },
  ) {
    this.maxRuns = maxRuns;
    this.#limit = limit;
    this.#recorder = timedRecorder(recorder, limit);
    this.#claim = claim;
    this.#seed = seed;
  }

  /**
   * Looks at a pair. One policy counts for all runs: the one that shows least, for each is a valid coupling. When the runs are spent nothing
   * more is run than one replay: a policy that was not run to its end is left out beside one that was.
   *
   * @throws {OutOfTime} where the limit of time ends the first replay.
   */
  async assess(
    pair: Pair,
    { seeds, from = 0, bothWays, policies }: Effort,
  ): Promise<Assessment> {
    const directions = bothWays ? [false, true] : [false];
    const looks = Array.from({ length: seeds }, (_, k) => from + k)
      .flatMap((k) => directions.map((reversed) => ({ seed: this.#seed + k, reversed })));
    let best: Assessment | undefined;
    for (const meet of this.#recorder.onePolicy === true ? [false] : policies) {
      let worst: Assessment | undefined;
      for (const look of looks) {
        const known = best ?? worst;
        if (known !== undefined && this.isOver()) return { ...known, isCut: true };
        const once = (): Promise<Assessment> => this.#once(pair, { ...look, meet });
        const shown = known === undefined ? await once() : await this.inTime(once);
        if (shown === undefined) return { ...known!, isCut: true };
        const one = { ...shown, noise: look.seed - this.#seed };
        if (one.allOutcomes !== undefined) return one;
        const notFollowed = worst?.notFollowed ?? one.notFollowed;
        const graver = worst === undefined || isGraver(one, worst) ? one : worst;
        // What covers on some noise is not known to cover where another run was not followed.
        worst = graver.tier === Tier.covered && notFollowed !== undefined
          ? {
            ...graver,
            notFollowed,
            worst: worst?.notFollowed === undefined ? one.worst : worst.worst,
          }
          : graver;
      }
      const isFollowed = worst!.tier === Tier.covered && worst!.notFollowed === undefined;
      if (best === undefined || isFollowed || isGraver(best, worst!)) best = worst!;
      if (isFollowed) break;
    }
    return best!;
  }

  /** Whether the runs or the time are over. */
  isOver(): boolean {
    if (this.runs - this.#lawRuns >= this.maxRuns) return true;
    return this.wasCut ||= this.#limit.isOver;
  }

  /** What `look` shows; `undefined` where the limit of time ends it. */
  async inTime<Shown>(look: () => Promise<Shown>): Promise<Shown | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.wasCut = true;
      return undefined;
    }
  }

  /**
   * How far outputs on the pair are apart at the same seeds, as a multiple of how far chance moves them; `undefined` for a program that
   * cannot be seeded: it does not say so, or gave two outputs for one seed.
   */
  async distance({ left, right }: Pair): Promise<number | undefined> {
    if (this.#recorder.replay === undefined || this.#repeats === false) return undefined;
    const sides = [[], []] as [OutputParts[], OutputParts[]];
    for (let k = 0; k < SEEDS; k++) {
      const seed = this.#seed + k >>> 0;
      const again = this.#repeats === undefined ? [left, right] : [];
      const datasets = [left, right, ...again];
      const outputs = await this.#recorder.replay({ datasets, seed });
      this.runs += outputs.length;
      this.#repeats ??= bareJson(outputs.slice(0, 2)) === bareJson(outputs.slice(2));
      if (!this.#repeats) return undefined;
      sides.forEach((side, i) => side.push(outputs[i]!));
    }
    return distanceAtSeeds(...sides);
  }

  async #once(
    pair: Pair,
    { seed, meet, reversed }: {
      readonly seed: number;
      readonly meet: boolean;
      readonly reversed: boolean;
    },
  ): Promise<Assessment> {
    const datasets = reversed ? [pair.right, pair.left] : [pair.left, pair.right];
    for (let round = 1;; round++) {
      const runs = await this.#recorder.record({
        datasets,
        seed: seed >>> 0,
        meet,
        asReads: [...this.#asReads],
      });
      for (const { runs: own = 1, lawRuns = 0, isOutOfTime } of runs) {
        this.runs += own;
        this.#lawRuns += lawRuns;
        this.wasCut ||= isOutOfTime === true;
      }
      const [first, second] = runs;
      const areNested = pair.left.length !== pair.right.length;
      const comparison = await compareRuns(first!, second!, { areNested });
      const shown = reversed ? [second!, first!] as const : [first!, second!] as const;
      const forced = await this.#byAllOutcomes(pair, { first: first!, runs: shown });
      if (forced !== undefined && !("reason" in forced)) return forced;
      const fresh = comparison.asReads.filter((place) => !this.#asReads.has(place));
      if (fresh.length > 0 && round < MOST_ROUNDS) {
        for (const place of fresh) this.#asReads.add(place);
        continue;
      }
      const chosen = samplingIn(first!, pair);
      const judged = {
        ...this.#judged(pair, comparison, shown),
        ...(chosen === undefined ? {} : { chosenAt: chosen.at }),
      };
      const isOfDraws = comparison.observations.every(({ law }) => law === "draw");
      if (forced === undefined || (judged.tier === Tier.costly && isOfDraws)) return judged;
      // Equal draws on both sides are no way to compare a program that only chooses.
      return judged.tier === Tier.covered && judged.notFollowed === undefined
        ? judged
        : { ...judged, tier: Tier.covered, share: NaN, notFollowed: forced.reason };
    }
  }

  /** What all outcomes show of a program that only chooses; why it does not, where it could. */
  async #byAllOutcomes(
    pair: Pair,
    { first, runs }: { readonly first: Recording; readonly runs: Assessment["runs"] },
  ): Promise<Assessment | NotForced | undefined> {
    if (!onlyChooses(first)) return undefined;
    if (this.#notForced !== undefined) return this.#notForced;
    if (pathsLike(first) > MOST_PATHS) return TOO_MANY;
    const laws: OutputLaw[] = [];
    for (const data of [pair.left, pair.right]) {
      const key = bareJson(data)!;
      const law = this.#laws.get(key) ??
        await lawOfOutputs(this.#recorder, data, {
          seed: this.#seed,
          most: FORCED_SHARE * (this.maxRuns - (this.runs - this.#lawRuns)),
          ran: (paths) => this.runs += paths,
        });
      if ("reason" in law) {
        if (law.always || ++this.#failures >= MOST_FAILURES) this.#notForced = law;
        return law;
      }
      this.#laws.set(key, law);
      laws.push(law);
    }
    const all = compareLaws(laws[0]!, laws[1]!, this.#claim);
    const share = all.parameter / claimedAmount(this.#claim);
    return {
      pair,
      tier: share > 1 + EXACT ? Tier.costly : Tier.covered,
      share,
      loss: NO_LOSS,
      worst: { kind: "all-outcomes", ...all.place, loss: NO_LOSS },
      costs: 1,
      notFollowed: undefined,
      declared: undefined,
      runs,
      allOutcomes: all,
    };
  }

  #judged(
    pair: Pair,
    { observations, loss, isSampled, declared, redrawnAt }: Comparison,
    runs: readonly [Recording, Recording],
  ): Assessment {
    const claim = this.#claim;
    const share = shareOf(loss, claim);
    const isCostly = share > 1 + (isSampled ? SAMPLED : EXACT);
    const notFollowed = observations.find(({ kind }) => kind === "not-followed") ??
      (isCostly && redrawnAt !== undefined
        ? { kind: "not-followed" as const, ...redrawnAt, loss: NO_LOSS, detail: REDRAWN }
        : undefined);
    const broken = observations.find(({ kind }) => kind === "declaration-broken");
    const uncovered = observations.find(({ kind }) =>
      kind !== "shift" && kind !== "not-followed" && kind !== "bounded-noise"
    );
    const costliest = observations.filter(({ loss }) => loss !== NO_LOSS)
      .sort((a, b) => shareOf(b.loss, claim) - shareOf(a.loss, claim));
    const tier = broken !== undefined
      ? Tier.broken
      : notFollowed !== undefined
      ? Tier.covered
      : uncovered !== undefined
      ? Tier.uncovered
      : isCostly
      ? Tier.costly
      : Tier.covered;
    return {
      pair,
      tier,
      share: notFollowed === undefined ? share : NaN,
      loss,
      worst: broken ?? (notFollowed === undefined ? uncovered ?? costliest[0] : notFollowed),
      costs: costliest.length,
      notFollowed: notFollowed?.detail,
      declared: declared.length === 0 ? undefined : { loss: promised(declared), reads: declared },
      runs,
    };
  }
}

/** Whether one assessment is graver than another: by tier, by whether the runs went other ways, then by share, and where noise was not followed by distance. */
export function isGraver(one: Assessment, other: Assessment): boolean {
  if (one.tier !== other.tier) return one.tier > other.tier;
  const [went, otherWent] = [one, other].map(({ worst }) => worst?.kind === "control-flow");
  if (went !== otherWent) return went!;
  if (Number.isNaN(one.share) && Number.isNaN(other.share)) {
    return (one.distance ?? 0) > (other.distance ?? 0);
  }
  return one.share > other.share || (Number.isNaN(other.share) && !Number.isNaN(one.share));
}

/** What declared mechanisms lose together, each all that it declares. */
function promised(reads: readonly Read[]): Loss {
  return reads.reduce((sum, { declared }) => composed(sum, lossOfDeclared(declared!)), NO_LOSS);
}

/** What an assessment shows, and where. */
export function keyOfFinding({ tier, worst }: Assessment): string {
  return bareJson([tier, worst?.kind ?? "", worst?.at ?? ""])!;
}
