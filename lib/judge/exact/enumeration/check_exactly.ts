import type { EnumeratedProgram, ExactOptions } from "./enumerated_program.ts";
import type { ApproximateClaim, PureClaim } from "../../../core/claims/claim.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import { requireChance, requireInteger } from "../../../core/numeric/require.ts";
import { NotEnumerable } from "./branching_source.ts";
import { compareLaws, type Comparison, fraction, type LawsOfPair } from "./compare_laws.ts";
import { type OutputLaw, ThrownOutput } from "./enumerate_outputs.ts";
import { Deadline, OutOfTime } from "./deadline.ts";
import { holdForEveryT, type Inequalities, inequalitiesOf } from "./every_epsilon.ts";
import { FactorProducts } from "./factor_products.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";
import { lawsOnDatasets } from "./laws_on_datasets.ts";
import { type Bounds, largestLoss, leastEpsilon, type OutputLoss } from "./least_epsilon.ts";

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
  /** `undecided`: too much was left out to say that the claim holds, or the time was over. */
  readonly verdict: "holds" | "refuted" | "undecided";
  /** The name of the program. */
  readonly subject: string;
  /** What was decided. */
  readonly claim: PureClaim | ApproximateClaim;
  /** The least ε, for the claim's δ and what was left out, in nats. */
  readonly epsilon: Bounds;
  /** The least δ with the claim's ε. */
  readonly delta: Bounds;
  /** `exact`: every path was run, and equalities were decided as such. `certified`: bounds with a remainder. */
  readonly kind: "exact" | "certified";
  /** The claim is attained: no smaller ε holds, or with δ above 0 no smaller δ. Exact reports only. */
  readonly attained: boolean;
  /** At every ε, for the program whose exponents are the same multiples of ε; `undefined` where that was not decided. */
  readonly everyEpsilon: boolean | undefined;
  /** The largest probability that was left out on a dataset: 0 for none. */
  readonly remainder: number;
  /** The pair and the output with the largest loss; `undefined` when there are no pairs. */
  readonly witness: ExactWitness | undefined;
  /** Whether it compares uniform numbers itself. Default: false. */
  readonly comparesUniforms?: boolean;
  /** Runs of the program. */
  readonly branches: number;
  /** Further runs, in other orders of the datasets, which answered alike: no state was seen. */
  readonly repeats: number;
  /** Datasets that it was run on. */
  readonly datasets: number;
  /** Seconds and datasets that there were, where the time was over before all were run and compared. */
  readonly outOfTime: { readonly seconds: number; readonly datasets: number } | undefined;
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
 * import { discreteSource } from "../../../core/random/discrete_source.ts";
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
): Checked {
  const { maxBranches = 1_000_000, maxSeconds = 300, remainder = 1e-9 } = options;
  requireInteger("enumerate a program", "maxBranches", maxBranches, { min: 1 });
  if (!(maxSeconds > 0)) {
    throw new RangeError(
      `Cannot enumerate a program: maxSeconds must be above 0: current value is ${maxSeconds}`,
    );
  }
  requireChance("enumerate a program", "remainder", remainder);
  const { done } = options.neighbours[Symbol.iterator]().next();
  if (done === true) {
    throw new RangeError("Cannot enumerate a program: some datasets must be neighbours");
  }
  const deadline = new Deadline(maxSeconds);
  try {
    return decide(program, { ...options, maxBranches, remainder, deadline });
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return undecided(program, { ...options, maxSeconds }, error);
  }
}

/** A report, and what it follows from. */
interface Checked {
  readonly report: ExactReport;
  readonly details: ExactDetails;
}

function decide(
  program: EnumeratedProgram,
  options:
    & Required<Pick<ExactOptions, "maxBranches" | "remainder">>
    & Pick<ExactOptions, "claim" | "datasets" | "neighbours">
    & { readonly deadline: Deadline },
): Checked {
  const { claim, datasets, remainder, deadline } = options;
  const { laws, units, branches, repeats } = lawsOnDatasets(program, options);
  requireAnswers(new Set(laws));
  const inTime = function* <T>(each: Iterable<T>): Generator<T> {
    for (const one of each) {
      deadline.require({ datasets: datasets.length });
      yield one;
    }
  };
  const { neighbours, count } = distinctPairs(laws, inTime(options.neighbours));
  const pairs = neighbours.flatMap(([i, j]): LawsOfPair[] => [
    { left: laws[i]!, right: laws[j]! },
    { left: laws[j]!, right: laws[i]! },
  ]);
  const distinct = [...new Set(laws)], complete = distinct.every((law) => law.complete);
  const { epsilon } = claim, delta = claim.kind === "pure" ? 0 : claim.delta;
  const comparisons: Comparison[] = [];
  for (const each of inTime(pairs)) comparisons.push(compareLaws(each, { epsilon, delta, units }));
  const refuted = comparisons.some((each) => each.refuted);
  const left = complete ? 0 : distinct.reduce(
    (most, law) => Math.max(most, fraction(law.remainder, BigInt(units.bits), true)),
    0,
  );
  const verdict = refuted
    ? "refuted"
    : comparisons.every((each) => each.certain) || left <= remainder
    ? "holds"
    : "undecided";
  const worst = worstLoss(inTime(pairs), units);
  const attained = !refuted && comparisons.some((each) => each.attained);
  const inequalities = complete && claim.kind === "pure" && !refuted
    ? inequalitiesOf(pairs, { epsilon, units })
    : undefined;
  const witness = witnessOf(worst, { datasets, neighbours }, laws);
  return {
    details: { laws, units, inequalities },
    report: {
      verdict,
      subject: program.name,
      claim,
      epsilon: attained && delta === 0
        ? { lower: epsilon, upper: epsilon }
        : complete && delta === 0
        ? refuted ? worst!.loss : atMost(epsilon, worst!.loss)
        : leastEpsilon(inTime(pairs), { delta, units }),
      delta: complete && delta === 0 && !refuted
        ? { lower: 0, upper: 0 }
        : largestDelta(comparisons),
      kind: complete ? "exact" : "certified",
      attained,
      everyEpsilon: inequalities && holdForEveryT(inequalities),
      remainder: left,
      witness,
      ...(distinct.some((law) => law.comparesUniforms) && { comparesUniforms: true }),
      branches,
      repeats,
      datasets: datasets.length,
      outOfTime: undefined,
      pairs: count,
    },
  };
}

/** Returns bounds of what is known to be at most a number. */
function atMost(most: number, { lower, upper }: Bounds): Bounds {
  return { lower: Math.min(lower, most), upper: Math.min(upper, most) };
}

/** Returns the report of a run that had no time to decide. */
function undecided(
  { name }: EnumeratedProgram,
  { claim, datasets, maxSeconds }:
    & Pick<ExactOptions, "claim" | "datasets">
    & { readonly maxSeconds: number },
  ended: OutOfTime,
): Checked {
  return {
    details: {
      laws: [],
      units: { scale: 1n, bits: 256, products: new FactorProducts() },
      inequalities: undefined,
    },
    report: {
      verdict: "undecided",
      subject: name,
      claim,
      epsilon: { lower: 0, upper: Infinity },
      delta: { lower: 0, upper: 1 },
      kind: "certified",
      attained: false,
      everyEpsilon: undefined,
      remainder: 1,
      witness: undefined,
      branches: 0,
      repeats: 0,
      datasets: ended.datasets,
      outOfTime: { seconds: maxSeconds, datasets: datasets.length },
      pairs: 0,
    },
  };
}

/** Returns the first neighbours with each two laws, and the number of all neighbours. */
function distinctPairs(
  laws: readonly OutputLaw[],
  all: ExactOptions["neighbours"],
): { neighbours: (readonly [left: number, right: number])[]; count: number } {
  const numbers = new Map<OutputLaw, number>();
  const numberOf = laws.map((law) => {
    if (!numbers.has(law)) numbers.set(law, numbers.size);
    return numbers.get(law)!;
  });
  const seen = new Set<number>(), neighbours: (readonly [number, number])[] = [];
  let count = 0;
  for (const pair of all) {
    count++;
    const [a, b] = [numberOf[pair[0]]!, numberOf[pair[1]]!];
    const both = Math.min(a, b) * numbers.size + Math.max(a, b);
    if (seen.has(both)) continue;
    seen.add(both);
    neighbours.push(pair);
  }
  return { neighbours, count };
}

/** @throws {NotEnumerable} when nothing but errors comes out: nothing was compared. */
function requireAnswers(laws: Iterable<OutputLaw>): void {
  let first: Error | undefined;
  for (const law of laws) {
    for (const { output } of law.outputs.values()) {
      if (!(output instanceof ThrownOutput)) return;
      first ??= output;
    }
  }
  if (first !== undefined) throw new NotEnumerable(`every run fails: ${first.message}`);
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

function worstLoss(pairs: Iterable<LawsOfPair>, units: OutcomeUnits): PlacedLoss | undefined {
  let worst: PlacedLoss | undefined, upper = 0, pair = -1;
  for (const laws of pairs) {
    pair++;
    const found = largestLoss(laws, units);
    if (found === undefined) continue;
    upper = Math.max(upper, found.loss.upper);
    if (worst === undefined || found.loss.lower > worst.loss.lower) worst = { ...found, pair };
  }
  // Losses that rounding cannot tell apart count with the largest upper bound.
  return worst && { ...worst, loss: { lower: Math.max(0, worst.loss.lower), upper } };
}

function witnessOf(
  worst: PlacedLoss | undefined,
  { datasets, neighbours }: {
    readonly datasets: readonly Dataset[];
    readonly neighbours: readonly (readonly [left: number, right: number])[];
  },
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
