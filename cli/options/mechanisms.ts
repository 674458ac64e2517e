import { closestName } from "../../lib/core/text/closest_name.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { shippedNamed, shippedNames } from "../../lib/dp/tables/registry.ts";
import { BadInput } from "./bad_input.ts";

/** The names that `--mechanism` knows. */
export const names: readonly string[] = [...shippedNames].sort();

/** The error for an unknown mechanism: it suggests the nearest name, or lists all. */
export function unknownMechanism(name: string): BadInput {
  const near = closestName(name, names);
  return new BadInput(
    `--mechanism ${name} is not known${near || `: there are ${names.join(", ")}`}`,
  );
}

/**
 * The shipped mechanism of a name, made for the ε (and δ) of the claim that the user gives.
 *
 * @throws {RangeError} when it cannot be made for it.
 */
export function namedMechanism(name: string, claim: Claim): Mechanism {
  if (claim.kind !== "pure" && claim.kind !== "approximate") {
    throw new RangeError(`${name} must have a claim with --epsilon`);
  }
  return shippedNamed(name, claim);
}
