import type { Certificate, CheckOptions, Outcome, Theorem } from "./theorem.ts";

/** What running one theorem showed. */
export interface ProofResult {
  /** As in the registry. */
  readonly id: string;
  /** The claim. */
  readonly statement: string;
  /** Author, year and number. */
  readonly citation: string;
  /** Where it was met. */
  readonly source: string;
  /** Where it is below proofs, when that is not its id. */
  readonly file?: string;
  /** True where no shipped code is run. */
  readonly onPaper?: true;
  /** What stands behind the result. */
  readonly kind: Theorem["kind"];
  /** The cases of the statement that the check decides. */
  readonly checked?: string;
  /** What should come out. */
  readonly expected: Theorem["expected"];
  /** As expected, with every mutant rejected and a corrected twin that holds. */
  readonly ok: boolean;
  /** What came out; "failed" where a check threw an error, which shows nothing of its statement. */
  readonly result: "holds" | "refuted" | "failed";
  /** The worst case as a share of what is claimed; NaN for none. */
  readonly margin: number;
  /** What was looked at. */
  readonly detail: string;
  /** The case that breaks the claim. */
  readonly witness?: string;
  /** Certificates of what was found to hold. */
  readonly certificates?: readonly Certificate[];
  /** What it holds under. */
  readonly assumptions: readonly string[];
  /** The broken variants, and whether the check rejected each. */
  readonly mutants: readonly { readonly name: string; readonly rejected: boolean }[];
  /** What is true in place of a false claim. */
  readonly corrected?: { readonly name: string; readonly holds: boolean; readonly margin: number };
  /** Time taken, mutants and all. */
  readonly seconds: number;
}

/** A whole run. */
export interface ProofReport {
  /** No theorem failed, no mutant survived. */
  readonly ok: boolean;
  /** Of every random choice. */
  readonly seed: number;
  /** Time taken. */
  readonly seconds: number;
  /** In the order of the registry. */
  readonly results: readonly ProofResult[];
}

/** The seed unless another is asked for: fixed before any result was looked at. */
export const PROOF_SEED = 20261121;

/**
 * Runs theorems one after the other: each check, its mutants and, for a false claim, its corrected
 * twin. A mutant that the check accepts fails the theorem, for then the check shows nothing. An error
 * thrown by a check, on the theorem, a mutant or the twin, makes the result "failed" and is its witness; the run goes on
 * with the next theorem.
 *
 * @example
 * ```ts
 * import { theorems } from "../book.ts";
 * import { prove } from "./prove.ts";
 * const survey = theorems.filter(({ id }) => id === "mechanisms/randomised_response");
 * (await prove(survey)).ok; // true
 * ```
 */
export async function prove(
  theorems: readonly Theorem[],
  { seed = PROOF_SEED, onResult = () => {} }: Partial<CheckOptions> & {
    /** Called after every theorem. */
    readonly onResult?: (result: ProofResult) => void;
  } = {},
): Promise<ProofReport> {
  const start = performance.now();
  const results: ProofResult[] = [];
  for (const theorem of theorems) {
    const result = await run(theorem, { seed });
    onResult(result);
    results.push(result);
  }
  return {
    ok: results.every(({ ok }) => ok),
    seed,
    seconds: (performance.now() - start) / 1000,
    results,
  };
}

async function run(theorem: Theorem, options: CheckOptions): Promise<ProofResult> {
  const {
    id,
    statement,
    citation,
    source,
    file,
    onPaper,
    kind,
    checked,
    expected,
    assumptions,
    corrected,
  } = theorem;
  const start = performance.now();
  const { outcome, thrown } = await attempt(theorem, options);
  const errors = thrown ? [outcome.witness!] : [];
  const mutants: ProofResult["mutants"][number][] = [];
  for (const mutant of theorem.mutants) {
    const { outcome: found, thrown: broke } = await attempt(mutant, options);
    if (broke) errors.push(`on "${mutant.name}", ${found.witness}`);
    mutants.push({ name: mutant.name, rejected: !broke && !found.holds });
  }
  const twin = corrected && await attempt(corrected, options);
  if (twin?.thrown) errors.push(`on "${corrected!.name}", ${twin.outcome.witness}`);
  const witness = errors[0] ?? outcome.witness;
  const asExpected = errors.length === 0 && outcome.holds === (expected === "holds");
  return {
    id,
    statement,
    citation,
    source,
    ...(file === undefined ? {} : { file }),
    ...(onPaper === undefined ? {} : { onPaper }),
    kind,
    ...(checked === undefined ? {} : { checked }),
    expected,
    ok: asExpected && mutants.length > 0 && mutants.every(({ rejected }) => rejected) &&
      (expected === "holds" || twin?.outcome.holds === true),
    result: errors.length > 0 ? "failed" : outcome.holds ? "holds" : "refuted",
    margin: outcome.margin,
    detail: outcome.detail,
    ...(witness === undefined ? {} : { witness }),
    ...(outcome.certificates === undefined ? {} : { certificates: outcome.certificates }),
    assumptions,
    mutants,
    ...(twin === undefined ? {} : {
      corrected: {
        name: corrected!.name,
        holds: twin.outcome.holds,
        margin: twin.outcome.margin,
      },
    }),
    seconds: (performance.now() - start) / 1000,
  };
}

/** The outcome of a check; one that does not hold, with the error as its witness, when it throws. */
async function attempt(
  { check }: Pick<Theorem, "check">,
  options: CheckOptions,
): Promise<{ outcome: Outcome; thrown: boolean }> {
  try {
    return { outcome: await check(options), thrown: false };
  } catch (error) {
    const witness = `the check threw ${error}`;
    const outcome = { holds: false, margin: NaN, detail: "the check did not end", witness };
    return { outcome, thrown: true };
  }
}
