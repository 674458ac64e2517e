const bits = new DataView(new ArrayBuffer(8));

/**
 * Returns the exponent of the lowest set bit of a double: the e for which x is an odd multiple of 2^e. 2000 for zero, which is
 * a multiple of every power of two; NaN for infinities and NaN. Naive noise leaves the granularity of its inputs here
 * (Mironov 2012; Haney et al. 2022).
 */
export function lowestBitExponent(x: number): number {
  if (x === 0) return 2000;
  if (!Number.isFinite(x)) return NaN;
  bits.setFloat64(0, x);
  const high = bits.getUint32(0), low = bits.getUint32(4);
  const exponent = (high >>> 20) & 0x7ff;
  // Subnormals have exponent field 0 but the scale of field 1, and no hidden bit.
  const scale = (exponent === 0 ? 1 : exponent) - 1023 - 52;
  if (low !== 0) return scale + 31 - Math.clz32(low & -low);
  const fraction = (high & 0xfffff) | (exponent === 0 ? 0 : 0x100000);
  return scale + 32 + 31 - Math.clz32(fraction & -fraction);
}
