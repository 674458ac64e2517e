import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { largestChange } from "../../tools/sensitivity.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  generatedNeighbours,
  type Labelled,
  type Neighbours,
} from "../../dp/erm/checks/training_data.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Fact 2 of the privacy proof sketch, with the bound that the slides give. */
export const slidesGradientDifference = falseClaim<{ readonly bound: number }>({
  id: "false_claims/slides_gradient_difference",
  statement: "For logistic and Huber loss |∇L(D₁, w) − ∇L(D₂, w)| ≤ 1/n, so that |b₁ − b₂| ≤ 1.",
  citation: "slides of Chaudhuri, Monteleoni, Sarwate; their papers have 2/n and Γ(d, 2/ε)",
  source:
    "Chaudhuri’s slides, algorithm and Fact 2; Haußmann’s slides, b ~ Lap(1/ε). That such noise is too little is " +
    "false_claims/objective_rate_in_text",
  remember: () => `A row and the same row with the other label: the gradients differ by 2/n.`,
  assumptions: ["‖x‖ ≤ 1"],
  kind: "sampled",
  subject: { bound: 1 },
  check: ({ bound }, { seed }) => {
    const source = new SeededSource(seed).split("gradients");
    let share = 0;
    for (const loss of [logisticLoss, huberHinge(0.5)]) {
      const gradient = ([features, label]: Labelled, w: readonly number[]): number[] => {
        const margin = label * features.reduce((sum, value, j) => sum + value * w[j]!, 0);
        return features.map((value) => label * loss.slope(margin) * value);
      };
      const found = largestChange<Neighbours>({
        pairs: Array.from(
          { length: 200 },
          () => generatedNeighbours(source, { n: 2, d: 2, normBound: 1 }),
        ),
        measure: ({ left, right }) => {
          // n times the difference, at the worst of several w: the other rows cancel.
          let distance = 0;
          for (const scale of [0, 1, -1, 20]) {
            const w = left[0]![0].map((value, j) => scale * (value - right[0]![0][j]! + 1e-3));
            const a = gradient(left[0]!, w), b = gradient(right[0]!, w);
            distance = Math.max(distance, Math.hypot(...a.map((value, j) => value - b[j]!)));
          }
          return { distance, uncertainty: 1e-12 };
        },
        bound,
        seed,
      });
      share = Math.max(share, found.share);
    }
    return atMost(1, {
      value: share,
      detail: `n‖∇L(D₁) − ∇L(D₂)‖ reaches ${short(share * bound)}`,
      witness: `n‖∇L(D₁) − ∇L(D₂)‖ reaches ${short(share * bound)}`,
    });
  },
  corrected: { name: "2/n", subject: { bound: 2 } },
  mutants: { "1.7/n": { bound: 1.7 } },
});
