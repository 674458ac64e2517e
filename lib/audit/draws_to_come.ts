import type { CandidatePair } from "./prediction/candidate_pair.ts";
import type { Evidence } from "./betting/evidence.ts";
import type { Sampler } from "./drawing/sampler.ts";

/** The share of the seconds left that go by while it is measured how fast draws come. */
const MEASURED_SHARE = 0.04;

/**
 * How many draws the rest of the budget is likely to allow with a partition that is fixed by now. Where there is a
 * deadline some are made to measure how fast they come: bet on, and not counted in any test to come.
 */
export async function drawsToCome(
  candidate: CandidatePair,
  { sampler, evidence, isOver }: {
    readonly sampler: Sampler;
    readonly evidence: Evidence;
    /** Ends the audit before its budget is spent. */
    readonly isOver: () => boolean;
  },
): Promise<number> {
  const left = (): number => sampler.maxDraws - sampler.draws;
  if (sampler.maxSeconds === Infinity) return left();
  const { draws, seconds } = sampler;
  const end = seconds + MEASURED_SHARE * (sampler.maxSeconds - seconds);
  await sampler.stay([candidate], evidence, {
    phase: "confirm",
    until: () => isOver() || sampler.seconds >= end,
  });
  const rate = (sampler.draws - draws) / Math.max(1e-6, sampler.seconds - seconds);
  return Math.min(left(), rate * Math.max(0, sampler.maxSeconds - sampler.seconds));
}
