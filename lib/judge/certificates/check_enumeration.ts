/**
 * Checks a certificate of `dpcheck exact --certificate FILE`, with whole numbers alone and no code of the enumeration: the laws
 * are laws, they are stated for all datasets of the domain, and the verdict about all neighbours follows from them. That they are the
 * laws of the program is not checked; with the program's file, that it is the one that was run.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { ofDouble } from "./exact_fraction.ts";
import {
  datasetsOf,
  domain,
  fraction,
  hash,
  neighboursAmong,
  neighboursIn,
} from "./neighbours_of_domain.ts";
import {
  anything,
  demand,
  entries,
  integer,
  list,
  number,
  oneOf,
  orNull,
  pair,
  place,
  positive,
  type Reader,
  readJson,
  record,
  string,
} from "./strict_json.ts";

/** Σ c·exp(−x/scale) by x. */
export type Sum = Map<bigint, bigint>;

/** Probabilities are outputs over the denominator; what is left of it may belong to any output. */
export interface Law {
  readonly denominator: Sum;
  readonly remainder: Sum;
  readonly outputs: Map<string, Sum>;
}

interface Claim {
  readonly kind: "pure" | "approximate";
  readonly epsilon: number;
  readonly delta?: number;
  readonly relation: string;
}

const sum: Reader<Sum> = (value, where) => {
  const terms = list(pair(integer, integer))(value, where), found = new Map(terms);
  demand(found.size === terms.length && terms.every(([, c]) => c !== 0n), where);
  return found;
};

const law: Reader<Law> = record<Law>({
  denominator: sum,
  remainder: (value, where) => plus(new Map(), new Map([[0n, integer(value, where)]]), 1n),
  outputs: entries(sum),
});

const claim: Reader<Claim> = (value, where) => {
  const common = { epsilon: positive, relation: string };
  if ((value as { kind?: unknown } | null)?.kind === "pure") {
    return record<Claim>({ kind: oneOf("pure"), ...common })(value, where);
  }
  const read = record<Required<Claim>>({ kind: oneOf("approximate"), ...common, delta: number });
  const found = read(value, where);
  demand(found.delta >= 0 && found.delta < 1, `${where}.delta`);
  return found;
};

const certificate = record({
  dpcheck: oneOf("certificate 2"),
  program: record({ name: string, sha256: orNull(hash) }),
  claim,
  domain: orNull(domain),
  verdict: oneOf("holds", "refuted"),
  // What a claim that holds may miss in δ, for draws that were not run.
  slack: fraction,
  everyEpsilon: oneOf(true, false),
  scale: integer,
  datasets: list(anything),
  pairs: list(pair(place, place)),
  // Datasets with one law share it: for each dataset the place of its law.
  places: list(place),
  laws: list(law),
});

type Certificate = ReturnType<typeof certificate>;

/** Reads a certificate. @throws {Error} where it has another form. */
export function readEnumeration(
  text: string,
): Pick<Certificate, "datasets" | "places" | "laws" | "scale"> {
  return readJson(text, certificate);
}

/** One over the largest slack with which a claim is still said to hold. */
const LEAST_SHARE = 1000n;

/** Returns what a certificate shows, in words. @throws {Error} for one that is rejected. */
export function shown(text: string, program?: string): string {
  const read = readJson(text, certificate);
  const { claim, verdict, datasets, pairs, places, laws, slack: [n, d] } = read;
  const { name, sha256 } = read.program;
  demand(
    program === undefined || sha256 === createHash("sha256").update(program).digest("hex"),
    "the program is not the one that was run",
  );
  // All datasets of the domain, and all neighbours among them.
  if (read.domain !== null) {
    demand(JSON.stringify(datasets) === JSON.stringify(datasetsOf(read.domain)), "the datasets");
  }
  demand(
    new Set(datasets.map((data) => JSON.stringify(data))).size === datasets.length,
    "datasets",
  );
  demand(claim.relation !== "asserted" || datasets.length === 2, "neighbours by assertion");
  demand(
    pairs.length > 0 &&
      JSON.stringify(pairs) === JSON.stringify(
          read.domain === null
            ? neighboursAmong(datasets, claim.relation)
            : neighboursIn(read.domain, claim.relation),
        ),
    "the neighbours",
  );
  demand(places.length === datasets.length && places.every((at) => at < laws.length), "places");
  demand(n >= 0n && n * LEAST_SHARE <= d, "the slack");
  const refuted = refutedPair(read);
  demand(
    (refuted !== undefined) === (verdict === "refuted"),
    "the verdict does not follow from the laws",
  );
  if (verdict === "refuted") demand(n === 0n && !read.everyEpsilon, "a refutation with slack");
  const delta = claim.delta === undefined ? "" : `, δ = ${claim.delta}`;
  const which = `ε = ${claim.epsilon}${delta} under ${claim.relation}`;
  const where = read.domain === null
    ? `the ${pairs.length} pairs among ${datasets.length} datasets that the certificate lists`
    : `all ${pairs.length} pairs of the ${datasets.length} datasets with ${
      JSON.stringify(read.domain)
    }`;
  const conclusion = refuted === undefined
    ? `it keeps ${which} on ${where}${n === 0n ? "" : `, with δ larger by at most ${n}/${d}`}${
      read.everyEpsilon ? "; and its inequalities hold at every ε whose exponents grow with it" : ""
    }.`
    : `it does not keep ${which}: ${JSON.stringify(datasets[refuted[0]])} and ${
      JSON.stringify(datasets[refuted[1]])
    } tell.`;
  const file = sha256 === null ? "" : `, whose file has SHA-256 ${sha256}`;
  return `If the laws written here are those of ${JSON.stringify(name)}${file}, then ${conclusion}`;
}

/** Returns why a certificate is rejected; `undefined` when it is accepted. */
export function rejection(text: string, program?: string): string | undefined {
  try {
    shown(text, program);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The datasets on which Σ (P − e^ε·Q)⁺ exceeds δ by more than e^ε times what is left of Q, the likelier side first. Where there are
 * none, demands that with what is left of P it exceeds δ by no more than the slack.
 */
function refutedPair(
  { claim, scale, laws, places, pairs, slack, everyEpsilon }: Certificate,
): [number, number] | undefined {
  const [numerator, denominator] = ofDouble(claim.epsilon);
  demand(scale > 0n && (numerator * scale) % denominator === 0n, "ε is no multiple of 1/scale");
  demand(claim.epsilon <= 2 ** 20, "ε is too large to be checked");
  const exponent = numerator * scale / denominator;
  const [allowed, parts] = ofDouble(claim.delta ?? 0);
  for (const { denominator, remainder, outputs } of laws) {
    for (const each of [denominator, remainder, ...outputs.values()]) {
      const far = (x: bigint): boolean => x < -scale << 20n || x > scale << 20n;
      demand(![...each.keys()].some(far), "an exponent");
    }
    demand(signOf(denominator, scale) > 0, "what probabilities are over");
    let left = plus(denominator, remainder, -1n);
    for (const each of [remainder, ...outputs.values()]) {
      demand(signOf(each, scale) >= 0, "a probability is negative");
    }
    for (const each of outputs.values()) left = plus(left, each, -1n);
    demand(left.size === 0, "probabilities do not add up to 1");
  }
  const compared = new Set<string>();
  for (const [i, j] of pairs) {
    for (const [a, b] of [[i, j], [j, i]] as const) {
      const key = `${places[a]} ${places[b]}`;
      if (compared.has(key)) continue;
      compared.add(key);
      const from = laws[places[a]!]!, to = laws[places[b]!]!;
      let excess: Sum = new Map();
      for (const [key, p] of from.outputs) {
        // P − e^ε·Q, times both denominators.
        const q = times(to.outputs.get(key) ?? new Map(), from.denominator);
        const difference = plus(times(p, to.denominator), shifted(q, -exponent), -1n);
        if (everyEpsilon) {
          demand(neverPositive(difference, exponent), "an inequality at some t ≥ 1");
        }
        if (signOf(difference, scale) > 0) excess = plus(excess, difference, 1n);
      }
      const one = times(from.denominator, to.denominator);
      const above = (value: Sum, [n, d]: readonly [bigint, bigint]): boolean =>
        signOf(plus(times(value, new Map([[0n, d]])), one, -n), scale) > 0;
      const unexplained = shifted(times(to.remainder, from.denominator), -exponent);
      if (above(plus(excess, unexplained, -1n), [allowed, parts])) return [a, b];
      const most = plus(excess, times(from.remainder, to.denominator), 1n);
      const [n, d] = slack;
      demand(
        !above(most, [allowed * d + n * parts, parts * d]),
        "the claim holds up to the remainders only",
      );
    }
  }
  return undefined;
}

/** Returns left + factor·right. */
export function plus(left: Sum, right: Sum, factor: bigint): Sum {
  const sum = new Map(left);
  for (const [x, c] of right) sum.set(x, (sum.get(x) ?? 0n) + factor * c);
  for (const [x, c] of sum) if (c === 0n) sum.delete(x);
  return sum;
}

/** Returns the product. */
export function times(left: Sum, right: Sum): Sum {
  let product: Sum = new Map();
  for (const [x, c] of left) product = plus(product, shifted(right, x), c);
  return product;
}

/** Returns exp(−by/scale) times a sum. */
export function shifted(sum: Sum, by: bigint): Sum {
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

/** Bounds of 2^places·exp(−numerator/denominator), for exponents of at least 0: the series at a 2^k-th of the exponent, squared k times. */
export function exponential(
  numerator: bigint,
  denominator: bigint,
  places: bigint,
): [bigint, bigint] {
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

/** Returns true if Σ c·t^(−x/g) ≤ 0 for all t ≥ 1: its coefficients in powers of t − 1 say so. */
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
