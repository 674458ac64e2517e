import type { NoiseWidth, ProgramSource } from "../../core/continuous_draws.ts";
import type { ExactNumber } from "../../core/discrete_source.ts";
import { divide, multiply, type Rational, rational } from "../../numeric/rational.ts";
import { variable } from "./affine.ts";
import type { Constraint } from "./constraint.ts";
import { NotTraceable } from "./traced_value.ts";

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

  /** The name of the draw at this place: n0, n1, …, and n1.2 for a second law at place 1. */
  nameOf(place: number, law: NoiseLaw): string {
    const size = law.kind === "gaussian" ? law.variance : law.rate;
    const key = `${place} ${law.kind} ${size.numerator}/${size.denominator}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const others = [...this.#names.keys()].filter((other) => other.startsWith(`${place} `));
      name = others.length === 0 ? `n${place}` : `n${place}.${others.length + 1}`;
      this.#names.set(key, name);
      this.#laws.set(name, law);
    }
    return name;
  }

  /** The law of a draw. */
  of(name: string): NoiseLaw {
    return this.#laws.get(name)!;
  }

  /** All draws and their laws. */
  entries(): Iterable<readonly [string, NoiseLaw]> {
    return this.#laws;
  }
}

/** Exponential noise is at least 0. Draws that are named later come later. */
export function supportConstraints(laws: NoiseLaws): Constraint[] {
  return [...laws.entries()].filter(([, { kind }]) => kind === "exponential")
    .map(([name]) => ({ form: variable(name), strict: true }));
}

/** The place of a draw on its path. */
export function placeOf(name: string): number {
  return Number.parseInt(name.slice(1));
}

/** The rate of noise. @throws {NotTraceable} unless its width is positive and finite. */
export function rateOf(width: NoiseWidth): Rational {
  return "scale" in width
    ? divide(rational(1), positive("scale", width.scale))
    : positive("rate", width.rate);
}

/** The variance of noise. @throws {NotTraceable} unless it is positive and finite. */
export function varianceOf(width: Parameters<ProgramSource["gaussian"]>[0]): Rational {
  if ("variance" in width) return positive("variance", width.variance);
  const deviation = positive("deviation", width.deviation);
  return multiply(deviation, deviation);
}

function positive(name: string, value: ExactNumber): Rational {
  const fraction = typeof value !== "number"
    ? value
    : Number.isFinite(value)
    ? rational(value)
    : rational(0);
  if (fraction.numerator > 0n) return fraction;
  throw new NotTraceable(`it draws noise whose ${name} is not positive and finite`);
}
