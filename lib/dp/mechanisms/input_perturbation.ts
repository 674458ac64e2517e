import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  requireChance,
  requireFields,
  requireInteger,
  requireKind,
} from "../../core/numeric/require.ts";
import { rational } from "../../core/numeric/rational.ts";
import { exactBernoulli } from "../../core/random/exact_bernoulli.ts";
import { randomInteger } from "../../core/random/random_integer.ts";
import { rowByRow } from "./row_by_row.ts";

/**
 * Input perturbation of one entry: the whole database is then published, each entry changed on its
 * own (Evfimievski, Gehrke, Srikant 2003). The chances are public.
 */
export interface Perturbation {
  /** Name in reports. */
  readonly name: string;
  /** Entries it takes: integers from 0 to `size` − 1. */
  readonly size: number;
  /** Returns the integer published in place of the entry, drawn anew on every call. */
  perturb(entry: number, source: Source): number;
  /** P(perturb(entry) = output). */
  probability(entry: number, output: number): number;
}

/**
 * Adds a whole number uniform on [−reach, reach], without wrapping round: the ages of the slides, from
 * 0 to 90 with reach 20. No ε whatever holds: an age of 90 gives 110 and one of 80 never does.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { additiveNoise } from "./input_perturbation.ts";
 * import { SecureSource } from "../../core/random/secure_source.ts";
 * additiveNoise({ size: 91, reach: 20 }).perturb(85, new SecureSource());
 * ```
 */
export function additiveNoise(options: { size: number; reach: number }): Perturbation {
  const { size, reach } = requireFields("additiveNoise", options, {});
  requireKnown("call additiveNoise()", options, ["size", "reach"]);
  requireShape({ size, reach });
  return {
    name: "additive noise",
    size,
    perturb: (entry, source) => entry - reach + randomInteger(source, { below: 2 * reach + 1 }),
    probability: (entry, output) =>
      Number.isInteger(output) && Math.abs(output - entry) <= reach ? 1 / (2 * reach + 1) : 0,
  };
}

/**
 * Keeps the entry with probability `keep`, else puts one of the others in its place: R1 with size 1001
 * and keep 0.2 (with which the slides' 71.6% comes out).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range.
 */
export function keepOrReplace(options: { size: number; keep: number }): Perturbation {
  const { size, keep } = requireFields("keepOrReplace", options, {});
  requireKnown("call keepOrReplace()", options, ["size", "keep"]);
  requireShape({ size, reach: 0 });
  requireChance("make a perturbation", "keep", keep);
  const kept = exactBernoulli(rational(keep));
  return {
    name: "keep or replace",
    size,
    perturb(entry: number, source: Source): number {
      if (kept(source)) return entry;
      return (entry + 1 + randomInteger(source, { below: size - 1 })) % size;
    },
    probability: (entry, output) =>
      !isEntry(output, size) ? 0 : entry === output ? keep : (1 - keep) / (size - 1),
  };
}

/**
 * Adds a whole number uniform on [−reach, reach], modulo size: R2 with size 1001 and reach 100. No ε
 * holds: far entries cannot come out.
 *
 * @throws {RangeError} when a parameter is out of range.
 */
export function wrappedNoise(options: { size: number; reach: number }): Perturbation {
  const { size, reach } = requireFields("wrappedNoise", options, {});
  requireKnown("call wrappedNoise()", options, ["size", "reach"]);
  requireShape({ size, reach });
  return {
    name: "wrapped noise",
    size,
    perturb: (entry, source) =>
      (entry + size - reach + randomInteger(source, { below: 2 * reach + 1 })) % size,
    probability(entry: number, output: number): number {
      if (!isEntry(output, size)) return 0;
      const apart = Math.abs(entry - output);
      return Math.min(apart, size - apart) <= reach ? 1 / (2 * reach + 1) : 0;
    },
  };
}

/**
 * With probability `keep` {@linkcode wrappedNoise}, else any entry: R3 with size 1001, reach 100 and
 * keep 0.5.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when a parameter is out of range.
 */
export function mixedNoise(
  options: { size: number; reach: number; keep: number },
): Perturbation {
  const { size, reach, keep } = requireFields("mixedNoise", options, {});
  requireKnown("call mixedNoise()", options, ["size", "reach", "keep"]);
  requireChance("make a perturbation", "keep", keep);
  const kept = exactBernoulli(rational(keep));
  const wrapped = wrappedNoise({ size, reach });
  return {
    name: "mixed noise",
    size,
    perturb: (entry, source) =>
      kept(source) ? wrapped.perturb(entry, source) : randomInteger(source, { below: size }),
    probability: (entry, output) =>
      isEntry(output, size) ? keep * wrapped.probability(entry, output) + (1 - keep) / size : 0,
  };
}

/**
 * A perturbation as a mechanism on databases: every entry perturbed, with the ε that holds for
 * replacing one of them, ln γ with γ the amplification max P(x → y)/P(x′ → y). With a `domain` of at most
 * 64 entries it is drawn in blocks too, padded with NaN.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} when no ε holds ({@linkcode additiveNoise}, {@linkcode wrappedNoise}), or at
 * release an entry is not an integer from 0 to size − 1.
 *
 * @example
 * ```ts
 * import { mixedNoise, perturbedDatabase } from "./input_perturbation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const r3 = perturbedDatabase(mixedNoise({ size: 1001, reach: 100, keep: 0.5 }));
 * r3.claim; // ln(1 + 1001/201)-DP
 * release(r3, [0, 412, 1000], { budget: openBudget(r3.claim) });
 * ```
 */
export function perturbedDatabase(
  perturbation: Perturbation,
  options: { domain?: Domain } = {},
): Mechanism<number, number[]> {
  requireKind("perturbedDatabase", "perturbation", perturbation, "record");
  const { domain } = requireFields("perturbedDatabase", options, { domain: "record?" });
  const { name, size } = perturbation;
  // Every perturbation here looks the same from each entry: entry 0 shows all chances.
  let most = 0, least = Infinity;
  for (let output = 0; output < size; output++) {
    const chance = perturbation.probability(0, output);
    most = Math.max(most, chance);
    least = Math.min(least, chance);
  }
  if (!(least > 0 && most > least)) {
    throw new RangeError(
      `Cannot make a mechanism: perturbation must give every output a chance from every entry, not all the same: current one is ${name}`,
    );
  }
  const check = (data: Dataset<number>): void => {
    if (!data.every((entry) => isEntry(entry, size))) {
      throw new RangeError(
        `Cannot release perturbed entries: each must be an integer from 0 to ${size - 1}`,
      );
    }
  };
  return rowByRow<number, number>({
    name,
    // Either chance may be rounded by a unit in the last place, which counts where ε is near 0.
    claim: pure({
      epsilon: Math.log1p((most - least) / least) * (1 + 2 ** -50) + 2 ** -50,
      relation: replaceOne,
    }),
    domain,
    numeric: true,
    check,
    answer: (entry, source) => perturbation.perturb(entry, source),
    logChance: (entry, output) => Math.log(perturbation.probability(entry, output)),
  });
}

function isEntry(value: number, size: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < size;
}

function requireShape({ size, reach }: { size: number; reach: number }): void {
  requireInteger("make a perturbation", "size", size, { min: 2, max: 2 ** 30 });
  requireInteger("make a perturbation", "reach", reach, {
    min: 0,
    max: Math.floor((size - 1) / 2),
  });
}
