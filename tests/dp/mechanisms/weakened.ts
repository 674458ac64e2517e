import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { randomisedResponse } from "../../../lib/dp/mechanisms/randomised_response.ts";
import type { RegistryOptions } from "../../../lib/dp/mechanisms/registry.ts";
import { shippedNamed } from "../../../lib/dp/tables/registry.ts";

/** The share of the noise that mutants keep. */
export const KEPT = 0.85;

/** The shipped mechanism of that name with 15% less noise, under the claim of the whole. */
export function weakened(name: string, options: RegistryOptions): Mechanism {
  const { claim, domain } = shippedNamed(name, options);
  if (name === "two-coin-survey") {
    // Its ε is fixed: one answer in four is a lie, of which the mutant keeps 85%.
    const lies = KEPT / 4;
    const epsilon = Math.log((1 - lies) / lies);
    return { ...randomisedResponse({ epsilon, domain }) as Mechanism, claim };
  }
  const epsilon = name.endsWith("gaussian")
    ? epsilonOfKeptNoise(name, options)
    : options.epsilon / KEPT;
  return { ...shippedNamed(name, { ...options, epsilon }), claim };
}

/** The ε for which a Gaussian mechanism has 85% of its noise, which is no multiple of 1/ε. */
function epsilonOfKeptNoise(name: string, options: RegistryOptions): number {
  const kept = KEPT * deviationOf(shippedNamed(name, options));
  let low = options.epsilon, high = name === "classical-gaussian" ? 1 - 1e-9 : 4 * low;
  for (let i = 0; i < 50; i++) {
    const epsilon = (low + high) / 2;
    if (deviationOf(shippedNamed(name, { ...options, epsilon })) > kept) low = epsilon;
    else high = epsilon;
  }
  return high;
}

/** The standard deviation parameter of a Gaussian mechanism, up to a factor that is its own. */
function deviationOf(mechanism: Mechanism): number {
  return "grid" in mechanism
    ? (mechanism.grid as { readonly scaleInSteps: number }).scaleInSteps
    : Math.exp(-mechanism.logDensity!(0, [0]));
}
