import { requireChance, requireDelta, requireNonNegative } from "../../../core/numeric/require.ts";

/** The ε (in nats) and δ of approximate differential privacy; δ is 0 when left out. */
export interface PrivacyParameters {
  /** Nats, at least 0. */
  readonly epsilon: number;
  /** In [0, 1). */
  readonly delta?: number;
}

/** A result of accounting: both numbers are upper bounds. ε and δ of 0 mean that nothing was released. */
export interface PrivacyTotal {
  /** Nats, at least 0. */
  readonly epsilon: number;
  /** In [0, 1]: 1 when nothing is promised. */
  readonly delta: number;
}

/** Throws unless ε is finite and at least 0 and δ is in [0, 1). */
export function requireParameters(
  action: string,
  { epsilon, delta = 0 }: PrivacyParameters,
): void {
  requireNonNegative(action, "epsilon", epsilon);
  requireDelta(action, "delta", delta);
}

/** Throws unless `slack`, the δ that a composition theorem pays with, is in (0, 1). */
export function requireSlack(action: string, slack: number): void {
  requireChance(action, "slack", slack);
}
