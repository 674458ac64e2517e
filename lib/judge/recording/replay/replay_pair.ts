import {
  type Atom,
  type Form,
  type Place,
  placeAlone,
  type Read,
  type ReadApart,
  type Recording,
} from "../recording.ts";
import {
  type LinearForms,
  linearForms,
  NotFollowed,
  requireAlike,
  type RunAgain,
} from "./linear_forms.ts";
import { atomsOf, type Draw, extremesOf } from "./noise.ts";
import type { Look, ReplayedProgram, Run } from "./replayed_program.ts";
import { writtenOutput } from "./written_output.ts";

/** Seeds of noise that tells at which looks there is noise, and whether noise decides what is drawn. */
const OTHER_SEEDS = [0x1005_0001, 0x1005_0002];
/** The shares by which coefficients, and sums in another order, may be rounded. */
const ROUNDING = 1e-9, STILL = 1e-12;
/** Digits of a difference that rounding leaves. */
const DIGITS = 12;

const ONE_SIDED: ReadonlySet<Draw["law"]> = new Set(["geometric", "exponential", "uniform"]);

/** A run whose looks at noise are kept in all further ones. */
interface Kept {
  readonly run: Run;
  /** The places of these looks. */
  readonly kept: readonly number[];
  readonly again: RunAgain;
}

/**
 * Returns the recordings of a program on a dataset, and on a neighbour with the same noise. What looks at noise gave on the first is kept on the
 * neighbour.
 */
export async function replayedRecordings(
  program: ReplayedProgram,
  { datasets: [left, right], seed }: {
    readonly datasets: readonly unknown[];
    readonly seed: number;
  },
): Promise<Recording[]> {
  const before = program.runs;
  let recordings: readonly [Recording, Recording];
  try {
    recordings = await recorded(program, { left, right, seed });
  } catch (error) {
    if (!(error instanceof NotFollowed)) throw error;
    const { message: notFollowed } = error;
    recordings = await nothingFollowed(program, { data: left, seed, notFollowed });
  }
  const [first, second] = recordings;
  return [{ ...first, runs: program.runs - before }, { ...second, runs: 0 }];
}

/** Returns two recordings in which nothing is followed, with the line of the first draw. */
async function nothingFollowed(
  program: ReplayedProgram,
  { data, seed, notFollowed }: {
    readonly data: unknown;
    readonly seed: number;
    readonly notFollowed: string;
  },
): Promise<[Recording, Recording]> {
  const { draws: [draw], wordsAt } = await program.run(data, { seed, places: true });
  const first = draw ?? wordsAt;
  const nothing: Recording = {
    output: null,
    atoms: [],
    reads: [],
    notFollowed,
    ...(first === undefined ? {} : { notFollowedAt: placeAlone(first) }),
  };
  return [nothing, nothing];
}

async function recorded(
  program: ReplayedProgram,
  { left, right, seed }: { readonly left: unknown; readonly right: unknown; readonly seed: number },
): Promise<readonly [Recording, Recording]> {
  const natural = await program.run(left, { seed, places: true });
  /** Spots of looks at functions of noise alone, which are not kept. */
  const ofNoise = new Set<string>();
  for (;;) {
    const spots = await spotsOfNoise(program, { data: left, natural, ofNoise });
    const first = keptRun(program, {
      data: left,
      run: natural,
      isKept: ({ spot }) => spots.has(spot),
    });
    const { second, apart } = await replayed(program, { first, data: right, spots, seed });
    // There is no one draw to change.
    if (first.run.words + second.run.words > 0) throw new NotFollowed("it draws random bits");
    if (apart !== undefined) {
      // A program that only chooses is run for all its outcomes.
      if (onlyChooses(first.run) && onlyChooses(second.run)) {
        return [chosen(first.run), { ...chosen(second.run), apart }];
      }
      await requireSteadyFlow(first);
      await requireSteadyFlow(second);
      const [one, other] = [first.run, second.run].map((run) =>
        recordingOf(run, drawsAsReads(run))
      );
      return [one!, { ...other!, apart }];
    }
    const forms = [
      await linearForms(first.run, first),
      await linearForms(second.run, second),
    ] as const;
    const more = looksAtNoiseAlone([first, second], forms).filter((spot) => !ofNoise.has(spot));
    if (more.length === 0) return compared([first, second], forms);
    for (const spot of more) ofNoise.add(spot);
  }
}

/** Spots of looks whose numbers change with the noise, where what comes before is kept. */
async function spotsOfNoise(
  program: ReplayedProgram,
  { data, natural, ofNoise }: {
    readonly data: unknown;
    readonly natural: Run;
    readonly ofNoise: ReadonlySet<string>;
  },
): Promise<Set<string>> {
  const spots = new Set<string>();
  for (const seed of natural.looks.length > 0 ? OTHER_SEEDS : []) {
    await program.run(data, {
      seed,
      draw: (_, i) => natural.draws[i]?.law === "choice" ? natural.draws[i]!.z : undefined,
      look({ kind, numbers }, place): Look | undefined {
        const own = natural.looks[place];
        if (own?.kind !== kind || ofNoise.has(own.spot)) return undefined;
        if (!own.numbers.every((x, i) => Object.is(x, numbers[i]))) spots.add(own.spot);
        return spots.has(own.spot) ? own : undefined;
      },
    });
  }
  return spots;
}

function keptRun(
  program: ReplayedProgram,
  { data, run, isKept }: {
    readonly data: unknown;
    readonly run: Run;
    readonly isKept: (look: Look, place: number) => boolean;
  },
): Kept {
  const kept = [...run.looks.keys()].filter((place) => isKept(run.looks[place]!, place));
  const all = new Set(kept);
  const look = (_: Look, place: number): Look | undefined =>
    all.has(place) ? run.looks[place] : undefined;
  return {
    run,
    kept,
    again: (options) => program.run(data, { ...options, look }),
  };
}

/** Returns a run on a neighbour with the noise of a first one, and where they come apart. */
async function replayed(
  program: ReplayedProgram,
  { first, data, spots, seed }: {
    readonly first: Kept;
    readonly data: unknown;
    readonly spots: ReadonlySet<string>;
    readonly seed: number;
  },
): Promise<{ readonly second: Kept; readonly apart?: NonNullable<Recording["apart"]> }> {
  const { draws, looks } = first.run;
  const expected = first.kept.map((place) => looks[place]!);
  const kept = new Set<number>();
  let apart: Recording["apart"];
  const part = (read: number, one: Step | undefined, other: Step | undefined): void => {
    const stepOf = ({ at, kind, numbers }: Step): Step & ReadApart => ({
      at,
      kind,
      shape: [numbers?.length ?? 1],
    });
    apart ??= { read, expected: one ? stepOf(one) : null, met: other ? stepOf(other) : null };
  };
  const run = await program.run(data, {
    seed,
    places: true,
    draw(asked, place): number | undefined {
      const own = draws[place];
      if (own?.law !== asked.law) return undefined;
      const { chances, uniform = Infinity } = asked.chances ?? {};
      return asked.law === "choice" ? Math.min(own.z, (chances?.length ?? uniform) - 1) : own.z;
    },
    look(look, place): Look | undefined {
      if (!spots.has(look.spot)) return undefined;
      const own = expected[kept.size];
      if (own?.spot !== look.spot || own.numbers.length !== look.numbers.length) {
        part(kept.size, own, look);
        return undefined;
      }
      kept.add(place);
      return own;
    },
  });
  const second = keptRun(program, { data, run, isKept: (_, place) => kept.has(place) });
  const longest = Math.max(draws.length, run.draws.length);
  for (let i = 0; i < longest; i++) {
    const a = draws[i], b = run.draws[i];
    if (a?.law === b?.law && a?.at === b?.at) {
      const [n, m] = [a?.chances?.uniform, b?.chances?.uniform];
      if (n === undefined || m === undefined || n === m || onlyChooses(run)) continue;
      throw new NotFollowed(`among how many outcomes is drawn at ${a!.at} depends on the data`);
    }
    for (const draw of onlyChooses(first.run) && onlyChooses(run) ? [] : [a, b]) {
      if (draw?.law !== "choice" && draw?.law !== "uniform") continue;
      throw new NotFollowed(
        `what is drawn at ${draw.at} is drawn more often on one side, or elsewhere`,
      );
    }
    const asStep = (draw?: Draw): Step | undefined =>
      draw && { at: draw.at, kind: `${draw.law} noise` };
    apart = undefined;
    part(i, asStep(a), asStep(b));
    break;
  }
  if (kept.size < expected.length) part(kept.size, expected[kept.size], undefined);
  return { second, ...(apart === undefined ? {} : { apart }) };
}

type Step = Place & { readonly kind: string; readonly numbers?: readonly number[] };

/** @throws {NotFollowed} where noise decides what is drawn, which is then no matter of the data alone. */
async function requireSteadyFlow({ run, kept, again }: Kept): Promise<void> {
  const far = (side: 0 | 1) => (_: unknown, place: number): number | undefined => {
    const draw = run.draws[place];
    return draw && (draw.law === "choice" ? draw.z : extremesOf(draw)[side]);
  };
  const noises = [{ seed: OTHER_SEEDS[0]! }, { seed: OTHER_SEEDS[1]! }, { draw: far(0) }, {
    draw: far(1),
  }];
  for (const noise of noises) {
    requireAlike(run, await again({ seed: 0, ...noise }), { kept, what: "its noise" });
  }
}

/** Spots of functions of `Math` that are given noise alone: a sampler's own, which nothing is released by. */
function looksAtNoiseAlone(
  [first, second]: readonly [Kept, Kept],
  [one, other]: readonly [LinearForms, LinearForms],
): string[] {
  const { draws, looks } = first.run;
  const values = first.kept.map((place, i) => ({ look: looks[place]!, own: one.looks[i]!, i }))
    .filter(({ look }) => look.kind === "value");
  const uniform = values.filter(({ own }) =>
    own.every(([, terms]) => terms.every(([place]) => draws[place]!.law === "uniform"))
  );
  const isStill = values.every(({ look, i }) =>
    look.numbers.every((x, k) => {
      const place = second.kept[i]!;
      return isEqual(x, second.run.looks[place]!.numbers[k]!);
    })
  );
  const hasOther = first.run.output.shape !== second.run.output.shape ||
    first.run.output.numbers.some((x, i) =>
      one.output[i]![1].length === 0 && other.output[i]![1].length === 0 &&
      !isEqual(x, second.run.output.numbers[i]!)
    );
  return (isStill && hasOther ? values : uniform).map(({ look }) => look.spot);
}

function compared(
  [first, second]: readonly [Kept, Kept],
  [one, other]: readonly [LinearForms, LinearForms],
): readonly [Recording, Recording] {
  const runs = [first.run, second.run] as const;
  const reads: [Read[], Read[]] = [[], []];
  const add = (of: (side: 0 | 1) => Omit<Read, "shape">): void =>
    ([0, 1] as const).forEach((side) => reads[side].push({ shape: [], ...of(side) }));
  const formsOf = (own: readonly [Form, Form], numbers: readonly [number, number]) =>
    inAtoms(runs, aligned(runs, own, numbers));
  ([0, 1] as const).forEach((side) => reads[side].push(...choicesOf(runs[side])));
  first.kept.forEach((place, i) => {
    const looks = [first.run.looks[place]!, second.run.looks[second.kept[i]!]!] as const;
    const { kind, numbers, outcome } = looks[0];
    const forms = numbers.map((x, k) =>
      formsOf([one.looks[i]![k]!, other.looks[i]![k]!], [x, looks[1].numbers[k]!])
    );
    const value = kind === "sign" ? [outcome] : kind === "largest" ? outcome : numbers;
    add((side) => ({
      ...placeAlone(looks[side]),
      kind,
      forms: forms.map((form) => form[side]),
      value,
    }));
  });
  const numbers = runs.map(({ output }) => [...output.numbers]) as [number[], number[]];
  const hasOneShape = first.run.output.shape === second.run.output.shape;
  first.run.output.numbers.forEach((x, i) => {
    // Of outputs that differ in kind the first one is read.
    const y = hasOneShape ? second.run.output.numbers[i]! : x;
    const own = [one.output[i]!, hasOneShape ? other.output[i]! : one.output[i]!] as const;
    const drawn = Math.max(-1, ...own.flatMap(([, terms]) => terms.map(([place]) => place)));
    if (drawn >= 0) {
      const signed = isEqual(x, y) ? undefined : signedByChoice(first.run.draws, own[0]);
      if (signed !== undefined) {
        throw new NotFollowed(
          `a choice may decide the sign of the noise of ${signed.at}, as in a sampler of its own`,
        );
      }
      const forms = formsOf(own, [x, y]);
      add((side) => ({
        ...placeAlone(runs[side].draws[drawn]!),
        kind: "value",
        forms: [forms[side]],
        value: [x],
      }));
    }
    // What noise covers is kept, and what differs by rounding is the same.
    if (hasOneShape && (drawn >= 0 || isEqual(x, y))) numbers[1][i] = x;
  });
  return [0, 1].map((side) => {
    const run = runs[side]!;
    return recordingOf(run, reads[side]!, numbers[side]!);
  }) as [Recording, Recording];
}

/** Returns the noise in a form that has one side, or bounds, where choices are drawn, too. */
function signedByChoice(draws: readonly Draw[], [, terms]: Form): Draw | undefined {
  if (!draws.some(({ law }) => law === "choice")) return undefined;
  return terms.map(([place]) => draws[place]!).find(({ law }) => ONE_SIDED.has(law));
}

function recordingOf(
  run: Run,
  reads: readonly Read[],
  numbers: readonly number[] = run.output.numbers,
): Recording {
  const { draws, error } = run;
  return {
    output: error === undefined ? writtenOutput(run.output, numbers) : null,
    ...(error === undefined ? {} : { error }),
    atoms: draws.flatMap(atomsOf).map(([atom]): Atom => atom),
    reads,
  };
}

/** Returns true if all that a run draws has outcomes that can be listed. */
function onlyChooses({ draws, words }: Run): boolean {
  return words === 0 && draws.length > 0 && draws.every(({ law }) => law === "choice");
}

/** Returns the choices of a run as reads. */
function choicesOf({ draws }: Run): Read[] {
  return draws.flatMap(({ law, z, chances, ...place }): Read[] =>
    law === "choice"
      ? [{ ...placeAlone(place), kind: "draw", forms: [], shape: [], value: z, ...chances }]
      : []
  );
}

/** Returns a run that only chooses. */
function chosen(run: Run): Recording {
  return recordingOf(run, choicesOf(run));
}

/**
 * Returns runs of a program whose first choices are given, and the others drawn, so that loops end: with their draws where these are choices alone.
 */
export async function forcedRecordings(
  program: ReplayedProgram,
  { datasets, order = [...datasets.keys()], force, seed, lines }: {
    /** Lines of draws so far, by what was drawn. */
    readonly lines: Map<string, readonly Place[]>;
    readonly datasets: readonly unknown[];
    readonly order?: readonly number[];
    readonly force: readonly (readonly number[])[];
    readonly seed: number;
  },
): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const [k, side] of order.entries()) {
    const drawn = (places: boolean): Run | Promise<Run> =>
      program.run(datasets[side], {
        seed,
        places,
        draw: ({ law }, place) => law === "choice" ? force[k]![place] : undefined,
      });
    const run = await drawn(false), laws = lawsOf(run);
    // To look a line up takes longer than most runs: one that draws as another did has its lines.
    const known = lines.get(laws) ?? (await drawn(true)).draws.map(placeAlone);
    lines.set(laws, known);
    const path = run.draws.map(({ z, chances }, i) => ({
      ...known[i]!,
      outcome: z,
      of: chances?.chances ?? chances?.uniform ?? 1,
    }));
    recordings.push({ ...recordingOf(run, []), ...(onlyChooses(run) ? { path } : {}) });
  }
  return recordings;
}

/** Lists the laws that a run draws, without chances and outcomes. */
function lawsOf({ draws }: Run): string {
  return draws.map(({ law, chances }) => law + (chances?.chances?.length ?? chances?.uniform ?? ""))
    .join();
}

/** Returns each draw as a read, for runs that draw at different places. */
function drawsAsReads({ draws }: Run): Read[] {
  const begins = firstAtoms(draws);
  return draws.map((draw, place) => ({
    ...placeAlone(draw),
    kind: "value",
    forms: [[0, draw.law === "choice" ? [] : [[begins[place]!, draw.width]]]],
    shape: [],
    value: [draw.z],
  }));
}

/** Returns forms whose coefficients are equal where they are but for rounding. @throws {NotFollowed} where uniform noise has another width. */
function aligned(
  [{ draws }]: readonly [Run, Run],
  [[v, terms], [, others]]: readonly [Form, Form],
  [x, y]: readonly [number, number],
): readonly [Form, Form] {
  const own = new Map(terms);
  const close = others.map(([place, c]): [number, number] => {
    const before = own.get(place) ?? 0;
    return [place, Math.abs(c - before) <= ROUNDING * Math.abs(before) ? before : c];
  });
  const changed = close.filter(([place, c]) => c !== own.get(place)).map(([place]) => place);
  const gone = terms.filter(([place]) => !others.some(([same]) => same === place));
  for (const place of [...changed, ...gone.map(([place]) => place)]) {
    if (draws[place]!.law !== "uniform") continue;
    throw new NotFollowed(`how wide the noise of ${draws[place]!.at} is depends on the data`);
  }
  const isSame = changed.length === 0 && gone.length === 0;
  const shift = isEqual(x, y) ? 0 : Number((y - x).toPrecision(DIGITS));
  const w = isSame ? v + shift : close.reduce((sum, [place, c]) => sum - c * draws[place]!.z, y);
  return [[v, terms], [w, close]];
}

/** Returns forms over draws as forms over their atoms. */
function inAtoms(
  runs: readonly [Run, Run],
  forms: readonly [Form, Form],
): readonly [Form, Form] {
  return forms.map(([v, terms], side): Form => {
    const { draws } = runs[side]!;
    const begins = firstAtoms(draws);
    return [
      v,
      terms.flatMap(([place, c]) =>
        atomsOf(draws[place]!).map(([, factor], k) => [begins[place]! + k, c * factor] as const)
      ),
    ];
  }) as unknown as readonly [Form, Form];
}

/** Returns the place of the first atom of each draw. */
function firstAtoms(draws: readonly Draw[]): number[] {
  let next = 0;
  return draws.map((draw) => (next += atomsOf(draw).length) - atomsOf(draw).length);
}

function isEqual(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= STILL * Math.max(Math.abs(a), Math.abs(b));
}
