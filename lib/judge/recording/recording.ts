import { outputProblem } from "../audit/subjects/output_limits.ts";
import type { OutputParts } from "./output_parts.ts";

/** Laws of noise atoms: Laplace of scale 1, normal of deviation 1, exponential of mean 1, uniform on [0, 1), Gumbel and logistic of scale 1. */
const LAWS = [
  "laplace",
  "normal",
  "exponential",
  "uniform",
  "gumbel",
  "logistic",
  "geometric",
  "derived",
] as const;

/** The law of a noise atom. */
export type NoiseLaw = typeof LAWS[number];

/** A place in the source: file and line of the innermost frame outside libraries, and the innermost frame of a library behind it. */
export interface Place {
  /** As in "mean.py:14". */
  readonly at: string;
  /** As in "diffprivlib/mechanisms/laplace.py:88". */
  readonly in?: string;
}

/** Returns the place of something that has more than a place. */
export function placeAlone({ at, in: library }: Partial<Place> = {}): Place {
  return { at: at ?? "", ...(library === undefined ? {} : { in: library }) };
}

/** A number that a program computes with: v + Σ c·z over noise atoms z, which are named by their numbers. */
export type Form = readonly [v: number, terms: readonly (readonly [atom: number, c: number])[]];

/** One draw of noise, of a standard law: scales are coefficients of forms. */
export interface Atom extends Place {
  readonly law: NoiseLaw;
  /** The chance of success of a geometric law on 1, 2, …. */
  readonly p?: number;
  /** The function of other noise that a derived atom is, and its arguments. */
  readonly function?: string;
  readonly of?: readonly (Form | number)[];
}

/** Chances of a discrete draw. */
export interface Chances {
  /** Of the outcomes 0, 1, …. */
  readonly chances?: readonly number[];
  /** Trials and chance of success. */
  readonly binomial?: readonly [n: number, p: number];
  /** The chance of success. */
  readonly geometric?: number;
  /** So many of n, without replacement. */
  readonly subset?: readonly [n: number, count: number];
  readonly permutation?: number;
  /** So many outcomes, all equally likely. */
  readonly uniform?: number;
  /** Another law of a library: its name and its arguments. */
  readonly other?: readonly unknown[];
}

/** How the values of a declared mechanism are compared. */
export type Distance = "l1" | "l2" | "linf" | "hamming" | "range";

/** A declared mechanism: the value it was given, and what it promises. */
export interface Declared {
  readonly name: string;
  /** Its value, as a list of numbers. */
  readonly given: readonly number[];
  readonly sensitivity?: number;
  /** How values are compared; "range" is the largest change less the least. */
  readonly distance?: Distance;
  readonly epsilon?: number;
  readonly delta?: number;
  readonly rho?: number;
  /** Whether a row more moves all utilities in one direction. */
  readonly monotonic?: boolean;
  /** The logarithm of its output's density at one point, up to a constant: where it is told, the output is not compared. */
  readonly logDensity?: number;
}

/** A place at which a program looked at noise: the value it saw is released. */
export interface Read extends Place, Chances {
  readonly kind: "value" | "sign" | "largest" | "smallest" | "draw" | "primitive";
  /** The numbers that were read; those compared with 0; those of which one is the largest or the smallest. */
  readonly forms: readonly Form[];
  readonly shape: readonly number[];
  /** The value that was read: numbers; whether each is above 0; the place of the largest or the smallest; the outcome of a draw. */
  readonly value: unknown;
  /** The line where the value was last computed, where it is read at another one. */
  readonly made?: string;
  /**
   * Set where the program goes on with the numbers, which are not put out there: whether they are noise alone, to which no plain number was
   * added.
   */
  readonly inside?: "noise alone" | "noisy";
  readonly declared?: Declared;
}

/** A discrete draw whose outcome was forced: one of so many that are all alike, or of outcomes with these chances. */
export interface ForcedDraw extends Place {
  readonly outcome: number;
  readonly of: number | readonly number[];
}

/** A read that one of two runs has, and how many numbers it reads. */
export interface ReadApart extends Place {
  readonly kind: string;
  readonly shape?: readonly number[];
}

/** One run of a program whose noise was watched. */
export interface Recording {
  readonly output: unknown;
  /** The error that came in place of an output. */
  readonly error?: string;
  readonly atoms: readonly Atom[];
  readonly reads: readonly Read[];
  /** Where a replay met another read than the run that it follows, or one more, or one fewer. */
  readonly apart?: {
    readonly read: number;
    readonly expected: ReadApart | null;
    readonly met: ReadApart | null;
  };
  /** Whether such a replay went on to its end, and put out what the run that it follows did. */
  readonly endsAlike?: true;
  /** Why the noise of this run could not be followed, and the line, where it is another one than that of its first noise. */
  readonly notFollowed?: string;
  readonly notFollowedAt?: Place;
  /** The draws of a run whose draws were forced; absent where it read noise that has no list of outcomes. */
  readonly path?: readonly ForcedDraw[];
  /** Whether such a run was ended, as its draws had become too improbable. */
  readonly isRare?: true;
  /** Whether the scale of its noise was found by sampling. */
  readonly isSampled?: boolean;
  /** How often the program was run for it. Default 1. */
  readonly runs?: number;
}

/** How a program is run and watched. */
export interface RecordRequest {
  /** The datasets to run on: the noise of the first run is replayed in the others. */
  readonly datasets: readonly unknown[];
  /** The dataset of each run. Default: one run a dataset. */
  readonly order?: readonly number[];
  /** The seed of the noise. */
  readonly seed: number;
  /** Whether a value is released where noise first meets a plain number, in place of where it is read. */
  readonly meet: boolean;
  /** Places at which a function of noise is a read, and not noise of another law. */
  readonly asReads: readonly string[];
  /** Outcomes of the first discrete draws of each run: no run is a replay then. */
  readonly force?: readonly (readonly number[])[];
  /**
   * Of runs with `force`: lets them read noise that is not discrete, too. What such a read gives first is given again to each like it in
   * all requests with the same number.
   */
  readonly keep?: number;
  /** By how much reads of each run differ from what they gave in the first, by their numbers: one entry for each number that was read. */
  readonly shifts?: readonly Readonly<Record<number, readonly number[]>>[];
}

/** A program whose noise can be watched. */
export interface Recorder {
  /** Its name in reports. */
  readonly name: string;
  /** Whether `meet` makes no difference. */
  readonly onePolicy?: boolean;
  /** Returns the runs that are asked for. */
  record(request: RecordRequest): Promise<readonly Recording[]>;
  /** One output a dataset, each of the randomness of this seed, where the program can be seeded. Nothing is watched. */
  replay?(request: Pick<RecordRequest, "datasets" | "seed">): Promise<readonly OutputParts[]>;
  /** Ends the program. */
  close(): Promise<void>;
}

/** An answer that is none. */
export class BadRecording extends Error {
  override readonly name = "BadRecording";
}

const KINDS: ReadonlySet<string> = new Set<Read["kind"]>([
  "value",
  "sign",
  "largest",
  "smallest",
  "draw",
  "primitive",
]);

/**
 * Returns the runs of an answer.
 *
 * @throws {BadRecording} when it has not this form.
 */
export function parseRecordings(
  answer: Readonly<Record<string, unknown>>,
  count: number,
): Recording[] {
  const { outputs, errors = {}, recordings } = answer;
  const runs = listOf(recordings, "recordings"), values = listOf(outputs, "outputs");
  if (runs.length !== count || values.length !== count) {
    throw new BadRecording(`must have ${count} outputs and recordings`);
  }
  return runs.map((run, i) => {
    const problem = outputProblem(values[i]);
    if (problem !== undefined) throw new BadRecording(`must not put out ${problem}`);
    return parseRun(run, values[i], (errors as Record<string, unknown>)[i]);
  });
}

function parseRun(run: unknown, output: unknown, error: unknown): Recording {
  const { atoms, reads, apart, failed, notFollowed, path, ended } = recordOf(run, "a recording");
  const reason = failed ?? (Array.isArray(notFollowed) ? notFollowed[0] : undefined);
  const parsed = listOf(atoms, "atoms").map(parseAtom);
  return {
    output,
    ...(error === undefined || error === null ? {} : { error: String(error) }),
    atoms: parsed,
    reads: listOf(reads, "reads").map((read) => parseRead(read, parsed.length)),
    ...(apart === undefined || apart === null ? {} : { apart: parseApart(apart) }),
    ...(typeof reason === "string" ? { notFollowed: reason } : {}),
    ...(path === undefined || path === null ? {} : { path: listOf(path, "path").map(parseDraw) }),
    ...(ended === "rare" ? { isRare: true as const } : {}),
  };
}

function parseDraw(given: unknown): ForcedDraw {
  const draw = recordOf(given, "a draw of a path");
  placeOf(draw);
  const { outcome, of } = draw, outcomes = Array.isArray(of) ? of.length : of;
  const chances = Array.isArray(of) ? of : [];
  const isOutcome = Number.isInteger(outcomes) && Number.isInteger(outcome) &&
    (outcome as number) >= 0 && (outcome as number) < (outcomes as number) &&
    chances.every((chance) => typeof chance === "number" && chance >= 0);
  if (!isOutcome) throw new BadRecording("must name the outcome of each draw, and its chances");
  return draw as unknown as ForcedDraw;
}

function parseAtom(given: unknown, number: number): Atom {
  const atom = recordOf(given, "an atom");
  if (typeof atom.law !== "string" || !(LAWS as readonly string[]).includes(atom.law)) {
    throw new BadRecording(
      `must name a law of noise: atom ${number} has ${JSON.stringify(atom.law)}`,
    );
  }
  placeOf(atom);
  if (atom.law === "geometric" && !(typeof atom.p === "number" && atom.p > 0 && atom.p <= 1)) {
    throw new BadRecording(`must give a geometric atom its p in (0, 1]: atom ${number}`);
  }
  for (const part of atom.law === "derived" ? listOf(atom.of, "of") : []) {
    if (typeof part !== "number") requireForm(part, number);
  }
  return atom as unknown as Atom;
}

function parseRead(given: unknown, atoms: number): Read {
  const read = recordOf(given, "a read");
  if (typeof read.kind !== "string" || !KINDS.has(read.kind)) {
    throw new BadRecording(`must name a kind of read, not ${JSON.stringify(read.kind)}`);
  }
  placeOf(read);
  for (const form of listOf(read.forms ?? [], "forms")) requireForm(form, atoms);
  const common = { forms: [], shape: [], ...read } as unknown as Read;
  return read.kind === "primitive" ? { ...common, declared: declaredOf(read) } : common;
}

/** Reads the declaration of a mechanism from the fields of its read. */
function declaredOf(read: Record<string, unknown>): Declared {
  const { name, given, sensitivity, distance, epsilon, delta, rho, logDensity, monotonic } = read;
  if (typeof name !== "string") throw new BadRecording("must name a declared mechanism");
  const numbers = { sensitivity, epsilon, delta, rho, logDensity };
  for (const [field, value] of Object.entries(numbers)) {
    if (value !== undefined && value !== null && typeof value !== "number") {
      throw new BadRecording(`must declare ${field} as a number`);
    }
  }
  const declared = Object.entries({ ...numbers, distance })
    .filter(([, value]) => value !== undefined && value !== null);
  return {
    name,
    given: [given].flat(Infinity) as number[],
    ...Object.fromEntries(declared),
    ...(monotonic === true ? { monotonic } : {}),
  };
}

function requireForm(form: unknown, atoms: number): void {
  const [v, terms] = listOf(form, "a form");
  const areTerms = typeof v === "number" && Array.isArray(terms) &&
    terms.every((term) =>
      Array.isArray(term) && Number.isInteger(term[0]) && term[0] >= 0 && term[0] < atoms &&
      typeof term[1] === "number"
    );
  if (!areTerms) throw new BadRecording("must write a form as [number, [[atom, coefficient], …]]");
}

function parseApart(given: unknown): NonNullable<Recording["apart"]> {
  const { read, expected = null, met = null } = recordOf(given, "apart");
  if (!Number.isInteger(read)) throw new BadRecording("must say at which read it came apart");
  return { read, expected, met } as NonNullable<Recording["apart"]>;
}

function placeOf({ at }: Record<string, unknown>): void {
  if (typeof at !== "string") throw new BadRecording("must say where noise was drawn and read");
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadRecording(`must have a list ${name}`);
  return value;
}

function recordOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadRecording(`must write ${name} as a record`);
  }
  return value as Record<string, unknown>;
}
