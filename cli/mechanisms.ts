import type { Claim } from "../lib/core/claim.ts";
import type { Mechanism } from "../lib/core/mechanism.ts";
import { mechanismNamed, mechanismNames } from "../lib/mechanisms/registry.ts";

/** The names that `--mechanism` knows. */
export const names: readonly string[] = [...mechanismNames].sort();

/**
 * The shipped mechanism of a name, made for the ε (and δ) of the claim that the user gives.
 *
 * @throws {RangeError} when it cannot be made for it.
 */
export function namedMechanism(name: string, claim: Claim): Mechanism {
  if (claim.kind !== "pure" && claim.kind !== "approximate") {
    throw new RangeError(`${name} must have a claim with --epsilon`);
  }
  return mechanismNamed(name, claim);
}
