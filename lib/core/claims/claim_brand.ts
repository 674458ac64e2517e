import { exactOf } from "../numeric/amount.ts";
import type { Rational } from "../numeric/rational.ts";
import type { Relation } from "../relations/relation.ts";

/**
 * The mark of what a constructor of claims made. Copies (`{...claim}`) and literals lack it, so that they are of
 * another type.
 */
export declare class ClaimBrand {
  #branded: true;
}

/** The amounts of each claim that were given as text. */
const branded = new WeakMap<object, Readonly<Record<string, string>>>();

/** Freezes the fields of a claim and marks them. For the constructors of claims alone, which check the numbers. */
export function brandClaim<Fields extends { readonly relation: Relation }>(
  fields: Fields,
): Fields & ClaimBrand {
  const { relation } = fields;
  if (typeof relation?.violation !== "function") {
    throw new TypeError(
      `Cannot claim privacy: relation must say when datasets are neighbours: current value is ${relation}`,
    );
  }
  const claim = Object.freeze(fields) as Fields & ClaimBrand;
  branded.set(claim, {});
  return claim;
}

/** Remembers amounts of a claim that were given as text. */
export function rememberTexts<C extends object>(
  claim: C,
  texts: Readonly<Record<string, string>>,
): C {
  branded.set(claim, texts);
  return claim;
}

/** The text of an amount of a claim, where it was given as text. */
export function amountText(claim: object, name: string): string | undefined {
  return branded.get(claim)?.[name];
}

/** The exact amount of a claim: what its text says, where it was given as text, or else what its number stands for. */
export function exactAmount<Name extends string>(
  claim: { readonly [Key in Name]: number },
  name: Name,
): Rational {
  return exactOf(amountText(claim, name) ?? claim[name]);
}

/** Throws unless a constructor of claims made `claim`: its fields are then numbers in range that stay as they are. */
export function requireClaim(action: string, claim: unknown): void {
  // A WeakMap holds objects alone.
  if (branded.has(claim as object)) return;
  throw new TypeError(
    `Cannot ${action}: claim must be made by pure(), approximate(), zcdp(), renyi() or gaussian(): ` +
      `current value is ${claim === null ? "null" : `another ${typeof claim}`}`,
  );
}
