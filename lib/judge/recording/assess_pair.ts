import { type AllOutcomes, compareLaws } from "./all_outcomes.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { isChoice, onlyChooses } from "./comparison/choices.ts";
import { compareRuns, movedTogether } from "./comparison/compare_runs.ts";
import type { Comparison, Observation } from "./comparison/observation.ts";
import { type Converted, followConverted } from "./converted_noise.ts";
import { compareOutcomes } from "./outcomes_in_between.ts";
import {
  lawOfOutputs,
  MOST_PATHS,
  type NotForced,
  type OutputLaw,
  pathsLike,
  tooMany,
} from "./forced_paths.ts";
import { distanceAtSeeds } from "./distance.ts";
import { claimedAmount, NO_LOSS, shareOf } from "./loss.ts";
import { samplingIn } from "./sampling.ts";
import type { TimeLimit } from "../audit/kernel/drawing/time_limit.ts";
import { OutOfTime, timedRecorder } from "./timed_recorder.ts";
import { type OutputParts, outputParts } from "./output_parts.ts";
import { type Place, placeAlone, type Read, type Recorder, type Recording } from "./recording.ts";
import {
  type Assessment,
  EXACT,
  isGraver,
  judge,
  type Look,
  type Seen,
  Tier,
  unfollowed,
  withoutFrom,
} from "./assessment.ts";

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

/** Seeds at which outputs are compared, where noise is not followed. */
const SEEDS = 4;
/** The share of the runs left that all outcomes on one dataset may take, and after how many pairs with too many draws no more are tried. */
const FORCED_SHARE = 0.4, MOST_FAILURES = 3;
/** Shares above 1 by no more than this are rounding of a linear program. */
const COUPLED = 1e-5;
const MOVES_ALONE =
  "it differs between two runs on the same data, as a counter, the time or randomness that is not watched does";
const CONVERTED = "its noise is converted, and used in a way that is not followed";
const CHOSEN_BY_NOISE = "its noise decides by comparisons, or by reads, what is put out";
/** Runs with other noise that show whether a part of an output is always the same. */
const OTHER_NOISE = 48;
/** How often each of two datasets is run to confirm that they make the difference. */
const TRIALS = { broken: 8, suspected: 3 };
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
  /** What the last replay showed. */
  #seen: Seen | undefined;
  /** The number of the next comparison by outcomes. */
  #keeps = 1;
  readonly #limit: TimeLimit;
  /** Runs so far. */
  runs = 0;
  /** The most runs that there may be, about. */
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
        const one = {
          ...shown,
          noise: look.seed - this.#seed,
          look: {
            datasets: look.reversed
              ? [pair.right, pair.left] as const
              : [pair.left, pair.right] as const,
            seed: look.seed,
            meet,
            ...this.#seen!,
          },
        };
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

  /** Returns true if the runs or the time are over. */
  isOver(): boolean {
    if (this.runs >= this.maxRuns) return true;
    return this.wasCut ||= this.#limit.isOver;
  }

  /** Runs the program on datasets with the same noise, and counts the runs. */
  async #run(
    datasets: readonly unknown[],
    { seed, meet, asReads = [...this.#asReads] }: {
      readonly seed: number;
      readonly meet: boolean;
      readonly asReads?: readonly string[];
    },
  ): Promise<readonly Recording[]> {
    const recordings = await this.#recorder.record({ datasets, seed: seed >>> 0, meet, asReads });
    for (const { runs = 1 } of recordings) this.runs += runs;
    return recordings;
  }

  /** Returns the result of `look`; `undefined` where the limit of time ends it. */
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
   * Returns the distance of outputs on the pair at the same seeds, as a multiple of how far chance moves them; `undefined` for a program that
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

  /**
   * Returns by how much the values under noise move up together to a dataset from each neighbour, at the same noise; `undefined` for those that cannot be
   * compared with it.
   */
  async movesFrom(
    neighbours: readonly unknown[],
    data: unknown,
  ): Promise<readonly (number | undefined)[]> {
    const [first, ...others] = await this.#run([data, ...neighbours], {
      seed: this.#seed,
      meet: false,
    });
    return others.map((other) => {
      const down = movedTogether(first!, other);
      return down === undefined ? undefined : -down;
    });
  }

  /** Looks at a pair once. */
  async #once(pair: Pair, { seed, meet, reversed }: OneLook): Promise<Assessment> {
    const datasets = reversed ? [pair.right, pair.left] as const : [pair.left, pair.right] as const;
    for (let round = 1;; round++) {
      const [first, second] = await this.#run(datasets, { seed, meet });
      const comparison = await compareRuns(first!, second!, { areNested: areNested(pair) });
      this.#seen = { comparison, asReads: [...this.#asReads] };
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
        ...judge(pair, comparison, { runs: shown, claim: this.#claim }),
        ...(chosen === undefined ? {} : { chosenAt: chosen.at }),
      };
      const isOfDraws = comparison.observations.every(({ law }) => law === "draw");
      if (forced === undefined || (judged.tier === Tier.costly && isOfDraws)) {
        const isAdapters = (first!.notFollowed ?? second!.notFollowed) !== undefined;
        if (judged.tier === Tier.covered && (judged.notFollowed === undefined || isAdapters)) {
          return judged;
        }
        const look = { datasets, runs: [first!, second!], shown, seed, meet } as const;
        const explained = await this.#explained(judged, comparison, look);
        if (!("asReads" in explained)) return explained;
        const more = explained.asReads.filter((place) => !this.#asReads.has(place));
        for (const place of more) this.#asReads.add(place);
        if (more.length > 0 && round < MOST_ROUNDS) continue;
        return unfollowed(judged, { at: "", detail: "its noise is a function of data" });
      }
      // Equal draws on both sides are no way to compare a program that only chooses.
      return judged.tier === Tier.covered && judged.notFollowed === undefined
        ? judged
        : { ...judged, tier: Tier.covered, share: NaN, notFollowed: forced.reason };
    }
  }

  /**
   * Returns what a pair shows that is due to the data: not to what changes by itself between two runs, nor to noise that the program converts, nor to
   * choices whose outcomes mean something else on the neighbour.
   */
  async #explained(
    found: Assessment,
    comparison: Comparison,
    look: Look,
  ): Promise<Assessment | { readonly asReads: readonly string[] }> {
    const { pair } = found, { datasets, shown } = look;
    const moved = await this.#movedAlone(look);
    let judged = found, own = comparison;
    if (moved !== undefined) {
      own = withoutFrom(comparison, moved.index ?? 0);
      const { chosenAt } = found;
      judged = {
        ...judge(pair, own, { runs: shown, claim: this.#claim }),
        index: (moved.index ?? 0) - 1,
        ...(chosenAt === undefined ? {} : { chosenAt }),
      };
      if (judged.tier === Tier.covered && judged.notFollowed === undefined) {
        return unfollowed(found, moved);
      }
    }
    const converted = await this.#converted(look);
    if (converted !== undefined) {
      if ("lost" in converted) {
        if (converted.isAlone) return unfollowed(judged, { ...converted.lost, detail: CONVERTED });
      } else if (moved === undefined) {
        const { runs, silent, oneSided } = converted;
        own = await compareRuns(...runs, { areNested: areNested(pair) });
        if (own.asReads.length > 0) return own;
        const [first, second] = runs;
        judged = judge(pair, own, {
          runs: datasets[0] === pair.left ? [first, second] : [second, first],
          claim: this.#claim,
        });
        if (
          judged.notFollowed === undefined && silent !== undefined && judged.tier === Tier.uncovered
        ) {
          return unfollowed(judged, { ...silent, detail: CONVERTED });
        }
        if (judged.tier === Tier.covered && judged.notFollowed === undefined) return judged;
        if (oneSided !== undefined) return unfollowed(judged, { ...oneSided, detail: CONVERTED });
      }
    }
    const chosen = await this.#chosenByNoise(judged, look);
    if (chosen !== undefined) return chosen;
    return await this.#byOutcomes(judged, own, look);
  }

  /**
   * Returns a change of the output as not followed, where noise that was looked at alone, as a sampler does in its loops and branches, may be what
   * covers it: where the part of the output that differs is another one with other noise.
   */
  async #chosenByNoise(
    judged: Assessment,
    { datasets: [data], runs: [first, second], seed, meet }: Look,
  ): Promise<Assessment | undefined> {
    const { worst } = judged;
    if (worst?.kind !== "uncovered-output" || worst.index !== first.reads.length) return undefined;
    const looked = first.reads.find((read, k) => readsNoiseAlone(read, second.reads[k], first));
    if (looked === undefined) return undefined;
    const own = piecesOf(first), changed = piecesOf(second).map((piece, i) => piece !== own[i]);
    for (let k = 1; k <= OTHER_NOISE; k++) {
      const [other] = await this.#run([data], { seed: seed + k, meet });
      const pieces = piecesOf(other!);
      if (
        pieces.length !== own.length || pieces.some((piece, i) => changed[i] && piece !== own[i])
      ) return unfollowed(judged, { ...placeAlone(looked), detail: CHOSEN_BY_NOISE });
    }
    return undefined;
  }

  /**
   * Tries again whether what a pair shows is due to the data: the first dataset is run beside itself and beside the neighbour in a random
   * order, and what differs must be told by the dataset alone. Where it is not, that happens with a chance of 1/12,870 at most for a broken
   * declaration (8 runs of each), and of 1/20 for a suspicion (3), whatever else changes from run to run.
   */
  async confirm(found: Assessment): Promise<Assessment> {
    const { look, allOutcomes, pair } = found;
    if (allOutcomes !== undefined) {
      return await this.#sameOutcomes(pair, allOutcomes)
        ? found
        : unfollowed(found, { at: found.worst!.at, detail: MOVES_ALONE });
    }
    const { datasets, seed, meet, asReads } = look!;
    const count = found.tier === Tier.broken ? TRIALS.broken : TRIALS.suspected;
    const sides = Array.from({ length: 2 * count }, (_, k) => k % 2);
    const source = new SeededSource(seed >>> 0).split("order of controls");
    for (let k = sides.length - 1; k > 0; k--) {
      const other = Math.floor(source.uniform() * (k + 1));
      [sides[k], sides[other]] = [sides[other]!, sides[k]!];
    }
    const end = found.index ?? Infinity;
    const movedIn = (comparison: Comparison): Observation[] =>
      this.#moved(comparison).filter(({ index = 0 }) => index <= end);
    const textOf = (comparison: Comparison): string =>
      bareJson([
        comparison.asReads,
        ...movedIn(comparison).map(({ kind, at, change = 0 }) => [kind, at, change.toPrecision(6)]),
      ])!;
    const shown = textOf(look!.comparison);
    for (const side of sides) {
      const runs = await this.#run([datasets[0], datasets[side]], { seed, meet, asReads });
      const comparison = await compareRuns(runs[0]!, runs[1]!, { areNested: areNested(pair) });
      const moved = movedIn(comparison);
      const isSame = side === 0 ? moved.length === 0 : textOf(comparison) === shown;
      if (!isSame) {
        return unfollowed(found, { ...placeAlone(moved[0] ?? found.worst), detail: MOVES_ALONE });
      }
    }
    return found;
  }

  /** Returns true if the laws of the outputs are what they were, the right one first. */
  async #sameOutcomes({ left, right }: Pair, { parameter }: AllOutcomes): Promise<boolean> {
    const laws: OutputLaw[] = [];
    for (const data of [right, left]) {
      const law = await lawOfOutputs(this.#recorder, data, {
        seed: this.#seed,
        most: Infinity,
        ran: (paths) => this.runs += paths,
      });
      if ("reason" in law) return false;
      laws.unshift(law);
    }
    return compareLaws(laws[0]!, laws[1]!, this.#claim).parameter === parameter;
  }

  /** Returns the observations of values that noise does not cover without a loss. */
  #moved({ observations }: Comparison): Observation[] {
    return observations
      .filter(({ kind, loss }) => kind !== "shift" || shareOf(loss, this.#claim) > EXACT)
      .sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  /** Returns the first value that moves from a run to another one of the same data and the same noise; `undefined` where nothing does. */
  async #movedAlone(
    { datasets: [data], seed, meet }: Look,
  ): Promise<Observation | undefined> {
    const [first, again] = await this.#run([data, data], { seed, meet });
    const comparison = await compareRuns(first!, again!), { asReads } = comparison;
    if (asReads.length > 0) {
      return { kind: "not-followed", at: asReads[0]!, loss: NO_LOSS, detail: MOVES_ALONE };
    }
    const [moved] = this.#moved(comparison);
    return moved === undefined ? undefined : { ...moved, detail: MOVES_ALONE };
  }

  async #converted({ datasets, runs, seed, meet }: Look): Promise<Converted | undefined> {
    const converted = await followConverted(this.#recorder, runs, {
      datasets,
      seed: seed >>> 0,
      meet,
      asReads: [...this.#asReads],
    });
    if (converted !== undefined && "runs" in converted) this.runs += 2 + 4 * converted.moved;
    return converted;
  }

  /** Compares a program that chooses by chance before what a pair shows, with each choice kept by its outcome. */
  async #byOutcomes(
    judged: Assessment,
    { observations }: Comparison,
    { datasets, runs, seed, meet }: Look,
  ): Promise<Assessment | { readonly asReads: readonly string[] }> {
    const { pair, worst } = judged;
    const last = judged.notFollowed !== undefined
      ? Infinity
      : judged.tier === Tier.costly
      ? Math.max(...observations.map(({ loss, index = 0 }) => loss === NO_LOSS ? -1 : index))
      : worst?.index ?? Infinity;
    const choice = choiceUpTo(last, runs);
    if (choice === undefined) return judged;
    const outcomes = await compareOutcomes(this.#recorder, {
      datasets,
      seed: seed >>> 0,
      meet,
      asReads: [...this.#asReads],
      keep: this.#keeps++,
    }, { claim: this.#claim, areNested: areNested(pair), choice });
    if ("asReads" in outcomes) return outcomes;
    if ("reason" in outcomes) {
      if (judged.notFollowed !== undefined) return judged;
      if (worst?.kind === "control-flow" && partsAt(choice, runs)) {
        return unfollowed(judged, {
          ...placeAlone(choice),
          detail: "how often it chooses by chance depends on the data",
        });
      }
      // Which rows take part, or in which order, is compared as it was drawn.
      return judged.chosenAt === undefined
        ? unfollowed(judged, {
          ...placeAlone(choice),
          detail: `it chooses by chance, and ${outcomes.reason}`,
        })
        : judged.tier === Tier.broken
        ? { ...judged, tier: Tier.uncovered }
        : judged;
    }
    const { share, loss, broken, costs, ways } = outcomes;
    this.runs += ways;
    const { chosenAt: _, ...rest } = judged;
    const shown = {
      ...rest,
      costs,
      runs: datasets[0] === pair.left
        ? outcomes.runs
        : [outcomes.runs[1], outcomes.runs[0]] as const,
      declared: undefined,
      notFollowed: undefined,
    };
    if (broken !== undefined && judged.tier === Tier.broken) return { ...shown, worst: broken };
    return {
      ...shown,
      tier: share === Infinity ? Tier.uncovered : share > 1 + COUPLED ? Tier.costly : Tier.covered,
      share,
      loss,
      worst: outcomes.worst,
    };
  }

  /** Returns the pair on which a program that only chooses loses most; `undefined` where the runs do not suffice for the outcomes on all of them. */
  async worstByOutcomes(pairs: readonly Pair[]): Promise<Pair | undefined> {
    let worst: Pair | undefined, most = 0;
    for (const pair of pairs) {
      const laws = await this.#lawsOn(pair);
      if ("reason" in laws) return undefined;
      const { parameter } = compareLaws(...laws, this.#claim);
      if (parameter > most) [worst, most] = [pair, parameter];
    }
    return worst;
  }

  /** Returns the laws of the outputs on both datasets of a pair, each forced once; or the reason why they are not known. */
  async #lawsOn({ left, right }: Pair): Promise<[OutputLaw, OutputLaw] | NotForced> {
    const laws: OutputLaw[] = [];
    for (const data of [left, right]) {
      const key = bareJson(data)!;
      const law = this.#laws.get(key) ??
        await lawOfOutputs(this.#recorder, data, {
          seed: this.#seed,
          most: FORCED_SHARE * (this.maxRuns - this.runs),
          ran: (paths) => this.runs += paths,
        });
      if ("reason" in law) {
        if (law.always || ++this.#failures >= MOST_FAILURES) this.#notForced = law;
        return law;
      }
      this.#laws.set(key, law);
      laws.push(law);
    }
    return laws as [OutputLaw, OutputLaw];
  }

  /** Compares all outcomes of a program that only chooses; or returns the reason why it does not only choose. */
  async #byAllOutcomes(
    pair: Pair,
    { first, runs }: { readonly first: Recording; readonly runs: Assessment["runs"] },
  ): Promise<Assessment | NotForced | undefined> {
    if (!onlyChooses(first)) return undefined;
    if (this.#notForced !== undefined) return this.#notForced;
    if (pathsLike(first) > MOST_PATHS) return tooMany();
    const laws = await this.#lawsOn(pair);
    if ("reason" in laws) return laws;
    const all = compareLaws(...laws, this.#claim);
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
}

/** How a pair is run once. */
interface OneLook {
  readonly seed: number;
  readonly meet: boolean;
  readonly reversed: boolean;
}

/** Returns the first choice up to a read; where the runs come apart, also one that only the second would make. */
function choiceUpTo(last: number, runs: readonly Recording[]): Place | undefined {
  const made = runs.map(({ reads, atoms }) =>
    reads.find((read, k) => k <= last && isChoice(read, atoms))
  );
  const met = runs[1]!.apart?.met;
  const isMet = met?.kind === "draw" || met?.kind === "sign";
  return made[0] ?? made[1] ?? (isMet ? met : undefined);
}

/** Returns true if a replay parts from its run at a choice: one of them chooses once more there. */
function partsAt({ at }: Place, [, second]: readonly Recording[]): boolean {
  return [second!.apart?.expected, second!.apart?.met].some((own) =>
    own?.at === at && (own.kind === "sign" || own.kind === "draw")
  );
}

/** Returns an output as its numbers, texts and other values, and an error besides. */
function piecesOf({ output, error }: Recording): readonly unknown[] {
  const { shape, numbers } = outputParts(output);
  return [...numbers, ...shape.split(","), error];
}

/** Returns true if a read looks at noise to which no data was added, but for comparisons that draw again until a known law fits. */
function readsNoiseAlone(read: Read, other: Read | undefined, { atoms }: Recording): boolean {
  if (other === undefined || isChoice(read, atoms)) return false;
  if (read.kind !== "sign" && read.inside !== "noise alone") return false;
  return read.forms.some(([, terms]) => terms.length > 0) &&
    bareJson(read.forms) === bareJson(other.forms);
}

function areNested({ left, right }: Pair): boolean {
  return left.length !== right.length;
}
