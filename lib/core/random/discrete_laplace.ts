import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";
import { type Rational, toNumber } from "../numeric/rational.ts";
import { fillByBlockInversion } from "./block_inversion.ts";
import { type BlockTable, keptBlockTable } from "./block_table.ts";
import { exponentialBernoulli, randomBigInteger } from "./exact_bernoulli.ts";
import { fillByBranches } from "./fill_by_branches.ts";
import type { IntegerNoise } from "./integer_noise.ts";
import { laplaceBlockLaw } from "./laplace_block_law.ts";

/** Blocks have 31 bits at most, and a scale between 2⁷ and 2⁸ blocks. */
const MOST_SCALE_BITS = 38;

/**
 * The discrete Laplace (two-sided geometric) law P(x) = (1 − q)/(1 + q)·q^|x|, q = exp(−1/scale)
 * (Ghosh, Roughgarden, Sundararajan 2009; Canonne, Kamath, Steinke 2020, Definition 24), drawn
 * exactly: integers and fractions decide every draw, {@linkcode fillByBlockInversion} says why. The
 * table is made at the first draw (some milliseconds) and kept.
 *
 * The running time of a block depends on its values only through rare refinements (about one
 * draw in a hundred); whoever can time releases to microseconds is not defended against.
 *
 * @throws {RangeError} unless `scale` is positive and at most 2³⁸.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { discreteLaplace } from "./discrete_laplace.ts";
 * import { rational } from "../numeric/rational.ts";
 * const noise = discreteLaplace({ scale: rational(10) });
 * noise.fill(new SecureSource(), new Float64Array(1000));
 * ```
 */
export function discreteLaplace({ scale }: { scale: Rational }): IntegerNoise {
  requireScale(scale);
  let table: BlockTable | undefined;
  const law = laplaceLaw(scale);
  const rate = toNumber({ numerator: scale.denominator, denominator: scale.numerator });
  // (1 − q)/(1 + q) = tanh(1/(2·scale))
  const logAtZero = Math.log(Math.tanh(rate / 2));
  const logNormaliser = Math.log1p(Math.exp(-rate));
  return {
    fill: (source, out) =>
      source.branch === undefined
        ? fillByBlockInversion(source, out, table ??= keptBlockTable(laplaceBlockLaw, scale))
        : fillByBranches(source, out, law),
    logProbability: (value) =>
      Number.isInteger(value) ? logAtZero - Math.abs(value) * rate : -Infinity,
    // P(X ≥ k) = q^k/(1 + q) for k ≥ 1, and one minus its mirror image for k ≤ 0.
    logUpperTail: (value) =>
      value > 0
        ? -value * rate - logNormaliser
        : Math.log1p(-Math.exp(-(1 - value) * rate - logNormaliser)),
  };
}

/**
 * One draw by Algorithm 2 of Canonne, Kamath, Steinke 2020, as written there: no table, any scale,
 * some microseconds. The batch form of {@linkcode discreteLaplace} is tested against it.
 *
 * @throws {RangeError} unless `scale` is positive.
 *
 * @example
 * ```ts
 * import { SecureSource } from "./secure_source.ts";
 * import { drawDiscreteLaplace } from "./discrete_laplace.ts";
 * import { rational } from "../numeric/rational.ts";
 * drawDiscreteLaplace(new SecureSource(), { scale: rational(7, 3) });
 * ```
 */
export function drawDiscreteLaplace(source: Source, { scale }: { scale: Rational }): bigint {
  const { numerator: t, denominator: s } = scale;
  if (t <= 0n) {
    throw new RangeError("Cannot draw discrete Laplace noise: scale must be positive");
  }
  if (source.branch !== undefined) return BigInt(source.branch(laplaceLaw(scale)));
  for (;;) {
    const within = randomBigInteger(source, { below: t });
    if (
      !exponentialBernoulli(source, { exponent: { numerator: within, denominator: t } })
    ) continue;
    let whole = 0n;
    while (exponentialBernoulli(source, { exponent: { numerator: 1n, denominator: 1n } })) whole++;
    const magnitude = (within + t * whole) / s;
    const negative = source.uint32() >>> 31 === 1;
    if (!(negative && magnitude === 0n)) return negative ? -magnitude : magnitude;
  }
}

function laplaceLaw({ numerator, denominator }: Rational): DiscreteLaw {
  return {
    kind: "discrete laplace",
    rate: { numerator: denominator, denominator: numerator },
  };
}

function requireScale(scale: Rational): void {
  if (scale.numerator <= 0n || scale.numerator > scale.denominator << BigInt(MOST_SCALE_BITS)) {
    throw new RangeError(
      `Cannot make discrete Laplace noise: scale must be positive and at most 2^${MOST_SCALE_BITS}: current value is ${
        toNumber(scale)
      }`,
    );
  }
}
