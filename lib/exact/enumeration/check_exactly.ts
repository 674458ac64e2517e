import type { ApproximateClaim, PureClaim } from "../../core/claim.ts";
import type { Dataset } from "../../core/dataset.ts";
import type { Source } from "../../core/source.ts";
import { rational } from "../../numeric/rational.ts";
import { requireInteger } from "../../numeric/require.ts";
import { KnownLaws, NotEnumerable } from "./branching_source.ts";
import { compareLaws, type Comparison, fraction, type LawsOfPair } from "./compare_laws.ts";
import { enumerateOutputs, GivenUp, type OutputLaw } from "./enumerate_outputs.ts";
import { holdForEveryT, type Inequalities, inequalitiesOf } from "./every_epsilon.ts";
import { FactorProducts } from "./factor_products.ts";
import { gcd, OtherScale, type OutcomeUnits } from "./law_outcomes.ts";
import { type Bounds, largestLoss, leastEpsilon, type OutputLoss } from "./least_epsilon.ts";

/** A program that is run, and how reports call it. */
export interface EnumeratedProgram {
  readonly name: string;
  /** One output. It must take its randomness from the source alone, and keep nothing from one call to the next. */
  run(data: Dataset, source: Source): unknown;
}

/** On which datasets a program is run, for which claim, and how far. */
export interface ExactOptions {
  /** A pure or an approximate claim. */
  readonly claim: PureClaim | ApproximateClaim;
  /** Datasets. */
  readonly datasets: readonly Dataset[];
  /** Which of them are neighbours, by place. */
  readonly neighbours: readonly (readonly [left: number, right: number])[];
  /** Most runs of the program, on all datasets together. Default 1,000,000. */
  readonly maxBranches?: number;
  /** Where outputs have no end: the probability, on each dataset, that may be left out. Default 1e-9. */
  readonly remainder?: number;
}

/** The output, or the one of many, that tells a pair apart best. */
export interface ExactWitness {
  /** The dataset on which the output is likelier. */
  readonly left: Dataset;
  /** Its neighbour. */
  readonly right: Dataset;
  /** More likely on the left. */
  readonly output: unknown;
  /** Its probability on the left and on the right. */
  readonly probability: { readonly left: Bounds; readonly right: Bounds };
}

/** What the enumeration of a program showed. */
export interface ExactReport {
  /** `undecided`: too much was left out to say that the claim holds. */
  readonly verdict: "holds" | "refuted" | "undecided";
  /** The name of the program. */
  readonly subject: string;
  /** What was decided. */
  readonly claim: PureClaim | ApproximateClaim;
  /** The least ε, with the claim's δ and what was left out as room, in nats. */
  readonly epsilon: Bounds;
  /** The least δ with the claim's ε. */
  readonly delta: Bounds;
  /** `exact`: every path was run, and equalities were decided as such. `certified`: bounds with a remainder. */
  readonly kind: "exact" | "certified";
  /** The claim is attained: no smaller ε (with this δ) holds. Exact reports only. */
  readonly attained: boolean;
  /** At every ε, for the program whose exponents are the same multiples of ε; `undefined` where that was not decided. */
  readonly everyEpsilon: boolean | undefined;
  /** The largest probability that was left out on a dataset: 0 for none. */
  readonly remainder: number;
  /** The pair and the output with the largest loss; `undefined` when there are no pairs. */
  readonly witness: ExactWitness | undefined;
  /** Runs of the program. */
  readonly branches: number;
  /** Datasets that it was run on. */
  readonly datasets: number;
  /** Pairs of neighbours among them. */
  readonly pairs: number;
}

/** What certificates are made of. */
export interface ExactDetails {
  readonly laws: readonly OutputLaw[];
  readonly units: OutcomeUnits;
  readonly inequalities: Inequalities | undefined;
}

/**
 * Runs a program on every path of its exact draws and compares the laws of its outputs on neighbours.
 *
 * @throws {NotEnumerable} for a program that draws floats, is asynchronous, keeps state, or throws on every path.
 * @throws {RangeError} when an option is out of range or there are no neighbours.
 *
 * @example
 * ```ts
 * import type { DiscreteSource } from "@dpcheck/dpcheck/random";
 * import { pure, replaceOne } from "@dpcheck/dpcheck";
 * import { checkExactly } from "./check_exactly.ts";
 * import { discreteSource } from "../../random/discrete_source.ts";
 *
 * const answer = (data: readonly unknown[], source: DiscreteSource) =>
 *   source.bernoulli({ probability: 0.75 }) === data[0];
 * checkExactly(
 *   { name: "answer", run: (data, source) => answer(data, discreteSource(source)) },
 *   {
 *     claim: pure({ epsilon: 1.1, relation: replaceOne }),
 *     datasets: [[true], [false]],
 *     neighbours: [[0, 1]],
 *   },
 * ).report.epsilon.upper; // ln 3
 * ```
 */
export function checkExactly(
  program: EnumeratedProgram,
  options: ExactOptions,
): { readonly report: ExactReport; readonly details: ExactDetails } {
  const { claim, datasets, neighbours, maxBranches = 1_000_000, remainder = 1e-9 } = options;
  requireInteger("enumerate a program", "maxBranches", maxBranches, { min: 1 });
  if (!(remainder > 0 && remainder < 1)) {
    throw new RangeError(
      `Cannot enumerate a program: remainder must be in (0, 1): current value is ${remainder}`,
    );
  }
  if (neighbours.length === 0) {
    throw new RangeError("Cannot enumerate a program: some datasets must be neighbours");
  }
  const { laws, units, branches } = lawsOf(program, { claim, datasets, maxBranches, remainder });
  requireAnswers(laws);
  const pairs = neighbours.flatMap(([i, j]): LawsOfPair[] => [
    { left: laws[i]!, right: laws[j]! },
    { left: laws[j]!, right: laws[i]! },
  ]);
  const complete = laws.every((law) => law.complete);
  const { epsilon } = claim, delta = claim.kind === "pure" ? 0 : claim.delta;
  const comparisons = pairs.map((each) => compareLaws(each, { epsilon, delta, units }));
  const refuted = comparisons.some((each) => each.refuted);
  const left = complete
    ? 0
    : laws.reduce((most, law) =>
      Math.max(most, law.complete ? 0 : fraction(law.remainder, BigInt(units.bits), true)), 0);
  const verdict = refuted
    ? "refuted"
    : comparisons.every((each) => each.certain) || left <= remainder
    ? "holds"
    : "undecided";
  const worst = worstLoss(pairs, units);
  const attained = !refuted && comparisons.some((each) => each.attained);
  const inequalities = complete && claim.kind === "pure" && !refuted
    ? inequalitiesOf(pairs, { epsilon, units })
    : undefined;
  const witness = witnessOf(worst, options, laws);
  return {
    details: { laws, units, inequalities },
    report: {
      verdict,
      subject: program.name,
      claim,
      epsilon: attained
        ? { lower: epsilon, upper: epsilon }
        : complete && delta === 0
        ? worst?.loss ?? { lower: 0, upper: 0 }
        : leastEpsilon(pairs, { delta, units }),
      delta: complete && delta === 0 && !refuted
        ? { lower: 0, upper: 0 }
        : largestDelta(comparisons),
      kind: complete ? "exact" : "certified",
      attained,
      everyEpsilon: inequalities && holdForEveryT(inequalities),
      remainder: left,
      witness,
      branches,
      datasets: datasets.length,
      pairs: neighbours.length,
    },
  };
}

/** @throws {NotEnumerable} when nothing but errors comes out: nothing was compared. */
function requireAnswers(laws: readonly OutputLaw[]): void {
  const outputs = laws.flatMap((law) => [...law.outputs.values()].slice(0, 2));
  const [first] = outputs;
  if (first !== undefined && outputs.every(({ output }) => output instanceof Error)) {
    throw new NotEnumerable(`every run fails: ${(first.output as Error).message}`);
  }
}

function largestDelta(comparisons: readonly Comparison[]): Bounds {
  return comparisons.reduce(
    (most, { delta }) => ({
      lower: Math.max(most.lower, delta.lower),
      upper: Math.max(most.upper, delta.upper),
    }),
    { lower: 0, upper: 0 },
  );
}

type PlacedLoss = OutputLoss & { readonly pair: number };

function worstLoss(pairs: readonly LawsOfPair[], units: OutcomeUnits): PlacedLoss | undefined {
  let worst: PlacedLoss | undefined, upper = 0;
  pairs.forEach((laws, pair) => {
    const found = largestLoss(laws, units);
    if (found === undefined) return;
    upper = Math.max(upper, found.loss.upper);
    if (worst === undefined || found.loss.lower > worst.loss.lower) worst = { ...found, pair };
  });
  // Losses that rounding cannot tell apart count with the largest upper bound.
  return worst && { ...worst, loss: { lower: Math.max(0, worst.loss.lower), upper } };
}

function witnessOf(
  worst: PlacedLoss | undefined,
  { datasets, neighbours }: ExactOptions,
  laws: readonly OutputLaw[],
): ExactWitness | undefined {
  if (worst === undefined) return undefined;
  const [i, j] = neighbours[worst.pair >> 1]!;
  const [from, to] = worst.pair % 2 === 0 ? [i, j] : [j, i];
  return {
    left: datasets[from]!,
    right: datasets[to]!,
    output: laws[from]!.outputs.get(worst.key)!.output,
    probability: { left: worst.left, right: worst.right },
  };
}

/** The laws on all datasets, in units that fit all draws. */
function lawsOf(
  { run }: EnumeratedProgram,
  { claim, datasets, maxBranches, remainder }:
    & Required<Pick<ExactOptions, "maxBranches" | "remainder">>
    & Pick<ExactOptions, "claim" | "datasets">,
): { laws: OutputLaw[]; units: OutcomeUnits; branches: number } {
  let scale = rational(claim.epsilon).denominator, bits = 256;
  for (;;) {
    const known = new KnownLaws({ scale, bits, products: new FactorProducts() });
    let branches = 0, kept = 0, logCut = FIRST_CUT;
    try {
      const laws = datasets.map((data, i) => {
        const share = Math.max(1, Math.floor((maxBranches - kept) / (datasets.length - i)));
        const on = (source: Source): unknown => run(copyOf(data) as Dataset, source);
        const found = enumerateWithin(on, {
          laws: known,
          maxBranches: share,
          remainder,
          logCut,
        });
        logCut = found.logCut;
        branches += found.branches;
        kept += found.law.branches;
        return found.law;
      });
      requireRepeated(run, { data: datasets[0]!, law: laws[0]!, known });
      if (bits >= 4096 || !laws.some(underflows)) return { laws, units: known.units, branches };
      bits *= 4;
    } catch (error) {
      if (!(error instanceof OtherScale)) throw error;
      scale = scale / gcd(scale, error.denominator) * error.denominator;
    }
  }
}

/** Whether an output that is possible has a lower bound with few digits. */
function underflows({ complete, outputs }: OutputLaw): boolean {
  return complete && [...outputs.values()].some(({ lower }) => lower < 1n << 128n);
}

/** @throws {NotEnumerable} when the program answers otherwise now, after it was run on other datasets. */
function requireRepeated(
  run: EnumeratedProgram["run"],
  { data, law, known }: { data: Dataset; law: OutputLaw; known: KnownLaws },
): void {
  if (!law.complete || law.branches > 10_000) return;
  const again = enumerateOutputs((source) => run(copyOf(data) as Dataset, source), {
    laws: known,
    cut: 0n,
    maxBranches: law.branches,
  });
  const same = again.outputs.size === law.outputs.size &&
    [...law.outputs].every(([key, { lower }]) => again.outputs.get(key)?.lower === lower);
  if (!same) throw new NotEnumerable("it answers otherwise when it is run again: it keeps state");
}

/** Rounds of cutting, at most. */
const MOST_ROUNDS = 12;

/** ln of the first cut that is tried. */
const FIRST_CUT = Math.log(1e-2);

/** All paths, or all above a cut that leaves out no more than `remainder`, as far as the branches reach. */
function enumerateWithin(
  on: (source: Source) => unknown,
  { laws, maxBranches, remainder, ...from }: {
    readonly laws: KnownLaws;
    /** Where to begin to cut: what another dataset took. */
    readonly logCut: number;
    readonly maxBranches: number;
    readonly remainder: number;
  },
): { law: OutputLaw; branches: number; logCut: number } {
  let branches = 0;
  const attempt = (cut: bigint): OutputLaw | undefined => {
    try {
      const law = enumerateOutputs(on, { laws, cut, maxBranches });
      branches += law.branches;
      return law;
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      branches += error.branches;
      return undefined;
    }
  };
  const all = attempt(0n);
  if (all !== undefined) return { law: all, branches, ...from };
  const { bits } = laws.units;
  const cutOf = (log: number): bigint => {
    const power = Math.floor(-log / Math.LN2);
    return BigInt(bits) > BigInt(power) ? 1n << BigInt(bits - power) : 1n;
  };
  let { logCut } = from, failed = -Infinity;
  let best: { law: OutputLaw; logCut: number } | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const law = attempt(cutOf(logCut));
    if (law !== undefined) {
      best = { law, logCut };
      const left = fraction(law.remainder, BigInt(bits), true);
      if (left <= remainder) break;
      logCut += Math.min(-1.5, Math.log(remainder / left) - 1);
    } else {
      if (best === undefined) {
        logCut /= 4;
        continue;
      }
      failed = Math.max(failed, logCut);
    }
    if (failed > -Infinity) logCut = (best!.logCut + failed) / 2;
    if (best !== undefined && failed > -Infinity && best.logCut - failed < 1) break;
  }
  if (best === undefined) {
    const outputs = new Map(), one = 1n << BigInt(bits);
    return { law: { outputs, remainder: one, complete: false, branches: 0 }, branches, ...from };
  }
  return { law: best.law, branches, logCut: best.logCut };
}

/** A copy that a program may change. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
