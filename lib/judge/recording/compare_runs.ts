import { bareJson } from "../../core/text/bare_json.ts";
import { composed, type Loss, NO_LOSS } from "./loss.ts";
import { lossOfDeclared } from "./loss_of_declared.ts";
import { drawDetail, lossOfChances, lossOfDraw } from "./loss_of_draws.ts";
import { distributionAt, expressionOf, probabilityBetween } from "./noise_law.ts";
import { inVariables, type NoiseVariable } from "./noise_variables.ts";
import {
  type Atom,
  type Distance,
  type Form,
  type Place,
  placeAlone,
  type Read,
  type ReadApart,
  type Recording,
} from "./recording.ts";
import { shownNumber } from "./shown_number.ts";
import { cheapestShifts, type Condition } from "./shifts.ts";

/** What two runs of the same noise show, where it is more than a cost. */
export type Difference =
  /** The value moves, and its noise pays for that. */
  | "shift"
  | "noise-depends-on-data"
  | "control-flow"
  | "uncovered-output"
  | "bounded-noise"
  | "declaration-broken"
  /** All outcomes of discrete draws were forced, and have these chances. */
  | "all-outcomes"
  /** The law of the noise is not known. */
  | "not-followed";

/** One thing that two runs show. */
export interface Observation extends Place {
  readonly kind: Difference;
  /** The line where the noise was drawn, where it is another one. */
  readonly noiseAt?: string;
  /** By how much the value under the noise moves from one dataset to the other. */
  readonly change?: number;
  /** The law and the scale of the noise that has to cover this. */
  readonly law?: string;
  readonly scale?: number;
  /** What it costs. */
  readonly loss: Loss;
  /** What else there is to say, as a part of a sentence. */
  readonly detail?: string;
  /** By which factor the noise of the second run is that of the first. */
  readonly ratio?: number;
  /** The number of the read that shows it; that of all reads where the output does. Default 0. */
  readonly index?: number;
}

/** The comparison of a run with its replay on a neighbour. */
export interface Comparison {
  /** What each read shows, the shifts that cost something among them. */
  readonly observations: readonly Observation[];
  /** The composed loss. */
  readonly loss: Loss;
  /** Whether scales were found by sampling, which makes losses about 1% uncertain. */
  readonly isSampled: boolean;
  /** Places where a function of noise has other arguments on the neighbour: they are reads, and the runs must be made again. */
  readonly asReads: readonly string[];
  /** The declared mechanisms whose values move, in order. */
  readonly declared: readonly Read[];
  /** Where noise seems to be drawn again until it fits: what did not fit is not released, and costs nothing by itself. */
  readonly redrawnAt?: Place;
}

/** Whether noise only chooses in a run. */
export function onlyChooses({ reads, atoms }: Recording): boolean {
  return reads.length > 0 && reads.every((read) => isChoice(read, atoms));
}

/** Whether noise only chooses in a read: a discrete draw, or a comparison of uniform noise. */
export function isChoice(read: Read, atoms: readonly Atom[]): boolean {
  return read.kind === "draw" || read.kind === "sign" && onlyUniform(read, atoms);
}

function onlyUniform({ forms }: Read, atoms: readonly Atom[]): boolean {
  return forms.every(([, terms]) => terms.every(([atom]) => atoms[atom]!.law === "uniform"));
}

/** Numbers that differ by no more than this share are equal: sums in another order round otherwise. */
const ROUNDING = 1e-9;
/** Changes and shifts up to this are none. */
const STILL = 1e-12;
/** What shifts cover of a change they cover but for this share: programs may compute in single precision. */
const SINGLE_ROUNDING = 1e-6;
/** What chances between bounds that a program computes may be off by: sums of probabilities end a little below 1. */
const BOUND_ROUNDING = 2 ** -46;
/** Digits in which scales are compared. */
const DIGITS = 9;
const NOT_COVERED = "no shift of the noise covers what changes";

/** A value under noise that was read: Σ c·shift must be minus the change. */
interface Row {
  readonly read: Read;
  readonly terms: Map<number, number>;
  readonly change: number;
}

/** A value that was compared with 0. */
interface Sign extends Row {
  readonly isAbove: boolean;
  /** The plain part on the first dataset. */
  readonly before: number;
}

/**
 * What a run on one dataset and its replay on a neighbour show: the coupling that keeps everything that was read (the identity alignment
 * of Zhang, Kifer 2017), with its composed loss, and what no shift of noise covers.
 */
export async function compareRuns(
  first: Recording,
  second: Recording,
  { areNested = false }: {
    /** Whether one dataset has all rows of the other. Default: false. */
    readonly areNested?: boolean;
  } = {},
): Promise<Comparison> {
  const asReads = placesOfOtherArguments(first, second);
  const nothing = { loss: NO_LOSS, isSampled: false, asReads, declared: [] };
  if (asReads.length > 0) return { ...nothing, observations: [] };
  const notFollowed = first.notFollowed ?? second.notFollowed;
  if (notFollowed !== undefined) {
    const drawn = [first, second].flatMap(({ notFollowedAt = [], atoms, reads }) =>
      [
        notFollowedAt,
        ...atoms,
        ...reads,
      ].flat()
    );
    const unfollowed = {
      kind: "not-followed",
      ...placeAlone(drawn[0]),
      loss: NO_LOSS,
      detail: notFollowed,
    } as const;
    return { ...nothing, observations: [noiseOnOneSide(first, second) ?? unfollowed] };
  }
  if (second.apart !== undefined || second.reads.length !== first.reads.length) {
    return { ...nothing, observations: [controlFlow(first, second)] };
  }
  return await new Comparing(first, second, areNested).result();
}

/** Places of derived atoms whose arguments differ between the runs. */
function placesOfOtherArguments(first: Recording, second: Recording): string[] {
  const places = new Set<string>();
  for (let i = 0; i < Math.min(first.atoms.length, second.atoms.length); i++) {
    const [a, b] = [first.atoms[i]!, second.atoms[i]!];
    if (a.law !== "derived" || b.law !== "derived" || a.at !== b.at) continue;
    const [own, other] = [first, second].map(({ atoms }) =>
      expressionOf([0, [[i, 1]]], atoms, new Map())
    );
    if (own !== other) places.add(a.in === undefined ? a.at : `${a.at} in ${a.in}`);
  }
  return [...places];
}

/** Whether a run draws noise and the other one draws none: whatever becomes of noise that is not followed, that depends on the data. */
function noiseOnOneSide(first: Recording, second: Recording): Observation | undefined {
  const isWithout = ({ atoms, reads, notFollowed }: Recording): boolean =>
    atoms.length === 0 && reads.length === 0 && notFollowed === undefined;
  if (isWithout(first) === isWithout(second)) return undefined;
  const place: Place | undefined = [first, second]
    .flatMap(({ atoms, reads }) => [...atoms, ...reads])[0];
  if (place === undefined) return undefined;
  return {
    kind: "control-flow",
    ...placeAlone(place),
    loss: NO_LOSS,
    detail: "noise is drawn on one side, and none on the other",
  };
}

function controlFlow(first: Recording, { apart, error, reads }: Recording): Observation {
  const { read, expected, met } = apart ??
    { read: reads.length, expected: first.reads[reads.length] ?? null, met: null };
  const place: Place = met ?? expected ?? first.reads[read] ?? { at: "" };
  const countAt = (all: readonly Read[]): number => all.filter(({ at }) => at === place.at).length;
  const own = countAt(first.reads), other = countAt(reads.slice(0, read));
  const detail = error !== undefined && met === null
    ? `it ends with the error ${error}`
    : met === null
    ? own === other
      ? "the run on one side reads noise once more than the run on the other"
      : `noise is read there ${times(own)} on one side and ${times(other)} on the other`
    : expected === null
    ? `noise is read there ${times(own)} on one side and ${times(other + 1)} or more on the other`
    : expected.kind === met.kind && expected.at === met.at && expected.in === met.in
    ? numbersIn(expected) === numbersIn(met)
      ? "there is other noise on that line on the other side"
      : `there are ${numbersIn(expected)} on one side and ${numbersIn(met)} on the other`
    : `${expected.kind} at ${expected.at} on one side, ${met.kind} at ${met.at} on the other`;
  return {
    kind: "control-flow",
    ...placeAlone(place),
    loss: NO_LOSS,
    index: read,
    detail,
  };
}

function numbersIn({ kind, shape = [] }: ReadApart): string {
  const count = shape.reduce((product, size) => product * size, 1);
  return kind === "draw"
    ? `draws among ${shape.at(-1) ?? 1} outcomes`
    : `${count} noisy ${count === 1 ? "value" : "values"}`;
}

function times(count: number): string {
  return count === 0 ? "never" : count === 1 ? "once" : `${count} times`;
}

class Comparing {
  readonly #first: Recording;
  readonly #second: Recording;
  readonly #areNested: boolean;
  readonly #atoms: readonly Atom[];
  /** The numbers of the reads. */
  readonly #indices: ReadonlyMap<Place, number>;
  readonly #observations: Observation[] = [];
  readonly #declared: Read[] = [];
  /** Values that were read. */
  readonly #values: Row[] = [];
  readonly #valuesSeen = new Set<string>();
  /** Values that were compared with 0: each must stay on its side. */
  readonly #signs: Sign[] = [];
  /** Orders of values: `terms` must not fall below `by`. */
  readonly #orders: (Condition & { readonly read: Read })[] = [];
  #isSampled = false;

  constructor(first: Recording, second: Recording, areNested: boolean) {
    this.#areNested = areNested;
    this.#first = first;
    this.#second = second;
    this.#atoms = first.atoms;
    this.#indices = new Map(first.reads.map((read, k) => [read, k]));
  }

  async result(): Promise<Comparison> {
    this.#first.reads.forEach((read, k) => this.#compare(read, this.#second.reads[k]!));
    this.#compareOutputs();
    await this.#coverShifts();
    const redrawnAt = redrawn([...this.#values, ...this.#orders], this.#signs);
    return {
      ...(redrawnAt === undefined ? {} : { redrawnAt: placeAlone(redrawnAt) }),
      observations: this.#observations,
      loss: this.#observations.reduce((sum, { loss }) => composed(sum, loss), NO_LOSS),
      isSampled: this.#isSampled || this.#first.isSampled === true,
      asReads: [],
      declared: this.#declared,
    };
  }

  #note(kind: Difference, read: Place, rest: Partial<Observation> = {}): void {
    this.#observations.push({
      kind,
      ...placeAlone(read),
      loss: NO_LOSS,
      index: this.#indices.get(read) ?? this.#first.reads.length,
      ...rest,
    });
  }

  #compare(a: Read, b: Read): void {
    switch (a.kind) {
      case "draw":
        return this.#compareDraws(a, b);
      case "primitive":
        return this.#compareDeclared(a, b);
      case "largest":
      case "smallest":
        return this.#compareOrders(a, b);
      default:
        return this.#compareForms(a, b);
    }
  }

  /** Draws whose chances depend on data are mechanisms: the largest loss over all outcomes. */
  #compareDraws(a: Read, b: Read): void {
    const loss = lossOfDraw(a, b);
    if (loss === undefined) {
      this.#note("noise-depends-on-data", a, { detail: drawDetail(a, b) });
    } else if (loss !== NO_LOSS) this.#note("shift", a, { law: "draw", loss });
  }

  #compareDeclared(a: Read, b: Read): void {
    const own = a.declared!, other = b.declared!;
    const { sensitivity, name, logDensity } = own;
    if (logDensity !== undefined && other.logDensity !== undefined) {
      const loss = Math.abs(logDensity - other.logDensity);
      if (loss > ROUNDING) {
        this.#note("shift", a, {
          law: "density",
          loss: { ...NO_LOSS, pure: [loss] },
          detail: name,
        });
      }
      return;
    }
    const change = distanceOf(own.given, other.given, own.distance ?? "l1");
    const sameTerms = (["sensitivity", "epsilon", "rho", "delta"] as const)
      .every((term) => Object.is(own[term], other[term]));
    if (!sameTerms) {
      this.#note("noise-depends-on-data", a, {
        detail: `what ${name} declares depends on the data`,
      });
      return;
    }
    if (change === 0) return;
    this.#declared.push(a);
    const isChoice = own.distance === "range";
    // A choice loses by how far apart its utilities move: twice their sensitivity, but where all move in one direction.
    const allowed = (sensitivity ?? change) * (isChoice && own.monotonic !== true ? 2 : 1);
    const loss = lossOfDeclared(own, change / allowed);
    const moved = isChoice ? distanceOf(own.given, other.given, "linf") : change;
    if (sensitivity !== undefined && !(moved <= sensitivity * (1 + ROUNDING))) {
      this.#note("declaration-broken", a, { change: moved, scale: sensitivity, law: name, loss });
      return;
    }
    if (own.monotonic === true && this.#areNested && change > moved * (1 + ROUNDING)) {
      const rest = { change, scale: sensitivity ?? 0, law: name, loss };
      this.#note("declaration-broken", a, { ...rest, detail: "monotonic" });
      return;
    }
    this.#note("shift", a, { change, law: name, loss });
  }

  #compareOrders(a: Read, b: Read): void {
    const winner = a.value as number, up = a.kind === "largest" ? 1 : -1;
    const chosen = this.#exponentialChoice(a, b, up);
    if (chosen) return;
    for (let j = 0; j < a.forms.length; j++) {
      if (j === winner) continue;
      const gap = differenceOf(a.forms[winner]!, a.forms[j]!, up);
      const onOther = differenceOf(b.forms[winner]!, b.forms[j]!, up);
      this.#orders.push({
        kind: "atLeast",
        terms: gap.terms,
        by: gap.v - onOther.v,
        read: a,
      });
    }
  }

  /**
   * The largest of values with Gumbel noise of one scale is a draw by the exponential mechanism (Durfee, Rogers 2019): its chances, as
   * the noise's shifts have no bounded loss.
   */
  #exponentialChoice(a: Read, b: Read, up: number): boolean {
    const terms = a.forms.map((form) => form[1]);
    const isGumbel = terms.every((own) =>
      own.length === 1 && this.#atoms[own[0]![0]]!.law === "gumbel" &&
      own[0]![1] * up === terms[0]![0]![1] * up && own[0]![1] * up > 0
    );
    if (!isGumbel) return false;
    const scale = Math.abs(terms[0]![0]![1]);
    const chances = (read: Read): number[] => {
      const scores = read.forms.map(([v]) => up * v / scale), most = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - most));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.map((weight) => weight / sum);
    };
    const loss = lossOfChances(chances(a), chances(b));
    if (loss !== NO_LOSS) this.#note("shift", a, { law: "draw", loss });
    return true;
  }

  #compareForms(a: Read, b: Read): void {
    a.forms.forEach((form, i) => {
      const [v, terms] = inOrder(form), [other, otherTerms] = inOrder(b.forms[i]!);
      if (!(Number.isFinite(v) && Number.isFinite(other))) {
        if (!Object.is(v, other)) {
          this.#note("shift", a, {
            change: Infinity,
            detail: `is ${v} on one side and ${other} on the other`,
            loss: { ...NO_LOSS, pure: [Infinity] },
          });
        }
        return;
      }
      const difference = otherNoise([terms, this.#atoms], [otherTerms, this.#second.atoms]);
      if (difference !== undefined) {
        const place = a.made === undefined ? a : { at: a.made };
        const drawn = terms.length > 0
          ? this.#atoms[terms[0]![0]]!
          : this.#second.atoms[otherTerms[0]![0]]!;
        this.#note(difference.kind, difference.kind === "not-followed" ? a : place, {
          noiseAt: drawn.at,
          index: this.#indices.get(a)!,
          ...difference,
        });
        return;
      }
      const change = other - v, row = { read: a, terms: new Map(terms), change };
      if (a.kind === "value") {
        // A number that is read again shows nothing more.
        const key = `${change}|${terms.join("|")}`;
        if (this.#valuesSeen.size < this.#valuesSeen.add(key).size) this.#values.push(row);
      } else {
        const isAbove = (a.value as readonly boolean[])[i]!;
        this.#signs.push({ ...row, isAbove, before: v });
      }
    });
  }

  #compareOutputs(): void {
    const { output, error } = this.#second;
    const sameError = this.#first.error === error;
    if (sameError && bareJson(this.#first.output) === bareJson(output)) return;
    const last = this.#first.reads.at(-1);
    if (this.#first.reads.some(({ declared }) => declared?.logDensity !== undefined)) return;
    if (onlyChooses(this.#first)) {
      // Randomised response gives another output for the same draw, and keeps its claim by the chances of both.
      this.#note("not-followed", last!, {
        index: this.#first.reads.length,
        detail:
          "it chooses among outputs by chance, which the same draws on both sides do not compare",
      });
      return;
    }
    const isRaw = (read: Read): boolean =>
      isChoice(read, this.#atoms) ||
      read.kind === "value" && read.forms.length > 0 && onlyUniform(read, this.#atoms);
    if (last !== undefined && this.#first.reads.every(isRaw)) {
      this.#note("not-followed", last, {
        index: this.#first.reads.length,
        detail:
          "all that it draws are choices and uniform numbers, which the same draws on both sides do not compare",
      });
      return;
    }
    const detail = error !== undefined && this.#first.error === undefined
      ? `it ends with the error ${error} on one side`
      : this.#first.error !== undefined && error === undefined
      ? `it ends with the error ${this.#first.error} on one side`
      : undefined;
    this.#note("uncovered-output", { at: last?.at ?? "" }, {
      ...(detail === undefined ? {} : { detail }),
      ...outputChange(this.#first.output, output),
    });
  }

  /** Finds what covers the changes: directly where a value has noise of its own, by a linear program otherwise. */
  async #coverShifts(): Promise<void> {
    const rows = [...this.#values, ...this.#signs, ...this.#orders];
    const { terms, variables, isSampled, inParts } = inVariables(
      rows.map(({ terms }) => terms),
      this.#atoms,
    );
    // Where nothing moves there is nothing to cover.
    const areStill = rows.every((row) => Math.abs("by" in row ? row.by : row.change) <= STILL);
    if (inParts !== undefined && areStill) return;
    if (inParts !== undefined) {
      this.#note("not-followed", inParts, {
        detail: "its noise is read in parts, so that its law is not known",
      });
      return;
    }
    this.#isSampled = isSampled;
    const inTerms = new Map<unknown, Map<number, number>>(rows.map((row, i) => [row, terms[i]!]));
    const uses = new Map<number, number>();
    for (const own of terms) {
      for (const variable of own.keys()) uses.set(variable, (uses.get(variable) ?? 0) + 1);
    }
    const signs = this.#signs.map((sign) => ({ ...sign, terms: inTerms.get(sign)! }));
    const conditions: (Condition & { readonly read: Read; readonly change: number })[] = [];
    // Values in the order of the program: what one decides of the noise is known for those after it.
    const known = new Map<number, number>();
    for (const row of this.#values) {
      const { read } = row, own = inTerms.get(row)!;
      const [change, left] = afterShifts(row.change, own, known);
      const isStill = Math.abs(change) <= STILL + SINGLE_ROUNDING * Math.abs(row.change - change);
      const [[variable, c] = [-1, NaN]] = left;
      if (own.size === 0) {
        if (!isStill) {
          const detail = read.forms.some(([, terms]) => terms.some(([, c]) => c === 0))
            ? "a value whose noise has scale 0 is read"
            : "a value without noise is read";
          this.#note("uncovered-output", read, { change, detail });
        }
      } else if (left.size === 0) {
        if (!isStill) this.#note("uncovered-output", read, { change, detail: NOT_COVERED });
      } else if (left.size === 1 || [...left.keys()].every((own) => uses.get(own) === 1)) {
        if (left.size === 1) known.set(variable, isStill ? 0 : -change / c);
        if (!isStill) this.#coverBy([...left], variables, { read, change });
      } else {conditions.push({
          kind: "equal",
          terms: own,
          by: -row.change,
          read,
          change: row.change,
        });}
    }
    for (const { read, terms, change, isAbove } of this.#otherSigns(signs, { uses, variables })) {
      const up = isAbove ? 1 : -1;
      const signed = new Map([...terms].map(([variable, c]) => [variable, c * up]));
      conditions.push({ kind: "atLeast", terms: signed, by: -change * up, read, change });
    }
    for (const order of this.#orders) {
      const { read, kind, by } = order;
      conditions.push({ kind, terms: inTerms.get(order)!, by, read, change: by });
    }
    for (const [i, condition] of conditions.entries()) {
      const [less, left] = afterShifts(-condition.by, condition.terms, known);
      conditions[i] = { ...condition, terms: left, by: -less };
    }
    const moved = conditions.filter(({ by }) => Math.abs(by) > STILL)
      .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))[0];
    if (moved === undefined) return;
    const shifts = await cheapestShifts(conditions, variables);
    if (shifts === undefined) {
      this.#note("uncovered-output", moved.read, {
        ...(Math.abs(moved.change) > STILL ? { change: moved.change } : {}),
        detail: NOT_COVERED,
      });
    } else this.#noteShifts(shifts, variables, moved);
  }

  /**
   * Comparisons of noise that is used elsewhere, too. Where noise is only compared with one bound after another, the loss is the largest over
   * what was seen and what each comparison could have shown in its place.
   */
  #otherSigns(
    signs: readonly Sign[],
    { uses, variables }: {
      readonly uses: ReadonlyMap<number, number>;
      readonly variables: readonly NoiseVariable[];
    },
  ): readonly Sign[] {
    const alone = new Map<number, Sign[]>();
    for (const sign of signs) {
      const [[variable] = [-1]] = sign.terms;
      if (sign.terms.size === 1) alone.set(variable, [...alone.get(variable) ?? [], sign]);
    }
    const done = new Set<Sign>();
    for (const [variable, own] of alone) {
      const { law } = variables[variable]!;
      if (uses.get(variable) !== own.length || distributionAt(law, 0) === undefined) continue;
      for (const sign of own) done.add(sign);
      const loss = lossOfComparisons(own, { variable, law });
      if (loss === 0) continue;
      this.#note("shift", own[0]!.read, { law: "comparison", loss: { ...NO_LOSS, pure: [loss] } });
    }
    return signs.filter((sign) => !done.has(sign));
  }

  /** A change that noise which nothing else reads has to cover. */
  #coverBy(
    alone: readonly (readonly [number, number])[],
    variables: readonly NoiseVariable[],
    { read, change }: { readonly read: Read; readonly change: number },
  ): void {
    const of = (law: NoiseVariable["law"]) =>
      alone.filter(([variable]) => variables[variable]!.law === law);
    const cover = (
      [variable, c]: readonly [number, number],
      scale: number,
      loss: Partial<Loss>,
    ): void => {
      const { law, at } = variables[variable]!;
      const all = roundedLoss({ ...NO_LOSS, ...loss }, change / c, variables[variable]!);
      if (all.delta > 0 && this.#maybeChosen(read)) return;
      this.#note(all.delta > 0 ? "bounded-noise" : "shift", read, {
        change,
        law,
        scale,
        noiseAt: at,
        loss: all,
      });
    };
    const laplace = of("laplace").toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]))[0];
    if (laplace !== undefined) {
      const scale = Math.abs(laplace[1]);
      return cover(laplace, scale, { pure: [Math.abs(change) / scale] });
    }
    const normal = of("normal");
    if (normal.length > 0) {
      const scale = Math.hypot(...normal.map(([, c]) => c));
      return cover(normal[0]!, scale, { muSquared: (change / scale) ** 2 });
    }
    const widest = (candidates: readonly (readonly [number, number])[]) =>
      candidates.toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]))[0];
    // One-sided noise moves up at a bounded loss, and down not at all.
    const upwards = [...of("exponential"), ...of("geometric")].filter(([, c]) => -change / c > 0);
    const moved = widest(upwards) ?? widest(alone)!;
    const [variable, c] = moved, { law, p = 1 } = variables[variable]!;
    const shift = -change / c, size = Math.abs(shift);
    switch (law) {
      case "logistic":
        return cover(moved, Math.abs(c), { pure: [size] });
      case "uniform":
        return cover(moved, Math.abs(c), { delta: Math.min(1, size) });
      case "exponential":
      case "geometric": {
        const loss = size * (law === "exponential" ? 1 : -Math.log1p(-p));
        // Downwards it would have to leave its range.
        const delta = shift > 0 ? 0 : -Math.expm1(-loss);
        return cover(moved, Math.abs(c), { pure: [loss], delta });
      }
      case "discrete Laplace": {
        const scale = -1 / Math.log1p(-p);
        const isOnLattice = Math.abs(shift - Math.round(shift)) <= ROUNDING;
        return cover(
          moved,
          Math.abs(c) * scale,
          isOnLattice ? { pure: [size / scale] } : { delta: 1 },
        );
      }
      default:
        this.#note("not-followed", read, {
          noiseAt: variables[variable]!.at,
          detail: "the law of its noise is not known",
        });
    }
  }

  /**
   * Notes that bounded noise is not followed where something is chosen by chance, too: the same choice on both sides need not be the
   * one to compare with, as where it gives the noise its sign, or says between which bounds it is drawn.
   */
  #maybeChosen(read: Read): boolean {
    const choice = this.#first.reads.find((own) => isChoice(own, this.#atoms));
    if (choice === undefined) return false;
    this.#note("not-followed", read, {
      detail: `what is chosen by chance at ${choice.at} may decide where bounded noise lies`,
    });
    return true;
  }

  /** The loss of the shifts that a linear program found. */
  #noteShifts(
    shifts: ReadonlyMap<number, number>,
    variables: readonly NoiseVariable[],
    { read, change }: { readonly read: Read; readonly change: number },
  ): void {
    const moved = [...shifts].filter(([, shift]) => Math.abs(shift) > STILL);
    const pure: number[] = [];
    let muSquared = 0, delta = 0;
    for (const [variable, shift] of moved) {
      const size = Math.abs(shift), { law, p = 1 } = variables[variable]!;
      switch (law) {
        case "laplace":
        case "logistic":
          pure.push(size);
          break;
        case "normal":
          muSquared += size * size;
          break;
        case "uniform":
          delta += Math.min(1, size);
          break;
        case "exponential":
        case "geometric":
        case "discrete Laplace": {
          const loss = size * (law === "exponential" ? 1 : -Math.log1p(-p));
          pure.push(loss);
          if (shift < 0 && law !== "discrete Laplace") delta += -Math.expm1(-loss);
          break;
        }
        default:
          this.#note("not-followed", read, { detail: "the law of its noise is not known" });
          return;
      }
    }
    if (delta > 0 && this.#maybeChosen(read)) return;
    const [first = 0] = moved[0] ?? [];
    this.#note(delta > 0 ? "bounded-noise" : "shift", read, {
      change,
      law: variables[first]!.law,
      noiseAt: variables[first]!.at,
      loss: { pure, muSquared, delta },
      detail: "an order of noisy values",
    });
  }
}

/** The loss of a shift of noise that is rounded: none but whole numbers can be covered, and 0 is more probable where all near it go there. */
function roundedLoss(loss: Loss, shift: number, { step, isCut }: NoiseVariable): Loss {
  if (step === undefined) return loss;
  const steps = shift / step;
  if (Math.abs(steps - Math.round(steps)) > SINGLE_ROUNDING * Math.max(1, Math.abs(steps))) {
    return { ...loss, delta: 1 };
  }
  return isCut === true ? { ...loss, pure: [...loss.pure, Math.LN2] } : loss;
}

/** A change less what shifts that are known cover of it, and the terms that are left. */
function afterShifts(
  change: number,
  terms: ReadonlyMap<number, number>,
  known: ReadonlyMap<number, number>,
): [change: number, left: ReadonlyMap<number, number>] {
  if (known.size === 0) return [change, terms];
  const left = new Map<number, number>();
  let rest = change;
  for (const [variable, c] of terms) {
    const shift = known.get(variable);
    if (shift === undefined) left.set(variable, c);
    else rest += c * shift;
  }
  return [rest, left];
}

/** The largest loss of what was seen of noise by comparisons alone, and of what the last of them could have shown, after each number of them. */
function lossOfComparisons(
  signs: readonly Sign[],
  of: { readonly variable: number; readonly law: NoiseVariable["law"] },
): number {
  let most = 0;
  for (let k = 1; k <= signs.length; k++) {
    const last = signs[k - 1]!, before = signs.slice(0, k - 1);
    for (const isAbove of [true, false]) {
      const seen = [...before, { ...last, isAbove }];
      const [left, right] = [0, 1].map((side) => probability(seen, { ...of, side })) as [
        number,
        number,
      ];
      if (Math.abs(left - right) <= ROUNDING * Math.min(left, right)) continue;
      if (of.law === "uniform" && Math.abs(left - right) <= BOUND_ROUNDING) continue;
      most = Math.max(most, Math.abs(Math.log(left / right)));
    }
  }
  return most;
}

/** The probability of what was seen of noise by comparisons alone, on the dataset of a side. */
function probability(
  signs: readonly Sign[],
  { variable, law, side }: {
    readonly variable: number;
    readonly law: NoiseVariable["law"];
    readonly side: number;
  },
): number {
  let [low, high] = [-Infinity, Infinity];
  for (const { terms, isAbove, before, change } of signs) {
    const c = terms.get(variable)!, bound = -(before + side * change) / c;
    if (isAbove === c > 0) low = Math.max(low, bound);
    else high = Math.min(high, bound);
  }
  return probabilityBetween(law, low, high);
}

function sameAtoms(a: Form[1], b: Form[1]): boolean {
  return a.length === b.length && a.every(([atom], i) => atom === b[i]![0]);
}

/** A form without noise of scale 0, in the order of its atoms. */
function inOrder([v, terms]: Form): Form {
  return [v, terms.filter(([, c]) => c !== 0).toSorted(([a], [b]) => a - b)];
}

/** How the noise of a value is another one on the other side; `undefined` where it is the same. */
function otherNoise(
  [own, atoms]: readonly [Form[1], readonly Atom[]],
  [other, otherAtoms]: readonly [Form[1], readonly Atom[]],
):
  | {
    readonly kind: "noise-depends-on-data" | "not-followed";
    readonly detail: string;
    readonly ratio?: number;
  }
  | undefined {
  const lawsOf = (terms: Form[1], atoms: readonly Atom[]): string[] =>
    terms.map(([atom, c]) =>
      `${expressionOf([0, [[atom, 1]]], atoms, new Map())} ${shownNumber(Math.abs(c), DIGITS)}`
    ).toSorted();
  if (!sameAtoms(own, other)) {
    if (own.length > 0 && other.length > 0) {
      return bareJson(lawsOf(own, atoms)) === bareJson(lawsOf(other, otherAtoms))
        ? { kind: "not-followed", detail: "which of its draws are used depends on the data" }
        : { kind: "noise-depends-on-data", detail: "it is another sum of noise on the other side" };
    }
    const [[, c] = [-1, NaN], ...more] = own.length > 0 ? own : other;
    return {
      kind: "noise-depends-on-data",
      detail: more.length > 0
        ? "there is noise on one side, and none on the other"
        : `its scale is ${shownNumber(Math.abs(c))} on one side and 0 on the other`,
    };
  }
  const ratios = own.map(([, c], i) => other[i]![1] / c), [ratio = 1] = ratios;
  const areOne = (factors: readonly number[]): boolean =>
    factors.every((factor) => Math.abs(factor - factors[0]!) <= ROUNDING * Math.abs(factors[0]!));
  if (areOne([1, ...ratios])) return undefined;
  if (areOne([1, ...ratios.map(Math.abs)])) {
    return { kind: "not-followed", detail: "the sign of its noise depends on the data" };
  }
  if (!areOne(ratios)) {
    return {
      kind: "noise-depends-on-data",
      detail: "its parts have other scales on the other side",
    };
  }
  const scale = Math.abs(own[0]![1]);
  return {
    kind: "noise-depends-on-data",
    ratio: Math.abs(ratio),
    detail: `its scale is ${shownNumber(scale)} on one side and ${
      shownNumber(scale * Math.abs(ratio))
    } on the other`,
  };
}

/** Noise that is compared, and drawn again at the same place for the same value. */
interface Attempt {
  readonly read: Read;
  readonly atoms: readonly number[];
  /** What was compared, but for the noise itself, and what came out. */
  readonly compared: string[];
  readonly outcomes: boolean[];
}

/**
 * A place where noise is drawn again until it fits: draws for one value, of which those that are used afterwards had other outcomes of their
 * comparisons than those that are not.
 */
function redrawn(
  used: readonly { readonly terms: ReadonlyMap<number, number> }[],
  signs: readonly Sign[],
): Place | undefined {
  const attempts = new Map<string, Attempt>();
  for (const { read, terms, before, isAbove } of signs) {
    const atoms = [...terms.keys()].toSorted((a, b) => a - b);
    const attempt = attempts.get(atoms.join()) ?? { read, atoms, compared: [], outcomes: [] };
    attempts.set(atoms.join(), attempt);
    attempt.compared.push(bareJson([read.at, before, [...terms.values()]])!);
    attempt.outcomes.push(isAbove);
  }
  const isUsed = ({ atoms }: Attempt): boolean =>
    used.some(({ terms }) => atoms.some((atom) => terms.has(atom)));
  // `Map.groupBy`, which Node 20 does not have.
  const byValue = new Map<string | undefined, Attempt[]>();
  for (const attempt of attempts.values()) {
    const [first] = attempt.compared;
    byValue.set(first, [...byValue.get(first) ?? [], attempt]);
  }
  for (const alike of byValue.values()) {
    const fit = alike.filter(isUsed), others = alike.filter((own) => !isUsed(own));
    const outcomes = fit.map(({ outcomes }) => outcomes.join());
    if (fit.length === 0 || others.length === 0) continue;
    if (others.every((own) => !outcomes.includes(own.outcomes.join()))) return others[0]!.read;
  }
  return undefined;
}

/** `up` times one form less another. */
function differenceOf(
  [v, terms]: Form,
  [w, others]: Form,
  up: number,
): { v: number; terms: Map<number, number> } {
  const sum = new Map(terms.map(([atom, c]) => [atom, up * c]));
  for (const [atom, c] of others) sum.set(atom, (sum.get(atom) ?? 0) - up * c);
  for (const [atom, c] of sum) if (c === 0) sum.delete(atom);
  return { v: up * (v - w), terms: sum };
}

function distanceOf(
  a: readonly number[],
  b: readonly number[],
  distance: Distance,
): number {
  if (a.length !== b.length) return Infinity;
  // Categories are texts.
  if (distance === "hamming") return a.filter((x, i) => !Object.is(x, b[i])).length;
  const moves = a.map((x, i) => Object.is(x, b[i]) ? 0 : b[i]! - x), changes = moves.map(Math.abs);
  if (changes.some((change) => !Number.isFinite(change))) return Infinity;
  switch (distance) {
    case "l1":
      return changes.reduce((sum, change) => sum + change, 0);
    case "l2":
      return Math.hypot(...changes);
    case "linf":
      return Math.max(0, ...changes);
    case "range":
      return moves.length === 0 ? 0 : Math.max(...moves) - Math.min(...moves);
  }
}

/** By which factor an output changes, where it is a number. */
function outputChange(a: unknown, b: unknown): Partial<Observation> {
  return typeof a === "number" && typeof b === "number" ? { change: b - a } : {};
}
