import type { Highs } from "highs";
import type { Claim } from "../../../core/claims/claim.ts";
import { rational, toNumber } from "../../../core/numeric/rational.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { variable } from "../alignment/affine.ts";
import { FunctionsOfData } from "../alignment/function_of_data.ts";
import { requireSameRuns, valuesFor } from "../alignment/require_same_runs.ts";
import { solver } from "../alignment/exact_program.ts";
import { dataOf, pairCases } from "../alignment/neighbour_cases.ts";
import { NoiseLaws } from "../alignment/noise_laws.ts";
import {
  type AlignedProgram,
  MOST_PATHS,
  type ProvedCase,
  type ProveOptions,
} from "../alignment/prove_alignment.ts";
import { type CaseLeaf, leavesOf } from "../alignment/prove_case.ts";
import { tightValues } from "../alignment/tight_pair.ts";
import {
  computesOutputs,
  pathsOf,
  type TracedPath,
  traceProgram,
  type TraceTree,
  withValues,
} from "../alignment/trace_program.ts";
import { NotTraceable } from "../alignment/traced_value.ts";
import { addIntervals, type Interval, interval, multiplyIntervals } from "../interval.ts";
import { bestOf, climb, firstPlace, numberPaths, type Place } from "./climb.ts";
import { exponential } from "./exact_interval.ts";
import { outputLikelihoods } from "./output_likelihoods.ts";

/** One output that is too much likelier on one dataset than on its neighbour, for noise and arithmetic of real numbers. */
export interface LikelihoodRefutation {
  /** The dataset on which it is likelier. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
  /** With numbers in place of what is released. */
  readonly output: unknown;
  /** Its probability on both, or with a `rank` above 0 the density of so many released values. */
  readonly likelihood: { readonly left: Interval; readonly right: Interval };
  /** How many released values the likelihoods are densities of; 0: they are probabilities. */
  readonly rank: number;
  /** ln of the ratio is at least this. */
  readonly loss: number;
}

/** Where a refutation is looked for. */
export interface LikelihoodOptions extends Pick<ProveOptions, "claim" | "maxPaths" | "test"> {
  /** The proof that did not reach the claim. */
  readonly details: readonly ProvedCase[];
  /** Whether data are whole numbers. */
  readonly whole: boolean;
  /** Returns true if two datasets are neighbours, and of the domain. */
  isPair(left: unknown, right: unknown): boolean;
}

/** Leaves of the proof, those with the largest loss first, and outputs of each, from which is climbed. */
const MOST_LEAVES = 6, MOST_OUTPUTS = 600, MOST_CLIMBS = 4;
/** Data by chance for an output that is impossible at the tight pair. */
const CHANCES = 16;

/**
 * Looks for an output whose likelihoods on two neighbours refute a pure or an approximate claim. From pairs at which the proof is tight it climbs
 * to pairs and outputs of larger loss. The program is then traced on that pair alone and compared with runs on it, and the likelihoods
 * are enclosed: what is returned is a refutation. That nothing was found says nothing.
 */
export async function refuteByLikelihood(
  program: AlignedProgram,
  options: LikelihoodOptions,
): Promise<LikelihoodRefutation | undefined> {
  const { claim, details, whole } = options;
  if (claim.kind !== "pure" && claim.kind !== "approximate") return undefined;
  const highs = await solver();
  const leaves = details.flatMap((proved) =>
    leavesOf(proved.proof).map((leaf) => ({ proved, leaf, most: lossOf(leaf) }))
  ).filter(({ most, leaf }) =>
    most > claim.epsilon && ![leaf.left, leaf.right].some(computesOutputs)
  ).sort((a, b) => b.most - a.most);
  for (const { proved, leaf, most } of leaves.slice(0, MOST_LEAVES)) {
    const climbing = { leaf, laws: proved.laws, whole, most };
    const starts = outputsOf(leaf).map(([path, aligned]) => {
      const at = tightValues({ leaf, aligned, laws: proved.laws, highs });
      const tight = at && firstPlace(dataAt(leaf, at, whole), path, climbing);
      return tight ??
        bestOf(byChance(leaf, whole).map((data) => firstPlace(data, path, climbing)));
    }).filter((each) => each !== undefined).sort((a, b) => b.place.loss - a.place.loss);
    for (const start of starts.slice(0, MOST_CLIMBS)) {
      const place = start.place.loss > claim.epsilon ? start.place : climb(start, climbing);
      const found = confirmed(program, { place, proved, options, highs });
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns an upper bound on the loss at any place of a leaf. */
function lossOf({ alignment: { open, epsilon } }: CaseLeaf): number {
  return open.length > 0 ? Infinity : toNumber(epsilon);
}

type Aligned = CaseLeaf["alignment"]["classes"][number];

/** Returns a path for each output, and its class, those with the largest loss first; `undefined` for one that is open. */
function outputsOf(
  { left, alignment: { classes, open } }: CaseLeaf,
): (readonly [TracedPath, Aligned | undefined])[] {
  const paths = pathsOf(left), cost = ({ shift }: Aligned): number => toNumber(shift.epsilon);
  return [
    ...open.map((each) => [paths[each.paths[0]!]!, undefined] as const),
    ...classes.toSorted((a, b) => cost(b) - cost(a))
      .map((each) => [paths[each.left.paths[0]!]!, each] as const),
  ].slice(0, MOST_OUTPUTS);
}

/** Returns data drawn at random, the same each time. */
function byChance(
  { premises: all, functions }: CaseLeaf,
  whole: boolean,
): ReadonlyMap<string, number>[] {
  const source = new SeededSource("data for likelihoods"), premises = functions.without(all);
  return Array.from({ length: CHANCES }, () => valuesFor({ premises }, source, 1))
    .filter((data) => data !== undefined)
    .map((data) => new Map([...data].map(([name, value]) => [name, shortened(value, whole)])));
}

/** Returns a number near, so that fractions stay short. */
function shortened(value: number, whole: boolean): number {
  const parts = whole ? 1 : 1024;
  return Math.round(value * parts) / parts;
}

/** Returns the values of the variables, rounded where the premises allow that, so that fractions stay short. */
function dataAt(
  { premises: all, functions }: CaseLeaf,
  at: NonNullable<ReturnType<typeof tightValues>>,
  whole: boolean,
): ReadonlyMap<string, number> {
  const premises = functions.without(all);
  const names = new Set(premises.flatMap(({ form }) => [...form.keys()]).filter((name) => name));
  return new Map([...names].map((name) => [name, shortened(at(variable(name)), whole)]));
}

/** Returns the refutation at a place, where it is one. */
function confirmed(
  program: AlignedProgram,
  { place, proved, options, highs }: {
    readonly place: Place;
    readonly proved: ProvedCase;
    readonly options: LikelihoodOptions;
    readonly highs: Highs;
  },
): LikelihoodRefutation | undefined {
  const { claim } = options, { each } = proved;
  const at = (side: "left" | "right"): unknown =>
    dataOf(each[side], (form) => {
      let sum = 0;
      for (const [name, factor] of form) {
        sum += toNumber(factor) * (name === "" ? 1 : place.data.get(name)!);
      }
      return sum;
    });
  const left = at("left"), right = at("right");
  if (!options.isPair(left, right)) return undefined;
  const traced = tracedPair(program, { left, right }, { ...options, highs });
  if (traced === undefined) return undefined;
  const { leaf, laws } = traced;
  const { path: { output: { numbered: { label } } }, values } = place;
  const paths = (side: "left" | "right"): ReturnType<typeof numberPaths> =>
    numberPaths(pathsOf(leaf[side]), label, new Map());
  const found = outputLikelihoods({ left: paths("left"), right: paths("right") }, {
    label,
    values,
    laws,
  });
  if (found === undefined || !refutes(claim, found)) return undefined;
  const path = pathsOf(leaf.left).find(({ output }) => output.numbered.label === label)!;
  return {
    left,
    right,
    output: withValues(path.output.numbered, values.map(toNumber)),
    likelihood: { left: found.left, right: found.right },
    rank: found.rank,
    loss: Math.log(found.left.lower / found.right.upper) * (1 - 2 ** -48) - Number.MIN_VALUE,
  };
}

/** Returns the paths of a program on two datasets, compared with runs on them; `undefined` where it cannot be traced on them. */
function tracedPair(
  { run }: AlignedProgram,
  { left, right }: { readonly left: unknown; readonly right: unknown },
  { maxPaths = MOST_PATHS, test = {}, highs }: LikelihoodOptions & { readonly highs: Highs },
): { readonly leaf: CaseLeaf; readonly laws: NoiseLaws } | undefined {
  const laws = new NoiseLaws(), functions = new FunctionsOfData(), [each] = pairCases(left, right);
  let paths = 0;
  const onPath = (): void => {
    if (++paths > maxPaths) throw new NotTraceable(`it has more than ${maxPaths} paths`);
  };
  const trace = (value: unknown): TraceTree =>
    traceProgram(run, {
      data: { value },
      decisions: new Map(),
      functions,
      premises: [],
      laws,
      highs,
      onPath,
    });
  try {
    const leaf: CaseLeaf = {
      kind: "leaf",
      premises: [],
      functions,
      asked: "",
      left: trace(left),
      right: trace(right),
      alignment: { classes: [], open: [], epsilon: rational(0), muSquared: rational(0) },
    };
    const source = new SeededSource("runs beside a pair");
    const same = requireSameRuns(run, { each: each!, proof: leaf, source, test, laws, highs });
    // Outputs that are computed otherwise may be the same.
    const isComputed = [leaf.left, leaf.right].some(computesOutputs);
    return same.unrun.length === 0 && !isComputed ? { leaf, laws } : undefined;
  } catch (error) {
    if (error instanceof NotTraceable) return undefined;
    throw error;
  }
}

/** Returns true if P > e^ε·Q + δ for certain. Of densities a box around the values is so small that no δ above 0 is reached. */
function refutes(
  claim: Claim,
  { left, right, rank }: {
    readonly left: Interval;
    readonly right: Interval;
    readonly rank: number;
  },
): boolean {
  if (claim.kind !== "pure" && claim.kind !== "approximate") return false;
  const delta = claim.kind === "pure" ? 0 : claim.delta;
  if (delta > 0 && rank > 0) return false;
  const allowed = multiplyIntervals(exponential(rational(claim.epsilon)), right);
  return left.lower > addIntervals(allowed, interval(delta)).upper;
}
