import type { NoiseWidth, ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { ExactNumber } from "../../../core/mechanism/discrete_source.ts";
import { divide, multiply, type Rational, rational } from "../../../core/numeric/rational.ts";
import { GAUSSIAN_WIDTHS, widthOf, WIDTHS } from "../../../core/random/program_source.ts";
import { variable } from "./affine.ts";
import type { Constraint } from "./constraint.ts";

/** The law of one draw of continuous noise. */
export type NoiseLaw =
  | { readonly kind: "laplace" | "exponential" | "gumbel"; readonly rate: Rational }
  | { readonly kind: "gaussian"; readonly variance: Rational };

/**
 * Names of draws. A draw is known by its place on its path and by its law: as if a program drew, at each place, noise of every law
 * beforehand and took one of them. So draws are independent whatever decides about their laws.
 */
export class NoiseLaws {
  readonly #names = new Map<string, string>();
  readonly #laws = new Map<string, NoiseLaw>();

  /** Returns the name of the draw at this place: n0, n1, …, and n1.2 for a second law, or part, at place 1. */
  nameOf(place: number, law: NoiseLaw, part = ""): string {
    const size = law.kind === "gaussian" ? law.variance : law.rate;
    const key = `${place} ${law.kind} ${size.numerator}/${size.denominator}${part}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const others = [...this.#names.keys()].filter((other) => other.startsWith(`${place} `));
      name = others.length === 0 ? `n${place}` : `n${place}.${others.length + 1}`;
      this.#names.set(key, name);
      this.#laws.set(name, law);
    }
    return name;
  }

  /** Returns the law of a draw. */
  of(name: string): NoiseLaw {
    return this.#laws.get(name)!;
  }

  /** Returns all draws and their laws. */
  entries(): Iterable<readonly [string, NoiseLaw]> {
    return this.#laws;
  }
}

/** Returns the constraints that exponential noise is above 0. Draws that are named later come later. */
export function supportConstraints(laws: NoiseLaws): Constraint[] {
  return [...laws.entries()].filter(([, { kind }]) => kind === "exponential")
    .map(([name]) => ({ form: variable(name), strict: true }));
}

/** Returns the place of a draw on its path. */
export function placeOf(name: string): number {
  return Number.parseInt(name.slice(1));
}

/** Returns the rate of noise. @throws {Error} as a draw with this width does. */
export function rateOf(width: NoiseWidth): Rational {
  const { name, value } = widthOf(width, WIDTHS), size = fractionOf(value);
  return name === "scale" ? divide(rational(1), size) : size;
}

/** Returns the variance of noise. @throws {Error} as a draw with this width does. */
export function varianceOf(width: Parameters<ProgramSource["gaussian"]>[0]): Rational {
  const { name, value } = widthOf(width, GAUSSIAN_WIDTHS), size = fractionOf(value);
  return name === "deviation" ? multiply(size, size) : size;
}

function fractionOf(value: ExactNumber): Rational {
  return typeof value === "number" ? rational(value) : value;
}
