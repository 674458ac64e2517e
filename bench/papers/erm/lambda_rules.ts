import type { Loss } from "../../../lib/dp/learners/erm/losses/loss.ts";
import { suggestedLambda } from "../../../lib/dp/learners/erm/suggested_lambda.ts";
import { calibrationOf } from "../../../lib/dp/learners/erm/training_options.ts";

/** Public numbers of a situation of the study, in which rows have norm at most 1. */
export interface Situation {
  readonly noise: "pure" | "gauss" | "output";
  readonly perturbation: "output" | "objective";
  readonly epsilon: number;
  readonly delta: number;
  readonly loss: Loss;
  readonly classCount: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

/** A candidate for the suggested Λ. */
export interface Rule {
  readonly rule: string;
  /** W, for two classes: `factor` or `factor`·√d. */
  readonly norm: "fixed" | "root";
  readonly factor: number;
  /** For K > 2 classes W/K^power. */
  readonly power: number;
  readonly lambdaOf: (situation: Situation) => number;
}

const FACTORS = {
  fixed: [3, 4, 5, 6, 7, 8, 10, 15, 30],
  root: [0.6, 0.8, 1, 1.2, 1.4, 1.6, 2, 2.5],
};
const POWERS = [0, 0.5, 1];

type Guess = Pick<Rule, "norm" | "factor" | "power">;

function guessOf({ norm, factor }: Guess, { columnCount }: Situation): number {
  return norm === "fixed" ? factor : factor * Math.sqrt(columnCount);
}

function classifiersOf({ classCount }: Situation): number {
  return classCount > 2 ? classCount : 1;
}

/** The rule before: 2√(d(d + 1))/(nεW), whatever δ and the perturbation; ε of the whole or ε/K. */
function former(guess: Guess, { shared }: { shared: boolean }): Rule {
  return {
    rule: shared ? "former with ε/K" : "former",
    ...guess,
    lambdaOf: (situation) => {
      const { epsilon, rowCount, columnCount } = situation;
      const part = shared ? epsilon / classifiersOf(situation) : epsilon;
      return 2 * Math.sqrt(columnCount * (columnCount + 1)) /
        (rowCount * part * guessOf(guess, situation));
    },
  };
}

/**
 * The least sum of ½(Λ + Δ)W² and a bound on the excess risk by noise: E‖b‖²/(2n²(Λ + Δ)) or
 * ½(c + Λ)E‖z‖² (Chaudhuri, Monteleoni, Sarwate 2011, Lemmas 19 and 16, for means), at Λ on a grid.
 */
function bounds(guess: Guess): Rule {
  return {
    rule: "bounds",
    ...guess,
    lambdaOf: (situation) => {
      const { loss, rowCount, columnCount: d } = situation;
      const classifiers = classifiersOf(situation);
      const square = (guessOf(guess, situation) / classifiers ** guess.power) ** 2;
      let least = Infinity, best = NaN;
      for (let lambda = 1e-6; lambda < 1; lambda *= 1.02) {
        const { noise, quadratic } = calibrationOf({ ...situation, normBound: 1, lambda }, {
          rowCount,
          classifiers,
        });
        const length = noise.kind === "gaussian"
          ? d * noise.sigma ** 2
          : d * (d + 1) / noise.rate ** 2;
        const convexity = lambda + quadratic;
        const risk = situation.perturbation === "output"
          ? (loss.curvatureBound + lambda) * length
          : length / rowCount ** 2 / convexity;
        const sum = risk + convexity * square;
        if (sum < least) [least, best] = [sum, lambda];
      }
      return best;
    },
  };
}

/** The library's: the quadratic model of `suggestedLambda`, which divides W by K itself. */
function model(guess: Guess): Rule {
  return {
    rule: "model",
    ...guess,
    lambdaOf: (situation) => {
      const weightNorm = guessOf(guess, situation) *
        classifiersOf(situation) ** (1 - guess.power);
      return suggestedLambda({ ...situation, normBound: 1, weightNorm });
    },
  };
}

/** All candidates of the study. */
export const RULES: readonly Rule[] = [
  ...FACTORS.fixed.flatMap((factor) =>
    [false, true].map((shared) => former({ norm: "fixed", factor, power: 0 }, { shared }))
  ),
  ...(["fixed", "root"] as const).flatMap((norm) =>
    FACTORS[norm].flatMap((factor) =>
      POWERS.flatMap((power) => {
        const guess = { norm, factor, power };
        return [bounds(guess), model(guess)];
      })
    )
  ),
];
