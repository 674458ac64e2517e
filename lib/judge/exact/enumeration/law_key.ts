import type { DiscreteLaw } from "../../../core/mechanism/discrete_law.ts";
import type { Rational } from "../../../core/numeric/rational.ts";

/** Returns a text for a law, the same for equal laws. */
export function lawKey(law: DiscreteLaw): string {
  switch (law.kind) {
    case "choice":
      return `choice ${
        law.weights.map(({ exponent, multiplicity = 1n }) => `${multiplicity}*${shown(exponent)}`)
      }`;
    case "uniform":
      return `uniform ${law.below}`;
    case "exponential coin":
      return `exponential coin ${shown(law.exponent)}`;
    case "geometric":
    case "discrete laplace":
      return `${law.kind} ${shown(law.rate)}`;
    case "discrete gaussian":
      return `${law.kind} ${shown(law.variance)}`;
  }
}

function shown({ numerator, denominator }: Rational): string {
  return `${numerator}/${denominator}`;
}
