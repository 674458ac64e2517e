import { type Rational, rational } from "../../../core/numeric/rational.ts";

/** One question to a solver: what it is about, and what is asserted. The answer must be `unsat`. */
export interface SmtQuestion {
  readonly about: string;
  readonly asserts: readonly string[];
}

/** Returns a text as a comment of one line. */
export function comment(text: string): string {
  // deno-lint-ignore no-control-regex
  return `; ${text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")}`;
}

/** Returns the fraction of a text of a certificate, such as `-3/4` or `2`. */
export function fractionOf(text: string): Rational {
  const [numerator, denominator = "1"] = text.split("/");
  return rational(BigInt(numerator!), BigInt(denominator));
}

/** Returns a fraction as a number of SMT-LIB. */
export function smtNumber({ numerator, denominator }: Rational): string {
  const size = numerator < 0n ? -numerator : numerator;
  const positive = denominator === 1n ? `${size}.0` : `(/ ${size}.0 ${denominator}.0)`;
  return numerator < 0n ? `(- ${positive})` : positive;
}

/** Returns a sum. */
export function smtSum(terms: readonly string[]): string {
  if (terms.length === 0) return "0.0";
  return terms.length === 1 ? terms[0]! : `(+ ${terms.join(" ")})`;
}

/** Returns all of these. */
export function smtAnd(conditions: readonly string[]): string {
  if (conditions.length === 0) return "true";
  return conditions.length === 1 ? conditions[0]! : `(and ${conditions.join(" ")})`;
}

/** Returns one of these. */
export function smtOr(conditions: readonly string[]): string {
  if (conditions.length === 0) return "false";
  return conditions.length === 1 ? conditions[0]! : `(or ${conditions.join(" ")})`;
}

/** Returns a question in lines, within a scope of its own. */
export function askedIn({ about, asserts }: SmtQuestion): string[] {
  return [
    "(push 1)",
    comment(about),
    ...asserts.map((each) => `(assert ${each})`),
    "(check-sat)",
    "(pop 1)",
  ];
}
