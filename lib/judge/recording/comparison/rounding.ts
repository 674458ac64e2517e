/** Numbers that differ by no more than this share are equal: sums in another order round otherwise. */
export const ROUNDING = 1e-9;
/** Changes and shifts up to this are none. */
export const STILL = 1e-12;
/** What shifts cover of a change they cover but for this share: programs may compute in single precision. */
export const SINGLE_ROUNDING = 1e-6;
