import { basicComposition as composed } from "../../lib/accounting/basic_composition.ts";
import { finiteDelta, productLaw, worstPair } from "../checks/finite_laws.ts";
import { atMost } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

interface Parameters {
  readonly epsilon: number;
  readonly delta: number;
}

/** The claim for two mechanisms together. */
type Compose = (parts: readonly Parameters[]) => Parameters;

/** Sums of ε and δ, against the exact δ of products of worst-case mechanisms. */
export const basicComposition = theorem<Compose>({
  id: "composition/basic_composition",
  statement: "Mechanisms that are (ε_i, δ_i)-differentially private are together " +
    "(Σε_i, Σδ_i)-differentially private.",
  citation: "Dwork, Roth 2014, Theorem 3.16",
  source: "Haußmann’s slides, composition",
  kind: "enumerated",
  subject: composed,
  check: (compose) => {
    let worst = 0, witness = "";
    for (const epsilon of [0.1, 0.5, 2]) {
      for (const other of [0.1, 1]) {
        for (const delta of [0, 1e-3, 0.1]) {
          const parts = [{ epsilon, delta }, { epsilon: other, delta: delta / 2 }];
          const [a, b] = parts.map(worstPair);
          const p = productLaw(a!.p, b!.p), q = productLaw(a!.q, b!.q);
          const claim = compose(parts);
          const exact = finiteDelta(p, q, Math.exp(claim.epsilon));
          // Where no δ is claimed, rounding may leave a last bit.
          const share = (exact - 1e-15) / Math.max(claim.delta, 1e-15);
          if (share > worst) [worst, witness] = [share, `ε = ${epsilon}, ${other}: δ is ${exact}`];
        }
      }
    }
    return atMost(1, { value: worst, detail: "18 pairs of worst mechanisms", witness });
  },
  mutants: {
    "the larger ε": (parts) => ({
      epsilon: Math.max(...parts.map(({ epsilon }) => epsilon)),
      delta: parts.reduce((sum, { delta }) => sum + delta, 0),
    }),
    "the larger δ": (parts) => ({
      ...composed(parts),
      delta: Math.max(...parts.map(({ delta }) => delta)),
    }),
  },
});
