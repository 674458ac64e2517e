import {
  add,
  compare,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
  subtract,
} from "../../../core/numeric/rational.ts";
import { type Affine, coefficient } from "../alignment/affine.ts";
import type { NoiseLaw, NoiseLaws } from "../alignment/noise_laws.ts";
import {
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  subtractIntervals,
} from "../interval.ts";
import { enclosed, exponential } from "./exact_interval.ts";
import { noiseOf, type Star } from "./star.ts";

/** slope·z + offset, for the value z of the centre. */
interface Line {
  readonly slope: Rational;
  readonly offset: Rational;
}

/** coefficient·exp(slope·z + offset). Coefficients are sums of few powers of two, and so exact. */
interface Term extends Line {
  readonly coefficient: number;
}

/** A law whose density is an exponential of a line on each side of 0. */
type PiecewiseLaw = NoiseLaw & { readonly kind: "laplace" | "exponential" };

/** Lines between which a draw must be. */
interface Range {
  readonly law: PiecewiseLaw;
  readonly low: Line[];
  readonly high: Line[];
}

/** Terms of a sum and draws beside the centre from which an integral is given up. */
const MOST_TERMS = 10_000, MOST_DRAWS = 30;

const zero = rational(0), one = rational(1);
const ONE: readonly Term[] = [{ slope: zero, offset: zero, coefficient: 1 }];

/**
 * Returns an enclosure of ∫ density(z)·Π densities(z)·Π P(a draw is in its range | z) dz over all values z of the centre: between kinks that is a
 * sum of exponentials of lines, whose integrals are known. `undefined` for noise that is neither Laplace nor exponential, and for sums of
 * too many terms.
 */
export function starIntegral(
  { centre, regions, densities }: Star,
  laws: NoiseLaws,
): Interval | undefined {
  const dense: { readonly law: PiecewiseLaw; readonly line: Line }[] = [];
  for (
    const { law, line } of [
      { law: laws.of(centre), line: { slope: one, offset: zero } },
      ...densities.map(({ law, form }) => ({ law, line: lineOf(form, centre) })),
    ]
  ) {
    if (!isPiecewise(law)) return undefined;
    // The density of exponential noise is another one on either side of 0.
    if (law.kind === "exponential" && isZero(line)) return undefined;
    dense.push({ law, line });
  }
  const signs: Line[] = [], ranges = new Map<string, Range>();
  for (const form of regions) {
    const line = lineOf(form, centre), name = noiseOf(form).find((each) => each !== centre);
    if (name === undefined) {
      signs.push(line);
      continue;
    }
    const law = laws.of(name), factor = coefficient(form, name);
    if (!isPiecewise(law)) return undefined;
    const range = ranges.get(name) ?? { law, low: [], high: [] };
    ranges.set(name, range);
    const bound = scaled(line, negated(divide(one, factor)));
    (factor.numerator > 0n ? range.low : range.high).push(bound);
  }
  if (ranges.size > MOST_DRAWS) return undefined;
  const kinks = kinksOf([...dense.map(({ line }) => line), ...signs], [...ranges.values()]);
  let total = interval(0);
  for (let i = 0; i <= kinks.length; i++) {
    const piece = [kinks[i - 1], kinks[i]] as const, middle = middleOf(piece);
    if (signs.some((line) => valueAt(line, middle).numerator < 0n)) continue;
    let terms = ONE;
    for (const { law, line } of dense) terms = product(terms, densityOf(law, line, middle));
    for (const range of ranges.values()) {
      terms = product(terms, chanceOf(range, middle));
      if (terms.length > MOST_TERMS) return undefined;
    }
    for (const term of terms) {
      const part = integralOf(term, piece);
      if (part === undefined) return undefined;
      total = addIntervals(total, part);
    }
  }
  const scale = dense.reduce<Rational>((scale, { law }) => multiply(scale, law.rate), one);
  return multiplyIntervals(total, enclosed(scale));
}

/**
 * Returns an enclosure of the density of a draw at a number. `undefined` for noise that is neither Laplace nor exponential, and for exponential
 * noise at 0, where its density jumps.
 */
export function densityAt(law: NoiseLaw, value: Rational): Interval | undefined {
  if (!isPiecewise(law) || law.kind === "exponential" && value.numerator === 0n) return undefined;
  const [term] = densityOf(law, { slope: zero, offset: value }, zero);
  if (term === undefined) return interval(0);
  const height = multiplyIntervals(interval(term.coefficient), exponential(term.offset));
  return multiplyIntervals(enclosed(law.rate), height);
}

function isPiecewise(law: NoiseLaw): law is PiecewiseLaw {
  return law.kind === "laplace" || law.kind === "exponential";
}

function lineOf(form: Affine, centre: string): Line {
  return { slope: coefficient(form, centre), offset: coefficient(form, "") };
}

function isZero({ slope, offset }: Line): boolean {
  return slope.numerator === 0n && offset.numerator === 0n;
}

function scaled({ slope, offset }: Line, factor: Rational): Line {
  return { slope: multiply(slope, factor), offset: multiply(offset, factor) };
}

function valueAt({ slope, offset }: Line, z: Rational): Rational {
  return add(multiply(slope, z), offset);
}

/** Returns the places where any of these lines is 0, or two bounds of a range are equal, in order. */
function kinksOf(lines: readonly Line[], ranges: readonly Range[]): Rational[] {
  const all = [...lines];
  for (const { low, high } of ranges) {
    const bounds = [...low, ...high];
    all.push(...bounds);
    for (const [i, first] of bounds.entries()) {
      for (const second of bounds.slice(i + 1)) {
        all.push({
          slope: subtract(first.slope, second.slope),
          offset: subtract(first.offset, second.offset),
        });
      }
    }
  }
  const kinks = all.filter(({ slope }) => slope.numerator !== 0n)
    .map(({ slope, offset }) => divide(negated(offset), slope))
    .sort(compare);
  return kinks.filter((kink, i) => i === 0 || compare(kinks[i - 1]!, kink) < 0);
}

/** A piece of the line between two kinks; without one it has no end. */
type Piece = readonly [from: Rational | undefined, to: Rational | undefined];

function middleOf([from, to]: Piece): Rational {
  if (from !== undefined && to !== undefined) return divide(add(from, to), rational(2));
  if (from !== undefined) return add(from, one);
  return to === undefined ? zero : subtract(to, one);
}

/** Returns the density of noise at a line over its rate, on the piece around `middle`. */
function densityOf({ kind, rate }: PiecewiseLaw, line: Line, middle: Rational): readonly Term[] {
  const isAbove = valueAt(line, middle).numerator > 0n;
  if (kind === "exponential" && !isAbove) return [];
  return [{
    ...scaled(line, isAbove ? negated(rate) : rate),
    coefficient: kind === "laplace" ? 0.5 : 1,
  }];
}

/** Returns P(low < noise < high) on the piece around `middle`. */
function chanceOf({ law, low, high }: Range, middle: Rational): readonly Term[] {
  const ordered = (lines: readonly Line[]): Line[] =>
    lines.toSorted((a, b) => compare(valueAt(a, middle), valueAt(b, middle)));
  const least = ordered(low).at(-1), most = ordered(high)[0];
  if (least !== undefined && most !== undefined) {
    if (compare(valueAt(least, middle), valueAt(most, middle)) >= 0) return [];
  }
  return difference(
    most === undefined ? ONE : chanceBelow(law, most, middle),
    least === undefined ? [] : chanceBelow(law, least, middle),
  );
}

/** Returns P(noise < line) on the piece around `middle`. */
function chanceBelow({ kind, rate }: PiecewiseLaw, line: Line, middle: Rational): readonly Term[] {
  const isAbove = valueAt(line, middle).numerator > 0n;
  if (kind === "exponential" && !isAbove) return [];
  if (!isAbove) return [{ ...scaled(line, rate), coefficient: 0.5 }];
  return [...ONE, {
    ...scaled(line, negated(rate)),
    coefficient: kind === "laplace" ? -0.5 : -1,
  }];
}

/** Returns left − right. */
function difference(left: readonly Term[], right: readonly Term[]): readonly Term[] {
  return right.length === 0
    ? left
    : collected([...left, ...right.map((term) => ({ ...term, coefficient: -term.coefficient }))]);
}

function product(left: readonly Term[], right: readonly Term[]): readonly Term[] {
  if (right.length === 1 && left === ONE) return right;
  return collected(
    left.flatMap((a) =>
      right.map((b): Term => ({
        slope: add(a.slope, b.slope),
        offset: add(a.offset, b.offset),
        coefficient: a.coefficient * b.coefficient,
      }))
    ),
  );
}

/** Returns terms with the same exponents as one. */
function collected(terms: readonly Term[]): readonly Term[] {
  const sums = new Map<string, Term>();
  for (const term of terms) {
    const { slope, offset } = term;
    const key = `${slope.numerator}/${slope.denominator} ${offset.numerator}/${offset.denominator}`;
    const coefficient = (sums.get(key)?.coefficient ?? 0) + term.coefficient;
    sums.set(key, { ...term, coefficient });
  }
  return [...sums.values()].filter(({ coefficient }) => coefficient !== 0);
}

/** Returns the integral of a term over a piece; `undefined` where it has none. */
function integralOf(term: Term, [from, to]: Piece): Interval | undefined {
  const { slope, offset, coefficient } = term, sign = Math.sign(Number(slope.numerator));
  if (sign === 0) {
    if (from === undefined || to === undefined) return undefined;
    const height = multiplyIntervals(interval(coefficient), exponential(offset));
    return multiplyIntervals(height, enclosed(subtract(to, from)));
  }
  if (from === undefined && sign < 0 || to === undefined && sign > 0) return undefined;
  const end = (z: Rational | undefined): Interval =>
    z === undefined ? interval(0) : exponential(valueAt(term, z));
  return multiplyIntervals(
    multiplyIntervals(interval(coefficient), subtractIntervals(end(to), end(from))),
    enclosed(divide(one, slope)),
  );
}
