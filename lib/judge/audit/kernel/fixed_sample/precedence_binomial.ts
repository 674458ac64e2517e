import type { Source } from "../../../../core/mechanism/source.ts";
import { stirlingCorrection } from "../../../../core/numeric/log_gamma.ts";

/**
 * Returns one draw of Binomial(n, p): inversion where n·min(p, 1 − p) is below 10, else the transformed
 * rejection of Hörmann 1993 ("The generation of binomial random variates", algorithm BTRS). For the
 * calibration of {@linkcode precedenceTest}; exact up to the rounding of doubles.
 */
export function drawBinomial(source: Source, n: number, p: number): number {
  if (!(p > 0) || n <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - drawBinomial(source, n, 1 - p);
  return n * p < 10 ? invert(source, n, p) : reject(source, n, p);
}

function invert(source: Source, n: number, p: number): number {
  const odds = p / (1 - p);
  let mass = Math.exp(n * Math.log1p(-p));
  let remaining = source.uniform();
  for (let k = 0; k < n; k++) {
    if (remaining < mass) return k;
    remaining -= mass;
    mass *= ((n - k) / (k + 1)) * odds;
    if (mass === 0) return k;
  }
  return n;
}

function reject(source: Source, n: number, p: number): number {
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const c = n * p + 0.5;
  const quick = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const ratio = p / (1 - p);
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const u = source.uniform() - 0.5, v = source.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || k > n) continue;
    const log = Math.log(v * alpha / (a / (us * us) + b));
    const bound = (mode + 0.5) * Math.log((mode + 1) / (ratio * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log(ratio * (n - k + 1) / (k + 1)) +
      stirlingCorrection(mode + 1) + stirlingCorrection(n - mode + 1) -
      stirlingCorrection(k + 1) - stirlingCorrection(n - k + 1);
    if (log <= bound) return k;
  }
}
