import type { Source } from "../mechanism/source.ts";
import type { Rational } from "../numeric/rational.ts";
import { exponentialBernoulli, randomBigInteger } from "./exact_bernoulli.ts";

/**
 * One draw of 0, 1, 2, … with P(x) ∝ exp(−rate·x), exactly: the magnitude of Algorithm 2 of Canonne, Kamath, Steinke 2020,
 * without its sign.
 *
 * @throws {RangeError} unless `rate` is positive.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { drawGeometric } from "./draw_geometric.ts";
 * import { rational } from "../numeric/rational.ts";
 * drawGeometric(new SecureSource(), { rate: rational(1, 2) });
 * ```
 */
export function drawGeometric(source: Source, { rate }: { rate: Rational }): bigint {
  const { numerator: s, denominator: t } = rate;
  if (s <= 0n) throw new RangeError("Cannot draw geometric noise: rate must be positive");
  if (source.branch !== undefined) return BigInt(source.branch({ kind: "geometric", rate }));
  for (;;) {
    const within = randomBigInteger(source, { below: t });
    const exponent = { numerator: within, denominator: t };
    if (!exponentialBernoulli(source, { exponent })) continue;
    let whole = 0n;
    while (exponentialBernoulli(source, { exponent: { numerator: 1n, denominator: 1n } })) whole++;
    return (within + t * whole) / s;
  }
}
