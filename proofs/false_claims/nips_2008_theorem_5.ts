import { atMost, short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** Which algorithm Theorem 5 is taken to be about, and its exponent of 1/ε_g. */
interface Reading {
  readonly algorithm: "output" | "objective";
  readonly exponent: number;
}

/** Whose sample requirement Theorem 5 of the first paper is. */
export const nips2008Theorem5 = falseClaim<Reading>({
  id: "false_claims/nips_2008_theorem_5",
  statement:
    "d·ln(d/δ)‖w₀‖²/(ε_g^1.5 ε) rows, of Theorem 5, are what the noise of Algorithm 2 asks for.",
  citation: "Chaudhuri, Monteleoni 2008, Theorem 5, which names Algorithm 2",
  source: "a slip: the theorem is about Algorithm 1; Theorem 4 is about Algorithm 2",
  assumptions: [
    "rows at which the excess of Lemma 3 or 4 is ε_g, λ = ε_g/‖w₀‖² ≤ 1: a constant share of the theorem's",
  ],
  kind: "enumerated",
  subject: { algorithm: "objective", exponent: 1.5 },
  check: ({ algorithm, exponent }) => {
    let least = Infinity, most = 0;
    for (const norm of [1, 10, 100]) {
      for (const error of [0.5, 0.1, 0.001]) {
        const lambda = error / norm ** 2;
        // In units of d·ln(d/δ)/ε: 2(1 + λ)/(λn)² = ε_g, or 8/(λn²) = ε_g.
        const asked = algorithm === "output"
          ? Math.sqrt(2 * (1 + lambda) / error) / lambda
          : Math.sqrt(8 / (lambda * error));
        const share = norm ** 2 / error ** exponent / asked;
        least = Math.min(least, share);
        most = Math.max(most, share);
      }
    }
    // 1 + λ is from 1 to 2: for the right algorithm the shares are within √2 of each other.
    return atMost(Math.SQRT2, {
      value: most / least,
      detail: `the theorem's rows are ${short(least)} to ${short(most)} times those asked for`,
      witness: `the theorem's rows are ${short(least)} to ${short(most)} times those asked for`,
    });
  },
  corrected: { name: "of Algorithm 1", subject: { algorithm: "output", exponent: 1.5 } },
  mutants: { "of Algorithm 1, with ε_g²": { algorithm: "output", exponent: 2 } },
});
