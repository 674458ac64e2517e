import { bareJson } from "../../../core/text/bare_json.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import {
  type Atom,
  type Chances,
  type ForcedDraw,
  type Place,
  placeAlone,
  type Read,
  type ReadApart,
} from "../recording.ts";
import { lawOfAtom } from "../law_of_form.ts";
import { type Asked, type Draw, drawnFrom } from "../replay/noise.ts";
import { type NoiseAtom, NoisyForm, writtenForm } from "./noisy_form.ts";

/** Why a run ends before the program does. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

/** Atoms and reads of a run: more would take a judge minutes. */
const LONGEST = 20_000;
/** The probability below which a run of forced draws ends: a loop that draws may go on for ever. */
const RAREST = 1e-15;
/** The share of a bound that sums round. */
const ROUNDING = 2 ** -46;
const WHOLE: ReadonlySet<string | undefined> = new Set(["floor", "ceil", "rint", "trunc"]);
/** Whole numbers that a uniform number may be rounded to: what can be more is noise. */
const MOST_OUTCOMES = 100;

/** A moment at which the program learned a value of noise. */
export interface TapeRead extends Place, Chances {
  readonly kind: Exclude<Read["kind"], "primitive">;
  readonly forms: readonly NoisyForm[];
  readonly shape: readonly number[];
  /** Value that the program goes on with: a number, whether a form is above 0, the place of the largest, an outcome. */
  readonly raw: number | boolean;
  readonly made?: string;
  /** Whether the program goes on with the number: else it is put out. */
  readonly isInside: boolean;
}

/** How a run goes. */
export interface TapeOptions {
  readonly seed: number;
  /** The reads of a first run, which this one is given again. */
  readonly replay?: readonly TapeRead[];
  readonly meet?: boolean;
  readonly asReads?: ReadonlySet<string>;
  /** Outcomes of the first discrete draws: all draws are forced then. */
  readonly force?: readonly number[];
  /** What reads of other noise gave in such runs before. */
  readonly kept?: Map<string, number | boolean>;
  /** By how much reads differ from what they gave, by their numbers. */
  readonly shifts?: Readonly<Record<number, readonly number[]>>;
}

/** Draws and reads of one run of a program, which a second run can be given. */
export class Tape {
  readonly atoms: NoiseAtom[] = [];
  readonly reads: TapeRead[] = [];
  readonly path: ForcedDraw[] = [];
  readonly options: TapeOptions;
  /** Place at which a replay met another read than the run that it follows. */
  apart: { read: number; expected: ReadApart | null; met: ReadApart | null } | undefined;
  /** Why the noise could not be followed. */
  notFollowed: (Place & { readonly reason: string }) | undefined;
  /** Whether the program has ended, and what is read is put out. */
  isOutput = false;
  /** Whether all that a run of forced draws reads has outcomes that can be listed. */
  isDiscrete = true;
  /** Lines of the draws. */
  readonly drawn: Place[] = [];
  #chance = 1;
  readonly #functions = new Map<string, NoiseAtom>();
  readonly #bits = new Map<NoiseAtom, number>();
  /** What comparisons told of uniform numbers, and these numbers as others that are uniform from 0 to 1. */
  readonly #ranges = new Map<NoiseAtom, readonly [number, number]>();
  readonly #narrowed = new Map<NoiseAtom, NoisyForm>();
  /** Uniform numbers that were rounded, as a choice, to one of a few whole numbers, and these: what they are since. */
  readonly #chosen = new Map<NoiseAtom, NoisyForm>();
  #stream: Source | undefined;
  #words: Source | undefined;

  constructor(options: TapeOptions) {
    this.options = options;
  }

  /** Whether a run of forced draws has come to outcomes that are too rare to go on. */
  get isRare(): boolean {
    return this.#chance < RAREST;
  }

  /** Ends the run as one that is not followed. */
  lose(reason: string, at: string): never {
    this.notFollowed ??= { reason, at };
    throw new RunEnded(reason);
  }

  /** Returns a draw of noise: as a form over its atoms, or the outcome of a choice. */
  draw(asked: Asked, at: string): NoisyForm | number {
    this.#stream ??= new SeededSource(this.options.seed).split("noise");
    const z = drawnFrom(this.#stream, asked);
    this.drawn.push({ at });
    if (asked.law === "choice") return this.#choice(asked.chances!, z, at);
    return this.#noise({ ...asked, z }, at);
  }

  /** Returns the next 32 random bits. */
  nextWord(): number {
    this.#words ??= new SeededSource(this.options.seed).split("words");
    return this.#words.uint32();
  }

  /** Returns a whole number that was made of so many random bits: a uniform number, in as many steps. */
  word(value: number, bits: number, at: string): NoisyForm {
    this.drawn.push({ at });
    const atom = this.#atom({ law: "uniform", at }, value / 2 ** bits, false);
    this.#bits.set(atom, bits);
    return NoisyForm.of(atom, 2 ** bits);
  }

  /** Returns true if a form is a random word. */
  isWord({ v, terms }: NoisyForm): boolean {
    const [[atom, c] = [undefined, 0]] = terms, bits = atom && this.#bits.get(atom);
    return v === 0 && terms.size === 1 && bits !== undefined && c === 2 ** bits;
  }

  #noise({ law, width, z }: Pick<Draw, "law" | "width" | "z">, at: string): NoisyForm {
    switch (law) {
      case "geometric":
      case "discrete Laplace": {
        // A geometric variable counts from 1.
        const atom = { law: "geometric", p: -Math.expm1(-width), at } as const;
        const first = law === "geometric" ? z : Math.max(z, 0);
        const one = this.#atom(atom, first + 1, true);
        if (law === "geometric") return new NoisyForm(-1, new Map([[one, 1]]));
        return new NoisyForm(0, new Map([[one, 1], [this.#atom(atom, first - z + 1, true), -1]]));
      }
      case "discrete normal":
        return NoisyForm.of(this.#atom({ law: "normal", at }, z / width, true), width);
      case "uniform":
        return NoisyForm.of(this.#atom({ law, at }, z, false));
      case "choice":
        throw new TypeError("a choice is no noise");
      default:
        return NoisyForm.of(this.#atom({ law, at }, z, true), width);
    }
  }

  #atom(atom: Atom, z: number, isSettled: boolean): NoiseAtom {
    if (this.atoms.length >= LONGEST) {
      this.lose(`the program draws noise more than ${LONGEST} times`, atom.at);
    }
    const { law, function: name } = atom;
    const isWhole = law === "geometric" || WHOLE.has(name);
    const isContinuous = !isWhole && name !== "sign" && name !== "copysign";
    const own = { index: this.atoms.length, atom, z, isSettled, isWhole, isContinuous };
    this.atoms.push(own);
    return own;
  }

  /** Returns true if a function of noise at a place is a read, and no noise of another law. */
  readsAt(name: string, at: string): boolean {
    return this.options.asReads?.has(`${at} in ${name}`) === true;
  }

  /** Returns true if a form is a finite number with noise whose laws are known. */
  hasLaw({ v, terms }: NoisyForm): boolean {
    const atoms = this.atoms.map(({ atom }) => atom);
    return Number.isFinite(v) &&
      [...terms].every(([{ index }, c]) =>
        Number.isFinite(c) && lawOfAtom(index, atoms) !== undefined
      );
  }

  /** Returns a function of noise: noise of another law. */
  derive(name: string, given: readonly (NoisyForm | number)[], at: string): NoisyForm {
    const { factor, parts } = withoutFactors(
      name,
      given.map((part) => typeof part === "number" ? part : this.#narrow(part)),
    );
    const of = parts.map((part) => typeof part === "number" ? part : writtenForm(part));
    const key = `${name} ${bareJson(of)}`;
    let atom = this.#functions.get(key);
    if (atom === undefined) {
      const z = FUNCTIONS[name]!(
        ...parts.map((part) => typeof part === "number" ? part : part.value),
      );
      const bases = parts.flatMap((part) => typeof part === "number" ? [] : [...part.terms.keys()]);
      const isSettled = FINISHING.has(name) || bases.some((base) => base.isSettled);
      atom = this.#atom({ law: "derived", at, in: name, function: name, of }, z, isSettled);
      this.#functions.set(key, atom);
    }
    return NoisyForm.of(atom, factor);
  }

  /** Notes a read, and returns what the program goes on with: what the first run read, where this is a replay. */
  read(
    kind: TapeRead["kind"],
    given: readonly NoisyForm[],
    { raw, at, made, isOutput = false, chances = {}, shape = [] }: {
      readonly raw: number | boolean;
      readonly at: string;
      readonly made?: string;
      /** Whether what is read is put out. */
      readonly isOutput?: boolean;
      readonly chances?: Chances;
      readonly shape?: readonly number[];
    },
  ): number | boolean {
    const { force, kept, replay, shifts } = this.options;
    const forms = kind === "value" || kind === "sign" ? this.#withChoices(given, at) : given;
    if (kind !== "draw" && forms !== given && forms.every(({ terms }) => terms.size === 0)) {
      return kind === "sign" ? forms[0]!.v > 0 : forms[0]!.v;
    }
    if (force !== undefined && (kept === undefined || kind === "draw" || isChoice(kind, forms))) {
      return this.#forced(kind, forms, { raw, at });
    }
    if (this.reads.length >= LONGEST) {
      this.lose(`the program reads noise more than ${LONGEST} times`, at);
    }
    const number = this.reads.length;
    let read: TapeRead = {
      kind,
      at,
      ...(made === undefined || made === at ? {} : { made }),
      forms: forms.map((form) => this.#narrow(form)),
      shape,
      raw,
      isInside: !isOutput,
      ...chances,
    };
    if (kept !== undefined) {
      if (
        forms.some((form) => [...basesOf(form, this.atoms)].some((own) => this.#ranges.has(own)))
      ) {
        this.#notDiscrete(); // Noise of which comparisons told something has another law now.
      }
      // An order of uniform numbers is a choice, too, whose chances are not known.
      if (kind !== "value" && forms.every(isRaw)) this.#notDiscrete();
      const key = bareJson([number, kind, shape, forms.map(({ isWhole }) => isWhole)])!;
      if (!kept.has(key)) kept.set(key, raw);
      read = { ...read, raw: kept.get(key)! };
    } else if (replay !== undefined) {
      const expected = replay[number];
      const isSame = this.apart === undefined && expected?.kind === kind && expected.at === at &&
        bareJson(expected.shape) === bareJson(shape) && expected.forms.length === forms.length;
      // The program goes on by itself, which shows whether it comes to the same.
      if (!isSame) {
        this.apart ??= { read: number, expected: whereOf(expected), met: whereOf(read) };
        return raw;
      }
      read = { ...read, raw: expected.raw };
    }
    this.reads.push(read);
    const [shift] = shifts?.[number] ?? [];
    return shift === undefined ? read.raw : Number(read.raw) + shift;
  }

  /** Notes a replay that ended with fewer reads than the first run. */
  finish(): void {
    const { replay } = this.options, read = this.reads.length;
    if (replay === undefined || read >= replay.length) return;
    this.apart ??= { read, expected: whereOf(replay[read]), met: null };
  }

  #choice(chances: Chances, z: number, at: string): number {
    const of = chances.chances ?? chances.uniform ?? 1;
    const outcome = this.options.force === undefined ? z : this.#pick(of, at);
    const count = typeof of === "number" ? of : of.length;
    return this.read("draw", [], { raw: outcome, at, chances, shape: [count] }) as number;
  }

  /** Returns the outcome of a discrete draw whose draws are forced: the one asked for, and beyond these one that any run may draw. */
  #pick(of: ForcedDraw["of"], at: string): number {
    const count = typeof of === "number" ? of : of.length;
    if (count === 1) return 0;
    const { force } = this.options;
    const outcome = this.path.length < force!.length
      ? force![this.path.length]!
      : typeof of === "number"
      ? 0
      : of.indexOf(Math.max(...of));
    this.path.push({ at, outcome, of });
    this.#chance *= typeof of === "number" ? 1 / count : of[outcome]!;
    if (this.isRare) throw new RunEnded("its outcomes are too rare");
    return outcome;
  }

  /** Returns forms in which a uniform number that is rounded to a few whole numbers has chosen one of them. */
  #withChoices(forms: readonly NoisyForm[], at: string): readonly NoisyForm[] {
    const [form, ...others] = forms;
    if (form === undefined || others.length > 0) return forms;
    const known = this.#since(form), [[atom] = [undefined], ...more] = known.terms;
    if (atom !== undefined && more.length === 0) this.#chooseCell(atom, at);
    const own = this.#since(form);
    if (this.#chosen.size > 0) {
      for (const base of basesOf(own, this.atoms)) {
        if (this.#chosen.has(base)) {
          this.lose("its noise is read in parts, so that its law is not known", at);
        }
      }
    }
    return own === form ? forms : [own];
  }

  /** Draws the whole number that a uniform number is rounded to, where it is one of a few. */
  #chooseCell(atom: NoiseAtom, at: string): void {
    const { function: name, of: [argument] = [] } = atom.atom;
    if (!WHOLE.has(name) || argument === undefined || typeof argument === "number") return;
    const { v, terms } = this.#narrow(
      new NoisyForm(argument[0], new Map(argument[1].map(([i, c]) => [this.atoms[i]!, c]))),
    );
    const [[uniform, width] = [undefined, 0], ...more] = terms;
    if (uniform?.atom.law !== "uniform" || more.length > 0 || this.#wasRead(uniform)) return;
    const bounds = boundsOfCells(name!, v, width);
    if (bounds === undefined) return;
    const chances = bounds.slice(1).map((high, k) => high - bounds[k]!);
    const own = bounds.findIndex((high) => uniform.z < high) - 1;
    const drawn = this.#choice({ chances }, Math.max(own, 0), at);
    const low = bounds[drawn]!, size = chances[drawn]!;
    const z = drawn === own ? (uniform.z - low) / size : uniform.z;
    const inside = this.#atom({ law: "uniform", at: uniform.atom.at }, z, false);
    this.#chosen.set(uniform, new NoisyForm(low, new Map([[inside, size]])));
    const value = FUNCTIONS[name!]!(v + width * (low + size / 2));
    this.#chosen.set(atom, new NoisyForm(value, new Map()));
  }

  /** Returns a form with what was chosen since it was made. */
  #since(form: NoisyForm): NoisyForm {
    return this.#chosen.size === 0 ? form : replaced(form, this.#chosen);
  }

  #notDiscrete(): never {
    this.isDiscrete = false;
    throw new RunEnded("it reads noise that has no list of outcomes");
  }

  /** Returns true if noise that was made of an atom was read. */
  #wasRead(atom: NoiseAtom): boolean {
    return this.reads.some(({ forms }) =>
      forms.some((form) => [...basesOf(form, this.atoms)].includes(atom))
    );
  }

  #forced(
    kind: TapeRead["kind"],
    forms: readonly NoisyForm[],
    { raw, at }: { readonly raw: number | boolean; readonly at: string },
  ): number | boolean {
    if (kind === "draw") return raw;
    if (kind !== "sign") return this.#notDiscrete();
    const [{ v, terms }] = forms as [NoisyForm];
    const [[atom, c] = [undefined, 0], ...more] = terms;
    if (atom === undefined || Number.isNaN(v)) return raw;
    // A comparison of a number that noise was made of before, and was read, is no choice: it tells of that noise.
    if (more.length > 0 || atom.atom.law !== "uniform" || c === 0 || this.#wasRead(atom)) {
      return this.#notDiscrete();
    }
    const [low, high] = this.#ranges.get(atom) ?? [0, 1];
    const steps = 2 ** (this.#bits.get(atom) ?? Infinity);
    // A random word is a whole number: below a bound are those that are less.
    const exact = Number.isFinite(steps) ? Math.ceil(-v / c * steps) / steps : -v / c;
    let bound = Math.min(Math.max(exact, low), high);
    // A sum of probabilities that should be 1 ends a little below: what is left above it is rounding, and no outcome.
    if (high - bound <= ROUNDING * high) bound = high;
    else if (low > 0 && bound - low <= ROUNDING * high) bound = low;
    const width = high - low;
    const isUp = low < bound && bound < high
      ? this.#pick([(bound - low) / width, (high - bound) / width], at) === 1
      : bound === low;
    const range = isUp ? [bound, high] as const : [low, bound] as const;
    this.#ranges.set(atom, range);
    const { at: drawn } = atom.atom,
      uniform = this.#atom({ law: "uniform", at: drawn }, atom.z, false);
    this.#narrowed.set(atom, new NoisyForm(range[0], new Map([[uniform, range[1] - range[0]]])));
    return isUp === c > 0;
  }

  /** Returns a form in which uniform numbers that lie between bounds are uniform numbers of those bounds. */
  #narrow(form: NoisyForm): NoisyForm {
    const own = this.#since(form);
    return this.#narrowed.size === 0 ? own : replaced(own, this.#narrowed);
  }

  /** Returns the reads as recordings have them. */
  writtenReads(): Read[] {
    return this.reads.map(({ forms, isInside, raw, ...read }): Read => ({
      ...read,
      forms: forms.map(writtenForm),
      value: read.kind === "value" || read.kind === "sign" ? [raw] : raw,
      ...(isInside && read.kind === "value"
        ? { inside: areNoiseAlone(forms) ? "noise alone" as const : "noisy" as const }
        : {}),
    }));
  }
}

function whereOf(read: TapeRead | undefined): ReadApart | null {
  return read === undefined ? null : { ...placeAlone(read), kind: read.kind, shape: read.shape };
}

/** Returns a form in which some noise is replaced. */
function replaced(form: NoisyForm, by: ReadonlyMap<NoiseAtom, NoisyForm>): NoisyForm {
  let own = form;
  for (const [atom, c] of form.terms) {
    const other = by.get(atom);
    if (other === undefined) continue;
    const rest = new Map(own.terms);
    rest.delete(atom);
    own = new NoisyForm(own.v, rest, own.hasMet).plus(other, c);
  }
  return own;
}

/** Returns the bounds, from 0 to 1, between which uniform numbers u have one value of v + width·u rounded; `undefined` where these are too many. */
function boundsOfCells(name: string, v: number, width: number): number[] | undefined {
  if (!(Math.abs(width) <= MOST_OUTCOMES) || width === 0 || !Number.isFinite(v)) return undefined;
  const half = name === "rint" ? 0.5 : 0, ends = [v, v + width].toSorted((a, b) => a - b);
  const bounds = [0, 1];
  for (let x = Math.ceil(ends[0]! - half) + half; x < ends[1]!; x++) {
    const u = (x - v) / width;
    if (u > ROUNDING && u < 1 - ROUNDING) bounds.push(u);
  }
  return bounds.toSorted((a, b) => a - b);
}

/** Returns true if all noise of a form is uniform numbers as they were drawn. */
function isRaw({ terms }: NoisyForm): boolean {
  return [...terms.keys()].every(({ atom }) => atom.law === "uniform");
}

/** Returns true if a read compares numbers of uniform noise with bounds. */
function isChoice(kind: TapeRead["kind"], forms: readonly NoisyForm[]): boolean {
  return kind === "sign" &&
    forms.every(({ terms }) =>
      terms.size < 2 && [...terms].every(([{ atom }, c]) => atom.law === "uniform" && c !== 0)
    );
}

/** Returns true if the numbers that were read, but for plain ones, are noise to which no plain number was added. */
function areNoiseAlone(forms: readonly NoisyForm[]): boolean {
  const noisy = forms.filter(({ terms }) => terms.size > 0);
  return noisy.length > 0 && noisy.every(({ v, hasMet }) => v === 0 && !hasMet);
}

/** Yields the atoms of standard laws that a form is made of. */
function* basesOf({ terms }: NoisyForm, atoms: readonly NoiseAtom[]): Generator<NoiseAtom> {
  for (const own of terms.keys()) {
    if (own.atom.law !== "derived") yield own;
    for (const part of own.atom.of ?? []) {
      if (typeof part === "number") continue;
      const inner = new Map(part[1].map(([i, c]) => [atoms[i]!, c]));
      yield* basesOf(new NoisyForm(part[0], inner), atoms);
    }
  }
}

/** These turn uniform numbers into noise; other functions of them are steps on the way. */
const FINISHING: ReadonlySet<string> = new Set([
  ...["log", "log1p", "log2", "log10", "multiply", "divide", "tan"],
]);

const FUNCTIONS: Readonly<Record<string, (...given: number[]) => number>> = {
  log: Math.log,
  log1p: Math.log1p,
  log2: Math.log2,
  log10: Math.log10,
  exp: Math.exp,
  expm1: Math.expm1,
  sqrt: Math.sqrt,
  cos: Math.cos,
  sin: Math.sin,
  tan: Math.tan,
  arctan: Math.atan,
  absolute: Math.abs,
  sign: Math.sign,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  power: (x, y) => x ** y,
  floor: Math.floor,
  ceil: Math.ceil,
  rint: Math.round,
  trunc: Math.trunc,
};

/** f(k·x) = k^power·f(x) for k > 0: factors are taken out, so that a scale is a coefficient and no part of the noise. */
const HOMOGENEOUS: Readonly<Record<string, readonly number[]>> = {
  multiply: [1, 1],
  divide: [1, -1],
  absolute: [1],
  sqrt: [0.5],
  sign: [0],
};

/** Those of which that holds for k < 0, too. */
const LINEAR: ReadonlySet<string> = new Set(["multiply", "divide"]);

function withoutFactors(
  name: string,
  given: readonly (NoisyForm | number)[],
): { readonly factor: number; readonly parts: readonly (NoisyForm | number)[] } {
  const powers = HOMOGENEOUS[name];
  if (powers === undefined) return { factor: 1, parts: given };
  let factor = 1;
  const parts = given.map((part, i) => {
    const power = powers[i]!, isLinear = LINEAR.has(name);
    const own = typeof part === "number"
      ? part
      : part.v === 0
      ? [...part.terms.values()][0] ?? 1
      : 1;
    const k = isLinear ? own : Math.abs(own);
    if (k === 0 && power === 1 && isLinear && typeof part !== "number" && part.terms.size === 1) {
      // A scale of 0, as the data may have it: the noise is the same as with any other scale.
      factor = 0;
      return new NoisyForm(
        0,
        new Map([...part.terms.keys()].map((atom) => [atom, 1])),
        part.hasMet,
      );
    }
    if (k === 0 || k === 1 || !Number.isFinite(k)) return part;
    factor *= k ** power;
    return typeof part === "number" ? part / k : part.over(k);
  });
  return { factor, parts };
}
