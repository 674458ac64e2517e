import type { Relation } from "./relation.ts";

/**
 * The mark of what a constructor of claims made. Copies (`{...claim}`) and literals lack it, so that they are of
 * another type.
 */
export declare class ClaimBrand {
  #branded: true;
}

const branded = new WeakSet<object>();

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
  branded.add(claim);
  return claim;
}

/** Throws unless a constructor of claims made `claim`: its fields are then numbers in range that stay as they are. */
export function requireClaim(action: string, claim: unknown): void {
  // A WeakSet has nothing that is no object.
  if (branded.has(claim as object)) return;
  throw new TypeError(
    `Cannot ${action}: claim must be made by pure(), approximate(), zcdp(), renyi() or gaussian(): ` +
      `current value is ${claim === null ? "null" : `another ${typeof claim}`}`,
  );
}
