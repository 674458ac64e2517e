import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { divide, multiply, rational, toNumber } from "../../core/numeric/rational.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import {
  asComputed,
  exponentialMechanism,
  selection,
  SELECTION_FIELDS,
  SELECTION_OPTIONS,
  type SelectionLaw,
  type SelectionOptions,
  selectionRate,
} from "./exponential_mechanism.ts";
import { COMPARED_BITS, fromBest, gridSensitivity, gridStep } from "./grid.ts";
import { permuteAndFlipLaw } from "./permute_and_flip.ts";

/** Options of report-noisy-max: only the index of the maximum is released, never its value. */
export type NoisyMaxOptions<Row, Candidate> =
  & SelectionOptions<Row, Candidate>
  & (
    | { readonly noise: "exponential" | "gumbel" }
    /** `granularity`: the step to which utilities are rounded, a power of two. Default: small beside noise and sensitivity. */
    | { readonly noise: "laplace"; readonly granularity?: number | undefined }
  );

/**
 * Report noisy max (Dwork, Roth 2014, section 3.3): the candidate whose utility plus independent noise
 * is largest. Noise of scale 2·sensitivity/ε (sensitivity/ε only for monotone utilities):
 *
 * - "laplace": utilities on a grid plus exact discrete Laplace noise; the first of equals wins. That
 *   is ε-DP: with the others' noise fixed, candidate i wins when its noise reaches a threshold, and
 *   between neighbours the threshold moves by at most twice the sensitivity in whole steps.
 * - "exponential": by its law, which is permute-and-flip's (Ding et al. 2021, Theorem 4).
 * - "gumbel": by its law, which is the exponential mechanism's (the Gumbel-max trick), so ε²/8-zCDP holds too.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`, `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range, or at release a utility is not finite.
 *
 * @example
 * ```ts
 * import { reportNoisyMax } from "./report_noisy_max.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * const colour = reportNoisyMax<string, string>({
 *   candidates: ["red", "green"],
 *   utilities: (rows) => ["red", "green"].map((name) => rows.filter((row) => row === name).length),
 *   epsilon: 1,
 *   sensitivity: 1,
 *   monotone: true,
 *   noise: "laplace",
 *   relation: addRemoveOne,
 * });
 * ```
 */
export function reportNoisyMax<Row, Candidate>(
  stated: NoisyMaxOptions<Row, Candidate>,
): Mechanism<Row, Candidate> {
  requireFields("reportNoisyMax", stated, SELECTION_FIELDS);
  requireKnown("call reportNoisyMax()", stated, [...SELECTION_OPTIONS, "noise", "granularity"]);
  const name = `report noisy max (${stated.noise})`;
  const action = "make report-noisy-max";
  const options = asComputed(action, stated);
  const rate = selectionRate(action, options);
  switch (options.noise) {
    case "gumbel":
      return { ...exponentialMechanism(stated), name };
    case "exponential":
      return selection(name, options, permuteAndFlipLaw(rate));
    case "laplace":
      return selection(name, options, laplaceLaw(action, options));
    default: {
      const { noise } = options as { noise: unknown };
      throw new RangeError(
        `Cannot ${action}: noise must be laplace, exponential or gumbel: current value is ${noise}`,
      );
    }
  }
}

function laplaceLaw(
  action: string,
  { epsilon, sensitivity, monotone, ...options }:
    & Pick<SelectionOptions<never, never>, "epsilon" | "sensitivity" | "monotone">
    & { readonly granularity?: number | undefined },
): SelectionLaw {
  const granularity = gridStep(action, {
    granularity: options.granularity,
    sensitivity,
    scale: sensitivity / epsilon * (monotone ? 1 : 2),
    bits: COMPARED_BITS,
  });
  const steps = gridSensitivity(action, { sensitivity, granularity });
  const scale = multiply(divide(rational(steps), rational(epsilon)), rational(monotone ? 1 : 2));
  const noise = discreteLaplace({ scale });
  const onGrid = (utilities: readonly number[]): number[] =>
    fromBest(action, utilities, granularity);
  return {
    boundedRange: false,
    chooser: (utilities) => {
      const at = onGrid(utilities);
      const draws = new Float64Array(at.length);
      return (source) => {
        noise.fill(source, draws);
        let best = 0;
        for (let i = 1; i < at.length; i++) {
          if (at[i]! + draws[i]! > at[best]! + draws[best]!) best = i;
        }
        return best;
      };
    },
    probabilities: (utilities) => {
      const at = onGrid(utilities);
      // Values of the maximum worth summing: beyond them less than e^−45 of the noise.
      const reach = Math.ceil(45 * toNumber(scale));
      const below = (limit: number, i: number): number =>
        -Math.expm1(noise.logUpperTail(limit - at[i]!));
      return at.map((center, i) => {
        let sum = 0;
        for (let value = center - reach; value <= reach; value++) {
          let chance = Math.exp(noise.logProbability(value - center));
          // Those before i must stay below, those after may be equal.
          for (let j = 0; j < at.length; j++) {
            if (j !== i) chance *= below(j < i ? value : value + 1, j);
          }
          sum += chance;
        }
        return sum;
      });
    },
  };
}
