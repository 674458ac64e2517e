import type { Atom, Form } from "./recording.ts";

/** A law that the form of some noise tells: the noise is `middle + scale·z` for a z of the standard law. */
export interface LawOfForm {
  readonly law:
    | "laplace"
    | "normal"
    | "exponential"
    | "uniform"
    | "gumbel"
    | "logistic"
    | "cauchy"
    | "geometric";
  /** Not 0; below 0 where the noise is the negative of a standard one. */
  readonly scale: number;
  readonly middle: number;
  /** The chance of success of a geometric law on 1, 2, …. */
  readonly p?: number;
  /** Of uniform noise that is made of digits: the step between its values. Default 0. */
  readonly step?: number;
  /** The base noise that it is made of, and which part of it ({@linkcode areIndependentParts}). */
  readonly bases: ReadonlyMap<number, string>;
  /** Derived atoms whose sum a sampler compares with bounds until it fits, as a part of this law. */
  readonly fitted?: readonly number[];
}

/** Coefficients that differ by no more than this share are equal. */
const ROUNDING = 1e-9;
/** The largest share of its width by which uniform noise may miss a bound: generators leave out 0, or add half a step. */
const NEAR_BOUND = 2 ** -20;
/** The least number of values of uniform noise that was rounded: fewer are a choice. */
const MANY_VALUES = 2 ** 20;
/** All of a base. */
const ALL = "all";

/**
 * Returns the law of noise by how it is computed: inverse distribution functions of uniform numbers, differences and ratios of logarithms, a sign
 * times a logarithm, the transformations of Box and Muller (1958) and of Marsaglia and Bray (1964), digits of random words, rounded
 * exponential noise, sums. `undefined` where the form tells no law.
 */
export function lawOfForm([v, terms]: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const parts = terms.flatMap(([i, c]) => {
    const own = c === 0 ? undefined : lawOfAtom(i, atoms);
    return own === undefined ? [] : [times(own, c)];
  });
  const areKnown = parts.length === terms.length && parts.length > 0;
  const own = areKnown && (parts.length === 1 ? parts[0] : ofSum(parts));
  return (own ? plus(own, v) : undefined) ?? logisticOf([v, terms], atoms);
}

/** The laws of the atoms of a run that were looked at. */
const known = new WeakMap<readonly Atom[], Map<number, LawOfForm | undefined>>();

/** Returns the law of one atom, as {@linkcode lawOfForm}. */
export function lawOfAtom(i: number, atoms: readonly Atom[]): LawOfForm | undefined {
  let laws = known.get(atoms);
  if (laws === undefined) known.set(atoms, laws = new Map());
  if (!laws.has(i)) laws.set(i, ofAtom(i, atoms));
  return laws.get(i);
}

function ofAtom(i: number, atoms: readonly Atom[]): LawOfForm | undefined {
  const atom = atoms[i]!, { law, p } = atom;
  if (law !== "derived") {
    const own = new Map([[i, ALL]]);
    return { law, scale: 1, middle: 0, bases: own, ...(p === undefined ? {} : { p }) };
  }
  return ofFunction(atom, atoms);
}

function times(law: LawOfForm, factor: number): LawOfForm {
  const step = law.step === undefined ? {} : { step: law.step * Math.abs(factor) };
  return { ...law, scale: law.scale * factor, middle: law.middle * factor, ...step };
}

function plus(law: LawOfForm, by: number): LawOfForm {
  return { ...law, middle: law.middle + by };
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING * Math.abs(b);
}

/** Returns true if noise of these parts of one base is independent: other coordinates of one point. */
export function areIndependentParts(a: string, b: string): boolean {
  const [own, point] = a.split("@"), [other, samePoint] = b.split("@");
  return point !== undefined && point === samePoint && own !== other;
}

/** Returns the base noise of all parts, where they are independent of one another. */
function apart(parts: readonly LawOfForm[]): Map<number, string> | undefined {
  const all = new Map<number, string>();
  for (const { bases } of parts) {
    for (const [base, name] of bases) {
      const known = all.get(base);
      if (known !== undefined && !areIndependentParts(known, name)) return undefined;
      all.set(base, known === undefined ? name : ALL);
    }
  }
  return all;
}

function ofSum(parts: readonly LawOfForm[]): LawOfForm | undefined {
  const bases = apart(parts);
  if (bases === undefined) return undefined;
  const middle = parts.reduce((sum, part) => sum + part.middle, 0);
  const all = whole(bases);
  const areAll = (law: LawOfForm["law"]): boolean => parts.every((part) => part.law === law);
  if (areAll("normal")) {
    const scale = Math.hypot(...parts.map((part) => part.scale));
    return { law: "normal", scale, middle, bases: all };
  }
  const difference = areAll("exponential") ? "laplace" : areAll("gumbel") ? "logistic" : undefined;
  if (difference !== undefined && parts.length === 2) {
    const [a, b] = parts as [LawOfForm, LawOfForm];
    return isNear(-a.scale, b.scale)
      ? { law: difference, scale: Math.abs(a.scale), middle, bases: all }
      : undefined;
  }
  return areAll("uniform") ? ofDigits(parts, all) : undefined;
}

/** Returns the law of uniform noise whose digits are drawn one word after the other: each word is as wide as a step of the one before. */
function ofDigits(
  parts: readonly LawOfForm[],
  bases: ReadonlyMap<number, string>,
): LawOfForm | undefined {
  const words = parts.toSorted((a, b) => Math.abs(b.scale) - Math.abs(a.scale));
  // What is far below the first digits moves them by nothing that counts.
  const areDigits = words.every(({ scale }, k) =>
    k === 0 || Math.abs(scale) <= NEAR_BOUND * Math.abs(words[0]!.scale) ||
    words[k - 1]!.step !== undefined && isNear(Math.abs(scale), words[k - 1]!.step!) &&
      Math.sign(scale) === Math.sign(words[0]!.scale)
  );
  if (!areDigits) return undefined;
  const { step } = words.at(-1)!, middle = words.reduce((sum, word) => sum + word.middle, 0);
  return {
    law: "uniform",
    scale: words[0]!.scale,
    middle,
    bases,
    ...(step === undefined ? {} : { step }),
  };
}

/** Bounds of uniform noise, the lower one first. */
function boundsOf({ scale, middle }: LawOfForm): [low: number, high: number] {
  return scale > 0 ? [middle, middle + scale] : [middle + scale, middle];
}

/** Returns true if noise is uniform between 0 and some width. */
function widthFromZero(law: LawOfForm | undefined): number | undefined {
  if (law?.law !== "uniform") return undefined;
  const [low, high] = boundsOf(law), width = high - low;
  return Math.abs(low) <= NEAR_BOUND * width ? high : undefined;
}

const LOGARITHMS: Readonly<Record<string, number>> = {
  log: 1,
  log2: Math.LOG2E,
  log10: Math.LOG10E,
};

function ofFunction(
  { function: name = "", of = [] }: Atom,
  atoms: readonly Atom[],
): LawOfForm | undefined {
  const [first, second] = of.map((part): Form => typeof part === "number" ? [part, []] : part);
  if (first === undefined) return undefined;
  switch (name) {
    case "log1p":
      return ofLogarithm([first[0] + 1, first[1]], atoms);
    case "log":
    case "log2":
    case "log10": {
      const own = ofLogarithm(first, atoms);
      return own && times(own, LOGARITHMS[name]!);
    }
    case "tan": {
      const own = lawOfForm(first, atoms);
      // The tangent of an angle that is uniform on half a turn, wherever it begins.
      return own?.law === "uniform" && isNear(Math.abs(own.scale), Math.PI)
        ? { law: "cauchy", scale: 1, middle: 0, bases: own.bases }
        : undefined;
    }
    case "ndtri": {
      const width = widthFromZero(lawOfForm(first, atoms));
      return width !== undefined && isNear(width, 1)
        ? { law: "normal", scale: 1, middle: 0, bases: lawOfForm(first, atoms)!.bases }
        : undefined;
    }
    case "absolute":
    case "fabs": {
      const own = lawOfForm(first, atoms);
      if (own?.law !== "uniform") return undefined;
      const [low, high] = boundsOf(own), nearly = NEAR_BOUND * (high - low);
      if (low >= -nearly || high <= nearly) return high <= nearly ? times(own, -1) : own;
      // On both sides of 0 alike, it is as far from it whatever its sign.
      return Math.abs(low + high) <= nearly
        ? { law: "uniform", scale: high, middle: 0, bases: own.bases }
        : undefined;
    }
    case "floor":
    case "ceil":
    case "trunc":
      return ofRounding(name, lawOfForm(first, atoms));
    case "divide":
      return second && ofRatio(first, second, atoms);
    case "copysign":
      return second && ofSigned(first, second, atoms);
    case "multiply":
      return second && ofProduct(first, second, atoms);
    default:
      return undefined;
  }
}

/** Returns the law of a logarithm: −log u is exponential, and −log of an exponential variable has Gumbel's law. */
function ofLogarithm(given: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const [v, [term, ...more]] = given;
  if (term === undefined) return undefined;
  const { function: name, of } = atoms[term[0]]!;
  if (more.length === 0 && v === 0 && (name === "divide" || name === "multiply")) {
    const [a, b] = of!.map((part): Form => typeof part === "number" ? [part, []] : part);
    const isSame = name === "divide" && oddsOf(a!, b!, atoms);
    if (isSame) return plus({ law: "logistic", scale: 1, middle: 0, bases: isSame }, log(term[1]));
    const logs = [ofLogarithm(a!, atoms), ofLogarithm(b!, atoms)];
    if (logs[0] === undefined || logs[1] === undefined) return undefined;
    const sum = ofSum([logs[0], times(logs[1], name === "divide" ? -1 : 1)]);
    return sum && plus(sum, log(term[1]));
  }
  const own = lawOfForm(given, atoms);
  if (own === undefined) return undefined;
  const width = widthFromZero(own), { bases } = own;
  if (width !== undefined) {
    const middle = Math.abs(width - 1) <= NEAR_BOUND ? 0 : log(width);
    return { law: "exponential", scale: -1, middle, bases };
  }
  return own.law === "exponential" && own.middle === 0 && own.scale > 0
    ? { law: "gumbel", scale: -1, middle: log(own.scale), bases }
    : undefined;
}

function log(x: number): number {
  return Math.log(x);
}

/** Returns the base noise of two forms that are u and 1 − u. */
function oddsOf(
  a: Form,
  b: Form,
  atoms: readonly Atom[],
): ReadonlyMap<number, string> | undefined {
  const own = lawOfForm(a, atoms), other = lawOfForm(b, atoms);
  const [width, opposite] = [widthFromZero(own), widthFromZero(other)];
  const isOpposite = width !== undefined && opposite !== undefined && isNear(width, opposite) &&
    textOf([0, b[1].map(([i, c]) => [i, -c])], atoms) === textOf([0, a[1]], atoms);
  return isOpposite ? own!.bases : undefined;
}

/** Returns the logistic law of log u − log(1 − u). */
function logisticOf([v, terms]: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const [one, other, ...more] = terms.map(([i, c]) => ({ atom: atoms[i]!, c }));
  if (other === undefined || more.length > 0 || !isNear(-one!.c, other.c)) return undefined;
  const [a, b] = [one!, other].map(({ atom: { function: name, of } }): Form | undefined => {
    const [given] = of ?? [];
    if (given === undefined || typeof given === "number") return undefined;
    return name === "log" ? given : name === "log1p" ? [given[0] + 1, given[1]] : undefined;
  });
  const bases = a && b && oddsOf(a, b, atoms);
  return bases && { law: "logistic", scale: one!.c, middle: v, bases };
}

/** Returns the law of rounded noise: exponential noise becomes geometric; uniform noise of many whole numbers is made of digits. */
function ofRounding(
  name: "floor" | "ceil" | "trunc",
  own: LawOfForm | undefined,
): LawOfForm | undefined {
  if (own === undefined) return undefined;
  const { law, scale, bases } = own;
  if (law === "exponential") {
    // With the sign turned, down is up.
    const down = name === "trunc" || (name === "floor") === (scale > 0);
    const [middle, size] = [own.middle, Math.abs(scale)];
    if (middle !== Math.round(middle) || name === "trunc" && middle !== 0) return undefined;
    const sign = Math.sign(scale), p = -Math.expm1(-1 / size);
    return { law: "geometric", scale: sign, middle: middle - (down ? sign : 0), p, bases };
  }
  if (law !== "uniform") return undefined;
  const size = Math.abs(scale), isWhole = isNear(Math.round(size), size) && own.middle === 0;
  return isWhole && size >= MANY_VALUES ? { ...own, scale: Math.round(scale), step: 1 } : undefined;
}

function only(form: Form, atoms: readonly Atom[]): { readonly atom: Atom; readonly c: number } {
  const [v, [term, ...more]] = form;
  return term === undefined || v !== 0 || more.length > 0
    ? { atom: NONE, c: 0 }
    : { atom: atoms[term[0]]!, c: term[1] };
}

const NONE: Atom = { law: "derived", at: "" };

function argument({ of: [given] = [] }: Atom): Form {
  return given === undefined || typeof given === "number" ? [NaN, []] : given;
}

/** Returns the law of noise with a sign of its own, or with that of the uniform number that it is made of. */
function ofSigned(size: Form, sign: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const signed = lawOfForm(sign, atoms);
  if (signed?.law !== "uniform") return undefined;
  const [low, high] = boundsOf(signed);
  if (Math.abs(low + high) > NEAR_BOUND * (high - low)) return undefined;
  const own = lawOfForm(size, atoms);
  if (own?.law === "exponential" && own.middle === 0) {
    const bases = apart([own, signed]);
    if (bases !== undefined) {
      return { law: "laplace", scale: Math.abs(own.scale), middle: 0, bases };
    }
  }
  const { atom, c } = only(size, atoms);
  if (atom.function !== "log" && atom.function !== "log1p") return undefined;
  const [v, terms] = argument(atom), start = atom.function === "log" ? v : v + 1;
  const folded = only([0, terms], atoms);
  if (folded.atom.function !== "absolute" && folded.atom.function !== "fabs") return undefined;
  const factor = ratioOf(argument(folded.atom), sign);
  if (factor === undefined) return undefined;
  // Where 1 − k·|s| goes from 1 down to 0, or k·|s| up to 1, its logarithm is an exponential variable, whatever the sign of s.
  const width = Math.abs(folded.c * factor) * high;
  const isFull = folded.c < 0 ? isNear(start, width) : Math.abs(start) <= NEAR_BOUND * width;
  return isFull && Math.abs(width - 1) <= NEAR_BOUND
    ? { law: "laplace", scale: Math.abs(c), middle: 0, bases: signed.bases }
    : undefined;
}

/** Returns the factor by which one form is another; `undefined` where there is none. */
function ratioOf([v, terms]: Form, [w, others]: Form): number | undefined {
  const [[first, c] = [-1, NaN]] = others;
  const ratio = (terms.find(([i]) => i === first)?.[1] ?? NaN) / c;
  const isMultiple = terms.length === others.length && Math.abs(v - ratio * w) <= ROUNDING &&
    others.every(([i, c]) => terms.some(([j, d]) => i === j && isNear(d, ratio * c)));
  return isMultiple ? ratio : undefined;
}

function ofProduct(a: Form, b: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  for (const [one, other] of [[a, b], [b, a]] as const) {
    const own = only(one, atoms), rest = only(other, atoms);
    if (own.atom.function === "sign") {
      const signed = ofSigned(other, argument(own.atom), atoms);
      return signed && times(signed, own.c);
    }
    if (own.atom.function !== "sqrt" || own.c === 0) continue;
    const radius = lawOfForm(argument(own.atom), atoms);
    if (["cos", "sin"].includes(rest.atom.function!)) {
      const angle = lawOfForm(argument(rest.atom), atoms);
      const isTurn = angle?.law === "uniform" && isNear(Math.abs(angle.scale), 2 * Math.PI);
      if (radius?.law !== "exponential" || radius.middle !== 0 || !isTurn) return undefined;
      if (radius.scale <= 0 || apart([radius, angle]) === undefined) return undefined;
      // Both coordinates of one point are independent.
      const point = [own, rest].map(({ atom }) => textOf(argument(atom), atoms)).join();
      const bases = new Map([...radius.bases.keys(), ...angle.bases.keys()]
        .map((base) => [base, `${rest.atom.function}@${point}`]));
      const scale = own.c * rest.c * Math.sqrt(radius.scale / 2);
      return { law: "normal", scale, middle: 0, bases };
    }
    const polar = ofPolar(other, argument(own.atom), atoms);
    if (polar !== undefined) return times(polar, own.c);
  }
  return undefined;
}

/** Returns a coordinate x of a point in the unit circle times √(−2·log(s)/s), where s is the square of its distance from the middle. */
function ofPolar(coordinate: Form, root: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const { atom, c } = only(root, atoms);
  if (atom.function !== "divide" || c === 0) return undefined;
  const [above, below] = atom.of!.map((part): Form => typeof part === "number" ? [part, []] : part);
  const logarithm = only(above!, atoms);
  if (logarithm.atom.function !== "log" || !(c * logarithm.c < 0)) return undefined;
  const square = argument(logarithm.atom);
  if (textOf(square, atoms) !== textOf(below!, atoms) || square[0] !== 0) return undefined;
  const sides = square[1].map(([i, c]) => {
    const { function: name, of = [] } = atoms[i]!, side = argument(atoms[i]!);
    const isSquare = name === "square" ||
      name === "multiply" && textOf(side, atoms) === textOf(of[1] as Form, atoms) ||
      name === "power" && of[1] === 2;
    return isSquare && isNear(c, 1) ? side : undefined;
  });
  if (sides.length !== 2 || sides.includes(undefined)) return undefined;
  const laws = sides.map((side) => lawOfForm(side!, atoms));
  const isSquareAroundZero = laws.every((law) => {
    if (law?.law !== "uniform") return false;
    const [low, high] = boundsOf(law);
    return Math.abs(low + 1) <= NEAR_BOUND && Math.abs(high - 1) <= NEAR_BOUND;
  });
  if (!isSquareAroundZero || apart(laws as LawOfForm[]) === undefined) return undefined;
  const which = sides.findIndex((side) => ratioOf(coordinate, side!) !== undefined);
  if (which < 0) return undefined;
  const bases = new Map(
    laws.flatMap((law) => [...law!.bases.keys()])
      .map((base) => [base, `${which}@${textOf(square, atoms)}`]),
  );
  const scale = ratioOf(coordinate, sides[which]!)! * Math.sqrt(-c * logarithm.c / 2);
  return { law: "normal", scale, middle: 0, bases, fitted: square[1].map(([i]) => i) };
}

/** Returns the law of a ratio: noise over noise has a law by its form only where both are normal. */
function ofRatio(above: Form, below: Form, atoms: readonly Atom[]): LawOfForm | undefined {
  const [a, b] = [lawOfForm(above, atoms), lawOfForm(below, atoms)];
  const areNormal = a?.law === "normal" && b?.law === "normal" && a.middle === 0 && b.middle === 0;
  const bases = areNormal ? apart([a, b]) : undefined;
  return bases &&
    { law: "cauchy", scale: Math.abs(a!.scale / b!.scale), middle: 0, bases: whole(bases) };
}

function whole(bases: ReadonlyMap<number, string>): Map<number, string> {
  return new Map([...bases.keys()].map((base) => [base, ALL]));
}

/** Returns a form as a text, with base noise by its number. */
function textOf(form: Form | undefined, atoms: readonly Atom[]): string {
  if (form === undefined) return "";
  const [v, terms] = form;
  return [
    v,
    ...terms.map(([i, c]) => {
      const { law, function: name, of = [] } = atoms[i]!;
      const given = of.map((part) => typeof part === "number" ? part : textOf(part, atoms));
      return `${c}*${law === "derived" ? `${name}(${given.join()})` : `#${i}`}`;
    }),
  ].join("+");
}
