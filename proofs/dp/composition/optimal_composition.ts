import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import { finiteDelta, productLaw, worstPair } from "../../engine/finite_laws.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Part {
  readonly epsilon: number;
  readonly delta: number;
}

/** δ at ε′ of mechanisms used together. */
type Delta = (parts: readonly Part[], epsilon: number) => number;

/** The formula for the best composition theorem, against products of laws. */
export const optimalComposition = theorem<Delta>({
  id: "composition/optimal_composition",
  statement:
    "The least δ of all compositions of (ε_i, δ_i)-DP mechanisms at ε′ is that of worst-case " +
    "randomised responses, and the closed sum gives it.",
  citation: "Kairouz, Oh, Viswanath 2015, Theorem 3.3; Murtagh, Vadhan 2016, Theorem 1.5",
  source: "Haußmann’s slides, “we can get stronger results for composition”",
  remember: () =>
    `100 releases of ε = .1 are (4, δ)-private with δ = ${
      short(optimalDelta([{ epsilon: 0.1, count: 100 }], { epsilon: 4 }))
    }, and with no smaller one.`,
  kind: "sampled",
  checked: "32 compositions of one to four mechanisms, by sums over all outputs",
  subject: (parts, epsilon) =>
    optimalDelta(parts.map((part) => ({ ...part, count: 1 })), { epsilon }),
  check: (delta) => {
    let least = Infinity, most = 0, cases = 0;
    for (const epsilons of [[0.5], [0.1, 1], [0.3, 0.3, 0.3], [0.2, 0.7, 1.1, 0.2]]) {
      for (const each of [0, 0.01]) {
        const parts = epsilons.map((epsilon) => ({ epsilon, delta: each }));
        let p = [1], q = [1];
        for (const part of parts) {
          const pair = worstPair(part);
          [p, q] = [productLaw(p, pair.p), productLaw(q, pair.q)];
        }
        for (const target of [0, 0.05, 0.2, 0.4]) {
          cases++;
          const exact = finiteDelta(p, q, Math.exp(target));
          const share = delta(parts, target) / exact;
          // Rounded up, so never below; and by little.
          least = Math.min(least, share);
          most = Math.max(most, share);
        }
      }
    }
    const outcome = atMost(1 + 1e-9, {
      value: most,
      detail: `${cases} compositions of up to four mechanisms`,
      witness: `${most} times the exact δ`,
    });
    return least >= 1 - 1e-12
      ? outcome
      : { ...outcome, holds: false, witness: `${least} times the exact δ` };
  },
  mutants: {
    "δs forgotten": (parts, epsilon) =>
      optimalDelta(parts.map((part) => ({ epsilon: part.epsilon, count: 1 })), { epsilon }),
  },
});
