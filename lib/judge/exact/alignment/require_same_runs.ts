import type { NoiseWidth, ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Highs } from "highs";
import { isPlain, mapPlain } from "../../../core/text/observed.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { toNumber } from "../../../core/numeric/rational.ts";
import { programSource } from "../../../core/random/program_source.ts";
import { ASYNCHRONOUS, isPromise } from "../asynchronous.ts";
import { type Affine, isNoise } from "./affine.ts";
import type { Constraint } from "./constraint.ts";
import { valueOfFunction } from "./function_of_data.ts";
import { drawingOwn } from "../own_randomness.ts";
import type { HandDraws } from "./hand_draws.ts";
import { type CaseData, dataOf, formsOf, type NeighbourCase } from "./neighbour_cases.ts";
import { type NoiseLaws, placeOf, supportConstraints } from "./noise_laws.ts";
import { pointsWithin } from "./path_points.ts";
import { type CaseLeaf, type CaseProof, leavesOf } from "./prove_case.ts";
import {
  outputOf,
  pathsOf,
  thrownOutput,
  type TracedOutput,
  type TracedPath,
  type TracedProgram,
  type TraceTree,
} from "./trace_program.ts";
import { NotTraceable } from "./traced_value.ts";

/** Runs with numbers by chance, for each side of a case, and the most runs of a case. */
const RUNS = 24, MOST_RUNS = 20_000;
/** Runs that each path needs, where data and noise within it are found. */
const RUNS_OF_PATH = 3;
const SIDES = ["left", "right"] as const;
type Side = typeof SIDES[number];
/** Runs with several of a program's numbers at a time, and the numbers among which these are. */
const RUNS_TOGETHER = 400, FIRST_NUMBERS = 48;
/** Differences that may be rounding: as a share of the terms of a form, and of the largest number of a run. */
const NEAR = 1e-9, NEAR_LARGEST = 2 ** -46;

/** Thrown where a comparison is too close to call in floating point. */
class TooClose extends Error {}

/** What programs are run on besides data by chance. */
export interface TestValues {
  /** Numbers that a program may treat apart: those in its text. Each is tried in the place of each number of the data. */
  readonly numbers?: readonly number[];
  /** Datasets that are tried as they are, where all can be. */
  readonly datasets?: readonly (readonly unknown[])[];
  /** The program as it was written, where another one was traced. */
  readonly written?: TracedProgram;
}

/** Runs of a case, and the paths on which there was none. */
export interface SameRuns {
  readonly runs: number;
  readonly unrun: readonly TracedPath[];
}

/** What runs of a case need. */
interface RunOptions {
  readonly each: NeighbourCase;
  readonly proof: CaseProof;
  readonly source: Source;
  readonly test: TestValues;
  readonly laws: NoiseLaws;
  readonly highs: Highs;
}

/**
 * Runs a program with numbers, and compares each output with that of the traced path that the same data and noise take: at data and
 * noise by chance, and then on each path at data and noise that were found within it. The program is the one that was written,
 * where a rewritten one was traced.
 *
 * @throws {NotTraceable} where an output is another one.
 */
export function requireSameRuns(program: TracedProgram, options: RunOptions): SameRuns {
  const { each, proof, source, test } = options;
  const { written = program } = test;
  const reached = new Map<string, number>(), keys = new Map<TracedPath, string>();
  for (const leaf of leavesOf(proof)) {
    for (const side of SIDES) {
      for (const path of pathsOf(leaf[side])) keys.set(path, `${side} ${leaf.asked} ${path.ways}`);
    }
  }
  const timesRun = (path: TracedPath): number => reached.get(keys.get(path)!) ?? 0;
  const run = (side: Side, values: ReadonlyMap<string, number>, hand: HandDraws = []): void => {
    const path = requireSameRun(written, { data: each[side], proof, side, values, source, hand });
    if (path !== undefined) reached.set(keys.get(path)!, timesRun(path) + 1);
  };
  let runs = 0;
  for (const values of testValues(each, source, test)) {
    for (const side of SIDES) {
      if (runs >= MOST_RUNS) break;
      runs++;
      run(side, values);
    }
  }
  const unrun: TracedPath[] = [];
  for (const leaf of leavesOf(proof)) {
    for (const side of SIDES) {
      for (const path of pathsOf(leaf[side])) {
        const more = RUNS_OF_PATH - timesRun(path);
        if (more <= 0) continue;
        for (const values of pointsOf(path, leaf, options)) {
          runs++;
          run(side, values, path.hand);
          if (timesRun(path) >= RUNS_OF_PATH) break;
        }
        if (timesRun(path) === 0) unrun.push(path);
      }
    }
  }
  return { runs, unrun: unrun.filter((path) => timesRun(path) === 0) };
}

/** Returns points of data and noise within a path. */
function pointsOf(
  { constraints, output: { released } }: TracedPath,
  { premises, functions }: CaseLeaf,
  { each, laws, highs, source }: RunOptions,
): Iterable<ReadonlyMap<string, number>> {
  const free = new Set(
    [...constraints.map(({ form }) => form), ...released].flatMap((form) => [...form.keys()]),
  );
  free.delete("");
  const support = supportConstraints(laws).filter(({ form }) =>
    [...form.keys()].every((name) => free.has(name))
  );
  return pointsWithin([...constraints, ...premises, ...support], {
    free,
    highs,
    source,
    functions,
    dataByChance: () => valuesFor({ premises: each.premises }, source, 1),
  });
}

/** Yields values of the variables of a case: by chance, with numbers of the program among them, and all datasets that were listed. */
function* testValues(
  { premises, left }: NeighbourCase,
  source: Source,
  { numbers = [], datasets = [] }: TestValues,
): Generator<ReadonlyMap<string, number>> {
  const trying = (fixed: ReadonlyMap<string, number>, run = 1): ReadonlyMap<string, number>[] => {
    const values = valuesFor({ premises, numbers, fixed }, source, run);
    return values === undefined ? [] : [values];
  };
  for (let run = 0; run < RUNS; run++) yield* trying(new Map(), run);
  const names = namesIn(premises);
  // Several of the first numbers at a time, for programs that ask for two of them at once.
  const choices = names.filter((name) => name.startsWith("x")).map((name) =>
    [name, numbersWithin(name, premises, numbers.slice(0, FIRST_NUMBERS))] as const
  ).filter(([, within]) => within.length > 0);
  for (let run = 0; run < (choices.length > 1 ? RUNS_TOGETHER : 0); run++) {
    yield* trying(
      new Map(
        choices.map(([name, within]) =>
          [name, within[Math.floor(within.length * source.uniform())]!] as const
        ),
      ),
    );
  }
  const rows = "rows" in left ? formsOf(left.rows) : [];
  for (const dataset of datasets) {
    const items = dataset.flat();
    if (items.length !== rows.length || items.some((item) => typeof item !== "number")) continue;
    const fixed = new Map(rows.map((form, i) => [[...form.keys()][0]!, items[i] as number]));
    yield* trying(fixed);
  }
  for (const number of numbers) {
    for (const name of names) yield* trying(new Map([[name, number]]));
    const all = names.filter((name) => name.startsWith("x"));
    if (all.length < 2) continue;
    yield* trying(new Map(all.map((name) => [name, number])));
    // Their sum is the number.
    const values = valuesFor({ premises, numbers: [], fixed: new Map() }, source, 1);
    if (values === undefined) continue;
    const rest = all.slice(1).reduce((sum, name) => sum + values.get(name)!, 0);
    yield* trying(new Map([...values, [all[0]!, number - rest]]));
  }
}

/** Returns the numbers that are in the range of a variable. */
function numbersWithin(
  name: string,
  premises: readonly Constraint[],
  numbers: readonly number[],
): number[] {
  const own = premises.filter(({ form }) =>
    form.has(name) && [...form.keys()].every((each) => each === "" || each === name)
  );
  return numbers.filter((number) =>
    own.every(({ form }) => valueAt(form, new Map([[name, number]])) >= 0)
  );
}

function namesIn(premises: readonly Constraint[]): string[] {
  return [...new Set(premises.flatMap(({ form }) => [...form.keys()].filter((name) => name)))];
}

/** @returns the path that data and noise take; `undefined` where a comparison is too close to call. */
function requireSameRun(
  program: TracedProgram,
  { data: rows, proof, side, values, source, hand }: {
    readonly data: CaseData;
    readonly proof: CaseProof;
    readonly side: Side;
    readonly values: ReadonlyMap<string, number>;
    readonly source: Source;
    readonly hand: HandDraws;
  },
): TracedPath | undefined {
  const given = new Map<number, number>();
  for (const [name, value] of values) if (isNoise(name)) given.set(placeOf(name), value);
  for (const { names, places, uniformsOf } of hand) {
    const uniforms = uniformsOf(names.map((name) => values.get(name) ?? 1));
    // Noise that no double makes.
    if (uniforms.some((u) => !(u > 0 && u < 1))) return undefined;
    places.forEach((place, i) => given.set(place, uniforms[i]!));
  }
  const noise: number[] = [];
  let output: unknown, thrown: TracedOutput | undefined;
  try {
    const drawing = recordingSource(source, { noise, given });
    output = drawingOwn(
      () => drawing.uniform(),
      () => program(dataOf(rows, (form) => valueAt(form, values)), drawing),
    );
    if (isPromise(output)) throw new NotTraceable(ASYNCHRONOUS);
  } catch (error) {
    if (error instanceof NotTraceable) throw error;
    thrown = thrownOutput(error);
  }
  const largest = [...values.values(), ...noise].reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  // With those of functions of data, as far as the proof has come.
  const data = new Map(values);
  const within = (hand: HandDraws): ValueAt => {
    const own = new Map(hand.flatMap(({ names, places, valuesOf }) => {
      const made = valuesOf(places.map((place) => drawn(noise, place)));
      return names.map((name, i) => [name, made[i]!] as const);
    }));
    const all = {
      get: (name: string) =>
        isNoise(name) ? own.get(name) ?? drawn(noise, placeOf(name)) : data.get(name),
    };
    return (form) => ({
      value: valueAt(form, all),
      rounding: NEAR * valueAt(form, all, Math.abs) + NEAR_LARGEST * largest,
    });
  };
  let path: TracedPath;
  try {
    path = endOf(leafOf(proof, within([]), data)[side], within);
  } catch (error) {
    if (error instanceof TooClose) return undefined;
    throw error;
  }
  const traced = path.output, at = within(path.hand);
  const same = thrown === undefined ? isSame(output, traced, at) : thrown.label === traced.label;
  if (same === undefined) return undefined;
  if (!same) throw otherwise();
  return path;
}

/** Returns the noise at a place of a run. A traced path that needs one more is not the path of the run. */
function drawn(noise: readonly number[], place: number): number {
  const value = noise[place];
  if (value === undefined) throw otherwise();
  return value;
}

function otherwise(): NotTraceable {
  return new NotTraceable(
    "with numbers it puts out something else than when it is traced: rounding changes its output, as where a large number is added and taken off again; or it looks at data or noise " +
      "in a way that is not followed, keeps state, or reads a clock; compute with numbers of like sizes and keep nothing, or audit it",
  );
}

/** What a form is worth, and by how much rounding may have changed it. */
type ValueAt = (form: Affine) => { readonly value: number; readonly rounding: number };

/** Returns whether an output is the traced one; `undefined` where rounding may change a part of it altogether. */
function isSame(output: unknown, traced: TracedOutput, at: ValueAt): boolean | undefined {
  let released = 0, computed = 0, same: boolean | undefined = true;
  // The same object twice stays the same.
  const copies = new Map<object, object>();
  const filled = (shown: unknown, got: unknown): unknown => {
    const by = shown === null ? traced.computed[computed] : undefined;
    if (by !== undefined && !isObject(got)) {
      const values = traced.released.slice(released, released + by.forms.length).map(at);
      const isNear = by.isNear(got, values);
      if (same !== false && isNear !== true) same = isNear;
      released += values.length;
      computed++;
      return null;
    }
    if (shown === null && released < traced.released.length && typeof got === "number") {
      computed++;
      const { value, rounding } = at(traced.released[released++]!);
      if (Math.abs(got - value) > rounding) same = false;
      return null;
    }
    // What has other parts than a plain value of its kind is compared as it is.
    if (!isObject(shown) || !isObject(got) || !isPlain(got)) return got;
    const known = copies.get(got);
    if (known !== undefined) return known;
    // A key that one of them lacks stays, and so does the length of a list.
    const copy = mapPlain(
      got,
      (each, key) => Object.hasOwn(shown, key) ? filled(shown[key], each) : each,
    );
    copies.set(got, copy);
    return copy;
  };
  const rest = filled(traced.shown, output);
  const run = {};
  const isLike = released === traced.released.length &&
    outputOf(rest, run).label === outputOf(traced.shown, run).label;
  return isLike ? same : false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the leaf that data come to; values of functions of data are added to them. */
function leafOf(proof: CaseProof, at: ValueAt, data: Map<string, number>): CaseLeaf {
  switch (proof.kind) {
    case "leaf":
      return proof;
    case "empty":
      throw new TooClose();
    case "split": {
      const [way, other] = isAbove(at(proof.form))
        ? [proof.above, proof.other]
        : [proof.other, proof.above];
      // Where a function is rounded to its end, as Math.tanh(20) to 1, doubles go where no data are: the program must not.
      return leafOf(way.kind === "empty" ? other : way, at, data);
    }
    case "functions":
      for (const each of proof.made) data.set(each.name, valueOfFunction(each, data));
      return leafOf(proof.rest, at, data);
  }
}

function endOf(tree: TraceTree, within: (hand: HandDraws) => ValueAt): TracedPath {
  switch (tree.kind) {
    case "path":
      return tree.path;
    case "empty":
      throw new TooClose();
    case "branching": {
      const { kind, forms } = tree.branching, at = within(tree.hand);
      if (kind === "less") return endOf(tree.ways[isAbove(at(forms[0]!)) ? 0 : 1]!, within);
      const numbers = forms.map(at), largest = Math.max(...numbers.map(({ value }) => value));
      if (numbers.filter(({ value, rounding }) => largest - value < rounding).length > 1) {
        throw new TooClose();
      }
      return endOf(tree.ways[numbers.findIndex(({ value }) => value === largest)]!, within);
    }
  }
}

/** Returns true if a number is above 0. Exactly 0 is not, for whole numbers are compared without rounding. */
function isAbove({ value, rounding }: ReturnType<ValueAt>): boolean {
  if (value !== 0 && Math.abs(value) < rounding) throw new TooClose();
  return value > 0;
}

/** Returns the sum of the terms, or of what is made of each. */
function valueAt(
  form: Affine,
  values: { get(name: string): number | undefined },
  of: (term: number) => number = (term) => term,
): number {
  let sum = 0;
  for (const [name, factor] of form) {
    sum += of(toNumber(factor) * (name === "" ? 1 : values.get(name) ?? 0));
  }
  return sum;
}

/** Returns values of the variables that satisfy the premises: fixed ones, ends of ranges, whole numbers, numbers of the program and others. */
export function valuesFor(
  { premises, numbers = [], fixed = new Map() }: {
    readonly premises: readonly Constraint[];
    readonly numbers?: readonly number[];
    readonly fixed?: ReadonlyMap<string, number>;
  },
  source: Source,
  run: number,
): ReadonlyMap<string, number> | undefined {
  const values = new Map<string, number>();
  const names = namesIn(premises);
  for (const name of [...fixed.keys(), ...names.filter((name) => !fixed.has(name))]) {
    const known = premises.filter(({ form }) =>
      form.has(name) &&
      [...form.keys()].every((each) => each === "" || each === name || values.has(each))
    );
    let low = -Infinity, high = Infinity;
    for (const { form } of known) {
      const slope = toNumber(form.get(name)!), rest = valueAt(form, values);
      if (slope > 0) low = Math.max(low, -rest / slope);
      else high = Math.min(high, -rest / slope);
    }
    if (!(low <= high)) return undefined;
    const given = fixed.get(name);
    if (given !== undefined) {
      if (given < low || given > high) return undefined;
      values.set(name, given);
      continue;
    }
    const kinds = numbers.length > 0 ? 8 : 6;
    const kind = run === 0 ? 1 : Math.floor(kinds * source.uniform());
    const middle = low + (high - low) * source.uniform();
    const number = numbers[Math.floor(numbers.length * source.uniform())] ?? 0;
    const value = [
      middle,
      low,
      high,
      Math.round(middle),
      Math.round(middle),
      0,
      number,
      number,
    ][kind]!;
    values.set(name, Math.min(high, Math.max(low, value)));
  }
  return values;
}

/** Returns a source that draws numbers, those that are given for some places first, and writes down its continuous noise in order. */
function recordingSource(
  source: Source,
  { noise, given }: { readonly noise: number[]; readonly given: ReadonlyMap<number, number> },
): ProgramSource {
  const draws = programSource(source);
  const recorded = (drawn: unknown): number => {
    const value = given.get(noise.length) ?? drawn as number;
    noise.push(value);
    return value;
  };
  const all: ProgramSource = {
    ...draws,
    uniform: () => recorded(source.uniform()),
    laplace: (width: NoiseWidth) => recorded(draws.laplace(width)),
    exponential: (width: NoiseWidth) => recorded(draws.exponential(width)),
    gumbel: (width: NoiseWidth) => recorded(draws.gumbel(width)),
    gaussian: (width) => recorded(draws.gaussian(width)),
    split: () => all,
  };
  return all;
}
