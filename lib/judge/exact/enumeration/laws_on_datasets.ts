import { bareJson } from "../../../core/text/bare_json.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { shuffle } from "../../../core/random/shuffle.ts";
import { rational } from "../../../core/numeric/rational.ts";
import { KnownLaws, NotEnumerable } from "./branching_source.ts";
import type { EnumeratedProgram, ExactOptions } from "./enumerated_program.ts";
import { fraction } from "./compare_laws.ts";
import type { Deadline } from "./deadline.ts";
import { enumerateOutputs, GivenUp, type OutputLaw } from "./enumerate_outputs.ts";
import { FactorProducts } from "./factor_products.ts";
import { gcd, OtherScale, type OutcomeUnits } from "./law_outcomes.ts";

/** How far laws are computed. */
type LawLimits = Required<Pick<ExactOptions, "maxBranches" | "remainder">> & {
  readonly deadline: Deadline;
};

/**
 * Returns the laws of a program on all datasets, in units that fit all draws, within as many runs: all paths where they end, else
 * those above a cut that leaves out no more than `remainder`. Datasets with equal laws share one.
 *
 * @throws {NotEnumerable} as the enumeration of one, or when the program answers otherwise after it was run on others.
 * @throws {OutOfTime} at the deadline.
 */
export function lawsOnDatasets(
  program: EnumeratedProgram,
  { claim, datasets, maxBranches, remainder, deadline }:
    & LawLimits
    & Pick<ExactOptions, "claim" | "datasets">,
): { laws: OutputLaw[]; units: OutcomeUnits; branches: number; repeats: number } {
  const { instances = [program.run] } = program;
  const places = datasets.map((_, i) => i);
  // Instances that are shared must not meet all datasets in their order.
  const shared = program.instances !== undefined && instances.length < datasets.length;
  const order = shared ? shuffle(new SeededSource("shared instances"), places) : places;
  let scale = rational(claim.epsilon).denominator, bits = 256;
  for (;;) {
    const known = new KnownLaws({ scale, bits, products: new FactorProducts() });
    const laws: OutputLaw[] = new Array(datasets.length);
    const byText = new Map<string, OutputLaw>();
    let branches = 0, kept = 0, logCut = FIRST_CUT;
    try {
      for (const [done, i] of order.entries()) {
        deadline.require({ datasets: done });
        const run = instances[done % instances.length]!;
        const share = Math.max(1, Math.floor((maxBranches - kept) / (datasets.length - done)));
        const on = (source: Source): unknown => {
          deadline.require({ datasets: done });
          return run(copyOf(datasets[i]) as Dataset, source);
        };
        const found = enumerateWithin(on, {
          laws: known,
          maxBranches: share,
          remainder,
          logCut,
        });
        logCut = found.logCut;
        branches += found.branches;
        kept += found.law.branches;
        const text = lawText(found.law);
        if (!byText.has(text)) byText.set(text, found.law);
        laws[i] = byText.get(text)!;
      }
      if (bits < 4096 && [...byText.values()].some(underflows)) {
        bits *= 4;
        continue;
      }
      const repeats = requireRepeated(program.run, {
        datasets,
        laws,
        known,
        deadline,
        all: shared,
      });
      return { laws, units: known.units, branches, repeats };
    } catch (error) {
      if (!(error instanceof OtherScale)) throw error;
      scale = scale / gcd(scale, error.denominator) * error.denominator;
    }
  }
}

/** Returns a text that is the same for laws alone that are equal, and were computed as far. */
function lawText({ outputs, cut, branches, complete }: OutputLaw): string {
  const lines = [...outputs].map(([key, { lower, terms }]) => {
    const exact = complete ? [...terms].map(([product, sum]) => `${product}:${[...sum]}`) : [];
    return JSON.stringify([key, lower.toString(36), ...exact]);
  });
  return [cut, branches, complete, ...lines.sort()].join("\n");
}

/** Returns true if an output that is possible has a lower bound with few digits. */
function underflows({ complete, outputs }: OutputLaw): boolean {
  return complete && [...outputs.values()].some(({ lower }) => lower < 1n << 128n);
}

/** Runs up to which all datasets are run again and again, and the most in one round over them. */
const FEW_REPEATS = 2000, MOST_REPEATS = 100_000;

/**
 * Computes laws once more, by one instance of the program and in shuffled orders of the datasets.
 *
 * @returns how often it ran the program.
 * @throws {NotEnumerable} where a law is another one now.
 * @throws {OutOfTime} at the deadline.
 */
function requireRepeated(
  run: EnumeratedProgram["run"],
  { datasets, laws, known, deadline, all }: {
    datasets: readonly Dataset[];
    laws: readonly OutputLaw[];
    known: KnownLaws;
    deadline: Deadline;
    /** Whether each law must be computed again, however many runs that takes. */
    all: boolean;
  },
): number {
  const places = laws.map((_, i) => i).filter((i) => laws[i]!.branches > 0);
  let repeats = 0, perRound = 0;
  for (let round = 0; round === 0 || repeats + perRound <= FEW_REPEATS; round++) {
    let before: number | undefined;
    for (const i of shuffle(new SeededSource("repeats").split(round), places)) {
      if (!all && repeats + laws[i]!.branches > MOST_REPEATS) continue;
      deadline.require({ datasets: datasets.length });
      requireSameLaw(laws[i]!, {
        again: lawAgain(run, { data: datasets[i]!, law: laws[i]!, known, deadline, all: datasets }),
        known,
        where: `on ${shown(datasets[i])} when it is run again${
          before === undefined ? "" : `, after ${shown(datasets[before])}`
        }`,
      });
      repeats += laws[i]!.branches;
      before = i;
    }
    if (repeats === 0) break;
    if (round === 0) perRound = repeats;
  }
  return repeats;
}

/** Returns the law of a program on a dataset, as far as it was computed before; `undefined` where there are more paths now. */
function lawAgain(
  run: EnumeratedProgram["run"],
  { data, law, known, deadline, all }: {
    data: Dataset;
    law: Pick<OutputLaw, "cut" | "branches">;
    known: KnownLaws;
    deadline: Deadline;
    /** All datasets: they were run before. */
    all: readonly Dataset[];
  },
): OutputLaw | undefined {
  try {
    const on = (source: Source): unknown => {
      deadline.require({ datasets: all.length });
      return run(copyOf(data) as Dataset, source);
    };
    return enumerateOutputs(on, {
      laws: known,
      cut: law.cut,
      maxBranches: law.branches,
    });
  } catch (error) {
    if (error instanceof GivenUp) return undefined;
    throw error;
  }
}

/** @throws {NotEnumerable} unless two laws are the same. */
function requireSameLaw(
  law: OutputLaw,
  { again, known, where }: { again: OutputLaw | undefined; known: KnownLaws; where: string },
): void {
  const keys = new Set([...law.outputs.keys(), ...again?.outputs.keys() ?? []]);
  for (const key of keys) {
    const one = law.outputs.get(key), other = again?.outputs.get(key);
    if (one?.lower === other?.lower) continue;
    const chance = (lower = 0n): string =>
      String(Number(fraction(lower, BigInt(known.units.bits), false).toPrecision(4)));
    throw new NotEnumerable(
      `it answers otherwise ${where}: the output ${key.slice(0, 80)} has probability ${
        chance(one?.lower)
      } at first and ${
        again === undefined ? "another" : chance(other?.lower)
      } then. It keeps state, or reads a clock, a file or randomness of its own`,
    );
  }
}

function shown(data: unknown): string {
  const text = bareJson(data) ?? String(data);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}

/** Rounds of cutting, at most. */
const MOST_ROUNDS = 12;

/** Logarithm of the first cut that is tried. */
const FIRST_CUT = Math.log(1e-2);

/** Returns all paths, or all above a cut that leaves out no more than `remainder`, as far as the branches reach. */
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
    if (best === undefined || failed === -Infinity) continue;
    logCut = (best.logCut + failed) / 2;
    if (best.logCut - failed < 1) break;
  }
  if (best === undefined) {
    const outputs = new Map(), one = 1n << BigInt(bits);
    return {
      law: { outputs, remainder: one, complete: false, cut: 0n, branches: 0 },
      branches,
      ...from,
    };
  }
  return { law: best.law, branches, logCut: best.logCut };
}

/** Returns a copy that a program may change. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
