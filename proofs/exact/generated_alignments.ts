import { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import type { Proof } from "../checks/aligned_runs.ts";
import {
  requireAllPairs,
  requireGaussianPairs,
  requireLists,
  requireMixtures,
  requirePaths,
  requireVectors,
} from "../checks/alignment_classes.ts";
import { requireDecisions, requireGuardedLines } from "../checks/generated_decisions.ts";
import { casesInTurn } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

type Prove = typeof proveAlignment;

function changed(of: (report: Proof["report"]) => Proof["report"]): Prove {
  return async (...args) => {
    const { report, details } = await proveAlignment(...args);
    return { report: of(report), details };
  };
}

/** Alignments of programs that are generated, and of classes of outputs by hand. */
export const generatedAlignments = theorem<Prove>({
  id: "exact/generated_alignments",
  statement:
    "What dpcheck exact shows of programs that compare noisy values in any way holds for runs of them, and at their claim; noise that undoes the change of its own " +
    "answer is always found; lines behind a comparison lose what their corners say, at the pair that is shown; outputs of several paths, and draws of Gaussian noise in " +
    "several outputs, are aligned together, and outputs that show the data are not.",
  citation: "Albarghouthi, Hsu 2018; Dong, Roth, Su 2019 on sums of μ²",
  source: "lib/exact/alignment",
  kind: "sampled",
  checked:
    "16 generated programs of up to two comparisons in a row, with four kinds of noise; six generated lines behind a comparison; lists of one to three comparisons with Laplace noise, Gaussian noise and both; seven programs with outputs of two paths; sums with both kinds of noise; rows of two numbers in two relations; three programs that leak at an end, and one that does one way round",
  assumptions: ["noise and data are real numbers"],
  subject: proveAlignment,
  check: (prove, { seed }) => {
    const source = new SeededSource(seed).split("generated alignments");
    return casesInTurn({
      "paths": () => requirePaths(prove, source),
      "lists": () => requireLists(prove, source),
      "both kinds of noise": () => requireMixtures(prove, source),
      "all pairs": () => requireAllPairs(prove),
      "pairs": () => requireGaussianPairs(prove),
      "rows of two numbers": () => requireVectors(prove, source),
      "lines": () => requireGuardedLines(prove, source),
      "decisions": () => requireDecisions(prove, source),
    });
  },
  mutants: {
    "losses of half": changed((report) => ({ ...report, epsilon: report.epsilon / 2 })),
    "all are proved": changed((report) => ({ ...report, verdict: "holds" })),
    "Gaussian noise forgotten": changed((report) => ({ ...report, mu: 0 })),
    "one pair for all": changed((report) => ({
      ...report,
      worst: report.worst && { ...report.worst, pair: { left: [0, 0, 0], right: [1, 1, 1] } },
    })),
  },
});
