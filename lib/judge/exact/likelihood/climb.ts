import { type Rational, rational, toNumber } from "../../../core/numeric/rational.ts";
import {
  type Affine,
  coefficient,
  constant,
  hasNoise,
  part,
  substitute,
} from "../alignment/affine.ts";
import type { Constraint } from "../alignment/constraint.ts";
import type { NoiseLaws } from "../alignment/noise_laws.ts";
import type { CaseLeaf } from "../alignment/prove_case.ts";
import { pathsOf, type TracedPath } from "../alignment/trace_program.ts";
import { type NumberPath, outputLikelihoods } from "./output_likelihoods.ts";

/** A pair of datasets of a case, by the values of its variables, and an output. */
export interface Place {
  readonly data: ReadonlyMap<string, number>;
  /** A path on the left that gives the output. */
  readonly path: TracedPath;
  /** The values that are released; of data alone they are known exactly. */
  readonly values: readonly Rational[];
  /** About ln of the ratio of likelihoods. */
  readonly loss: number;
}

/** Where a climb begins: a place, and its released values beside those without noise. */
export interface Start {
  readonly place: Place;
  readonly offsets: readonly number[];
}

/** Where places are looked for. */
export interface ClimbOptions {
  readonly leaf: CaseLeaf;
  readonly laws: NoiseLaws;
  /** Whether data are whole numbers. */
  readonly whole: boolean;
  /** A loss that no place exceeds: at one that is near it there is nothing to gain. */
  readonly most: number;
}

/** Places that are looked at, at most, by one climb. */
const MOST_PLACES = 400;
/** Steps of data as shares of their range, and steps of released values in scales of noise. */
const SHARES = [1, 1 / 2, 1 / 8, 1 / 32], SCALES = [16, 4, 1, 1 / 4];
/** Values from which released ones begin, in scales of noise beside those without noise. */
const STARTS = [0, 1, -1, 2, -2, 4, -4, 8, -8, 16, -16];
/** Numbers are tried with so many parts, so that fractions stay short. */
const PARTS = 1024;

/** Returns a place with these data and this output; `undefined` where the data are not of the case or the likelihood is not known. */
function placeAt(
  data: ReadonlyMap<string, number>,
  { path, offsets }: Pick<Place, "path"> & { readonly offsets: readonly number[] },
  { leaf, laws }: ClimbOptions,
): Place | undefined {
  const { functions, premises } = leaf;
  const known = [...functions.valued(data)];
  if (!known.every(([, value]) => Number.isFinite(value))) return undefined;
  const at = new Map(
    known.map(([name, value]) => [name, constant(rational(value))]),
  );
  if (!functions.without(premises).every((premise) => holds(premise, at))) return undefined;
  const { label } = path.output.numbered;
  const left = numberPaths(pathsOf(leaf.left), label, at);
  const right = numberPaths(pathsOf(leaf.right), label, at);
  const [own] = numberPaths([path], label, at);
  const values = own!.released.map((form, i) =>
    hasNoise(form)
      ? rational(Math.round((toNumber(coefficient(form, "")) + offsets[i]!) * PARTS) / PARTS)
      : coefficient(form, "")
  );
  const found = outputLikelihoods({ left, right }, { label, values, laws });
  if (found === undefined) return undefined;
  const middle = ({ lower, upper }: { readonly lower: number; readonly upper: number }): number =>
    Math.log((lower + upper) / 2);
  const loss = middle(found.left) - middle(found.right);
  return Number.isNaN(loss) ? undefined : { data, path, values, loss };
}

function holds({ form, strict }: Constraint, at: ReadonlyMap<string, Affine>): boolean {
  const value = coefficient(substitute(form, at), "").numerator;
  return strict ? value > 0n : value >= 0n;
}

/** Returns the paths that put out what has this label, on data that are numbers. */
export function numberPaths(
  paths: readonly TracedPath[],
  label: string,
  at: ReadonlyMap<string, Affine>,
): NumberPath[] {
  return paths.filter(({ output }) => output.numbered.label === label)
    .map(({ constraints, output: { numbered: { released } } }) => ({
      label,
      constraints: constraints.map((each) => ({ ...each, form: substitute(each.form, at) })),
      released: released.map((form) => substitute(form, at)),
    }));
}

/** Returns the best of the outputs of a path on these data. */
export function firstPlace(
  data: ReadonlyMap<string, number>,
  path: TracedPath,
  options: ClimbOptions,
): Start | undefined {
  const scales = scalesOf(path, options);
  const starts = scales.every((scale) => scale === 0) ? [0] : STARTS;
  return bestOf(starts.map((start) => {
    const offsets = scales.map((scale) => start * scale);
    const place = placeAt(data, { path, offsets }, options);
    return place && { place, offsets };
  }));
}

/** Returns the start of the largest loss. */
export function bestOf(starts: readonly (Start | undefined)[]): Start | undefined {
  return starts.filter((each) => each !== undefined)
    .sort((a, b) => b.place.loss - a.place.loss)[0];
}

/** Returns the largest scale of noise in each released value; 0 for none. */
function scalesOf({ output }: TracedPath, { laws }: ClimbOptions): number[] {
  return output.numbered.released.map((form) =>
    Math.max(
      0,
      ...[...part(form, true).keys()].map((name) => {
        const law = laws.of(name);
        return law.kind === "gaussian" ? Math.sqrt(toNumber(law.variance)) : 1 / toNumber(law.rate);
      }),
    )
  );
}

/** Goes from a place to places of larger loss, one number at a time, until none is larger. */
export function climb(
  start: Start,
  options: ClimbOptions,
): Place {
  let { place, offsets } = start, left = MOST_PLACES;
  const { path } = place, scales = scalesOf(path, options), { leaf } = options;
  const premises = leaf.functions.without(leaf.premises);
  const tried = (data: ReadonlyMap<string, number>, others: readonly number[]): boolean => {
    left--;
    const next = placeAt(data, { path, offsets: others }, options);
    if (next === undefined || !(next.loss > place.loss + 1e-9)) return false;
    place = next;
    offsets = others;
    return true;
  };
  for (let moved = true; moved && left > 0 && place.loss < options.most * (1 - 1e-6);) {
    moved = false;
    for (const [i, scale] of scales.entries()) {
      for (const step of SCALES.flatMap((share) => [share * scale, -share * scale])) {
        if (scale > 0 && left > 0) {
          moved = tried(place.data, offsets.with(i, offsets[i]! + step)) || moved;
        }
      }
    }
    for (const name of place.data.keys()) {
      const [low, high] = rangeOf(name, place.data, premises);
      const steps = SHARES.flatMap((share) => [share * (high - low), share * (low - high)]);
      for (const step of steps) {
        if (left <= 0 || !Number.isFinite(step)) break;
        const near = Math.min(high, Math.max(low, place.data.get(name)! + step));
        const value = options.whole ? Math.round(near) : near;
        if (value === place.data.get(name)) continue;
        moved = tried(new Map(place.data).set(name, value), offsets) || moved;
      }
    }
  }
  return place;
}

/** Returns the range of a variable that the others leave to it. */
function rangeOf(
  name: string,
  data: ReadonlyMap<string, number>,
  premises: readonly Constraint[],
): [low: number, high: number] {
  let low = -Infinity, high = Infinity;
  for (const { form } of premises) {
    const slope = toNumber(coefficient(form, name));
    if (slope === 0) continue;
    let rest = toNumber(coefficient(form, ""));
    for (const [other, factor] of form) {
      if (other !== "" && other !== name) rest += toNumber(factor) * data.get(other)!;
    }
    if (slope > 0) low = Math.max(low, -rest / slope);
    else high = Math.min(high, -rest / slope);
  }
  return [low, high];
}
