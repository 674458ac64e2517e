import { gaussLegendre } from "../../tools/gauss_legendre.ts";
import { logGamma } from "../../../lib/core/numeric/log_gamma.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** C of Lemma 23 for ‖f₀‖_∞ = ζ = 1, by the dimension of the unit ball X. */
type Coefficients = (dimension: number) => number;

/** The volume of the unit ball, π^(d/2)/Γ(d/2 + 1). */
function volume(dimension: number): number {
  return Math.PI ** (dimension / 2) / Math.exp(logGamma(dimension / 2 + 1));
}

/** Points and weights of quadrature over the unit ball, in one dimension or two. */
function ball(dimension: number): { at: number[]; weight: number }[] {
  const { nodes, weights } = gaussLegendre(60);
  if (dimension === 1) return nodes.map((x, i) => ({ at: [x], weight: weights[i]! }));
  const angles = 120;
  return nodes.flatMap((node, i) => {
    const radius = (node + 1) / 2;
    return Array.from({ length: angles }, (_, k) => ({
      at: [Math.cos(2 * Math.PI * k / angles), Math.sin(2 * Math.PI * k / angles)]
        .map((x) => radius * x),
      weight: weights[i]! / 2 * radius * 2 * Math.PI / angles,
    }));
  });
}

/** The coefficients of a bounded function, for Lemma 23. */
export const theorem24 = theorem<Coefficients>({
  id: "erm/theorem_24",
  statement:
    "If f₀ lives on X and |φ| ≤ ζ, then a(θ) = ∫_X f₀(x)φ(x; θ)dx has |a| ≤ ζ·Vol(X)·‖f₀‖_∞: Lemma 23 " +
    "holds with that for C, Vol = π^(d/2)/Γ(d/2 + 1) for the unit ball.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 24, with the rate of Lemma 23 as mended",
  source: "JMLR paper, section 5; its logarithm divides by Γ(d/2 + 1) beside Vol(X), which does so",
  remember: () =>
    `Vol(X) is ${short(volume(1))}, ${short(volume(2))} and ${
      short(volume(3))
    } in one, two and three dimensions, and ${short(volume(20))} in twenty.`,
  assumptions: [
    "that f₀ is the mean of a(θ)φ(x; θ) under the kernel's own law of θ is assumed, as in the theorem",
  ],
  kind: "sampled",
  checked:
    "cosine features, unit balls in one and two dimensions, 400 pairs of f₀ and θ each, by quadrature",
  subject: volume,
  check: (coefficients, { seed }) => {
    let worst = 0, witness = "";
    for (const dimension of [1, 2]) {
      const source = new SeededSource(seed).split(`theorem 24, ${dimension}`);
      const points = ball(dimension);
      for (let run = 0; run < 400; run++) {
        // The first is f₀ = 1 at θ = 0, where the bound is attained.
        const scale = run === 0 ? 0 : 3 * source.uniform();
        const wave = (): (at: readonly number[]) => number => {
          const frequency = floatNormal(source, new Float64Array(dimension), { scale: 1 });
          const phase = run === 0 ? 0 : 2 * Math.PI * source.uniform();
          return (at) => Math.cos(scale * at.reduce((sum, x, j) => sum + x * frequency[j]!, phase));
        };
        const phi = wave(), f = run % 2 === 0 ? wave() : phi;
        // A bounded function: a wave, or the sign of the feature itself.
        const value = (at: readonly number[]): number => run % 2 === 0 ? f(at) : Math.sign(phi(at));
        const a = points.reduce((sum, { at, weight }) => sum + weight * value(at) * phi(at), 0);
        const share = Math.abs(a) / coefficients(dimension);
        if (share > worst || Number.isNaN(share)) {
          worst = share;
          witness = `d = ${dimension}: |a| = ${short(Math.abs(a))}`;
        }
      }
    }
    return atMost(1, { value: worst, detail: `|a| up to ${short(worst)} of the bound`, witness });
  },
  mutants: {
    "without Vol(X)": () => 1,
    "π^(d/2)/Γ(d/2 + 2) for Vol(X)": (dimension) => volume(dimension) / (dimension / 2 + 1),
  },
});
