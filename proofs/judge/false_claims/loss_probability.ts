import { integerVectors } from "../../engine/finite_check.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Two laws on three outputs, in twelfths. */
type Law = readonly number[];

/** A condition on the privacy loss that is said to be, or to imply, (ε, δ)-DP. */
interface Condition {
  /** e^ε and 12δ are whole numbers here. */
  readonly satisfied: (p: Law, q: Law, options: { ratio: number; twelfths: number }) => boolean;
}

function exceeding(p: Law, q: Law, ratio: number): number {
  return p.reduce((sum, value, i) => value > ratio * q[i]! ? sum + value : sum, 0);
}

/** What δ says of the privacy loss. */
export const lossProbability = falseClaim<Condition>({
  id: "false_claims/loss_probability",
  statement: "An algorithm whose privacy loss stays within ε with probability at most 1 − δ is " +
    "(ε, δ)-differentially private.",
  citation: "slides of Haußmann 2017; compare Dwork, Roth 2014, Lemma 3.17",
  source: "Haußmann’s slides, note to the definition: “at most 1 − δ” should be “at least”",
  remember: () =>
    "An algorithm that publishes the data stays within ε with probability 0, which is “at most 1 − δ”.",
  assumptions: ["all laws on three outputs in twelfths, e^ε = 2, δ = 1/12, 2/12, 3/12"],
  onPaper: true,
  kind: "exact",
  subject: {
    satisfied: (p, q, { ratio, twelfths }) => 12 - exceeding(p, q, ratio) <= 12 - twelfths,
  },
  check: ({ satisfied }) => {
    const laws = [...integerVectors(2, { min: 0, max: 12 })]
      .filter(([a, b]) => a! + b! <= 12)
      .map(([a, b]): Law => [a!, b!, 12 - a! - b!]);
    let checked = 0, worst = 0;
    for (const p of laws) {
      for (const q of laws) {
        for (const twelfths of [1, 2, 3]) {
          if (!satisfied(p, q, { ratio: 2, twelfths })) continue;
          checked++;
          const excess = p.reduce((sum, value, i) => sum + Math.max(0, value - 2 * q[i]!), 0);
          worst = Math.max(worst, excess / twelfths);
          if (excess > twelfths) {
            return {
              holds: false,
              margin: excess / twelfths,
              witness: `laws (${p})/12 and (${q})/12 meet it for δ = ${twelfths}/12, but lose ` +
                `${excess}/12`,
              detail: "exhaustive",
            };
          }
        }
      }
    }
    return { holds: true, margin: worst, detail: `${checked} pairs of laws and δ` };
  },
  corrected: {
    name: "at least 1 − δ",
    subject: { satisfied: (p, q, { ratio, twelfths }) => exceeding(p, q, ratio) <= twelfths },
  },
  mutants: {
    "loss above 2·e^ε counted only": {
      satisfied: (p, q, { ratio, twelfths }) => exceeding(p, q, 2 * ratio) <= twelfths,
    },
  },
});
