import { type Claim, describeClaim } from "../../../../core/claims/claim.ts";
import { parameterOf } from "../../../../core/claims/claim_curve.ts";
import { sameRow } from "../../../../core/relations/relation.ts";
import { isExceptedOutput } from "../../subjects/excepted_outputs.ts";
import { shareText } from "../../../../core/numeric/share_text.ts";
import type { Outputs } from "../../kernel/outputs.ts";
import type { Subject } from "../../kernel/subject.ts";

/** Figures of an audit without a refutation, by which to say what it was able to refute. */
interface RunWithoutRefutation {
  readonly claim: Claim;
  /** Draws in all. */
  readonly draws: number;
  /** The value of every output, if no two differ. */
  readonly onlyValue: { readonly value: unknown } | undefined;
  /** The recorded outputs, where no program was run. */
  readonly recorded: Subject["recorded"];
  /** The parameter that would have been refuted with 90% power; `null` without draws on the pair. */
  readonly detectable: number | null;
  /** The share of outputs that have an event in which it would have been. */
  readonly share: number;
  /** The multiple of the claimed parameter that it may have at most. */
  readonly requirePower: number;
}

/**
 * Returns why a run that refuted nothing shows nothing, in a sentence without a full stop; `undefined` where a violation of
 * `requirePower` times the claim would have been seen.
 */
export function inconclusiveReason(run: RunWithoutRefutation): string | undefined {
  const { claim, draws, onlyValue, recorded, detectable, share, requirePower } = run;
  if (draws === 0) return "the budget was spent before the first output came";
  if (requirePower === Infinity) return undefined;
  if (onlyValue !== undefined && draws > 1) return reasonOfConstant(onlyValue.value);
  if (recorded !== undefined && isSameRecording(recorded)) {
    return "both recordings hold the same outputs in the same order: they must come from separate runs";
  }
  const { name, value } = parameterOf(claim);
  const required = requirePower * value;
  if (detectable !== null && detectable < Infinity && detectable <= required) return undefined;
  const symbol = { epsilon: "ε", rho: "ρ", mu: "μ" }[name];
  const seen = detectable === null || !Number.isFinite(detectable)
    ? `no violation of ${describeClaim(claim)}, however large, would have been seen`
    : `only a violation above ${symbol} = ${
      Number(detectable.toPrecision(3))
    } would have been seen`;
  const event = `in an event that ${shareText(share)} of the outputs have`;
  return `with these draws ${seen} with 90% power ${event}, and ${symbol} = ${
    Number(required.toPrecision(3))
  } is required (--require-power ${requirePower})`;
}

function reasonOfConstant(value: unknown): string {
  if (isExceptedOutput(value)) return "every output satisfied an excepted event";
  return value === null || value === undefined
    ? "every output was null: the program may lack a return statement"
    : "every output was the same on all datasets";
}

function isSameRecording(
  { left, right }: { readonly left: Outputs; readonly right: Outputs },
): boolean {
  const [a, b]: ArrayLike<unknown>[] = [left.values, right.values];
  if (left.kind !== right.kind || a!.length !== b!.length) return false;
  for (let i = 0; i < a!.length; i++) if (!sameRow(a![i], b![i])) return false;
  return true;
}
