import type { ProofKind } from "./kinds.ts";

/** What somebody else can check a part of a theorem by. */
export interface Certificate {
  /** What it certifies. */
  readonly name: string;
  /** The certificate, as `dpcheck exact --certificate` writes it. */
  readonly text: string;
  /** The script that accepts or rejects it. */
  readonly checker: "scripts/check_alignment.ts" | "scripts/check_certificate.ts";
}

/** What one run of a check found. */
export interface Outcome {
  /** Whether the statement held. */
  readonly holds: boolean;
  /** The worst case as a share of what is claimed: 1 is tight, above 1 breaks it. */
  readonly margin: number;
  /** The case that breaks it, for a reader. */
  readonly witness?: string;
  /** What was looked at, in a phrase. */
  readonly detail: string;
  /** Certificates of what holds; those that are too long for a page are left out. */
  readonly certificates?: readonly Certificate[];
}

/** What a check may depend on besides its statement. */
export interface CheckOptions {
  /** Of every random choice in a check. */
  readonly seed: number;
}

/** The same check on something else than the theorem is about. */
interface Variant {
  /** What is different about it. */
  readonly name: string;
  /** The check. */
  check(options: CheckOptions): Outcome | Promise<Outcome>;
}

/** What a reader is told of a theorem. */
interface Statement {
  /** Folder and file: `mechanisms/laplace`. */
  readonly id: string;
  /** The claim in a sentence or two. */
  readonly statement: string;
  /** Author, year and number. */
  readonly citation: string;
  /** Where it was met: slides or paper, and the place in it. */
  readonly source: string;
  /** What is worth remembering of it: a sentence whose numbers come from the code. */
  readonly remember: () => string;
  /** Where it is below proofs, without its ending, when that is not its id: several theorems in one file. */
  readonly file?: string;
  /** True where the check runs no mechanism, rule, learner or exact check that is shipped: the statement stands alone. */
  readonly onPaper?: true;
}

/** A theorem, or a claim that is false: one that was published, or a common mistake. */
export interface Theorem extends Statement {
  /** What it holds under. */
  readonly assumptions: readonly string[];
  /** What stands behind the result. */
  readonly kind: ProofKind;
  /** The cases of the statement that the check decides, and no others; a witness against a false claim needs none. */
  readonly checked?: string;
  /** Claims that are false are expected to be refuted. */
  readonly expected: "holds" | "refuted";
  /** The check of the theorem itself. */
  check(options: CheckOptions): Outcome | Promise<Outcome>;
  /** Broken variants, which the same check must reject. At least one. */
  readonly mutants: readonly Variant[];
  /** For a false claim, its corrected twin, of which the same check must hold. */
  readonly corrected?: Variant;
}

/** A theorem as its file writes it: one check, and the subjects that it is run on. */
interface TheoremOptions<Subject> extends Statement {
  /** What it holds under. */
  readonly assumptions?: readonly string[];
  /** What stands behind the result. */
  readonly kind: ProofKind;
  /** The check: of the theorem's subject, its twin and its mutants alike. */
  readonly check: (subject: Subject, options: CheckOptions) => Outcome | Promise<Outcome>;
  /** What the theorem, or the false claim, is about. */
  readonly subject: Subject;
  /** Broken subjects by name. */
  readonly mutants: Readonly<Record<string, Subject>>;
}

/** A theorem that is expected to hold. */
export function theorem<Subject>(
  { check, subject, mutants, assumptions = [], ...rest }: TheoremOptions<Subject> & {
    readonly checked: string;
  },
): Theorem {
  return {
    ...rest,
    assumptions,
    expected: "holds",
    check: (options) => check(subject, options),
    mutants: variants(mutants, check),
  };
}

/** A published claim (false_claims) or a common mistake (common_mistakes) that is expected to be refuted, with what is true in its place. */
export function falseClaim<Subject>(
  { check, subject, mutants, corrected, assumptions = [], ...rest }: TheoremOptions<Subject> & {
    readonly corrected: { readonly name: string; readonly subject: Subject };
  },
): Theorem {
  return {
    ...rest,
    assumptions,
    expected: "refuted",
    check: (options) => check(subject, options),
    mutants: variants(mutants, check),
    corrected: { name: corrected.name, check: (options) => check(corrected.subject, options) },
  };
}

function variants<Subject>(
  subjects: Readonly<Record<string, Subject>>,
  check: TheoremOptions<Subject>["check"],
): Variant[] {
  return Object.entries(subjects).map(([name, subject]) => ({
    name,
    check: (options) => check(subject, options),
  }));
}
