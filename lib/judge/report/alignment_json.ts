import { claimToJSON } from "../../core/claims/claim.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
import type { DivergenceRefutation } from "../exact/likelihood/refute_by_divergence.ts";
import type { LikelihoodRefutation } from "../exact/likelihood/refute_by_likelihood.ts";
import type { AlignmentAudit } from "./alignment_text.ts";
import { shownOutput } from "./exact_json.ts";
import { jsonText } from "./json_text.ts";
import { notSeenByAlignment } from "./not_seen.ts";

/**
 * Returns the report of a proof by alignments as JSON text. `epsilon` is what was proved, rounded up, and null where nothing was. In datasets and
 * outputs the strings "NaN", "Infinity" and "-Infinity" stand for these numbers.
 *
 * @example
 * ```ts
 * import type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
 * const verdictOf = (report: AlignmentReport) =>
 *   JSON.parse(alignmentJson(report, { seconds: 1 })).verdict;
 * ```
 */
export function alignmentJson(
  report: AlignmentReport,
  { seconds, audited, refuted, relation }: {
    readonly seconds: number;
    /** Under which the pairs are neighbours; `undefined` for one pair that was given. */
    readonly relation?: Relation | undefined;
    readonly audited?: AlignmentAudit;
    readonly refuted?: LikelihoodRefutation | DivergenceRefutation;
  },
): string {
  const byLikelihood = refuted !== undefined && "likelihood" in refuted ? refuted : undefined;
  const { worst } = report,
    orNull = (value: number): number | null => Number.isFinite(value) ? value : null;
  return jsonText({
    verdict: refuted !== undefined || audited?.verdict === "refuted" ? "refuted" : report.verdict,
    subject: report.subject,
    claim: claimToJSON(report.claim),
    kind: "alignment",
    epsilon: orNull(report.epsilon),
    mu: orNull(report.mu),
    amount: orNull(report.amount),
    epsilonLowerBound: byLikelihood === undefined
      ? audited?.epsilonLowerBound ?? null
      : orNull(byLikelihood.loss),
    amountLowerBound: refuted !== undefined && "amount" in refuted ? orNull(refuted.amount) : null,
    pair: refuted !== undefined
      ? { left: refuted.left, right: refuted.right }
      : audited?.verdict === "refuted"
      ? audited.pair
      : worst?.pair ?? null,
    output: byLikelihood !== undefined
      ? shownOutput(byLikelihood.output)
      : worst === undefined
      ? null
      : shownOutput(worst.output),
    likelihood: byLikelihood === undefined
      ? null
      : { ...byLikelihood.likelihood, densities: byLikelihood.rank },
    event: audited?.event ?? null,
    audit: audited === undefined ? null : {
      verdict: audited.verdict,
      alpha: audited.alpha,
      draws: audited.draws,
      eValue: Number.isFinite(audited.eValue) ? audited.eValue : Number.MAX_VALUE,
    },
    open: report.open.map((each) => ({ ...each, output: shownOutput(each.output) })),
    unrun: report.unrun.map((each) => ({ ...each, output: shownOutput(each.output) })),
    branches: report.paths,
    classes: report.classes,
    cases: report.cases,
    notSeen: notSeenByAlignment({ relation }),
    seconds,
  });
}
