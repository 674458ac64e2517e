import { featureMatrix, featureRows } from "../../../lib/papers/null_space/feature_matrix.ts";
import { generalisedEigenproblem } from "../../../lib/papers/null_space/generalised_eigenproblem.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { cleaningCases, movedOutputs, shippedCleaner } from "./checks/cleaning_cases.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** The squared error that a direction adds: λ its eigenvalue, a the amplitude, α the share that is taken out. */
type Share = (
  direction: { readonly lambda: number; readonly amplitude: number; readonly alpha: number },
) => number;

/** What taking directions out does to both predictions. */
export const privacyError = theorem<Share>({
  id: "predictors/privacy_error",
  statement:
    "With γ_i = λ_i^d/λ_i^c, taking out Σα_i a_i v_i moves the desired outputs by Σλ_i^d α_i²a_i² and the confidential ones by " +
    "Σλ_i^c α_i²a_i², squared; by Algorithm 1 the latter grows with ε.",
  citation: "Xu, Shah, Cao, Maung, Schweitzer 2017, proof of Theorem 1 and analysis after it",
  source: "AAAI abstract, proof of Theorem 1; privacy of Algorithm 1",
  remember: () =>
    `Half of a direction taken out moves both outputs by ${
      0.5 ** 2
    } of what all of it would, squared.`,
  assumptions: ["of the adversary's prediction without the attack on cleaned rows"],
  kind: "sampled",
  checked:
    "200 pairs of generated predictors of 1 to 3 outputs on 2 to 6 features, five rows each with random α; ε = 0, .01, .1, 1, 10 and 100",
  subject: ({ lambda, amplitude, alpha }) => lambda * alpha ** 2 * amplitude ** 2,
  check: (share, { seed }) =>
    outcomeOf("200 pairs, 1,000 rows", () => {
      const source = new SeededSource(seed).split("shares");
      for (const given of cleaningCases(seed, { count: 200 })) {
        const { desired, confidential, features } = given;
        const spectrum = generalisedEigenproblem(desired, { confidential });
        const basis = featureRows(spectrum.basis);
        const vectors = featureRows(spectrum.vectors).map((coordinates) =>
          basis[0]!.map((_, j) =>
            coordinates.reduce((sum, value, b) => sum + value * basis[b]![j]!, 0)
          )
        );
        spectrum.gamma.forEach((gamma, i) => {
          const [d, c] = [spectrum.desired[i]!, spectrum.confidential[i]!];
          if (c > 0) requireNear(c * gamma, d, { relative: 1e-9, what: "γλ^c" });
        });
        const rows = featureRows(features);
        const amplitudes = rows.map((row) =>
          vectors.map((v) => v.reduce((sum, value, j) => sum + value * row[j]!, 0))
        );
        const alphas = rows.map(() => vectors.map(() => source.uniform()));
        const cleaned = featureMatrix(rows.map((row, r) =>
          row.map((value, j) =>
            vectors.reduce(
              (left, v, i) => left - alphas[r]![i]! * amplitudes[r]![i]! * v[j]!,
              value,
            )
          )
        ));
        for (
          const [weights, lambdas] of [
            [desired, spectrum.desired],
            [confidential, spectrum.confidential],
          ] as const
        ) {
          movedOutputs(weights, { features, cleaned }).forEach((error, r) => {
            const stated = vectors.reduce(
              (sum, _, i) =>
                sum +
                share({
                  lambda: lambdas[i]!,
                  amplitude: amplitudes[r]![i]!,
                  alpha: alphas[r]![i]!,
                }),
              0,
            );
            requireNear(error, stated, { relative: 1e-8, absolute: 1e-9, what: "squared error" });
          });
        }
        let before = rows.map(() => 0);
        for (const epsilon of [0, 0.01, 0.1, 1, 10, 100]) {
          const after = movedOutputs(confidential, {
            features,
            cleaned: shippedCleaner(given, { epsilon }),
          });
          after.forEach((error, r) =>
            requireThat(
              error >= before[r]! * (1 - 1e-9) - 1e-12,
              () => `at ε = ${epsilon} e_privacy falls from ${before[r]} to ${error}`,
            )
          );
          before = Array.from(after);
        }
      }
    }),
  mutants: {
    "α for α²": ({ lambda, amplitude, alpha }) => lambda * alpha * amplitude ** 2,
    "λ² for λ": ({ lambda, amplitude, alpha }) => lambda ** 2 * alpha ** 2 * amplitude ** 2,
  },
});
