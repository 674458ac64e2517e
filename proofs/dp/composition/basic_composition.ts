import { basicComposition as composed } from "../../../lib/dp/accounting/composition/basic_composition.ts";
import { finiteDelta, productLaw, worstPair } from "../../engine/finite_laws.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Parameters {
  readonly epsilon: number;
  readonly delta: number;
}

/** The claim for mechanisms together. */
type Compose = (parts: readonly Parameters[]) => Parameters;

/** Sums of ε and δ, against the exact δ of products of worst-case mechanisms. */
export const basicComposition = theorem<Compose>({
  id: "composition/basic_composition",
  statement: "Mechanisms that are (ε_i, δ_i)-differentially private are together " +
    "(Σε_i, Σδ_i)-differentially private.",
  citation: "Dwork, Roth 2014, Theorem 3.16",
  source: "Haußmann’s slides, composition",
  remember: () =>
    `Ten releases of ε = .1 are one of ε = ${
      short(composed(Array.from({ length: 10 }, () => ({ epsilon: 0.1, delta: 0 }))).epsilon)
    }.`,
  assumptions: [
    "no adaptive choice of mechanisms loses more than the worst pairs (Kairouz, Oh, Viswanath 2015, Theorem 3.3, which is not checked here)",
  ],
  kind: "sampled",
  checked: "54 families of two, three and four mechanisms, each the worst (ε, δ)-DP pair",
  subject: composed,
  check: (compose) => {
    const families: Parameters[][] = [];
    for (const epsilon of [0.1, 0.5, 2]) {
      for (const other of [0.1, 1]) {
        for (const delta of [0, 1e-3, 0.1]) {
          const parts = [{ epsilon, delta }, { epsilon: other, delta: delta / 2 }];
          families.push(parts, [...parts, parts[0]!], [...parts, ...parts]);
        }
      }
    }
    const outcomes = families.map((parts) => {
      const pairs = parts.map(worstPair);
      const p = pairs.map((pair) => pair.p).reduce(productLaw);
      const q = pairs.map((pair) => pair.q).reduce(productLaw);
      const claim = compose(parts);
      const exact = finiteDelta(p, q, Math.exp(claim.epsilon));
      return atMost(1, {
        // Where no δ is claimed, rounding may leave a last bit of each.
        value: (exact - parts.length * 1e-15) / Math.max(claim.delta, 1e-15),
        detail: "share of the δ claimed",
        witness: `ε = ${parts.map(({ epsilon }) => epsilon).join(", ")}: δ is ${exact}`,
      });
    });
    return all(outcomes, `${families.length} families of two, three or four worst mechanisms`);
  },
  mutants: {
    "the larger ε": (parts) => ({
      epsilon: Math.max(...parts.map(({ epsilon }) => epsilon)),
      delta: parts.reduce((sum, { delta }) => sum + delta, 0),
    }),
    "two mechanisms, whatever their number": (parts) => composed(parts.slice(0, 2)),
    "the larger δ": (parts) => ({
      ...composed(parts),
      delta: Math.max(...parts.map(({ delta }) => delta)),
    }),
  },
});
