import { bareJson } from "../../core/text/bare_json.ts";
import type { ForcedDraw, Recorder, Recording } from "./recording.ts";

/** The most paths of a dataset that are run. */
export const MOST_PATHS: number = 4096;
/** Paths of one request. */
const AT_ONCE = 128;
/** Paths that are run again with another seed, which shows noise that is not watched. */
const RUN_AGAIN = 16;
/** Chances of all paths sum to 1 but for this. */
const ROUNDING = 1e-9;
/** Paths that begin less probably are not run: a loop that draws may go on for ever. */
const LEAST_CHANCE = 1e-12;
/** Error of sums of probabilities. */
const SUM_ROUNDING = 1e-12;

/** An output, and how likely it is. */
export interface ForcedOutput {
  readonly output: unknown;
  readonly error?: string;
  chance: number;
  /** The draws of one of its paths. */
  readonly draws: readonly ForcedDraw[];
}

/** The law of the outputs on a dataset, by their texts. */
export interface OutputLaw {
  readonly outputs: ReadonlyMap<string, ForcedOutput>;
  readonly paths: number;
  /** At least the probability of all paths that were not run; 0 where all were. */
  readonly unseen: number;
}

/** The beginning of paths that are still to be run. */
interface Beginning {
  readonly outcomes: readonly number[];
  readonly chance: number;
}

/** Why a dataset's paths could not be run: a sentence; and whether it is so for all datasets. */
export interface NotForced {
  readonly reason: string;
  readonly always: boolean;
}

/** Counts the ways in which the draws of a run could have gone, where those after it are as many on all of them. */
export function pathsLike({ reads }: Recording): number {
  return reads.reduce((product, { kind, shape, ...law }) => {
    if (kind === "sign") return product * 2 ** Math.max(1, shape.reduce((a, b) => a * b, 1));
    const { chances, uniform, binomial, subset, permutation } = law;
    const times = shape.slice(0, -1).reduce((a, b) => a * b, 1);
    const [n, count] = permutation === undefined ? subset ?? [0, 0] : [permutation, permutation];
    const ordered = Array.from({ length: count }, (_, k) => n - k).reduce((a, b) => a * b, 1);
    const one = uniform ?? chances?.length ??
      (binomial === undefined ? undefined : binomial[0] + 1);
    return product * (one === undefined ? ordered : one ** times);
  }, 1);
}

/** The way that one run of forced draws went. */
export interface ForcedRun {
  readonly run: Recording;
  readonly chance: number;
  readonly outcomes: readonly number[];
}

/** Number of paths, and at least the probability of those that were not run. */
export interface ForcedWays {
  readonly paths: number;
  readonly unseen: number;
}

/** Runs a program once for each way in which its discrete draws can go, the most probable first. */
export async function forceAll(
  run: (force: readonly (readonly number[])[]) => Promise<readonly Recording[]>,
  { most = MOST_PATHS, enough = Infinity, onRun }: {
    /** The most ways that are run. */
    readonly most?: number;
    /** After so many, about, no more are begun. */
    readonly enough?: number;
    readonly onRun: (run: ForcedRun) => void;
  },
): Promise<ForcedWays | NotForced> {
  let left: Beginning[] = [{ outcomes: [], chance: 1 }];
  let paths = 0, sum = 0, dropped = 0, isCut = false;
  while (left.length > 0) {
    left.sort((a, b) => b.chance - a.chance);
    // Each run ends one path: of these no more can be run.
    const room = most - paths;
    isCut ||= left.length > room;
    dropped += left.slice(room).reduce((all, { chance }) => all + chance, 0);
    if (dropped > ROUNDING) return tooMany(most);
    const forced = left.slice(0, Math.min(AT_ONCE, room));
    left = left.slice(forced.length, room);
    if (forced.length === 0) break;
    const runs = await run(forced.map(({ outcomes }) => outcomes));
    for (const [k, one] of runs.entries()) {
      const { path, notFollowed } = one;
      if (notFollowed !== undefined) return { reason: notFollowed, always: true };
      if (path === undefined) return { reason: "its draws cannot all be forced", always: true };
      paths++;
      const outcomes = path.map(({ outcome }) => outcome);
      let chance = 1;
      for (const [i, draw] of path.entries()) {
        const { outcome, of } = draw;
        if (outcomesOf(of) > most) return tooMany(most);
        for (let other = 0; i >= forced[k]!.outcomes.length && other < outcomesOf(of); other++) {
          const begins = chance * chanceOf(draw, other);
          if (other === outcome || begins === 0) continue;
          if (begins < LEAST_CHANCE) isCut = true;
          else left.push({ outcomes: [...outcomes.slice(0, i), other], chance: begins });
        }
        chance *= chanceOf(draw, outcome);
      }
      if (one.isRare) {
        isCut = true;
        continue;
      }
      onRun({ run: one, chance, outcomes });
      sum += chance;
    }
    if (left.length > 0 && paths >= enough) return TOO_FEW_RUNS;
  }
  if (Math.abs(sum - 1) > ROUNDING) {
    return isCut ? tooMany(most) : {
      reason: "it draws otherwise when it is run again with the same outcomes",
      always: true,
    };
  }
  return { paths, unseen: isCut ? Math.max(0, 1 - sum) + SUM_ROUNDING : 0 };
}

/**
 * Returns the law of a program's outputs on a dataset, by running it once for each way in which its discrete draws can go: exact, where all that it
 * draws is watched.
 */
export async function lawOfOutputs(
  recorder: Recorder,
  data: unknown,
  { seed, most, ran }: {
    readonly seed: number;
    /** The most paths, about. */
    readonly most: number;
    /** Called with the number of paths that were run. */
    readonly ran: (paths: number) => void;
  },
): Promise<OutputLaw | NotForced> {
  const outputs = new Map<string, ForcedOutput>();
  const first: { readonly path: readonly number[]; readonly key: string }[] = [];
  const run = (force: readonly (readonly number[])[], ownSeed: number) =>
    recorder.record({
      datasets: [data],
      order: force.map(() => 0),
      seed: ownSeed,
      meet: false,
      asReads: [],
      force,
    });
  const forced = async (
    force: readonly (readonly number[])[],
  ): Promise<readonly Recording[]> => {
    const runs = await run(force, seed);
    ran(runs.length);
    return runs;
  };
  const ways = await forceAll(forced, {
    enough: most,
    onRun({ run: one, chance, outcomes }): void {
      const key = keyOf(one);
      addOutput(outputs, key, { run: one, chance });
      if (first.length < RUN_AGAIN) first.push({ path: outcomes, key });
    },
  });
  if ("reason" in ways) return ways;
  const again = await run(first.map(({ path }) => path), seed + 1);
  if (again.some((one, k) => keyOf(one) !== first[k]!.key)) {
    return {
      reason: "equal draws give other outputs: it keeps state, or has noise that is not watched",
      always: true,
    };
  }
  return { outputs, ...ways };
}

function addOutput(
  outputs: Map<string, ForcedOutput>,
  key: string,
  { run: { output, error, path }, chance }: { readonly run: Recording; readonly chance: number },
): void {
  const known = outputs.get(key);
  if (known === undefined) {
    outputs.set(key, { output, ...(error === undefined ? {} : { error }), chance, draws: path! });
  } else known.chance += chance;
}

/** Returns the reason why the draws of a dataset are not forced where there are too many ways. */
export function tooMany(most: number = MOST_PATHS): NotForced {
  return { reason: `its draws can go in more than ${most} ways`, always: false };
}

const TOO_FEW_RUNS: NotForced = {
  reason: "the runs that were left were too few to force all of its draws",
  always: false,
};

function outcomesOf(of: ForcedDraw["of"]): number {
  return typeof of === "number" ? of : of.length;
}

function chanceOf({ of }: ForcedDraw, outcome: number): number {
  return typeof of === "number" ? 1 / of : of[outcome]!;
}

function keyOf({ output, error }: Recording): string {
  return error === undefined ? bareJson(output)! : `error ${error}`;
}
