import { finiteDelta } from "../../engine/finite_laws.ts";
import { deltaAt, pure, zcdp } from "../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { zcdpOfClaim } from "../../../lib/dp/accounting/composition/zcdp.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** ρ for an ε. */
type Rho = (epsilon: number) => number;

/** The ρ that dpcheck converts ε to. */
const shipped: Rho = (epsilon) => zcdpOfClaim(pure({ epsilon, relation: replaceOne }))!.rho;

/** ε-DP as concentrated DP, and back to (ε, δ). */
export const pureIsConcentrated = theorem<Rho>({
  id: "composition/pure_is_concentrated",
  statement:
    "ε-DP implies ε²/2-zCDP; ρ-zCDP implies (ε′, δ)-DP with the δ that dpcheck converts to.",
  citation: "Bun, Steinke 2016, Proposition 1.4; Canonne, Kamath, Steinke 2020; " +
    "after Dwork, Rothblum 2016",
  source: "Haußmann’s slides, results and extensions: concentrated differential privacy",
  remember: () => `ε = 1 is ρ = ${short(shipped(1))}, and ε = .1 is ρ = ${short(shipped(0.1))}.`,
  kind: "sampled",
  checked:
    "121 orders and three δ for each of four ε, on randomised response, the worst ε-DP mechanism at every order",
  subject: shipped,
  check: (rho) => {
    const outcomes = [0.1, 0.5, 1, 3].flatMap((epsilon) => {
      const truth = 1 / (1 + Math.exp(-epsilon)), lie = 1 - truth;
      let worst = 0;
      for (let k = -60; k <= 60; k++) {
        const order = 1 + Math.exp(k / 10);
        // E_P (P/Q)^(a − 1), where P/Q is e^ε or e^−ε.
        const moment = truth * Math.exp((order - 1) * epsilon) +
          lie * Math.exp(-(order - 1) * epsilon);
        const divergence = moment === Infinity ? epsilon : Math.log(moment) / (order - 1);
        worst = Math.max(worst, divergence / order);
      }
      const claim = zcdp({ rho: rho(epsilon), relation: replaceOne });
      const deltas = [0.2, 0.5, 0.9].map((share) => {
        const exact = finiteDelta([truth, lie], [lie, truth], Math.exp(share * epsilon));
        return atMost(deltaAt(claim, share * epsilon), {
          value: exact,
          detail: "δ",
          witness: `ε = ${epsilon}: δ is ${exact}`,
        });
      });
      return [
        atMost(rho(epsilon), {
          value: worst,
          detail: "ρ",
          witness: `ε = ${epsilon}: D_a/a reaches ${worst}`,
        }),
        // No more than is stated, but for rounding.
        atMost(epsilon * epsilon / 2, {
          value: rho(epsilon),
          detail: "the ρ stated",
          witness: `ε = ${epsilon}: ρ is ${rho(epsilon)}`,
        }),
        ...deltas,
      ];
    });
    return all(outcomes, "121 orders and three δ for each of four ε");
  },
  mutants: {
    "ρ = ε²/8": (epsilon) => shipped(epsilon) / 4,
    "ρ = ε²": (epsilon) => 2 * shipped(epsilon),
  },
});
