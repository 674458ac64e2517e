import type { Claim } from "../../core/claims/claim.ts";
import { shownNumber } from "./shown_number.ts";

/** Returns a parameter of a claim of this kind, with its name, as in "ε = 0.5". */
export function amountOf(claim: Claim, parameter: number, digits = 5): string {
  const amount = `${symbolOf(claim)} = ${shownNumber(parameter, digits)}`;
  switch (claim.kind) {
    case "approximate":
      return `${amount} at δ = ${claim.delta}`;
    case "renyi":
      return `${amount} at order ${claim.order}`;
    default:
      return amount;
  }
}

/** Returns the name of the parameter of a claim of this kind. */
export function symbolOf({ kind }: Pick<Claim, "kind">): string {
  return kind === "zcdp" ? "ρ" : kind === "gaussian" ? "μ" : "ε";
}
