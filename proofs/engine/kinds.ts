/**
 * What each kind of check says of a statement, strongest first. It is the kind of what decides the cases that `checked` names; what `checked` names "beside
 * them" is shipped code, compared with what was decided at these points.
 */
export const KINDS = {
  exact:
    "whole numbers, fractions or polynomials in e^ε: nothing is rounded, and every case that is named is decided",
  certified: "every rounding is enclosed, and every case of a continuum that is named is decided",
  exhaustive: "every case of a finite family that is named, in floating point",
  sampled: "chosen or generated cases, each without sampling error; others are not looked at",
  statistical: "seeded draws, with the chance of a false alarm stated",
} as const;

/** What kind of check stands behind a result. */
export type ProofKind = keyof typeof KINDS;
