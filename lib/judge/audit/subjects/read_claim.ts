import { type Claim, claimUnder } from "../../../core/claims/claim.ts";
import type { Relation } from "../../../core/relations/relation.ts";

/** The kinds of claims. */
const KINDS: readonly unknown[] = ["pure", "approximate", "zcdp", "renyi", "gaussian"];

/**
 * Makes a claim of the fields that a module or a message gives, and checks them.
 *
 * @throws {RangeError} when the fields are not those of a claim.
 */
export function readClaim(fields: unknown, { relation }: { readonly relation: Relation }): Claim {
  const kind = (fields as { readonly kind?: unknown } | null)?.kind;
  if (!KINDS.includes(kind)) {
    throw new RangeError(
      `Cannot load a subject: the kind of its claim must be one of ${KINDS.join(", ")}: ` +
        `current value is ${String(kind)}`,
    );
  }
  return claimUnder(fields as Claim, { relation });
}
