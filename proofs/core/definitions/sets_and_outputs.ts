import { integerVectors } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Whether a law p of three outputs, in twelfths, is private beside q, by its outputs one by one. */
type ByOutputs = (p: readonly number[], q: readonly number[]) => boolean;

/** A condition on each output. */
const each = (condition: (p: number, q: number) => boolean): ByOutputs => (p, q) =>
  p.every((value, i) => condition(value, q[i]!));

/** The two ways to define ε-DP agree: by outputs and by sets of them. */
export const setsAndOutputs = theorem<ByOutputs>({
  id: "definitions/sets_and_outputs",
  statement:
    "No output is more than e^ε times likelier under a neighbour if and only if no set of outputs is: " +
    "without δ, Definition 2 (ratios) and Definition 3 (sets) are equivalent.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Definitions 2 and 3; Dwork et al. 2006",
  source: "JMLR preprint, after Definition 3; Chaudhuri’s and Haußmann’s slides, definitions",
  remember: () =>
    `Of three outputs the ${2 ** 3 - 1} sets say no more than the three outputs one by one.`,
  onPaper: true,
  kind: "exact",
  checked: "all laws on three outputs in twelfths, all sets of outputs, e^ε = 2",
  assumptions: ["outputs that can be counted; densities are equal but for null sets"],
  subject: each((p, q) => p <= 2 * q),
  check: (byOutputs) => {
    const laws = [...integerVectors(2, { min: 0, max: 12 })]
      .filter(([a, b]) => a! + b! <= 12)
      .map(([a, b]) => [a!, b!, 12 - a! - b!]);
    let pairs = 0;
    for (const p of laws) {
      for (const q of laws) {
        pairs++;
        let bySets = true;
        for (let set = 1; set < 8; set++) {
          const mass = (law: readonly number[]): number =>
            law.reduce((sum, value, i) => (set >> i) & 1 ? sum + value : sum, 0);
          bySets &&= mass(p) <= 2 * mass(q);
        }
        if (bySets !== byOutputs(p, q)) {
          return {
            holds: false,
            margin: NaN,
            witness: `(${p})/12 against (${q})/12: by sets ${bySets ? "private" : "not private"}`,
            detail: "all sets",
          };
        }
      }
    }
    return { holds: true, margin: NaN, detail: `${pairs} pairs of laws, all 7 sets` };
  },
  mutants: {
    "each output allowed a δ of 1/12 of its own": each((p, q) => p <= 2 * q + 1),
    "each output half as likely at least, too": each((p, q) => p <= 2 * q && q <= 2 * p),
  },
});
