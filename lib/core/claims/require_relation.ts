import { type Relation, sameRelation } from "../relations/relation.ts";
import type { Claim } from "./claim.ts";

/** Throws unless the claim is about `relation`. */
export function requireRelation(
  action: string,
  claim: Claim,
  { relation }: { readonly relation: Relation },
): void {
  if (sameRelation(claim.relation, relation)) return;
  const { name } = claim.relation;
  throw new RangeError(
    `Cannot ${action}: the claim's relation must be ${relation.name}: ` +
      `current value is ${name === relation.name ? "another relation of that name" : name}`,
  );
}
