import type { Source } from "../../core/mechanism/source.ts";
import { normalTailQuantile } from "../../core/numeric/normal_tail.ts";
import { floatExponential } from "../../core/random/float_exponential.ts";
import { floatLaplace } from "../../core/random/float_laplace.ts";
import { floatNormal } from "../../core/random/float_normal.ts";
import { floatUniform } from "../../core/random/float_uniform.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import type { Atom, Form, NoiseLaw } from "./recording.ts";

/** Number of draws that identify a law, and their seed. */
const DRAWS = 20_000, SEED = 1;
/** Quantiles of a law that is identified are within this share of its scale of the law's own, on average. */
const NEAR = 0.05;
/** A scale within this share of a simple multiple of a coefficient is that multiple. */
const SNAP = 0.015;
const SIMPLE = [1, 2, 0.5, Math.SQRT2, Math.SQRT1_2];

/** A law that a sum of noise has, as far as it is known. */
export interface IdentifiedLaw {
  readonly law: "laplace" | "normal" | "exponential" | "gumbel" | "logistic" | "unknown";
  readonly scale: number;
}

/** Returns the probability that noise of a law is at most x; `undefined` for laws that have no simple one here. */
export function distributionAt(law: string, x: number): number | undefined {
  switch (law) {
    case "uniform":
      return Math.min(Math.max(x, 0), 1);
    case "laplace":
      return x < 0 ? Math.exp(x) / 2 : 1 - Math.exp(-x) / 2;
    case "exponential":
      return x < 0 ? 0 : -Math.expm1(-x);
    case "gumbel":
      return Math.exp(-Math.exp(-x));
    case "logistic":
      return 1 / (1 + Math.exp(-x));
    case "cauchy":
      return 0.5 + Math.atan(x) / Math.PI;
    default:
      return undefined;
  }
}

/** Returns the probability that noise of a law lies between two bounds, which keeps its digits in both tails. */
export function probabilityBetween(law: string, low: number, high: number): number {
  const [from, to] = [distributionAt(law, low)!, distributionAt(law, high)!];
  return Math.max(0, from < 0.5 ? to - from : tailAt(law, low) - tailAt(law, high));
}

/** Returns the probability that noise of a law is above x. */
function tailAt(law: string, x: number): number {
  switch (law) {
    case "exponential":
      return x < 0 ? 1 : Math.exp(-x);
    case "gumbel":
      return -Math.expm1(-Math.exp(-x));
    case "uniform":
      return 1 - distributionAt(law, x)!;
    default:
      return distributionAt(law, -x)!;
  }
}

const FUNCTIONS: Readonly<Record<string, (...given: number[]) => number>> = {
  absolute: Math.abs,
  arctan: Math.atan,
  arctan2: Math.atan2,
  ceil: Math.ceil,
  copysign: (x, y) => y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x),
  cos: Math.cos,
  divide: (x, y) => x / y,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  fabs: Math.abs,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  multiply: (x, y) => x * y,
  power: (x, y) => x ** y,
  rint: Math.round,
  sign: Math.sign,
  sin: Math.sin,
  sqrt: Math.sqrt,
  square: (x) => x * x,
  tan: Math.tan,
  trunc: Math.trunc,
};

/** Laws that were identified, by the expression of the noise. */
const identified = new Map<string, IdentifiedLaw>();

/** Returns the law of Σ c·z, by sampling it. Each expression is sampled once. */
export function identifyLaw(
  terms: readonly (readonly [number, number])[],
  atoms: readonly Atom[],
): IdentifiedLaw {
  const key = expressionOf([0, terms], atoms, new Map());
  let known = identified.get(key);
  if (known === undefined) identified.set(key, known = bySampling(terms, atoms));
  return known;
}

/** Returns the expression of a form with its base noise numbered in the order in which it appears. */
export function expressionOf(
  [v, terms]: Form,
  atoms: readonly Atom[],
  numbers: Map<number, number>,
): string {
  const parts = terms.map(([i, c]) => {
    const { law, function: name, of, p } = atoms[i]!;
    if (law === "derived") {
      const given = of!.map((part) =>
        typeof part === "number" ? String(part) : expressionOf(part, atoms, numbers)
      );
      return `${c}*${name}(${given.join(",")})`;
    }
    if (!numbers.has(i)) numbers.set(i, numbers.size);
    return `${c}*${law}${p ?? ""}#${numbers.get(i)}`;
  });
  return [v, ...parts].join("+");
}

/** Returns the base noise that an atom is made of: itself, or what its arguments have. */
export function baseOf(atom: number, atoms: readonly Atom[]): number[] {
  const { law, of } = atoms[atom]!;
  if (law !== "derived") return [atom];
  return of!.flatMap((part) =>
    typeof part === "number" ? [] : part[1].flatMap(([i]) => baseOf(i, atoms))
  );
}

function bySampling(
  terms: readonly (readonly [number, number])[],
  atoms: readonly Atom[],
): IdentifiedLaw {
  // No law that is known is bounded, but a sum of many uniform numbers is as near to a normal one as any program needs.
  if (isBounded([0, terms], atoms) && !isOfMany(terms, atoms)) {
    return { law: "unknown", scale: NaN };
  }
  const drawing = { source: new SeededSource(SEED).split("law of noise"), drawn: new Map() };
  const samples = drawsOfForm([0, terms], atoms, drawing);
  if (samples.some((x) => !Number.isFinite(x))) return { law: "unknown", scale: NaN };
  samples.sort();
  const nearest = nearestLaw(samples);
  if (nearest === undefined) return { law: "unknown", scale: NaN };
  const { law, scale } = nearest;
  const simple = terms.flatMap(([, c]) => SIMPLE.map((factor) => Math.abs(c) * factor))
    .find((value) => Math.abs(value - scale) <= SNAP * value);
  return { law, scale: simple ?? scale };
}

/** Functions that are bounded, and others that are where their arguments are. */
const BOUNDED: ReadonlySet<string> = new Set(["sin", "cos", "arctan", "arctan2", "sign"]),
  KEEPING: ReadonlySet<string> = new Set(
    "absolute fabs floor ceil rint trunc multiply square sqrt exp exp2 expm1 copysign".split(" "),
  );

/** Returns true if noise cannot leave a range whatever is drawn. */
function isBounded([, terms]: Form, atoms: readonly Atom[]): boolean {
  return terms.every(([i]) => {
    const { law, function: name = "", of = [] } = atoms[i]!;
    return law === "uniform" || law === "derived" && (BOUNDED.has(name) ||
          KEEPING.has(name) &&
            of.every((part) => typeof part === "number" || isBounded(part, atoms)));
  });
}

/** Deviations that a sum of twelve uniform numbers reaches to either side: beyond lies 2e-9 of a normal variable. */
const FAR = 6;

/** Returns true for a sum of so many uniform numbers that what a normal variable has beyond its range is next to nothing. */
function isOfMany(terms: readonly (readonly [number, number])[], atoms: readonly Atom[]): boolean {
  if (terms.some(([i]) => atoms[i]!.law !== "uniform")) return false;
  const range = terms.reduce((sum, [, c]) => sum + Math.abs(c), 0) / 2;
  const deviation = Math.sqrt(terms.reduce((sum, [, c]) => sum + c * c, 0) / 12);
  return range > (1 - 1e-9) * FAR * deviation;
}

/** Draws of the same runs: an atom that stands in several forms has the same ones in all of them. */
interface Drawing {
  readonly source: Source;
  /** Those of the atoms so far. */
  readonly drawn: Map<number, Float64Array>;
}

function drawsOfForm([v, terms]: Form, atoms: readonly Atom[], drawing: Drawing): Float64Array {
  const sums = new Float64Array(DRAWS).fill(v);
  for (const [i, c] of terms) {
    const draws = drawsOfAtom(i, atoms, drawing);
    for (let k = 0; k < DRAWS; k++) sums[k]! += c * draws[k]!;
  }
  return sums;
}

function drawsOfAtom(i: number, atoms: readonly Atom[], drawing: Drawing): Float64Array {
  const known = drawing.drawn.get(i);
  if (known !== undefined) return known;
  const { law, function: name = "", of = [], p = 1 } = atoms[i]!;
  let draws = new Float64Array(DRAWS);
  if (law === "derived") {
    const given = of.map((part) =>
      typeof part === "number"
        ? new Float64Array(DRAWS).fill(part)
        : drawsOfForm(part, atoms, drawing)
    );
    const f = FUNCTIONS[name] ?? (() => NaN);
    draws = draws.map((_, k) => f(...given.map((values) => values[k]!)));
  } else STANDARD[law](drawing.source, draws, p);
  drawing.drawn.set(i, draws);
  return draws;
}

/** Draws of a standard law, written to `out`. */
type Fill = (source: Source, out: Float64Array, p: number) => void;

/** Fills with a function of one standard draw. */
function mapped(fill: Fill, draw: (x: number, p: number) => number): Fill {
  return (source, out, p) => {
    fill(source, out, p);
    out.forEach((x, k) => out[k] = draw(x, p));
  };
}

/** How noise of each standard law is drawn. */
const STANDARD: Readonly<Record<Exclude<NoiseLaw, "derived">, Fill>> = {
  uniform: floatUniform,
  laplace: (source, out) => floatLaplace(source, out),
  normal: (source, out) => floatNormal(source, out),
  exponential: (source, out) => floatExponential(source, out),
  gumbel: mapped((source, out) => floatExponential(source, out), (x) => -Math.log(x)),
  logistic: mapped(floatUniform, (u) => Math.log(u / (1 - u))),
  // An exponential variable of rate −ln(1 − p), rounded up.
  geometric: mapped(
    (source, out) => floatExponential(source, out),
    (x, p) => p === 1 ? 1 : Math.max(1, Math.ceil(x / -Math.log1p(-p))),
  ),
};

const LEVELS = Array.from({ length: 99 }, (_, k) => (k + 1) / 100);

/** Quantiles of the laws that noise may have. */
const QUANTILES: Readonly<Record<Exclude<IdentifiedLaw["law"], "unknown">, readonly number[]>> = {
  laplace: LEVELS.map((q) => q < 0.5 ? Math.log(2 * q) : -Math.log(2 - 2 * q)),
  normal: LEVELS.map((q) => normalTailQuantile(1 - q)),
  exponential: LEVELS.map((q) => -Math.log1p(-q)),
  gumbel: LEVELS.map((q) => -Math.log(-Math.log(q))),
  logistic: LEVELS.map((q) => Math.log(q / (1 - q))),
};

/** Returns the law that sorted draws have, by least squares of their quantiles on those of each law; `undefined` where they have none of these. Its 0 is at `at`. */
export function nearestLaw(
  sorted: Float64Array,
): (IdentifiedLaw & { readonly at: number }) | undefined {
  const own = LEVELS.map((q) => sorted[Math.floor(q * sorted.length)]!);
  const n = LEVELS.length, meanOwn = own.reduce((sum, x) => sum + x, 0) / n;
  let best: ReturnType<typeof nearestLaw>, least = NEAR;
  for (const [law, quantiles] of Object.entries(QUANTILES)) {
    const mean = quantiles.reduce((sum, x) => sum + x, 0) / n;
    let xy = 0, xx = 0;
    for (let k = 0; k < n; k++) {
      xy += (quantiles[k]! - mean) * (own[k]! - meanOwn);
      xx += (quantiles[k]! - mean) ** 2;
    }
    const slope = xy / xx;
    let squares = 0;
    for (let k = 0; k < n; k++) {
      squares += (own[k]! - meanOwn - slope * (quantiles[k]! - mean)) ** 2;
    }
    const error = Math.sqrt(squares / n) / Math.abs(slope);
    if (error < least) {
      least = error;
      const at = meanOwn - slope * mean;
      best = { law: law as IdentifiedLaw["law"], scale: Math.abs(slope), at };
    }
  }
  return best;
}
