import { add, rational } from "../../../core/numeric/rational.ts";
import { type Affine, constant, minus, plus, times, variable } from "./affine.ts";
import { aroundHalf, ATOM, singleOf } from "./hand_forms.ts";
import type { NoiseLaw } from "./noise_laws.ts";

/** What the draws by hand of one run ask of it. */
export interface HandRun {
  /** Returns true if a form of noise is above 0: a comparison of the run. */
  isPositive(form: Affine): boolean;
  /** Returns true where this run takes the uniform number of a draw for exactly 0. */
  isZero(place: number): boolean;
  /** Returns the name of noise of a law at the place of a draw. */
  nameOf(place: number, law: NoiseLaw, part?: string): string;
  /** Ends the run with a reason. */
  refuse(what: string): never;
}

/** Noise that was made of uniform numbers: how its values follow from these, and these from them. */
export interface HandDraw {
  /** Names of the noise. */
  readonly names: readonly string[];
  /** Places of the uniform numbers. */
  readonly places: readonly number[];
  /** Returns the values of the noise. */
  valuesOf(uniforms: readonly number[]): readonly number[];
  /** Returns uniform numbers that make noise of these values. */
  uniformsOf(values: readonly number[]): readonly number[];
}

/** Draws by hand of a path, in their order. The same name again says more of it. */
export type HandDraws = readonly HandDraw[];

const ONE = rational(1), UNIT = { kind: "laplace", rate: ONE } as const;
const EXPONENTIAL = { kind: "exponential", rate: ONE } as const;
const GUMBEL = { kind: "gumbel", rate: ONE } as const;

const AT_HALF =
  "it asks whether a uniform number is ½ exactly, as Math.sign does: compare by < once, or audit it";
const IN_TWO_WAYS =
  "it uses one number of uniform() in two ways, so that the law of its noise is not known: draw another number for each, or audit it";

/** Exponential noise as a function of a uniform number, and back. */
interface Size {
  of(u: number): number;
  back(size: number, isAbove: boolean): number;
}

const MINUS_LOG: Size = { of: (u) => -Math.log(u), back: (z) => Math.exp(-z) };
const OPPOSITE: Size = { of: (u) => -Math.log1p(-u), back: (z) => -Math.expm1(-z) };
const OUTER: Size = {
  of: (u) => -Math.log(1 - Math.abs(2 * u - 1)),
  back: (z, isAbove) => isAbove ? 1 - Math.exp(-z) / 2 : Math.exp(-z) / 2,
};
const INNER: Size = {
  of: (u) => -Math.log(Math.abs(2 * u - 1)),
  back: (z, isAbove) => 0.5 + (isAbove ? 0.5 : -0.5) * Math.exp(-z),
};
const SIZE_OF: Readonly<Record<string, Size>> = {
  e: MINUS_LOG,
  o: OPPOSITE,
  zo: OUTER,
  lo: OUTER,
  ho: OUTER,
  zi: INNER,
  li: INNER,
  hi: INNER,
};

/** What a uniform number is used for in a run. */
interface Use {
  /** The same for the same use only. */
  readonly key: string;
  /** Names of its noise. */
  readonly names: readonly string[];
  /** Of a sign: what the size of Laplace noise with this sign is made of. */
  size?: string;
}

/**
 * The uniform numbers of one run, each of them noise of one law once the program has used it as such. A uniform number that is used in two
 * ways ends the run: a law that a form tells is that of noise which is independent of all else.
 *
 * The sign of 2u − 1 is independent of both sizes |2u − 1| of it, and all exponential noise has one law. So a sign, and exponential noise of which
 * nothing was told before, are a sign and a size of Laplace noise.
 */
export class HandDrawer {
  readonly #run: HandRun;
  readonly #uses = new Map<number, Use>();
  readonly #draws: HandDraw[] = [];
  /** What was told of uniform numbers: whether they are on a side of ½. */
  readonly #told = new Map<number, { readonly side: 1 | -1; readonly is: boolean }>();

  /** Of a run that has drawn nothing. */
  constructor(run: HandRun) {
    this.#run = run;
  }

  /** What was drawn so far. */
  get draws(): HandDraws {
    return [...this.#draws];
  }

  /** Returns whether a form of one uniform number, or what is made of it, is above 0; `undefined` for other forms. */
  isPositive(form: Affine): boolean | undefined {
    const single = singleOf(form);
    if (single === undefined) return undefined;
    const { kind, rest, factor, middle } = single;
    if (kind !== "u" && kind !== "f") return undefined;
    // Both are between 0 and 1; u may be 0, and |2u − 1| is 1 there.
    const at = middle.numerator, end = add(middle, factor).numerator;
    const atZero = kind === "u" ? at : end;
    if (at >= 0n && end >= 0n) {
      if (kind === "f" && at === 0n) return this.#run.refuse(AT_HALF);
      return !(atZero === 0n && this.#run.isZero(Number(rest)));
    }
    if (at <= 0n && end <= 0n) return false;
    if (aroundHalf(form) === undefined) {
      return this.#run.refuse(
        "it compares a uniform number with another number than 0, ½ or 1, beside noise: audit it",
      );
    }
    return this.#isOnSide(Number(rest), factor.numerator > 0n ? 1 : -1);
  }

  /**
   * Returns whether a uniform number is above ½, or below it. What is not on one side is on the other one or ½ itself, once in 2⁵³: a program
   * that asks for the other side too is refused.
   */
  #isOnSide(place: number, side: 1 | -1): boolean {
    const told = this.#told.get(place);
    if (told !== undefined) {
      return told.side === side ? told.is : told.is ? false : this.#run.refuse(AT_HALF);
    }
    const noise = this.#signOf(place);
    const is = this.#run.isPositive(side > 0 ? noise : times(rational(-1), noise));
    this.#told.set(place, { side, is });
    return is;
  }

  /** Returns a form with noise in place of what the program made of uniform numbers. */
  bound(form: Affine): Affine {
    let bound: Affine = new Map();
    for (const [name, factor] of form) {
      const own = name.startsWith(ATOM) ? this.#atom(name.slice(ATOM.length)) : variable(name);
      bound = plus(bound, name === "" ? constant(rational(1)) : own, factor);
    }
    return bound;
  }

  #atom(atom: string): Affine {
    const end = atom.indexOf(":"), kind = atom.slice(0, end), rest = atom.slice(end + 1);
    switch (kind) {
      case "e":
      case "o":
        return this.#exponential(kind, Number(rest));
      case "zo":
      case "zi":
      case "lo":
      case "ho":
      case "li":
      case "hi":
        return this.#sizeOfSign(kind, Number(rest));
      case "s":
        return this.#signed(rest);
      case "d":
        return this.#difference(rest);
      case "g": {
        const [of, place] = rest.split(":") as [string, string];
        if (of !== "e" && of !== "o") break;
        const { valuesOf, uniformsOf } = made(
          SIZE_OF[of]!,
          (z) => -Math.log(z),
          (x) => Math.exp(-x),
        );
        return this.#one(Number(place), `g:${of}`, GUMBEL, { valuesOf, uniformsOf });
      }
      case "n":
        return this.#normal(rest);
    }
    return this.#run.refuse(
      "it uses a number of uniform() or Math.random in a way that tells no law of noise: draw by laplace(), gaussian() or other methods of its source, or audit it",
    );
  }

  /** Returns noise that one uniform number makes. */
  #one(
    place: number,
    key: string,
    law: NoiseLaw,
    by: Pick<HandDraw, "valuesOf" | "uniformsOf">,
  ): Affine {
    const known = this.#claimed([place], key);
    if (known !== undefined) return variable(known.names[0]!);
    const name = this.#run.nameOf(place, law);
    this.#claim([place], { key, names: [name] });
    this.#draws.push({ names: [name], places: [place], ...by });
    return variable(name);
  }

  #claim(places: readonly number[], use: Use): void {
    for (const place of places) this.#uses.set(place, use);
  }

  /** Returns the use with this key of all these places; `undefined` where they are not used yet. */
  #claimed(places: readonly number[], key: string): Use | undefined {
    const uses = places.map((place) => this.#uses.get(place));
    if (uses.every((use) => use === undefined)) return undefined;
    if (uses.every((use) => use?.key === key)) return uses[0];
    return this.#run.refuse(IN_TWO_WAYS);
  }

  /** Returns Laplace noise whose sign is that of 2u − 1. */
  #signOf(place: number): Affine {
    const known = this.#claimed([place], "sign");
    if (known !== undefined) return variable(known.names[0]!);
    const name = this.#run.nameOf(place, UNIT);
    this.#claim([place], { key: "sign", names: [name] });
    this.#draws.push({
      names: [name],
      places: [place],
      valuesOf: ([u]) => [Math.sign(u! - 0.5)],
      uniformsOf: ([x]) => [x! < 0 ? 0.25 : 0.75],
    });
    return variable(name);
  }

  /** Says what the size of noise is made of whose sign is known. */
  #claimSize(place: number, size: string, of: Size, from: number): Affine {
    const sign = this.#signOf(place), use = this.#uses.get(place)!;
    if (use.size === size) return sign;
    if (use.size !== undefined) {
      return this.#run.refuse(IN_TWO_WAYS);
    }
    use.size = size;
    this.#draws.push({
      names: use.names,
      places: from === place ? [place] : [place, from],
      valuesOf: ([u, v = u]) => [Math.sign(u! - 0.5) * of.of(v!)],
      uniformsOf: ([x]) => {
        const back = of.back(Math.abs(x!), x! > 0);
        return from === place ? [back] : [x! < 0 ? 0.25 : 0.75, back];
      },
    });
    return sign;
  }

  #absolute(noise: Affine): Affine {
    return this.#run.isPositive(noise) ? noise : times(rational(-1), noise);
  }

  /** Returns the size of noise that one uniform number makes, its sign included. */
  #sizeOfSign(kind: string, place: number): Affine {
    const noise = this.#claimSize(
      place,
      SIZE_OF[kind] === OUTER ? "outer" : "inner",
      SIZE_OF[kind]!,
      place,
    );
    if (kind === "zo" || kind === "zi") return this.#absolute(noise);
    const side = kind.startsWith("l") ? times(rational(-1), noise) : noise;
    if (this.#run.isPositive(side)) return side;
    return this.#run.refuse(
      "it takes the logarithm of twice a uniform number, or of the like, where that may be of either half: audit it",
    );
  }

  /** Returns a sign, alone or times exponential noise. */
  #signed(rest: string): Affine {
    const [sign, size] = rest.split("*"), place = Number(sign);
    if (size === undefined) {
      if (this.#isOnSide(place, 1)) return constant(ONE);
      return this.#isOnSide(place, -1) ? constant(rational(-1)) : new Map();
    }
    const [kind, from] = size.split(":") as [string, string], other = Number(from);
    if (place === other) {
      if (kind === "zo" || kind === "zi") {
        return this.#claimSize(place, kind === "zo" ? "outer" : "inner", SIZE_OF[kind]!, place);
      }
    } else if (kind === "e" || kind === "o") {
      return this.#paired(place, kind, other);
    }
    const factor = this.#signed(sign!).get("") ?? rational(0);
    return times(factor, this.#atom(size));
  }

  /** Returns Laplace noise of the sign of one uniform number and the size that another one makes. */
  #paired(place: number, kind: string, from: number): Affine {
    const key = `size of ${place} by ${kind}`;
    const known = this.#claimed([from], key);
    if (known === undefined) {
      const sign = this.#signOf(place);
      this.#claim([from], { key, names: [[...sign.keys()][0]!] });
    }
    return this.#claimSize(place, `${kind}:${from}`, SIZE_OF[kind]!, from);
  }

  /** Returns exponential noise; the size of Laplace noise where a sign is there that has none yet. */
  #exponential(kind: "e" | "o", place: number): Affine {
    const use = this.#uses.get(place), by = / of (\d+) by (.*)/.exec(use?.key ?? "");
    if (by?.[2] === kind) return this.#absolute(variable(use!.names[0]!));
    if (use === undefined) {
      const signs = [...this.#uses].filter(([, { key, size }]) =>
        key === "sign" && size === undefined
      )
        .map(([sign]) => sign).sort((a, b) => Math.abs(a - place) - Math.abs(b - place) || a - b);
      if (signs.length > 0) return this.#absolute(this.#paired(signs[0]!, kind, place));
    }
    const { of, back } = SIZE_OF[kind]!;
    return this.#one(place, kind, EXPONENTIAL, {
      valuesOf: ([u]) => [of(u!)],
      uniformsOf: ([z]) => [back(z!, true)],
    });
  }

  /** Returns Laplace noise that is the difference of exponential noise, or logistic noise. */
  #difference(rest: string): Affine {
    const [[kind, from], [other, than]] = rest.split("-").map((each) => each.split(":")) as [
      [string, string],
      [string, string],
    ];
    const places = [...new Set([Number(from), Number(than)])], isOne = places.length === 1;
    let use = this.#claimed(places, rest);
    if (use === undefined) {
      const [low, high] = [SIZE_OF[kind]!, SIZE_OF[other]!];
      const names = isOne
        // Logistic noise is the difference of two draws of Gumbel's law.
        ? ["", "second"].map((part) => this.#run.nameOf(places[0]!, GUMBEL, part))
        : [this.#run.nameOf(places[0]!, UNIT)];
      this.#claim(places, use = { key: rest, names });
      this.#draws.push({
        names,
        places,
        valuesOf: ([u, v = u]) => {
          const x = low.of(u!) - high.of(v!);
          return isOne ? [x, 0] : [x];
        },
        uniformsOf: ([x, y = 0]) => {
          const by = x! - y;
          if (isOne) return [1 / (1 + Math.exp(kind === "o" ? -by : by))];
          return [low.back(1 + Math.max(0, by), true), high.back(1 + Math.max(0, -by), true)];
        },
      });
    }
    const [a, b] = use.names.map(variable);
    return isOne ? minus(a!, b!) : a!;
  }

  /** Returns a coordinate of normal noise (Box, Muller 1958). */
  #normal(rest: string): Affine {
    const [root, coordinate] = rest.split("*") as [string, string];
    const [size, kind, radius] = root.split(":") as [string, string, string];
    const [name, angle] = coordinate.split(":") as [string, string];
    const places = [Number(radius), Number(angle)];
    if (kind !== "e" && kind !== "o" || places[0] === places[1]) return this.#atom("u:");
    const [n, d] = size.split("/").map(BigInt) as [bigint, bigint];
    // √(c·z)·cos has the variance c/2.
    const variance = rational(n, 2n * d), deviation = Math.sqrt(Number(n) / Number(2n * d));
    const key = `normal ${root} ${angle}`;
    if (this.#claimed(places, key) === undefined) {
      const law: NoiseLaw = { kind: "gaussian", variance };
      const names = places.map((place) => this.#run.nameOf(place, law));
      this.#claim(places, { key, names });
      const { of, back } = SIZE_OF[kind]!;
      this.#draws.push({
        names,
        places,
        valuesOf: ([u, v]) => {
          const length = deviation * Math.sqrt(2 * of(u!));
          return [length * Math.cos(2 * Math.PI * v!), length * Math.sin(2 * Math.PI * v!)];
        },
        uniformsOf: ([x, y]) => {
          const turn = Math.atan2(y!, x!) / (2 * Math.PI);
          return [
            back(((x! / deviation) ** 2 + (y! / deviation) ** 2) / 2, true),
            turn < 0 ? turn + 1 : turn,
          ];
        },
      });
    }
    return variable(this.#uses.get(places[0]!)!.names[name === "cos" ? 0 : 1]!);
  }
}

function made(
  { of, back }: Size,
  forth: (z: number) => number,
  reverse: (x: number) => number,
): Pick<HandDraw, "valuesOf" | "uniformsOf"> {
  return {
    valuesOf: ([u]) => [forth(of(u!))],
    uniformsOf: ([x]) => [back(reverse(x!), true)],
  };
}
