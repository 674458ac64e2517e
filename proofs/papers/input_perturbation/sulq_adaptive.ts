import {
  confidenceGainProbability,
  sulqVariance,
} from "../../../lib/papers/breaches/sulq_condition.ts";
import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";
import { short } from "../../engine/outcome.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

interface Adaptive {
  /** R. */
  readonly variance: typeof sulqVariance;
  /** What P(gain > ε) is at most, however queries are chosen, for t = T/R. */
  readonly bound: (options: { readonly epsilon: number; readonly time: number }) => number;
}

/** P(max of B_s + s/2 over s ≤ t exceeds ε), for a Brownian motion B. */
const shipped: Adaptive = {
  variance: sulqVariance,
  bound: ({ epsilon, time }) =>
    normalTail((epsilon - time / 2) / Math.sqrt(time)) +
    Math.exp(epsilon) * normalTail((epsilon + time / 2) / Math.sqrt(time)),
};

const STEP = 0.01, CELLS = 400;

/**
 * The largest P(gain > ε) over all ways to choose each of `queries` contributions from 0, ½ and 1 in the light of the
 * gain so far, from above and from below: the gain is held to cells, whose ends enclose it.
 */
function bestStrategy(
  { epsilon, queries, variance }: { epsilon: number; queries: number; variance: number },
): { above: number; below: number } {
  // Cell i ends at ε − i·STEP; the last one has all that is lower.
  const kernels = [0.5, 1].map((step) => {
    const mean = step * step / (2 * variance), deviation = step / Math.sqrt(variance);
    // P(gain of this query > k·STEP), k from −CELLS.
    return Float64Array.from(
      { length: 2 * CELLS + 1 },
      (_, k) => normalTail(((k - CELLS) * STEP - mean) / deviation),
    );
  });
  const next = (values: Float64Array, end: "above" | "below"): Float64Array =>
    values.map((stay, i) => {
      let best = stay;
      for (const tail of kernels) {
        // From cell i the gain passes ε when it is more than i steps.
        let sum = tail[CELLS + i]!;
        for (let j = 0; j < CELLS; j++) {
          // Into cell j, that is between ε − j·STEP and the end below it.
          const from = tail[Math.max(0, CELLS + i - j - 1)]!, past = tail[CELLS + i - j]!;
          sum += (from - past) * (values[end === "above" ? j : j + 1] ?? 0);
        }
        // Lower than all cells.
        if (end === "above") sum += (1 - tail[i]!) * values[CELLS - 1]!;
        best = Math.max(best, sum);
      }
      return best;
    });
  const start = Math.round(epsilon / STEP);
  let above: Float64Array = new Float64Array(CELLS), below: Float64Array = above;
  for (let query = 0; query < queries; query++) {
    above = next(above, "above");
    below = next(below, "below");
  }
  return { above: above[start]!, below: below[start]! };
}

/**
 * The largest P(gain > ε) of one query for any predicate: beliefs in the contributions 0, ½ and 1 where it is true, and
 * where it is false. Cells of answers count where the gain passes ε at either end.
 */
function worstMixture(
  { epsilon, variance }: { readonly epsilon: number; readonly variance: number },
): number {
  const beliefs = Array.from({ length: 25 }, (_, i) => [i % 5, Math.floor(i / 5)])
    .filter(([a, b]) => a! + b! <= 4).map(([a, b]) => [a! / 4, b! / 4, 1 - (a! + b!) / 4]);
  const deviation = Math.sqrt(variance), cells = 400;
  const ends = Array.from(
    { length: cells + 1 },
    (_, i) => 0.5 + 16 * deviation * (i / cells - 0.5),
  );
  const above = ends.map((y) => [0, 0.5, 1].map((mean) => normalTail((y - mean) / deviation)));
  // Densities over that of a contribution of 0.
  const ratios = ends.map((y) => [0, 0.5, 1].map((g) => Math.exp(g * (y - g / 2) / variance)));
  const mixed = (belief: readonly number[], of: readonly number[]): number =>
    belief.reduce((sum, share, g) => sum + share * of[g]!, 0);
  let worst = 0;
  for (const right of beliefs) {
    const chances = above.map((tails) => mixed(right, tails));
    for (const wrong of beliefs) {
      const gains = ratios.map((of) => mixed(right, of) > Math.exp(epsilon) * mixed(wrong, of));
      // Beyond eight deviations.
      let sum = chances.at(-1)! + 1 - chances[0]!;
      for (let i = 0; i < cells; i++) {
        if (gains[i]! || gains[i + 1]!) sum += chances[i]! - chances[i + 1]!;
      }
      worst = Math.max(worst, sum);
    }
  }
  return worst;
}

/** SuLQ's noise for queries that are chosen as answers come in. */
export const sulqAdaptive = theorem<Adaptive>({
  id: "input_perturbation/sulq_adaptive",
  statement:
    "Also where each query is chosen in the light of the answers so far, SuLQ with R > 8T·log²(T/δ)/ε² has a gain above ε with " +
    "probability at most δ, as P(gain > ε) ≤ Φ(−(ε − t/2)/√t) + e^ε·Φ(−(ε + t/2)/√t) for t = T/R.",
  citation:
    "Blum, Dwork, McSherry, Nissim 2005, Theorem 1; Borodin, Salminen 2002, on the maximum of a Brownian motion with drift",
  source: "Shmatikov’s slides, the SuLQ algorithm",
  remember: () =>
    `At t = .1 and ε = 1 choosing queries by the answers raises the bound on a gain from ${
      short(normalTail((1 - 0.1 / 2) / Math.sqrt(0.1)))
    } to ${short(shipped.bound({ epsilon: 1, time: 0.1 }))}.`,
  assumptions: [
    "of a predicate the probability is over a row for which it is true, drawn from the belief; two values of the row are compared, except where mixtures are named; the gain of a query with contributions c apart is N(c²/2R, c²/R), as values of a Brownian motion with drift ½ at times c²/R",
  ],
  kind: "sampled",
  checked:
    "36 settings of ε ≤ 1, δ ≤ .1 and T; and for T = 1, 3 and 10, t = .1 and .5 and ε = .3 and 1, the best of all strategies with contributions 0, ½ and 1, by dynamic programming; one query with contributions 0, ½ and 1 of three values, all predicates and beliefs in quarters",
  subject: shipped,
  check: ({ variance, bound }) =>
    outcomeOf("36 settings, twelve games", () => {
      let most = 0;
      for (const epsilon of [0.01, 0.1, 0.5, 1]) {
        for (const delta of [0.1, 0.01, 1e-4]) {
          for (const queries of [1, 10, 1000]) {
            const used = variance({ epsilon, delta, queries });
            const chance = bound({ epsilon, time: queries / used });
            requireThat(chance <= delta, `ε = ${epsilon}, δ = ${delta}, T = ${queries}: ${chance}`);
            most = Math.max(most, chance / delta);
          }
        }
      }
      let gained = false;
      for (const epsilon of [0.3, 1]) {
        for (const time of [0.1, 0.5]) {
          const limit = bound({ epsilon, time });
          for (const queries of [1, 3, 10]) {
            const game = { epsilon, queries, variance: queries / time };
            const { above, below } = bestStrategy(game);
            requireThat(
              below <= limit,
              `T = ${queries}, ε = ${epsilon}, t = ${time}: a strategy reaches ${short(below)}`,
            );
            const fixed = confidenceGainProbability(game);
            requireThat(above >= fixed * (1 - 1e-9), "the best strategy is below a fixed one");
            gained ||= below > 1.05 * fixed;
          }
        }
      }
      for (const epsilon of [0.3, 1]) {
        for (const time of [0.1, 0.5]) {
          const limit = bound({ epsilon, time });
          const chance = worstMixture({ epsilon, variance: 1 / time });
          requireThat(
            chance <= limit,
            () => `ε = ${epsilon}, t = ${time}: a predicate gains more with ${short(chance)}`,
          );
        }
      }
      requireThat(gained, "choosing in the light of answers gains nothing");
      return most;
    }),
  mutants: {
    "the bound for queries fixed beforehand": {
      ...shipped,
      bound: ({ epsilon, time }) => normalTail((epsilon - time / 2) / Math.sqrt(time)),
    },
    "noise for one query": {
      ...shipped,
      variance: (privacy) => sulqVariance({ ...privacy, queries: 1 }),
    },
  },
});
