/** Returns a number with at most `digits` significant digits and no needless zeros. */
export function shortNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "-∞" : "NaN";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    return rounded.toExponential().replace("e+", "e");
  }
  return String(rounded);
}

/** As {@linkcode shortNumber}, and never less than the value: for losses. */
export function roundedUp(value: number, digits: number): string {
  const near = Number(value.toPrecision(digits));
  if (!Number.isFinite(value) || near >= value) return shortNumber(near, digits);
  const [, exponent] = value.toExponential(digits - 1).split("e");
  return shortNumber(near + 10 ** (Number(exponent) - digits + 1), digits);
}

/** Returns a count with its thousands set apart. */
export function longCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** As {@linkcode shortNumber}, with the thousands of what is not a power of ten set apart. */
export function groupedNumber(value: number, digits = 4): string {
  const short = shortNumber(value, digits);
  return /^-?\d+(\.\d+)?$/.test(short)
    ? Number(short).toLocaleString("en-US", { maximumFractionDigits: 20 })
    : short;
}
