import type { CheckOptions, Outcome, PendingTheorem, Theorem } from "./theorem.ts";

/** What running one theorem showed. */
export interface ProofResult {
  readonly id: string;
  readonly statement: string;
  readonly citation: string;
  readonly source: string;
  readonly kind: Theorem["kind"] | "pending";
  readonly expected: Theorem["expected"] | "pending";
  /** As expected, with every mutant rejected and a corrected twin that holds. */
  readonly ok: boolean;
  readonly result: "holds" | "refuted" | "pending";
  readonly margin: number;
  readonly detail: string;
  readonly witness?: string;
  readonly assumptions: readonly string[];
  readonly mutants: readonly { readonly name: string; readonly rejected: boolean }[];
  readonly corrected?: { readonly name: string; readonly holds: boolean; readonly margin: number };
  readonly seconds: number;
}

/** A whole run. */
export interface ProofReport {
  /** No theorem failed, no mutant survived. */
  readonly ok: boolean;
  readonly seed: number;
  readonly seconds: number;
  readonly results: readonly ProofResult[];
}

/** The seed unless another is asked for: fixed before any result was looked at. */
export const PROOF_SEED = 20261121;

/**
 * Runs theorems one after the other: each check, its mutants and, for a false claim, its corrected
 * twin. A mutant that the check accepts fails the theorem, for then the check shows nothing.
 *
 * @example
 * ```ts
 * import { theorems } from "./all.ts";
 * import { prove } from "./prove.ts";
 * prove(theorems.filter(({ id }) => id === "mechanisms/randomised_response")).ok; // true
 * ```
 */
export function prove(
  theorems: readonly (Theorem | PendingTheorem)[],
  { seed = PROOF_SEED, onResult = () => {} }: Partial<CheckOptions> & {
    /** Called after every theorem. */
    readonly onResult?: (result: ProofResult) => void;
  } = {},
): ProofReport {
  const start = performance.now();
  const results = theorems.map((theorem) => {
    const result = "pending" in theorem ? pending(theorem) : run(theorem, { seed });
    onResult(result);
    return result;
  });
  return {
    ok: results.every(({ ok }) => ok),
    seed,
    seconds: (performance.now() - start) / 1000,
    results,
  };
}

function pending({ pending, ...statement }: PendingTheorem): ProofResult {
  return {
    ...statement,
    kind: "pending",
    expected: "pending",
    ok: true,
    result: "pending",
    margin: NaN,
    detail: pending,
    assumptions: [],
    mutants: [],
    seconds: 0,
  };
}

function run(theorem: Theorem, options: CheckOptions): ProofResult {
  const { id, statement, citation, source, kind, expected, assumptions, corrected } = theorem;
  const start = performance.now();
  const outcome: Outcome = theorem.check(options);
  const mutants = theorem.mutants.map((mutant) => ({
    name: mutant.name,
    rejected: !mutant.check(options).holds,
  }));
  const twin = corrected?.check(options);
  const asExpected = outcome.holds === (expected === "holds");
  return {
    id,
    statement,
    citation,
    source,
    kind,
    expected,
    ok: asExpected && mutants.length > 0 && mutants.every(({ rejected }) => rejected) &&
      (expected === "holds" || twin?.holds === true),
    result: outcome.holds ? "holds" : "refuted",
    margin: outcome.margin,
    detail: outcome.detail,
    ...(outcome.witness === undefined ? {} : { witness: outcome.witness }),
    assumptions,
    mutants,
    ...(twin === undefined
      ? {}
      : { corrected: { name: corrected!.name, holds: twin.holds, margin: twin.margin } }),
    seconds: (performance.now() - start) / 1000,
  };
}
