import {
  confidenceGainProbability,
  sulqVariance,
} from "../../../lib/papers/breaches/sulq_condition.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The variance R for (ε, δ, T)-privacy. */
type Variance = (
  privacy: { readonly epsilon: number; readonly delta: number; readonly queries: number },
) => number;

/** The noise that SuLQ asks for is enough, counted exactly. */
export const sulqCondition = theorem<Variance>({
  id: "input_perturbation/sulq_condition",
  statement: "SuLQ with noise N(0, R) is (ε, δ, T)-private for R > 8T·log²(T/δ)/ε².",
  citation: "Blum, Dwork, McSherry, Nissim 2005",
  source: "Shmatikov’s slides, the SuLQ algorithm",
  remember: () =>
    `Ten queries at ε = 1 and δ = .01: noise of deviation √R = ${
      short(Math.sqrt(sulqVariance({ epsilon: 1, delta: 0.01, queries: 10 })))
    } on each.`,
  assumptions: ["the shipped R is no less than the one stated"],
  kind: "sampled",
  checked:
    "36 settings of ε ≤ 1, δ ≤ .1 and T; queries fixed beforehand: the gain is then N(T/2R, T/R) at worst",
  subject: sulqVariance,
  check: (variance) => {
    let worst = 0, witness = "", cases = 0, stated = 0;
    for (const epsilon of [0.01, 0.1, 0.5, 1]) {
      for (const delta of [0.1, 0.01, 1e-4]) {
        for (const queries of [1, 10, 1000]) {
          cases++;
          const used = variance({ epsilon, delta, queries });
          stated = Math.max(
            stated,
            8 * queries * Math.log(queries / delta) ** 2 / epsilon ** 2 / used,
          );
          const value = confidenceGainProbability({ epsilon, queries, variance: used });
          // A share that is not a number fails.
          if (value / delta > worst || Number.isNaN(value)) {
            [worst, witness] = [value / delta, `ε = ${epsilon}, δ = ${delta}, T = ${queries}`];
          }
        }
      }
    }
    const detail = `${cases} settings; P(gain > ε) is at most ${short(worst)} δ`;
    const enough = atMost(1, { value: worst, detail, witness });
    if (!enough.holds) return enough;
    const formula = atMost(1, {
      value: stated,
      detail: "the formula",
      witness: `the R stated is ${short(stated)} times the one used`,
    });
    return { ...all([enough, formula], detail), margin: formula.holds ? enough.margin : stated };
  },
  mutants: {
    "1 in place of 8, which is still enough but not what is stated": (privacy) =>
      sulqVariance(privacy) / 8,
    "without T: noise for one query": ({ epsilon, delta }) =>
      8 * Math.log(1 / delta) ** 2 / epsilon ** 2,
    "R in place of its square root: T·log(T/δ)/(2ε)": ({ epsilon, delta, queries }) =>
      queries * Math.log(queries / delta) / (2 * epsilon),
  },
});
