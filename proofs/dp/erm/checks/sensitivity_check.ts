import { largestChange, type SensitivityFound } from "../../../tools/sensitivity.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import { minimise } from "../../../../lib/dp/learners/erm/solver/minimise.ts";
import { norm } from "../../../../lib/dp/learners/erm/solver/problem.ts";
import type { Regulariser } from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, movedNeighbours, type Neighbours, risk } from "./training_data.ts";

/** What is minimised over rows of which norm, and the bound claimed for rows of norm 1. */
interface SensitivityClaim {
  readonly loss: Loss;
  readonly regulariser: Regulariser;
  readonly lambda: number;
  /** The rows' largest norm. */
  readonly rowNorm: number;
  /** The bound claimed, times nΛ. */
  readonly scaledBound: number;
}

/** The largest ‖f₁ − f₂‖ found, as a share of scaledBound/(nΛ), with the solver's certificates. */
export function minimiserChange(
  { loss, regulariser, lambda, rowNorm, scaledBound }: SensitivityClaim,
  { seed, n, d, pairs = 40 }: { seed: number; n: number; d: number; pairs?: number },
): SensitivityFound<Neighbours> {
  const source = new SeededSource(seed).split("sensitivity");
  const solve = (data: Neighbours["left"]): ReturnType<typeof minimise> =>
    minimise({ ...risk(data, { loss, regulariser, lambda }), quadratic: 0 }, { tolerance: 1e-13 });
  return largestChange<Neighbours>({
    pairs: Array.from(
      { length: pairs },
      () => generatedNeighbours(source, { n, d, normBound: rowNorm }),
    ),
    measure: ({ left, right }) => {
      const [one, other] = [solve(left), solve(right)];
      return {
        distance: norm(one.weights.map((f, j) => f - other.weights[j]!)),
        uncertainty: (one.gradientNorm + other.gradientNorm) / lambda,
      };
    },
    bound: scaledBound / (n * lambda),
    move: (pair, options) => movedNeighbours(pair, { ...options, normBound: rowNorm }),
    seed,
  });
}
