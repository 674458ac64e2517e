import { requireKind } from "../numeric/require.ts";
import { requireKnown } from "../text/known_options.ts";
import { type Amount, decimalOf, numberDown } from "../numeric/amount.ts";
import * as claims from "./claim.ts";
import { rememberTexts } from "./claim_brand.ts";

/** The fields of a claim as its constructor takes them: amounts may be decimal text. */
export type InAmounts<Fields> = {
  readonly [Key in Exclude<keyof Fields, "kind">]: Fields[Key] extends number
    ? Key extends "order" ? number : Amount
    : Fields[Key];
};

/** The numbers of each claim. */
const NUMBERS = {
  pure: ["epsilon"],
  approximate: ["epsilon", "delta"],
  zcdp: ["rho"],
  renyi: ["order", "epsilon"],
  gaussian: ["mu"],
} as const;

/** Makes a claim of amounts: of text it has the largest double below, and keeps the text. */
function ofAmounts<Made extends object>(
  constructor: keyof typeof NUMBERS,
  make: (fields: never) => Made,
  given: Readonly<Record<string, unknown>>,
): Made {
  requireKind(constructor, "given", given, "record");
  requireKnown(`call ${constructor}()`, given, [...NUMBERS[constructor], "relation"]);
  const fields: Record<string, unknown> = {}, texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const exact = typeof value === "string" ? decimalOf(value) : undefined;
    fields[name] = exact === undefined ? value : numberDown(exact);
    if (exact !== undefined) texts[name] = value as string;
  }
  return rememberTexts(make(fields as never), texts);
}

/**
 * Makes the claim of ε-DP. No default for any argument. An amount may be decimal text, as in `epsilon: "0.1"`: the claim has the largest
 * double that is at most it, and budgets count what the text says.
 *
 * @throws {RangeError} unless ε is positive and finite.
 * @throws {TypeError} unless the relation is one.
 *
 * @example
 * ```ts
 * import { pure, replaceOne } from "@dpcheck/dpcheck";
 * pure({ epsilon: "0.1", relation: replaceOne });
 * ```
 */
export function pure(given: InAmounts<claims.PureClaim>): claims.PureClaim {
  return ofAmounts("pure", claims.pure, given);
}

/** Makes the claim of (ε, δ)-DP. @throws {RangeError} unless ε is positive and finite and δ in [0, 1). */
export function approximate(given: InAmounts<claims.ApproximateClaim>): claims.ApproximateClaim {
  return ofAmounts("approximate", claims.approximate, given);
}

/** Makes the claim of ρ-zCDP. @throws {RangeError} unless ρ is positive and finite. */
export function zcdp(given: InAmounts<claims.ZcdpClaim>): claims.ZcdpClaim {
  return ofAmounts("zcdp", claims.zcdp, given);
}

/** Makes the claim of Rényi privacy at one order. @throws {RangeError} unless order > 1 and ε > 0, both finite. */
export function renyi(given: InAmounts<claims.RenyiClaim>): claims.RenyiClaim {
  return ofAmounts("renyi", claims.renyi, given);
}

/** Makes the claim of μ-GDP. @throws {RangeError} unless μ is positive and finite. */
export function gaussian(given: InAmounts<claims.GaussianClaim>): claims.GaussianClaim {
  return ofAmounts("gaussian", claims.gaussian, given);
}
