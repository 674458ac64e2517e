import { transcriptProbability } from "../../../tools/quadrature.ts";
import { atMost, short } from "../../../engine/outcome.ts";
import type { Outcome } from "../../../engine/theorem.ts";

/** Scales of Laplace noise for ε = 1 and sensitivity 1, by the number of answers above. */
export interface SparseVectorScales {
  readonly threshold: (cutoff: number) => number;
  readonly answer: (cutoff: number) => number;
}

/** A run of answers: on the left, on the right, said to be above or not, how often. */
export interface Run {
  readonly left: number;
  readonly right: number;
  readonly above: boolean;
  readonly times: number;
}

/** ln of the ratio of the transcript's probabilities, left over right. */
export function transcriptLoss(
  runs: readonly Run[],
  { thresholdScale, answerScale }: { thresholdScale: number; answerScale: number },
): number {
  const side = (which: "left" | "right"): number =>
    transcriptProbability(
      runs.flatMap((run) =>
        Array.from({ length: run.times }, () => ({ answer: run[which], above: run.above }))
      ),
      { thresholdScale, answerScale },
    );
  return Math.log(side("left") / side("right"));
}

/**
 * The pairs that are worst for sparse vector: answers said to be below although far above, so many that the
 * threshold must have risen, and `cutoff` answers said to be above although far below; all of them
 * move against what is said. The near pairs keep every probability in sight.
 */
export function worstRuns(cutoff: number): Run[][] {
  const far = [[20, 20], [40, 10]].map(([times, gap]): Run[] => [
    { left: gap!, right: gap! + 1, above: false, times: times! },
    { left: -gap!, right: -gap! - 1, above: true, times: cutoff },
  ]);
  const near = [1, 3, 9].map((times): Run[] => [
    { left: 0, right: 1, above: false, times },
    { left: 1, right: 0, above: true, times: cutoff },
  ]);
  return [...far, ...near];
}

/** The losses of one, two and three answers above, for ε = 1, over the worst pairs. */
export function sparseVectorLosses({ threshold, answer }: SparseVectorScales): number[] {
  return [1, 2, 3].map((cutoff) =>
    Math.max(
      ...worstRuns(cutoff).map((runs) =>
        Math.abs(
          transcriptLoss(runs, {
            thresholdScale: threshold(cutoff),
            answerScale: answer(cutoff),
          }),
        )
      ),
    )
  );
}

/** Returns true if none of them is above the claim of 1. */
export function sparseVectorOutcome(scales: SparseVectorScales): Outcome {
  const losses = sparseVectorLosses(scales);
  return atMost(1, {
    value: Math.max(...losses),
    detail: `loss at c = 1, 2, 3 for ε = 1: ${losses.map(short).join(", ")}`,
    witness: `transcripts against the answers lose ${losses.map(short).join(", ")}`,
  });
}
