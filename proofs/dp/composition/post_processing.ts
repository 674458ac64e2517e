import { integerVectors } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** How outputs are mapped: the k-th map of one side and of the other, as shares of two new outputs. */
type Maps = (k: number) => { readonly left: readonly number[]; readonly right: readonly number[] };

/** Shares in sixths that each of three outputs is mapped to the first of two new ones. */
function shares(k: number): number[] {
  return [k % 7, Math.floor(k / 7) % 7, Math.floor(k / 49) % 7];
}

/** A randomised map of outputs cannot raise δ(ε). */
export const postProcessing = theorem<Maps>({
  id: "composition/post_processing",
  statement: "If M is (ε, δ)-differentially private, so is f∘M for every randomised map f.",
  citation: "Dwork, Roth 2014, Proposition 2.1",
  source: "Haußmann’s slides, post-processing",
  remember: () =>
    `${
      7 ** 3
    } maps were tried on every two laws in sixths: none made two datasets easier to tell apart.`,
  onPaper: true,
  kind: "exact",
  checked: "all laws on three outputs in sixths, all maps to two outputs in sixths, e^ε = 1, 2, 3",
  subject: (k) => ({ left: shares(k), right: shares(k) }),
  check: (maps) => {
    const laws = [...integerVectors(2, { min: 0, max: 6 })]
      .filter(([a, b]) => a! + b! <= 6)
      .map(([a, b]) => [a!, b!, 6 - a! - b!]);
    const delta = (p: readonly number[], q: readonly number[], ratio: number): number =>
      p.reduce((sum, value, i) => sum + Math.max(0, value - ratio * q[i]!), 0);
    const mapped = (law: readonly number[], to: readonly number[]): number[] => [
      law.reduce((sum, value, i) => sum + value * to[i]!, 0),
      law.reduce((sum, value, i) => sum + value * (6 - to[i]!), 0),
    ];
    for (let k = 0; k < 343; k++) {
      const { left, right } = maps(k);
      for (const p of laws) {
        for (const q of laws) {
          for (const ratio of [1, 2, 3]) {
            const before = 6 * delta(p, q, ratio);
            const after = delta(mapped(p, left), mapped(q, right), ratio);
            if (after > before) {
              return {
                holds: false,
                margin: after / before,
                witness: `(${p})/6 against (${q})/6: δ rises from ${before}/36 to ${after}/36`,
                detail: "exhaustive",
              };
            }
          }
        }
      }
    }
    return {
      holds: true,
      margin: NaN,
      detail: `${343 * laws.length ** 2 * 3} cases in whole numbers`,
    };
  },
  mutants: {
    "a map that looks at the data again": (k) => ({ left: shares(k), right: shares(k + 1) }),
  },
});
