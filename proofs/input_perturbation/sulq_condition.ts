import { confidenceGainProbability, sulqVariance } from "../../lib/breaches/sulq_condition.ts";
import { atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

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
  assumptions: ["ε ≤ 1, δ ≤ .1; queries fixed beforehand: the gain is then N(T/2R, T/R) at worst"],
  kind: "enumerated",
  subject: sulqVariance,
  check: (variance) => {
    let worst = 0, witness = "", cases = 0;
    for (const epsilon of [0.01, 0.1, 0.5, 1]) {
      for (const delta of [0.1, 0.01, 1e-4]) {
        for (const queries of [1, 10, 1000]) {
          cases++;
          const value = confidenceGainProbability({
            epsilon,
            queries,
            variance: variance({ epsilon, delta, queries }),
          });
          if (value / delta > worst) {
            [worst, witness] = [value / delta, `ε = ${epsilon}, δ = ${delta}, T = ${queries}`];
          }
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: `${cases} settings; P(gain > ε) is at most ${short(worst)} δ`,
      witness,
    });
  },
  mutants: {
    "without T: noise for one query": ({ epsilon, delta }) =>
      8 * Math.log(1 / delta) ** 2 / epsilon ** 2,
    "R in place of its square root: T·log(T/δ)/(2ε)": ({ epsilon, delta, queries }) =>
      queries * Math.log(queries / delta) / (2 * epsilon),
  },
});
