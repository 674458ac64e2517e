import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import { finiteDelta } from "../../engine/finite_laws.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Whether the k members answer by independent coins, or the group's answer comes from one mechanism. */
interface Group {
  readonly loss: (epsilon: number, size: number) => { p: number[]; q: number[] };
}

/** The one case. */
const EPSILON = 0.1, SIZE = 100, TARGET = 6, DELTA = 1e-6;

/** Composition can be counted by √k, groups cannot. */
export const groupIsNotComposition = theorem<Group>({
  id: "composition/group_is_not_composition",
  statement: "Group privacy and composition are not the same: k uses of ε-DP mechanisms are " +
    "(ε′, δ)-DP for an ε′ below kε and a small δ; a group of k may lose kε outright.",
  citation: "Dwork, Roth 2014, after Theorem 3.16",
  source: "Haußmann’s slides, note to composition",
  remember: () =>
    `${SIZE} uses of ε = ${EPSILON} are (${TARGET}, δ)-private with δ = ${
      short(optimalDelta([{ epsilon: EPSILON, count: SIZE }], { epsilon: TARGET }))
    }; a group of ${SIZE} can lose ${short(SIZE * EPSILON)} outright.`,
  kind: "exhaustive",
  checked:
    `one case: ε = ${EPSILON}, k = ${SIZE}, ε′ = ${TARGET}, δ = ${DELTA}; one geometric mechanism on a count for the group, all outputs`,
  subject: {
    // Geometric noise folded onto 0…k, counts 0 and k: the end output has loss kε.
    loss: (epsilon, size) => {
      const law = (at: number): number[] =>
        Array.from({ length: size + 1 }, (_, y) => {
          const a = Math.exp(-epsilon), tail = a ** Math.abs(y - at) / (1 + a);
          return y === 0 || y === size ? tail : tail * (1 - a);
        });
      return { p: law(0), q: law(size) };
    },
  },
  check: ({ loss }) => {
    const composed = optimalDelta([{ epsilon: EPSILON, count: SIZE }], { epsilon: TARGET });
    const { p, q } = loss(EPSILON, SIZE);
    const grouped = finiteDelta(p, q, Math.exp(TARGET));
    return {
      holds: composed < DELTA && grouped > 0.1,
      margin: composed / DELTA,
      detail: `at ε′ = ${TARGET} of ${short(SIZE * EPSILON)}: δ = ${
        short(composed)
      } for ${SIZE} uses, ${short(grouped)} for a group of ${SIZE}`,
      ...(grouped > 0.1 ? {} : { witness: `the group loses only δ = ${short(grouped)}` }),
    };
  },
  mutants: {
    "a group that answers by 100 coins": {
      loss: (epsilon, size) => {
        const truth = 1 / (1 + Math.exp(-epsilon));
        let chance = (1 - truth) ** size;
        const p: number[] = [];
        for (let told = 0; told <= size; told++) {
          p.push(chance);
          chance *= (size - told) / (told + 1) * truth / (1 - truth);
        }
        return { p, q: p.toReversed() };
      },
    },
  },
});
