import { expEnclosure } from "../../../core/numeric/exp_enclosure.ts";
import { add, multiply, type Rational, rational } from "../../../core/numeric/rational.ts";
import {
  addSums,
  addTerm,
  type ExponentialSum,
  multiplySums,
  term,
} from "../enumeration/exponential_sum.ts";
import { askedIn, comment, fractionOf, smtNumber, smtOr, smtSum } from "./smt_text.ts";

/** Terms coefficient·exp(−exponent/scale), as a certificate writes them. */
type Terms = readonly (readonly [exponent: string, coefficient: string])[];

/** A certificate of enumeration, as far as it is read here. */
export interface EnumerationCertificateJson {
  readonly program: { readonly name: string };
  readonly claim: {
    readonly kind: "pure" | "approximate";
    readonly epsilon: number;
    readonly delta?: number;
    readonly relation: string;
  };
  readonly verdict: "holds" | "refuted";
  readonly slack: string;
  readonly scale: string;
  readonly pairs: readonly (readonly [number, number])[];
  readonly places: readonly number[];
  readonly laws: readonly {
    readonly denominator: Terms;
    readonly remainder: string;
    readonly outputs: Readonly<Record<string, Terms>>;
  }[];
}

interface Law {
  readonly denominator: ExponentialSum;
  readonly remainder: ExponentialSum;
  readonly outputs: ReadonlyMap<string, ExponentialSum>;
}

/** Digits, in bits, of the bounds between which an exponential lies. */
const BITS = 256;

/**
 * Returns the proof of a certificate of enumeration as questions in SMT-LIB 2 (Barrett, Fontaine, Tinelli 2017), each of which a solver must answer
 * with `unsat`. Laws are laws: no probability is below 0, and they add up to 1. Where the claim holds, for each pair of neighbours, both ways
 * round, the sum over outputs of (P − e^ε·Q)⁺ is at most δ; where it is refuted, for one of them it is above δ.
 *
 * Each power of e is a variable between two rational bounds. Products of powers are written as one power, so that what is equal for
 * all of them cancels.
 */
export function enumerationToSmt(certificate: EnumerationCertificateJson): string {
  const { claim, verdict, pairs, places, program } = certificate;
  // Finer exponents where ε is no multiple of 1/scale, so that e^ε is a power like the others.
  const epsilon = rational(claim.epsilon);
  const finer = multiply(epsilon, rational(BigInt(certificate.scale))).denominator;
  const scale = BigInt(certificate.scale) * finer;
  const exponent = epsilon.numerator * scale / epsilon.denominator;
  const sumOf = (terms: Terms): ExponentialSum => {
    const sum = new Map<bigint, bigint>();
    for (const [x, c] of terms) addTerm(sum, BigInt(x) * finer, BigInt(c));
    return sum;
  };
  const laws = certificate.laws.map(({ denominator, remainder, outputs }): Law => ({
    denominator: sumOf(denominator),
    remainder: term(0n, BigInt(remainder)),
    outputs: new Map(Object.entries(outputs).map(([key, terms]) => [key, sumOf(terms)])),
  }));
  const powers = new Powers(scale), questions: string[] = [];
  const ask = (about: string, assert: string): void => {
    questions.push(...askedIn({ about, asserts: [assert] }));
  };
  laws.forEach((law, i) => {
    const parts = [law.remainder, ...law.outputs.values()];
    ask(
      `law ${i}: a probability is below 0`,
      smtOr([
        `(<= ${powers.term(law.denominator)} 0.0)`,
        ...parts.map((each) => `(< ${powers.term(each)} 0.0)`),
      ]),
    );
    const rest = parts.reduce((sum, each) => addSums(sum, each, { factor: -1n }), law.denominator);
    ask(`law ${i}: probabilities do not add up to 1`, `(not (= ${powers.term(rest)} 0.0))`);
  });
  const most = add(rational(claim.delta ?? 0), fractionOf(certificate.slack));
  const seen = new Set<string>(), refutes: string[] = [];
  for (const [i, j] of pairs) {
    for (const [a, b] of [[i, j], [j, i]] as const) {
      const key = `${places[a]} ${places[b]}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const { excess, one, left, right } = comparedLaws(
        { from: laws[places[a]!]!, to: laws[places[b]!]!, exponent },
        powers,
      );
      const above = (value: string): string => `(> ${value} ${powers.term(one, most)})`;
      if (verdict === "refuted") refutes.push(above(`(- ${excess} ${right})`));
      else {ask(
          `datasets ${a} and ${b}: delta is above the claim's`,
          above(`(+ ${excess} ${left})`),
        );}
    }
  }
  if (verdict === "refuted") ask("no pair exceeds delta", `(not ${smtOr(refutes)})`);
  return [
    comment(
      `${program.name}: ${claim.kind}, epsilon = ${claim.epsilon}, delta = ${
        claim.delta ?? 0
      }, ${claim.relation}, ${verdict}`,
    ),
    comment("Every (check-sat) must answer unsat."),
    comment("e<n> is exp(-n/scale) and E<n> is exp(n/scale), between two rational bounds."),
    comment(`scale is ${scale}; e^epsilon is E${exponent} and is part of the powers below.`),
    "(set-logic QF_LRA)",
    ...powers.declarations(),
    ...questions,
    "",
  ].join("\n");
}

/** Returns the sums of a pair, over the product of both denominators. */
function comparedLaws(
  { from, to, exponent }: { readonly from: Law; readonly to: Law; readonly exponent: bigint },
  powers: Powers,
): {
  readonly excess: string;
  readonly one: ExponentialSum;
  readonly left: string;
  readonly right: string;
} {
  const excess = [...from.outputs].flatMap(([key, p]) => {
    const q = multiplySums(to.outputs.get(key) ?? new Map(), from.denominator);
    const difference = addSums(multiplySums(p, to.denominator), q, {
      factor: -1n,
      exponent: -exponent,
    });
    if (difference.size === 0) return [];
    const written = powers.term(difference);
    return [`(ite (> ${written} 0.0) ${written} 0.0)`];
  });
  return {
    excess: smtSum(excess),
    one: multiplySums(from.denominator, to.denominator),
    left: powers.term(multiplySums(from.remainder, to.denominator)),
    right: powers.term(
      addSums(new Map(), multiplySums(to.remainder, from.denominator), { exponent: -exponent }),
    ),
  };
}

/** The powers of e that occur, as variables. */
class Powers {
  readonly #scale: bigint;
  readonly #used = new Set<bigint>();

  constructor(scale: bigint) {
    this.#scale = scale;
  }

  /** Returns a multiple of a sum, with the powers in it declared. */
  term(sum: ExponentialSum, factor: Rational = rational(1)): string {
    if (factor.numerator === 0n) return "0.0";
    return smtSum([...sum].map(([x, coefficient]) => {
      const value = smtNumber(multiply(rational(coefficient), factor));
      if (x === 0n) return value;
      this.#used.add(x);
      return `(* ${value} ${nameOf(x)})`;
    }));
  }

  /** Returns the declaration of each power, and the bounds between which it lies. */
  declarations(): string[] {
    return [...this.#used].sort((a, b) => a < b ? -1 : 1).flatMap((x) => {
      const name = nameOf(x), { lower, upper } = this.#bounds(x);
      return [
        `(declare-const ${name} Real)`,
        `(assert (and (<= ${smtNumber(lower)} ${name}) (<= ${name} ${smtNumber(upper)})))`,
      ];
    });
  }

  #bounds(x: bigint): { readonly lower: Rational; readonly upper: Rational } {
    const size = rational(x < 0n ? -x : x, this.#scale);
    // exp(−size) has some 1.45·size bits before its first digit.
    const precision = BITS + Math.ceil(1.5 * Number(size.numerator / size.denominator) + 2);
    const { lower, upper } = expEnclosure(size, precision), one = 1n << BigInt(precision);
    return x > 0n
      ? { lower: rational(lower, one), upper: rational(upper, one) }
      : { lower: rational(one, upper), upper: rational(one, lower) };
  }
}

function nameOf(x: bigint): string {
  return x < 0n ? `E${-x}` : `e${x}`;
}
