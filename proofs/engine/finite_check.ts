import { type LawPair, proveRatios } from "../tools/enumerate.ts";
import type { Polynomial } from "../../lib/judge/exact/polynomial.ts";
import { short } from "./outcome.ts";
import type { Outcome } from "./theorem.ts";

/** The outcome of proving a bound on ratios for all t ≥ 1. */
export function ratioOutcome(
  pairs: Iterable<LawPair>,
  { bound, of }: { readonly bound: Polynomial; readonly of: string },
): Outcome {
  const proof = proveRatios(pairs, { bound });
  const { witness } = proof;
  return {
    holds: proof.holds,
    margin: proof.tightness,
    detail: `${proof.inequalities} inequalities decided for all ε at once: ${of}`,
    ...(witness === undefined ? {} : {
      witness: `${witness.pair}: output ${witness.output} loses ${short(witness.loss)} nats` +
        (witness.t === undefined ? "" : ` at t = ${short(witness.t)}`),
    }),
  };
}

/** All vectors of `length` whole numbers from `min` to `max`. */
export function* integerVectors(
  length: number,
  { min, max }: { readonly min: number; readonly max: number },
): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const rest of integerVectors(length - 1, { min, max })) {
    for (let value = min; value <= max; value++) yield [...rest, value];
  }
}

/**
 * Pairs of score vectors in which every score moves by −1, 0 or 1, one from each class under
 * shifts: the least score of the left side is 0.
 */
export function* scorePairs(
  { candidates, most }: { readonly candidates: number; readonly most: number },
): Generator<{ left: number[]; right: number[] }> {
  for (const left of integerVectors(candidates, { min: 0, max: most })) {
    if (Math.min(...left) > 0) continue;
    for (const moves of integerVectors(candidates, { min: -1, max: 1 })) {
      yield { left, right: left.map((score, i) => score + moves[i]!) };
    }
  }
}
