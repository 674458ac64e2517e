import { SeededSource } from "../../lib/random/seeded_source.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** Two strongly convex functions whose gradients differ, minimised in closed form. */
export const lemma7 = theorem<{ readonly factor: number }>({
  id: "erm/lemma_7",
  statement:
    "If G and G + g are λ-strongly convex and differentiable, their minimisers are at most " +
    "max‖∇g‖/λ apart.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 7; NIPS 2008, Lemma 1",
  source: "JMLR preprint, Lemma 1; Chaudhuri’s slides, Lemma 1: |b|/(λn)",
  kind: "sampled",
  checked:
    "2,000 generated quadratics G in two dimensions with a linear g, where both sides are closed forms",
  subject: { factor: 1 },
  check: ({ factor }, { seed }) => {
    const source = new SeededSource(seed).split("quadratics");
    let worst = 0;
    for (let k = 0; k < 2000; k++) {
      // G = ½ f·A f − c·f with A = λI + a aᵀ, g = b·f: the minimisers differ by A⁻¹b.
      const [a0, a1, b0, b1] = floatNormal(source, new Float64Array(4), {
        scale: 1,
      }) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const lambda = 10 ** (2 * source.uniform() - 1);
      // Every other g lies along the flattest direction, where the bound is attained.
      const [g0, g1] = k % 2 === 0 ? [b0, b1] : [-a1, a0];
      const [p, q, r] = [lambda + a0 * a0, a0 * a1, lambda + a1 * a1];
      const det = p * r - q * q;
      const distance = Math.hypot((r * g0 - q * g1) / det, (p * g1 - q * g0) / det);
      worst = Math.max(worst, distance * lambda / (factor * Math.hypot(g0, g1)));
    }
    return atMost(1, {
      value: worst,
      detail: "2000 random quadratics in two dimensions",
      witness: `minimisers ${short(worst)} times as far apart as allowed`,
    });
  },
  mutants: { "max‖∇g‖/(2λ)": { factor: 0.5 } },
});
