/**
 * Noise that programs make of uniform numbers, for the second tracer. Until its law is told, what is made of the uniform number of draw 3 is a
 * variable whose name begins with "n:", so that it is never taken for data:
 *
 * - `n:uniform 3` is u; `n:fold 3` is |2u − 1|, and `n:sign 3` the sign of 2u − 1;
 * - `n:size 3 low` is −log u, `n:size 3 high` is −log(1 − u), `n:size 3 outer` is −log(1 − |2u − 1|) and `n:size 3 inner` −log |2u − 1|: exponential noise;
 * - `n:half 3 outer -` is −log 2u, and so on: such a size where u is on one side of ½;
 * - products have the names of both, `n:gumbel 3 low` is −log(−log u), and `n:root 2/1 3 low` is √(2·−log u).
 *
 * @module
 */
import {
  equal,
  type Form,
  MINUS,
  numberOf,
  ONE,
  plus,
  scaled,
  times,
  ZERO,
} from "./certificate_forms.ts";
import { exactFraction, type Fraction } from "./exact_fraction.ts";

const BY_HAND = "n:";
const named = (words: string): Form => new Map([[BY_HAND + words, ONE]]);

function isNumber(form: Form, number: Fraction): boolean {
  const own = numberOf(form);
  return own !== undefined && equal(own, number);
}

/** Returns true if the law of something in a form is not told yet. */
export function isOpen(form: Form): boolean {
  return [...form.keys()].some((name) => name.startsWith(BY_HAND));
}

/** Returns the uniform number of a draw. */
export function uniformNumber(draw: number): Form {
  return named(`uniform ${draw}`);
}

/** The words of the only variable of a form, its factor, and the number beside it. */
interface Alone {
  readonly words: readonly string[];
  readonly factor: Fraction;
  readonly beside: Fraction;
}

function alone(form: Form): Alone | undefined {
  const [name, ...others] = [...form.keys()].filter((each) => each !== "");
  if (name === undefined || others.length > 0 || !name.startsWith(BY_HAND)) return undefined;
  const words = name.slice(BY_HAND.length).split(" ");
  return { words, factor: form.get(name)!, beside: form.get("") ?? ZERO };
}

/** The names of −log(factor·x + beside), where x is u or |2u − 1|. */
const SIZES: readonly (readonly [of: string, factor: bigint, beside: bigint, name: string])[] = [
  ["uniform", 1n, 0n, "size # low"],
  ["uniform", -1n, 1n, "size # high"],
  ["uniform", 2n, 0n, "half # outer -"],
  ["uniform", -2n, 2n, "half # outer +"],
  ["uniform", -2n, 1n, "half # inner -"],
  ["uniform", 2n, -1n, "half # inner +"],
  ["fold", -1n, 1n, "size # outer"],
  ["fold", 1n, 0n, "size # inner"],
];

/** Returns the logarithm of a form; `undefined` where it makes no noise that is known. */
export function logarithmOf(form: Form): Form | undefined {
  if (isNumber(form, ONE)) return new Map();
  const { words: [kind, draw, ...rest], factor, beside } = alone(form) ?? { words: [] };
  if (kind === undefined) return undefined;
  const [, , , size] =
    SIZES.find(([of, a, b]) => of === kind && equal(factor!, [a, 1n]) && equal(beside!, [b, 1n])) ??
      [];
  if (size !== undefined) return scaled(named(size.replace("#", draw!)), MINUS);
  return kind === "size" && equal(factor!, ONE) && beside![0] === 0n
    ? scaled(named(`gumbel ${draw} ${rest}`), MINUS)
    : undefined;
}

/** Returns the draw and the factor of a multiple of u − ½. */
export function aroundHalf(form: Form): { draw: number; factor: Fraction } | undefined {
  const { words: [kind, draw] = [], factor, beside } = alone(form) ?? {};
  if (kind !== "uniform" || !equal(beside!, [-factor![0], 2n * factor![1]])) return undefined;
  return { draw: Number(draw), factor: factor! };
}

/** Returns whether a form of one uniform number alone is above 0, where it is so for all of them from 0 to below 1. */
export function sideOf(form: Form): boolean | undefined {
  const { words: [kind] = [], factor, beside } = alone(form) ?? {};
  if (kind !== "uniform") return undefined;
  const first = beside![0], last = beside![0] * factor![1] + factor![0] * beside![1];
  if (first > 0n && last >= 0n) return true;
  return first < 0n && last <= 0n ? false : undefined;
}

const TURN = exactFraction(2 * Math.PI)!;

/** Returns what a function or an operator makes of forms that are open; `undefined` where that makes no noise that is known. */
export function madeByHand(name: string, [form, other]: readonly Form[]): Form | undefined {
  const half = aroundHalf(form!), one = alone(form!);
  switch (name) {
    case "Math.log":
      return logarithmOf(form!);
    case "Math.log1p":
      return logarithmOf(plus(form!, new Map([["", ONE]]), ONE));
    case "Math.abs": {
      if (half === undefined) return undefined;
      const { draw, factor: [n, d] } = half;
      return scaled(named(`fold ${draw}`), [n < 0n ? -n : n, 2n * d]);
    }
    case "Math.sign":
      return half && scaled(named(`sign ${half.draw}`), half.factor[0] < 0n ? MINUS : ONE);
    case "Math.sqrt":
    case "**": {
      if (name === "**" && !isNumber(other!, [1n, 2n])) return undefined;
      const { words: [kind, ...rest] = [], factor, beside } = one ?? {};
      if (kind !== "size" || beside![0] !== 0n || factor![0] <= 0n) return undefined;
      return named(`root ${factor!.join("/")} ${rest.join(" ")}`);
    }
    case "Math.cos":
    case "Math.sin": {
      const { words: [kind, draw] = [], factor, beside } = one ?? {};
      const isTurn = kind === "uniform" && beside![0] === 0n && equal(factor!, TURN);
      return isTurn ? named(`${name.slice("Math.".length)} ${draw}`) : undefined;
    }
    case "*": {
      const two = alone(other!);
      if (!one || !two || one.beside[0] !== 0n || two.beside[0] !== 0n) return undefined;
      const product = [[one, two], [two, one]].map((pair) => pair.flatMap(({ words }) => words))
        .find((words) =>
          /^(sign \d+ size|root \S+ \d+ (low|high) (cos|sin)) /.test(words.join(" "))
        );
      return product && scaled(named(product.join(" ")), times(one.factor, two.factor));
    }
  }
  return undefined;
}

/** What telling a law asks of a run. */
interface Asked {
  /** Returns the name of the noise of a draw with this law, where the certificate has it. */
  lawOf(draw: number, kind: string, size: Fraction): string | undefined;
  /** Returns true if noise is above 0. */
  isPositive(form: Form): boolean;
  /** Ends the run. */
  refuse(what: string): never;
}

/** Tells the laws of noise in one run. Each uniform number makes one noise, else the laws would not be independent. */
export class NoiseByHand {
  readonly #run: Asked;
  /** What each uniform number is used for. */
  readonly #uses = new Map<number, string>();
  /** What the size of Laplace noise is made of, for each draw that has its sign. */
  readonly #sizes = new Map<number, string>();

  /** Uniform numbers that are known not to be above ½, or not below it. */
  readonly #notOn = new Map<number, boolean>();

  /** Of a run that has drawn nothing. */
  constructor(run: Asked) {
    this.#run = run;
  }

  /** Returns whether a uniform number is above ½, or below it where the factor is below 0. */
  isPositive({ draw, factor }: { draw: number; factor: Fraction }): boolean {
    const isUp = factor[0] > 0n;
    // What is not above ½ is below it, or ½ itself: once in 2⁵³.
    if (this.#notOn.get(draw) === !isUp) {
      this.#run.refuse("it asks whether a uniform number is ½");
    }
    const isAbove = this.#run.isPositive(scaled(this.#signed(draw), factor));
    if (!isAbove) this.#notOn.set(draw, isUp);
    return isAbove;
  }

  /** Returns a form in which noise has its law. */
  told(form: Form): Form {
    let told: Form = new Map();
    const sizes: [draw: number, side: string, factor: Fraction][] = [];
    for (const [name, factor] of form) {
      if (!name.startsWith(BY_HAND)) told = plus(told, new Map([[name, ONE]]), factor);
      else {
        const [kind, draw, ...rest] = name.slice(BY_HAND.length).split(" ");
        if (kind === "size" && (rest[0] === "low" || rest[0] === "high")) {
          sizes.push([Number(draw), rest[0], factor]);
        } else told = plus(told, this.#noise(kind!, [draw!, ...rest]), factor);
      }
    }
    for (let first; (first = sizes.shift()) !== undefined;) {
      const [draw, side, factor] = first;
      const at = sizes.findIndex(([other, , by]) =>
        equal(by, [-factor[0], factor[1]]) && this.#difference(draw, other) !== undefined
      );
      if (at < 0) told = plus(told, this.#exponential(draw, side), factor);
      else {
        const [[other, than]] = sizes.splice(at, 1) as [[number, string, Fraction]];
        const key = [`${draw} ${side}`, `${other} ${than}`].sort().join(" and ");
        for (const each of [draw, other]) this.#use(each, key);
        told = plus(told, this.#difference(draw, other)!, factor);
      }
    }
    return told;
  }

  /** The difference of exponential noise of two draws: Laplace noise of the one that the certificate names. */
  #difference(draw: number, other: number): Form | undefined {
    const [mine, its] = [draw, other].map((each) => this.#run.lawOf(each, "laplace", ONE));
    if (draw === other || (mine === undefined) === (its === undefined)) return undefined;
    return new Map([[mine ?? its!, mine === undefined ? MINUS : ONE]]);
  }

  #use(draw: number, key: string): void {
    const known = this.#uses.get(draw);
    if (known !== undefined && known !== key) {
      this.#run.refuse("it uses one uniform number in two ways");
    }
    this.#uses.set(draw, key);
  }

  #own(draw: number, kind: string, size: Fraction, key: string): Form {
    const name = this.#run.lawOf(draw, kind, size);
    if (name === undefined) {
      return this.#run.refuse("it makes noise of uniform numbers in a way that is not written");
    }
    this.#use(draw, key);
    return new Map([[name, ONE]]);
  }

  /** Laplace noise with the sign of 2u − 1. */
  #signed(draw: number): Form {
    return this.#own(draw, "laplace", ONE, "sign");
  }

  /** The same, once its size is made of something. */
  #sized(draw: number, by: string): Form {
    const known = this.#sizes.get(draw);
    if (known !== undefined && known !== by) {
      this.#run.refuse("it uses one uniform number in two ways");
    }
    this.#sizes.set(draw, by);
    return this.#signed(draw);
  }

  #absolute(noise: Form): Form {
    return this.#run.isPositive(noise) ? noise : scaled(noise, MINUS);
  }

  #exponential(draw: number, side: string): Form {
    if (this.#run.lawOf(draw, "exponential", ONE) !== undefined) {
      return this.#own(draw, "exponential", ONE, `exponential ${side}`);
    }
    const by = `${draw} ${side}`;
    for (const [signed, key] of this.#uses) {
      const size = this.#sizes.get(signed);
      if (key !== "sign" || size !== undefined && size !== by) continue;
      this.#use(draw, `size of ${signed}, ${side}`);
      return this.#absolute(this.#sized(signed, by));
    }
    return this.#run.refuse("it makes noise of uniform numbers in a way that is not written");
  }

  #noise(kind: string, [first, ...rest]: readonly string[]): Form {
    const draw = Number(first);
    switch (kind) {
      case "size":
        return this.#absolute(this.#sized(draw, rest[0]!));
      case "half": {
        const [by, side] = rest, noise = this.#sized(draw, by!);
        const size = side === "-" ? scaled(noise, MINUS) : noise;
        return this.#run.isPositive(size) ? size : this.#run.refuse("it takes the other half");
      }
      case "sign": {
        const [, other, by] = rest;
        if (rest.length === 0) break;
        if (Number(other) === draw && (by === "outer" || by === "inner")) {
          return this.#sized(draw, by);
        }
        if (Number(other) === draw || by !== "low" && by !== "high") break;
        this.#use(Number(other), `size of ${draw}, ${by}`);
        return this.#sized(draw, `${other} ${by}`);
      }
      case "gumbel":
        return this.#own(draw, "gumbel", ONE, `gumbel ${rest}`);
      case "root": {
        // √(c·z)·cos 2πv and √(c·z)·sin 2πv are independent, of variance c/2 (Box, Muller 1958).
        const by = first!, [radius, side, axis, angle] = rest;
        if (angle === undefined || radius === angle) break;
        const [n, d] = by.split("/").map(BigInt) as [bigint, bigint];
        const key = `normal ${by} ${radius} ${side} ${angle}`;
        this.#use(Number(radius), key);
        this.#use(Number(angle), key);
        return this.#own(
          Number(axis === "cos" ? radius : angle),
          "gaussian",
          [n, 2n * d],
          key,
        );
      }
    }
    return this.#run.refuse("it makes noise of uniform numbers in a way that tells no law");
  }
}
