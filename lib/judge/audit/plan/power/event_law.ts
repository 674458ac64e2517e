import { type Claim, renyi } from "../../../../core/claims/claim.ts";
import type { LeafLaw } from "../../kernel/betting/leaf_law.ts";
import { parameterOfLaw } from "../bet_choice/law_parameter.ts";

/** The laws of a pair whose outputs differ in one event alone, as two cells: the event, and all other outputs. */
export interface EventLaw extends LeafLaw {
  /** The share of outputs in the event, averaged over both datasets. */
  readonly share: number;
}

/** Orders at which a concentrated claim is looked at: close to each other, for the parameter is not to come out too small. */
const ORDERS = Array.from({ length: 64 }, (_, k) => 1 + 0.001 * 1.17 ** k);

/** Returns the law of an event of this share, `apart` more likely on the right dataset than on average, and less on the left. */
export function eventLaw(share: number, apart: number): EventLaw {
  const left = share - apart, right = share + apart;
  return {
    share,
    left: Float64Array.of(left, 1 - left),
    right: Float64Array.of(right, 1 - right),
  };
}

/** Returns the least parameter with which a claim of this kind holds for the law of an event. */
export function parameterOfEvent(law: EventLaw, claim: Claim): number {
  if (claim.kind !== "zcdp") return parameterOfLaw(law, claim);
  const { relation } = claim;
  return Math.max(
    ...ORDERS.map((order) => parameterOfLaw(law, renyi({ order, epsilon: 1, relation })) / order),
  );
}

/** Halvings in which a law is found at most. */
const STEPS = 48;

/** Returns the law of an event of this share that a claim of this parameter just allows. */
export function eventLawAt(
  share: number,
  { claim, parameter }: { readonly claim: Claim; readonly parameter: number },
): EventLaw {
  return leastApart(share, (law) => parameterOfEvent(law, claim) >= parameter) ??
    eventLaw(share, mostApart(share));
}

/**
 * Returns the law of an event of this share whose two probabilities differ least among those with a property, which all that differ more have
 * too. `precision` is the relative error of the difference, and of what is left to the largest one.
 */
export function leastApart(
  share: number,
  has: (law: EventLaw) => boolean,
  { precision = 0 }: { readonly precision?: number } = {},
): EventLaw | undefined {
  const most = mostApart(share);
  let low = 0, high = most;
  if (!has(eventLaw(share, high))) return undefined;
  for (let step = 0; step < STEPS; step++) {
    if (high - low <= precision * Math.min(low, most - high)) break;
    const middle = (low + high) / 2;
    if (has(eventLaw(share, middle))) high = middle;
    else low = middle;
  }
  return eventLaw(share, high);
}

/** Returns the largest difference: all but the last digits of what puts the event on one dataset alone. */
function mostApart(share: number): number {
  return Math.min(share, 1 - share) * (1 - 1e-9);
}
