import { type Loss, NO_LOSS } from "./loss.ts";
import type { Declared } from "./recording.ts";

/** Returns the privacy loss of a declared mechanism whose value moves by a share of the declared sensitivity. */
export function lossOfDeclared(
  { epsilon = 0, rho = 0, delta = 0, distance }: Declared,
  share = 1,
): Loss {
  const own = epsilon * share;
  return {
    ...NO_LOSS,
    pure: own === 0 ? [] : [own],
    muSquared: 2 * rho * share * share,
    delta,
    // A bounded range of ε is ε²/8-zCDP (Cesar, Rogers 2021, Corollary 1).
    ...(distance === "range" ? { unspent: 0.75 * own * own } : {}),
  };
}
