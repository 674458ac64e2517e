import { bareJson } from "../../core/text/bare_json.ts";
import { lawOfForm } from "./law_of_form.ts";
import { baseOf } from "./noise_law.ts";
import { outputParts } from "./output_parts.ts";
import {
  type Atom,
  type Form,
  type Place,
  placeAlone,
  type Read,
  type Recorder,
  type Recording,
  type RecordRequest,
} from "./recording.ts";

/** The most numbers whose way through a program is followed. */
const MOST_NUMBERS = 24;
/** Rounding of what shifts do, as a share of the numbers: programs may use single precision, and coefficients keep so many digits. */
const ROUNDING = 1e-5, DIGITS = 6;
/** Shifts of continuous noise, in units of its scale. */
const STEP = 0.5;

/** Runs in which numbers that were made of noise are noise again; or the line where one is used in a way that is not followed. */
export type Converted =
  | {
    readonly runs: readonly [Recording, Recording];
    /** Where noise was read alone that moves nothing: it may still choose. */
    readonly silent: Place | undefined;
    /** Where a number is noise on one side of a bound alone, and noise chose the path that led there: other paths may have the other side. */
    readonly oneSided: Place | undefined;
    /** Number of numbers that were moved. */
    readonly moved: number;
  }
  | {
    readonly lost: Place;
    /** Whether noise was read alone: else what was read is noise with data in it, as a program may release. */
    readonly isAlone: boolean;
  };

/** One number that a run read and went on with, and by how much it is moved. */
interface Moved {
  readonly read: number;
  readonly entry: number;
  readonly form: Form;
  readonly given: number;
  readonly step: number;
}

/** By how much each form of each read moves with a number. */
type Column = readonly (readonly number[])[];

/**
 * Follows noise that is read and used further, as by `float(noise)`: such a read is no release. Where it is the same on both datasets, the
 * program is run again with the number moved, and where later reads and the output move in proportion they are given the noise.
 *
 * @returns `undefined` where nothing was read so.
 */
export async function followConverted(
  recorder: Recorder,
  [first, second]: readonly [Recording, Recording],
  request: Pick<RecordRequest, "seed" | "meet" | "asReads"> & {
    readonly datasets: readonly [unknown, unknown];
  },
): Promise<Converted | undefined> {
  const inside = first.reads.flatMap((read, k) => isSame(read, second.reads[k]) ? [k] : []);
  if (inside.length === 0) return undefined;
  const alone = inside.find((k) => first.reads[k]!.inside === "noise alone");
  const lost = (k = alone ?? inside[0]!): Converted => ({
    lost: placeAlone(first.reads[k]),
    isAlone: alone !== undefined,
  });
  const isEnded = [first, second].some(({ apart, error }) => (apart ?? error) !== undefined);
  const numbers = inside.flatMap((read) => {
    const { forms, value } = first.reads[read]!, values = [value].flat() as number[];
    return forms.flatMap((form, entry): Moved[] =>
      form[1].length === 0
        ? []
        : [{ read, entry, form, given: values[entry]!, step: stepOf(form, first.atoms) }]
    );
  });
  if (isEnded || numbers.length > MOST_NUMBERS) return lost();
  // Of random words the low digits may count, as by a remainder: small steps do not show that.
  const word = numbers.find(({ form, step }) =>
    step === 1 && lawOfForm([0, form[1]], first.atoms)?.law === "uniform"
  );
  if (word !== undefined) return lost(word.read);
  const shift = ({ read, entry, step }: Moved, times: number) => ({
    [read]: first.reads[read]!.forms.map((_, i) => i === entry ? times * step : 0),
  });
  const shifts = [{}, ...numbers.flatMap((number) => [shift(number, 1), shift(number, -2)])];
  const runs = (await recorder.record({
    ...request,
    order: [0, 1].flatMap((side) => shifts.map(() => side)),
    shifts: [...shifts, ...shifts],
  })).map(withOutputs);
  const sides = [runs.slice(0, shifts.length), runs.slice(shifts.length)];
  const columns: Column[] = [];
  for (const [k, number] of numbers.entries()) {
    const [own, other] = sides.map((side) =>
      columnOf(number, side[0]!, side.slice(2 * k + 1, 2 * k + 3))
    );
    if (own === undefined || other === undefined) return lost(number.read);
    columns.push(...[own, other]);
  }
  const silent = numbers.filter(({ read }, k) =>
    first.reads[read]!.inside === "noise alone" &&
    [columns[2 * k]!, columns[2 * k + 1]!].every((column) => column.flat().every((c) => c === 0))
  );
  // What was made of a number without moving with it may tell of noise that is put out besides.
  const used = new Set(
    first.reads.flatMap((read, k) => inside.includes(k) ? [] : basesIn(read.forms, first.atoms)),
  );
  const shared = silent.find(({ form }) =>
    basesIn([form], first.atoms).some((base) => used.has(base))
  );
  if (shared !== undefined) return lost(shared.read);
  const found = sides.map((side, i) =>
    withNoise(side[0]!, { numbers, columns: columns.filter((_, k) => k % 2 === i) })
  );
  const noisy = new Set(
    found.flatMap((run) =>
      run.reads.at(-1)!.forms.flatMap(([, terms], i) => terms.length === 0 ? [] : [i])
    ),
  );
  const [left, right] = found.map((run) => putOut(run, { noisy, inside: new Set(inside) }));
  return {
    runs: [left!, right!],
    silent: silent[0] && placeAlone(first.reads[silent[0].read]),
    oneSided: isOneSided(left!) ? placeAlone(left!.reads.at(-1)) : undefined,
    moved: numbers.length,
  };
}

function basesIn(forms: readonly Form[], atoms: readonly Atom[]): readonly number[] {
  return forms.flatMap(([, terms]) => terms.flatMap(([atom]) => baseOf(atom, atoms)));
}

const BOUNDED: ReadonlySet<string | undefined> = new Set(["exponential", "geometric", "uniform"]);

/** Returns true if noise decided something in a run, and what is put out is noise that has a bound. */
function isOneSided({ reads, atoms }: Recording): boolean {
  return reads.slice(0, -1).some(({ kind, forms }) =>
    kind !== "value" && forms.length > 0 && forms.every(([, terms]) => terms.length > 0)
  ) && reads.at(-1)!.forms.some(([, terms]) => BOUNDED.has(lawOfForm([0, terms], atoms)?.law));
}

/** Returns true if the program went on with numbers that are the same noise on both datasets. */
function isSame(read: Read, other: Read | undefined): boolean {
  return read.kind === "value" && read.inside !== undefined && other?.inside !== undefined &&
    read.forms.some(([, terms]) => terms.length > 0) &&
    bareJson(read.forms) === bareJson(other.forms);
}

const WHOLE: ReadonlySet<string | undefined> = new Set(["floor", "ceil", "rint", "trunc"]);

/** Returns the step by which a number is moved: whole numbers stay whole. */
function stepOf([, terms]: Form, atoms: readonly Atom[]): number {
  const isWhole = terms.every(([atom, c]) =>
    Number.isInteger(c) && (atoms[atom]!.law === "geometric" || WHOLE.has(atoms[atom]!.function))
  );
  return isWhole ? 1 : STEP * Math.max(...terms.map(([, c]) => Math.abs(c)));
}

/** Returns a run whose output is a last read of its numbers, and what is left of it. */
function withOutputs(run: Recording): Recording {
  const { shape, numbers } = outputParts(run.output);
  const last: Read = {
    kind: "value",
    at: "",
    forms: numbers.map((x) => [x, []]),
    shape: [numbers.length],
    value: null,
  };
  return { ...run, output: shape, reads: [...run.reads, last] };
}

/** Measures how a run moves with a number that is moved by its step, and by twice that downwards; `undefined` where it does not in proportion. */
function columnOf(
  { read, step }: Moved,
  base: Recording,
  moved: readonly Recording[],
): Column | undefined {
  const rest = ({ reads, output, error, apart, notFollowed }: Recording): string =>
    bareJson([
      reads.map(({ forms, value: _, ...own }) => [own, forms.map(([, terms]) => terms)]),
      [output, error ?? null, apart ?? null, notFollowed ?? null],
    ])!;
  if (moved.some((other) => rest(other) !== rest(base))) return undefined;
  const column: number[][] = [];
  for (const [k, { forms, inside }] of base.reads.entries()) {
    const own = forms.map(([x], i) => {
      const [up, down] = moved.map(({ reads }) => reads[k]!.forms[i]![0] - x) as [number, number];
      const room = ROUNDING * (Math.abs(x) + step);
      if (!(Math.abs(down + 2 * up) <= room)) return NaN;
      const c = up / step, whole = Math.round(c);
      return Math.abs(c - whole) * step <= room ? whole : Number(c.toPrecision(DIGITS));
    });
    const isMoved = own.some((c) => c !== 0);
    if (own.some(Number.isNaN) || isMoved && (k <= read || inside !== undefined)) return undefined;
    column.push(own);
  }
  return column;
}

/** Returns a run whose reads have the noise that moves them. */
function withNoise(
  run: Recording,
  { numbers, columns }: {
    readonly numbers: readonly Moved[];
    readonly columns: readonly Column[];
  },
): Recording {
  const reads = run.reads.map((read, k): Read => ({
    ...read,
    forms: read.forms.map(([x, own], i): Form => {
      const terms = new Map(own);
      let v = x, size = 0;
      for (const [n, { form, given }] of numbers.entries()) {
        const c = columns[n]![k]![i]!, by = c * (given - form[0]);
        if (c === 0) continue;
        v -= by;
        size += Math.abs(by);
        for (const [atom, own] of form[1]) terms.set(atom, (terms.get(atom) ?? 0) + c * own);
      }
      const whole = Math.round(v);
      const isWhole = size > 0 && Math.abs(v - whole) <= ROUNDING * (Math.abs(x) + size);
      return [isWhole ? whole : v, [...terms]];
    }),
  }));
  return { ...run, reads, isSampled: true };
}

/**
 * Returns a run without the reads inside it, whose last read is put out: the numbers at `noisy` are read, those that have noise on one of the two
 * datasets at least.
 */
function putOut(
  run: Recording,
  { noisy, inside }: { readonly noisy: ReadonlySet<number>; readonly inside: ReadonlySet<number> },
): Recording {
  const last = run.reads.at(-1)!;
  const reads = run.reads.slice(0, -1).filter((_, k) => !inside.has(k));
  const place = placeAlone(run.reads[Math.min(...inside)]);
  return {
    ...run,
    output: [run.output, last.forms.map(([v], i) => noisy.has(i) ? null : v)],
    reads: noisy.size === 0
      ? reads
      : [...reads, { ...last, ...place, forms: last.forms.filter((_, i) => noisy.has(i)) }],
  };
}
