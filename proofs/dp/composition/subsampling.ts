import { subsampledParameters } from "../../../lib/dp/accounting/sampling/subsampling.ts";
import { finiteDelta, worstPair } from "../../engine/finite_laws.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** ε of a mechanism run on a Poisson sample. */
type Amplified = (options: { readonly epsilon: number; readonly probability: number }) => number;

const shipped: Amplified = ({ epsilon, probability }) =>
  subsampledParameters({ epsilon }, { rate: probability }).epsilon;

/** A random sample of the rows amplifies privacy. */
export const subsampling = theorem<Amplified>({
  id: "composition/subsampling",
  statement: "An ε-DP mechanism (rows added or removed) run on a sample that has each row with " +
    "probability p is ln(1 + p(e^ε − 1))-DP, and no better.",
  citation: "Li, Qardaji, Su 2012; Balle, Barthe, Gaboardi 2018, Theorem 8",
  source: "Haußmann’s slides, subsample and aggregate (its first half)",
  remember: () =>
    `A mechanism of ε = 1 on one row in a hundred is one of ε = ${
      short(shipped({ epsilon: 1, probability: 0.01 }))
    }.`,
  kind: "sampled",
  checked: "ε = .1, 1 and 4 with p = .01, .5 and 1",
  subject: shipped,
  check: (amplified) => {
    let worst = 0, least = Infinity;
    for (const epsilon of [0.1, 1, 4]) {
      for (const probability of [0.01, 0.5, 1]) {
        const { p, q } = worstPair({ epsilon, delta: 0 });
        // With the row in the data the output is a mixture; without it, q.
        const mixed = p.map((value, i) => probability * value + (1 - probability) * q[i]!);
        const loss = Math.max(...mixed.map((value, i) => q[i]! > 0 ? Math.log(value / q[i]!) : 0));
        const share = loss / amplified({ epsilon, probability });
        worst = Math.max(worst, share);
        least = Math.min(least, share);
        const delta = finiteDelta(mixed, q, Math.exp(amplified({ epsilon, probability })));
        if (delta > 1e-12) worst = Math.max(worst, 1 + delta);
      }
    }
    const outcome = atMost(1, {
      value: worst,
      detail: "nine settings, attained by randomised response",
      witness: `loses ${short(worst)} of the claim`,
    });
    return { ...outcome, holds: outcome.holds && least > 1 - 1e-9 };
  },
  mutants: { "pε": ({ epsilon, probability }) => probability * epsilon },
});
