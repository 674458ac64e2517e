import { assert } from "@std/assert";
import fc from "fast-check";
import {
  cutLaw,
  dominatedLosses,
  dominatingLosses,
  type FiniteLosses,
} from "../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import {
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";

const total = ({ masses }: FiniteLosses): number => masses.reduce((sum, mass) => sum + mass, 0);
const highest = ({ losses }: FiniteLosses): number => Math.max(-Infinity, ...losses);
const lowest = ({ losses }: FiniteLosses): number => Math.min(Infinity, ...losses);

/** The probability under P of losses that are at most `to`. */
function upTo(law: LossLaw, to: number): number {
  const atoms = law.atoms.reduce((sum, { loss, p }) => loss <= to ? sum + p : sum, 0);
  return atoms + (law.intervalMass?.(-Infinity, to).p ?? 0);
}

const survey = finiteLoss({ p: [0.5, 0.2, 0.2, 0.1], q: [0.1, 0.3, 0.2, 0.4] }).forward;
const laws: readonly LossLaw[] = [
  survey,
  laplaceLoss({ epsilon: 1 }).forward,
  gaussianLoss({ mu: 0.7 }).forward,
];

// Mutants: an atom at the edge on the other side of it, above `to`, or left out; cells of both sides on one; what is below the range on
// the wrong side.
Deno.test("losses of a cut law are on their side of the edge, every one of them once", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...laws),
      fc.double({ min: -1.2, max: 1.2, noNaN: true }),
      fc.double({ min: -1.2, max: 1.2, noNaN: true }),
      fc.nat(3),
      (law, a, b, kind) => {
        // Half of the edges and ends are atoms themselves.
        const { atoms } = law;
        const edge = kind % 2 === 1 && atoms.length > 0 ? atoms[kind % atoms.length]!.loss : a;
        const to = kind >= 2 && atoms.length > 0 ? atoms.at(-kind)?.loss ?? b : b;
        const cut = cutLaw(law, { edge, to });
        const low = dominatedLosses(cut, { edge }), high = dominatingLosses(cut, { edge });
        const inside = upTo(law, to), small = Math.min(inside, upTo(law, Math.min(edge, to)));
        for (const [sides, name] of [[low, "dominated"], [high, "dominating"]] as const) {
          const message = `${name} ${edge} ${to}`;
          assert(highest(sides.below) <= edge + 1e-9, message);
          assert(lowest(sides.above) >= edge - 1e-9, message);
          assert(highest(sides.above) <= Math.max(to, edge) + 1e-9, message);
          const tolerance = 1e-9, tail = 1e-20;
          assert(Math.abs(total(sides.below) - small) <= tolerance * small + tail, message);
          assert(Math.abs(total(sides.above) - (inside - small)) <= tolerance + tail, message);
        }
        // Each side has all probability or more, and no more than all.
        assert(total(high.below) >= small * (1 - 1e-15), `${total(high.below)} < ${small}`);
        assert(total(low.below) <= small * (1 + 1e-15), `${total(low.below)} > ${small}`);
        // Dominating losses are no lower than those that they stand for, dominated ones no higher.
        if (law === survey) {
          const below = atoms.filter(({ loss }) => loss <= to).map(({ loss }) => loss);
          const all = [...high.below.losses, ...high.above.losses].sort((x, y) => x - y);
          const least = [...low.below.losses, ...low.above.losses].sort((x, y) => x - y);
          below.forEach((loss, i) => assert(all[i]! > loss && least[i]! < loss));
        }
      },
    ),
    { seed: 195, numRuns: 400 },
  );
});
