/** A case in which a claim of a paper is tried: what is lost there, by an exact law or an integral, and what the claim allows, in the units of the claim. */
export interface Case {
  readonly lost: number;
  readonly allowed: number;
}

/** The cases of a claim, by its number in the second part of DPriv-Bench. */
export type Claims = Readonly<Record<number, () => Iterable<Case>>>;

/** Of integrals, relative and absolute. */
const RELATIVE = 1e-6, ABSOLUTE = 1e-12;

/** True if no case loses more than the claim allows; a claim that allows no number (0/0, the logarithm of a negative one) is broken. */
export function holds(cases: Iterable<Case>): boolean {
  for (const { lost, allowed } of cases) {
    if (!(lost <= allowed + RELATIVE * Math.abs(allowed) + ABSOLUTE)) return false;
  }
  return true;
}
