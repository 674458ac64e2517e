/**
 * Checks a certificate of `dpcheck exact --certificate FILE`, with whole numbers alone and no code of the enumeration: the laws
 * are laws, and the verdict follows from them. That they are the laws of the program is not checked.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

/** Σ c·exp(−x/scale) by x. */
type Sum = Map<bigint, bigint>;

type Terms = readonly (readonly [exponent: string, coefficient: string])[];

interface Certificate {
  readonly dpcheck: string;
  readonly claim: { readonly kind: string; readonly epsilon: number; readonly delta?: number };
  readonly verdict: string;
  readonly everyEpsilon: boolean;
  readonly scale: string;
  readonly datasets: readonly unknown[];
  readonly pairs: readonly (readonly [number, number])[];
  /** Probabilities are outputs over the denominator; what is left of it may belong to any output. */
  readonly laws: readonly {
    readonly denominator: Terms;
    readonly remainder: string;
    readonly outputs: Record<string, Terms>;
  }[];
}

/** Why a certificate is rejected; `undefined` when it is accepted. */
export function rejection(text: string): string | undefined {
  try {
    const certificate = JSON.parse(text) as Certificate;
    const { dpcheck, claim, verdict, pairs, laws, datasets } = certificate;
    demand(dpcheck === "certificate 1", "it is no certificate");
    demand(["pure", "approximate"].includes(claim.kind) && claim.epsilon > 0, "the claim");
    demand(pairs.length > 0 && laws.length === datasets.length, "laws and datasets");
    demand(verdict === "holds" || verdict === "refuted", "the verdict");
    demand(
      isRefuted(certificate) === (verdict === "refuted"),
      "the verdict does not follow from the laws",
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`rejected: ${what}`);
}

/** A double as a fraction. */
function fractionOf(value: number): [numerator: bigint, denominator: bigint] {
  let denominator = 1n;
  for (; !Number.isInteger(value); value *= 2) denominator *= 2n;
  return [BigInt(value), denominator];
}

function bothWays<Law>(laws: readonly Law[], pairs: Certificate["pairs"]): [Law, Law][] {
  return pairs.flatMap(([i, j]): [Law, Law][] => {
    const { [i]: left, [j]: right } = laws;
    demand(left !== undefined && right !== undefined && i !== j, "a pair");
    return [[left, right], [right, left]];
  });
}

/** Whether Σ (P − e^ε·Q)⁺ exceeds δ by more than e^ε times what is left of Q. Without, the claim holds up to what is left. */
function isRefuted({ claim, scale: text, laws, pairs, everyEpsilon }: Certificate): boolean {
  const scale = BigInt(text), [numerator, denominator] = fractionOf(claim.epsilon);
  demand(scale > 0n && (numerator * scale) % denominator === 0n, "ε is no multiple of 1/scale");
  const exponent = numerator * scale / denominator;
  const [allowed, parts] = fractionOf(claim.delta ?? 0);
  const read = laws.map((law) => {
    const total = sumOf(law.denominator), outputs = new Map<string, Sum>();
    const remainder: Sum = plus(new Map(), new Map([[0n, BigInt(law.remainder)]]), 1n);
    demand(
      signOf(total, scale) > 0 && signOf(remainder, scale) >= 0,
      "what probabilities are over",
    );
    let left = plus(total, remainder, -1n);
    for (const [key, terms] of Object.entries(law.outputs)) {
      const sum = sumOf(terms);
      demand(signOf(sum, scale) >= 0, "a probability is negative");
      outputs.set(key, sum);
      for (const [x, c] of sum) left.set(x, (left.get(x) ?? 0n) - c);
    }
    left = plus(left, new Map(), 1n);
    demand(left.size === 0, "probabilities do not add up to 1");
    return { total, outputs, remainder };
  });
  return bothWays(read, pairs).map(([from, to]) => {
    let excess = plus(new Map(), shifted(times(to.remainder, from.total), -exponent), -1n);
    for (const [key, sum] of from.outputs) {
      // P − e^ε·Q, times both denominators.
      const other = times(to.outputs.get(key) ?? new Map(), from.total);
      const difference = plus(times(sum, to.total), shifted(other, -exponent), -1n);
      if (everyEpsilon) demand(neverPositive(difference, exponent), "an inequality at some t ≥ 1");
      if (signOf(difference, scale) > 0) excess = plus(excess, difference, 1n);
    }
    const room = times(from.total, to.total);
    return signOf(plus(times(excess, new Map([[0n, parts]])), room, -allowed), scale) > 0;
  }).includes(true);
}

function sumOf(terms: Terms): Sum {
  const sum: Sum = new Map();
  for (const [x, c] of terms) {
    demand(!sum.has(BigInt(x)) && BigInt(c) !== 0n, "a sum with equal or empty terms");
    sum.set(BigInt(x), BigInt(c));
  }
  return sum;
}

function plus(left: Sum, right: Sum, factor: bigint): Sum {
  const sum = new Map(left);
  for (const [x, c] of right) sum.set(x, (sum.get(x) ?? 0n) + factor * c);
  for (const [x, c] of sum) if (c === 0n) sum.delete(x);
  return sum;
}

function times(left: Sum, right: Sum): Sum {
  let product: Sum = new Map();
  for (const [x, c] of left) product = plus(product, shifted(right, x), c);
  return product;
}

function shifted(sum: Sum, by: bigint): Sum {
  return new Map([...sum].map(([x, c]) => [x + by, c]));
}

const known = new Map<string, [bigint, bigint]>();

/** The sign, for no sum with terms is 0: exponentials of different fractions are independent over the fractions. */
function signOf(sum: Sum, scale: bigint): number {
  if (sum.size === 0) return 0;
  const least = [...sum.keys()].reduce((a, b) => b < a ? b : a);
  for (let places = 128n; places < 1n << 16n; places *= 2n) {
    let lower = 0n, upper = 0n;
    for (const [x, c] of sum) {
      const key = `${x - least}/${scale} ${places}`;
      const [low, high] = known.get(key) ?? exponential(x - least, scale, places);
      known.set(key, [low, high]);
      lower += c * (c > 0n ? low : high);
      upper += c * (c > 0n ? high : low);
    }
    if (lower > 0n) return 1;
    if (upper < 0n) return -1;
  }
  throw new Error("rejected: a sign could not be told");
}

/** Bounds of 2^places·exp(−numerator/denominator): the series at a 2^k-th of the exponent, squared k times. */
function exponential(numerator: bigint, denominator: bigint, places: bigint): [bigint, bigint] {
  if (numerator === 0n) return [1n << places, 1n << places];
  let halvings = 0n;
  while (numerator > denominator << halvings) halvings++;
  const fine = places + 2n * halvings + 32n, one = 1n << fine;
  let low = 0n, high = 0n, [least, most] = [one, one];
  for (let k = 1n; most > 1n; k++) {
    [low, high] = k % 2n === 1n ? [low + least, high + most] : [low - most, high - least];
    const divisor = (denominator << halvings) * k;
    [least, most] = [least * numerator / divisor, most * numerator / divisor + 1n];
  }
  [low, high] = [low - most - 1n, high + most + 1n];
  for (let i = 0n; i < halvings; i++) {
    [low, high] = [(low * low) >> fine, ((high * high) >> fine) + 1n];
  }
  return [low >> (fine - places), (high >> (fine - places)) + 1n];
}

/** Whether Σ c·t^(−x/g) ≤ 0 for all t ≥ 1: its coefficients in powers of t − 1 say so. */
function neverPositive(sum: Sum, exponent: bigint): boolean {
  if (sum.size === 0) return true;
  const exponents = [...sum.keys()], most = exponents.reduce((a, b) => b > a ? b : a);
  let common = exponent;
  for (const x of exponents) {
    for (let rest = x; rest !== 0n;) [common, rest] = [rest, common % rest];
  }
  const unit = common < 0n ? -common : common;
  const degree = exponents.reduce((a, x) => (most - x) / unit > a ? (most - x) / unit : a, 0n);
  demand(degree < 1000n, "a degree");
  const coefficients = new Array<bigint>(Number(degree) + 1).fill(0n);
  for (const [x, c] of sum) coefficients[Number((most - x) / unit)] = c;
  for (let i = 0; i <= degree; i++) {
    for (let k = Number(degree) - 1; k >= i; k--) coefficients[k]! += coefficients[k + 1]!;
  }
  return coefficients.every((coefficient) => coefficient <= 0n);
}

if (import.meta.main) {
  const reason = rejection(readFileSync(process.argv[2] ?? "", "utf8"));
  console.log(reason ?? "accepted");
  process.exit(reason === undefined ? 0 : 1);
}
