import {
  addPolynomials,
  multiplyPolynomials,
  type Polynomial,
} from "../../lib/judge/exact/polynomial.ts";
import { subtractPolynomials, valueAt } from "./polynomials.ts";
import { nonNegativeFrom } from "../../lib/judge/exact/sturm.ts";

/**
 * A law on finitely many outputs whose probabilities are weight/(sum of weights), each weight a
 * polynomial in t with whole coefficients, not negative for t ≥ 1. With t = e^(ε/k) that covers
 * randomised response, geometric noise, the exponential mechanism and permute-and-flip.
 */
type FiniteLaw = readonly Polynomial[];

/** The laws of one mechanism on two neighbouring datasets, output by output. */
export interface LawPair {
  /** Which pair, for a reader. */
  readonly name: string;
  /** On the one. */
  readonly left: FiniteLaw;
  /** On the other. */
  readonly right: FiniteLaw;
}

/** Where a ratio exceeds its bound. */
interface RatioWitness {
  /** The pair's name, and the direction. */
  readonly pair: string;
  /** The output's index. */
  readonly output: number;
  /** A t at which it does, where a simple one was found. */
  readonly t: number | undefined;
  /** ln of the ratio there, in nats. */
  readonly loss: number;
}

/** What became of a claim about ratios for all t ≥ 1. */
interface RatioProof {
  /** No ratio exceeds the bound, for any t ≥ 1. */
  readonly holds: boolean;
  /** How many inequalities were decided. */
  readonly inequalities: number;
  /** The largest ln(ratio)/ln(bound) over pairs, outputs and the probed t. */
  readonly tightness: number;
  /** The first that does. */
  readonly witness?: RatioWitness;
}

/** The t at which tightness is measured: it plays no part in the proof. */
const PROBES = [1.001, 1.05, 1.5, Math.E, 10, 1000];

/**
 * Decides for all t ≥ 1 at once whether no output is more than `bound` times likelier on one side
 * of a pair than on the other: left_i·Σright ≤ bound·right_i·Σleft as polynomials, both ways.
 *
 * @param options `bound` is e^ε as a polynomial in t: t² when t = e^(ε/2), or 3 for ε = ln 3.
 * @throws {RangeError} when the two sides of a pair have different numbers of outputs.
 *
 * @example
 * ```ts
 * import { proveRatios } from "./enumerate.ts";
 * // Randomised response with t = e^ε: truth with weight t, a lie with weight 1.
 * const pair = { name: "yes, no", left: [[0n, 1n], [1n]], right: [[1n], [0n, 1n]] };
 * proveRatios([pair], { bound: [0n, 1n] }).holds; // true, for every ε
 * ```
 */
export function proveRatios(
  pairs: Iterable<LawPair>,
  { bound }: { readonly bound: Polynomial },
): RatioProof {
  let inequalities = 0, tightness = 0, witness: RatioWitness | undefined;
  for (const { name, left, right } of pairs) {
    if (left.length !== right.length) {
      throw new RangeError(
        "Cannot compare laws: both sides must have the same number of outputs: " +
          `current numbers are ${left.length} and ${right.length}`,
      );
    }
    for (
      const [from, to, way] of [[left, right, name], [right, left, `${name}, reversed`]] as const
    ) {
      const fromTotal = addPolynomials(...from), toTotal = addPolynomials(...to);
      for (let output = 0; output < from.length; output++) {
        const likelier = multiplyPolynomials(from[output]!, toTotal);
        const allowed = multiplyPolynomials(to[output]!, fromTotal);
        const lossAt = (t: number): number =>
          Math.log(valueAt(likelier, t)) - Math.log(valueAt(allowed, t));
        for (const t of PROBES) {
          const loss = lossAt(t);
          // An output that neither side has loses nothing.
          if (Number.isNaN(loss)) continue;
          tightness = Math.max(tightness, loss / Math.log(valueAt(bound, t)));
        }
        inequalities++;
        // One witness is enough to refute: the rest is measured only.
        if (witness !== undefined) continue;
        const certificate = nonNegativeFrom(
          subtractPolynomials(multiplyPolynomials(bound, allowed), likelier),
          { from: 1n },
        );
        if (!certificate.holds) {
          const at = certificate.counterexample;
          const t = at === undefined ? undefined : Number(at.numerator) / Number(at.denominator);
          witness = { pair: way, output, t, loss: lossAt(t ?? NaN) };
        }
      }
    }
  }
  return {
    holds: witness === undefined,
    inequalities,
    tightness,
    ...(witness === undefined ? {} : { witness }),
  };
}
