import type { Form } from "../recording.ts";
import { type Draw, extremesOf } from "./noise.ts";
import type { Run, RunOptions } from "./replayed_program.ts";

/** Outputs and reads of a run as forms over its draws. */
export interface LinearForms {
  /** Of each number of the output. */
  readonly output: readonly Form[];
  /** Of each number of each look that is kept. */
  readonly looks: readonly (readonly Form[])[];
}

/** Runs a program again, with what was kept of its looks. */
export type RunAgain = (options: RunOptions) => Run | Promise<Run>;

/** Why a run was not followed. */
export class NotFollowed extends Error {
  /** Always `"NotFollowed"`. */
  override readonly name = "NotFollowed";
}

/** Seeds of noise that is drawn anew. */
const OTHER_SEEDS = [0x5eed_0001, 0x5eed_0002];
/** The share of its terms by which a number may differ from its form: rounding. */
const ROUNDING = 1e-9;
/** The share of its terms up to which a sum is 0, and the digits of another. */
const EXACT = 1e-13, DIGITS = 12;
/** The most draws that are changed one at a time. */
const MOST_DRAWS = 200;

/**
 * Returns forms of all that a run shows over its noise, found by changing one draw at a time to a value far down and one far up. A form must hold
 * there, and where all noise is drawn anew.
 *
 * @param kept the places of the looks that are kept.
 * @throws {NotFollowed} where there are none.
 */
export async function linearForms(
  base: Run,
  { again, kept }: { readonly again: RunAgain; readonly kept: readonly number[] },
): Promise<LinearForms> {
  const { draws } = base, shown = numbersOf(base, kept);
  const places = [...draws.keys()].filter((place) => draws[place]!.law !== "choice");
  if (places.length > MOST_DRAWS) {
    throw new NotFollowed(`it draws more than ${MOST_DRAWS} times for one output`);
  }
  const numbersOfRun = async (options: RunOptions, what: string): Promise<number[]> => {
    const run = await again(options);
    requireAlike(base, run, { kept, what });
    return numbersOf(run, kept);
  };
  const same = { seed: 0, draw: (_: unknown, place: number) => draws[place]?.z };
  const isSame = (numbers: readonly number[]): boolean =>
    numbers.every((x, i) => Object.is(x, shown[i]));
  if (!isSame(await numbersOfRun(same, "the same noise"))) throw new NotFollowed(STATE);
  const terms = shown.map((): [number, number][] => []);
  for (const place of places) {
    const own = draws[place]!, [low, high] = extremesOf(own), what = nameOf(own);
    const at = (z: number): Promise<number[]> =>
      numbersOfRun({ ...same, draw: (_, i) => i === place ? z : draws[i]?.z }, what);
    const below = await at(low), above = await at(high);
    shown.forEach((x, i) => {
      const y = below[i]!, z = above[i]!;
      if (Object.is(y, z) && Object.is(x, y)) return;
      const c = (z - y) / (high - low), size = Math.abs(x) + Math.abs(y) + Math.abs(z);
      if (!isNear(y + c * (own.z - low), x, size)) throw notLinear(own.at);
      if (Math.abs(z - y) > ROUNDING * ROUNDING * size) terms[i]!.push([place, c]);
    });
  }
  for (const seed of places.length > 0 ? OTHER_SEEDS : []) {
    const run = await again({
      seed,
      draw: (_, i) => draws[i]?.law === "choice" ? draws[i]!.z : undefined,
    });
    requireAlike(base, run, { kept, what: "its noise" });
    numbersOf(run, kept).forEach((x, i) => {
      let expected = shown[i]!, size = Math.abs(expected);
      for (const [place, c] of terms[i]!) {
        const now = run.draws[place]!.z, before = draws[place]!.z;
        expected += c * (now - before);
        size += Math.abs(c * now) + Math.abs(c * before);
      }
      if (!isNear(expected, x, size)) throw notLinear("");
    });
  }
  const forms = shown.map((x, i): Form => {
    const moved = terms[i]!.map(([place, c]) => c * draws[place]!.z);
    const v = moved.reduce((sum, term) => sum - term, x);
    const size = moved.reduce((sum, term) => sum + Math.abs(term), Math.abs(x));
    return [Math.abs(v) <= EXACT * size ? 0 : Number(v.toPrecision(DIGITS)), terms[i]!];
  });
  const output = forms.splice(0, base.output.numbers.length);
  return {
    output,
    looks: kept.map((place) => forms.splice(0, base.looks[place]!.numbers.length)),
  };
}

const STATE =
  "the same noise gives other outputs: it keeps state, reads a clock, or has noise of its own";

function notLinear(place: string): NotFollowed {
  return new NotFollowed(
    `${place || "the program"} makes its own noise, compares noise, or multiplies it`,
  );
}

/** Returns the numbers of the output, then those of the looks. */
function numbersOf({ output, looks }: Run, kept: readonly number[]): number[] {
  return [...output.numbers, ...kept.flatMap((place) => looks[place]!.numbers)];
}

/** @throws {NotFollowed} unless two runs draw, look and put out the same but for numbers. */
export function requireAlike(
  one: Run,
  other: Run,
  { kept, what }: { readonly kept: readonly number[]; readonly what: string },
): void {
  const apart = (how: string): NotFollowed =>
    new NotFollowed(what === "the same noise" ? STATE : `${what} decides ${how}`);
  if (
    one.draws.length !== other.draws.length ||
    !one.draws.every((draw, i) => isSameLaw(draw, other.draws[i]!))
  ) throw apart("what else is drawn");
  const areSame = kept.every((place) =>
    one.looks[place]!.kind === other.looks[place]?.kind &&
    one.looks[place]!.numbers.length === other.looks[place].numbers.length
  );
  if (!areSame || one.looks.length !== other.looks.length) throw apart("what is computed");
  if (one.output.shape !== other.output.shape) throw apart("what kind of output there is");
}

function isSameLaw(a: Draw, b: Draw): boolean {
  const { law, width, chances } = a;
  if (law !== b.law || width !== b.width) return false;
  return chances === b.chances || chances?.uniform === b.chances?.uniform &&
      chances?.chances?.length === b.chances?.chances?.length &&
      (chances?.chances ?? []).every((chance, i) => chance === b.chances!.chances![i]);
}

function nameOf({ at }: Draw): string {
  return at === "" ? "its noise" : `the noise of ${at}`;
}

function isNear(a: number, b: number, size: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= ROUNDING * size;
}
