import { integerVectors } from "../checks/finite_check.ts";
import { theorem } from "../engine/theorem.ts";

/** Whether one output may have probability p where a neighbour's is q, in twelfths. */
type PerOutput = (p: number, q: number) => boolean;

/** The two ways to define ε-DP agree: by outputs and by sets of them. */
export const setsAndOutputs = theorem<PerOutput>({
  id: "definitions/sets_and_outputs",
  statement:
    "If no output is more than e^ε times likelier under a neighbour, no set of outputs is: " +
    "Definition 2 (ratios) implies Definition 3 (sets).",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Definitions 2 and 3; Dwork et al. 2006",
  source: "JMLR preprint, after Definition 3; Chaudhuri’s and Haußmann’s slides, definitions",
  kind: "exact",
  checked: "all laws on three outputs in twelfths, all sets of outputs, e^ε = 2",
  subject: (p, q) => p <= 2 * q,
  check: (perOutput) => {
    const laws = [...integerVectors(2, { min: 0, max: 12 })]
      .filter(([a, b]) => a! + b! <= 12)
      .map(([a, b]) => [a!, b!, 12 - a! - b!]);
    let pairs = 0;
    for (const p of laws) {
      for (const q of laws) {
        if (!p.every((value, i) => perOutput(value, q[i]!))) continue;
        pairs++;
        for (let set = 1; set < 8; set++) {
          const mass = (law: readonly number[]): number =>
            law.reduce((sum, value, i) => (set >> i) & 1 ? sum + value : sum, 0);
          if (mass(p) > 2 * mass(q)) {
            return {
              holds: false,
              margin: mass(p) / (2 * mass(q)),
              witness: `(${p})/12 against (${q})/12`,
              detail: "all sets",
            };
          }
        }
      }
    }
    return { holds: true, margin: NaN, detail: `${pairs} pairs of laws, all 7 sets` };
  },
  mutants: { "each output allowed a δ of 1/12 of its own": (p, q) => p <= 2 * q + 1 },
});
