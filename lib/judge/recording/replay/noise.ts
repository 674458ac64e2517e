import type { DiscreteLaw } from "../../../core/mechanism/discrete_law.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { toNumber } from "../../../core/numeric/rational.ts";
import { type Atom, type Chances, type Place, placeAlone } from "../recording.ts";

/** One draw of a program from its source. */
export interface Draw extends Place {
  readonly law:
    | "laplace"
    | "normal"
    | "exponential"
    | "gumbel"
    | "uniform"
    | "geometric"
    | "discrete Laplace"
    | "discrete normal"
    /** One of a few outcomes. */
    | "choice";
  /** The scale of continuous noise, the rate or the deviation of whole numbers; 0 for a choice. */
  readonly width: number;
  /** The draw: of continuous noise as a multiple of its scale, of the others as it is. */
  readonly z: number;
  readonly chances?: Chances;
}

/** A draw before it is drawn. */
export type Asked = Pick<Draw, "law" | "width" | "chances">;

// A program may be run with other functions in `Math`: these are the ones of the language.
const { ceil, cos, exp, expm1, floor, log, min, round, sqrt, PI } = Math;

/** Uniform numbers that each draw takes from its stream, so that later ones do not depend on its law. */
const EACH = 3;

/** Draws from a stream what is asked for. */
export function drawnFrom(source: Source, { law, width, chances }: Asked): number {
  const [u, v, w] = Array.from({ length: EACH }, () => source.uniform()) as [
    number,
    number,
    number,
  ];
  switch (law) {
    case "laplace":
      return log(u) - log(v);
    case "normal":
      return normal(u, v);
    case "exponential":
      return -log(u);
    case "gumbel":
      return -log(-log(u));
    case "uniform":
      return u;
    case "geometric":
      return floor(-log(u) / width);
    case "discrete Laplace":
      return floor(-log(u) / width) - floor(-log(v) / width);
    case "discrete normal":
      return round(width * normal(u, v));
    case "choice":
      return chosen(chances!, w);
  }
}

/** Returns a normal draw made of two uniform ones (Box, Muller 1958). */
function normal(u: number, v: number): number {
  return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

function chosen({ chances, uniform = 1 }: Chances, w: number): number {
  if (chances === undefined) return floor(uniform * w);
  let sum = 0;
  for (let i = 0; i < chances.length - 1; i++) {
    sum += chances[i]!;
    if (w < sum) return i;
  }
  return chances.length - 1;
}

/** Losses, and standard deviations, at which noise is far out; and how near a uniform number is to its bounds there. */
const FAR = 25, FAR_NORMAL = 8, EDGE = 2 ** -40;

/** Returns a value of noise far down, and one far up. */
export function extremesOf({ law, width }: Asked): readonly [low: number, high: number] {
  switch (law) {
    case "laplace":
      return [-FAR, FAR];
    case "normal":
      return [-FAR_NORMAL, FAR_NORMAL];
    case "exponential":
      return [EDGE, FAR];
    case "gumbel":
      return [-log(FAR), FAR];
    case "uniform":
      return [EDGE, 1 - EDGE];
    case "geometric":
      return [0, ceil(FAR / width)];
    case "discrete Laplace":
      return [-ceil(FAR / width), ceil(FAR / width)];
    case "discrete normal":
      return [-ceil(FAR_NORMAL * width), ceil(FAR_NORMAL * width)];
    case "choice":
      return [0, 0];
  }
}

/** Returns the atoms of a draw: it is their sum, each times its factor, but for a number that is always the same. */
export function atomsOf(draw: Draw): (readonly [Atom, number])[] {
  const { law, width } = draw, place = placeAlone(draw);
  switch (law) {
    case "choice":
      return [];
    case "geometric":
    case "discrete Laplace": {
      // A geometric variable counts from 1.
      const atom = { law: "geometric", p: -expm1(-width), ...place } as const;
      return law === "geometric" ? [[atom, 1]] : [[atom, 1], [atom, -1]];
    }
    case "discrete normal":
      return [[{ law: "normal", ...place }, width]];
    default:
      return [[{ law, ...place }, 1]];
  }
}

/** Returns the draw that a law of whole numbers asks for. */
export function askedOf(law: DiscreteLaw): Asked {
  const choice = (chances: Chances): Asked => ({ law: "choice", width: 0, chances });
  switch (law.kind) {
    case "geometric":
      return { law: "geometric", width: toNumber(law.rate) };
    case "discrete laplace":
      return { law: "discrete Laplace", width: toNumber(law.rate) };
    case "discrete gaussian":
      return { law: "discrete normal", width: sqrt(toNumber(law.variance)) };
    case "uniform":
      return choice({ uniform: Number(law.below) });
    case "exponential coin": {
      const one = exp(-toNumber(law.exponent));
      return choice({ chances: [1 - one, one] });
    }
    case "choice": {
      const exponents = law.weights.map(({ exponent }) => toNumber(exponent));
      const least = min(...exponents);
      const weights = law.weights.map(({ multiplicity = 1n }, i) =>
        Number(multiplicity) * exp(least - exponents[i]!)
      );
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return choice({ chances: weights.map((weight) => weight / sum) });
    }
  }
}
