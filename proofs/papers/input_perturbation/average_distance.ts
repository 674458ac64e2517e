import { klDistance, leakage } from "../../../lib/papers/breaches/average_measures.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** A distance between two distributions. */
type Distance = (p: readonly number[], q: readonly number[]) => number;

/** Mutual information is the average distance between posterior and prior. */
export const averageDistance = theorem<Distance>({
  id: "input_perturbation/average_distance",
  statement:
    "KL(p, q) ≥ 0, with 0 for equal ones only, and the mutual information of X and R(X) is the " +
    "average over y of KL(P(X|y), P(X)).",
  citation: "Kullback, Leibler 1951; Agrawal, Aggarwal 2001",
  source: "Shmatikov’s slides, Kullback–Leibler distance; privacy of input perturbation",
  remember: () =>
    `A coin that tells a fair bit truly three times in four tells ${
      short(klDistance([0.75, 0.25], [0.5, 0.5]))
    } nats of ln 2 = ${short(Math.LN2)}.`,
  kind: "sampled",
  checked: "200 generated priors on four values, and operators from them to three",
  subject: klDistance,
  check: (distance, { seed }) => {
    const source = new SeededSource(seed).split("laws");
    const law = (size: number): number[] => {
      const raw = Array.from({ length: size }, () => source.uniform());
      const total = raw.reduce((sum, value) => sum + value, 0);
      return raw.map((value) => value / total);
    };
    let worst = 0, least = Infinity;
    for (let k = 0; k < 200; k++) {
      const prior = law(4), rows = prior.map(() => law(3));
      const operator = {
        inputs: 4,
        outputs: 3,
        probability: (x: number, y: number) => rows[x]![y]!,
      };
      // I(X; Y) = Σ p(x, y)·ln(p(x, y)/(p(x)p(y))), the symmetric form.
      const seen = [0, 1, 2].map((y) => prior.reduce((sum, p, x) => sum + p * rows[x]![y]!, 0));
      let mutual = 0, average = 0;
      for (let y = 0; y < 3; y++) {
        const posterior = prior.map((p, x) => p * rows[x]![y]! / seen[y]!);
        average += seen[y]! * distance(posterior, prior);
        posterior.forEach((p, x) => mutual += seen[y]! * p * Math.log(rows[x]![y]! / seen[y]!));
        least = Math.min(least, distance(posterior, prior), distance(prior, posterior));
      }
      const shipped = leakage(operator, prior).mutualInformation;
      worst = Math.max(worst, Math.abs(average - mutual), Math.abs(shipped - mutual));
    }
    const same = Math.abs(distance([0.2, 0.8], [0.2, 0.8]));
    const holds = worst < 1e-12 && least > 0 && same === 0;
    return {
      holds,
      margin: worst / 1e-12,
      detail: "200 random priors and operators",
      ...(holds ? {} : { witness: `the two forms differ by ${worst}` }),
    };
  },
  mutants: { "the arguments exchanged": (p, q) => klDistance(q, p) },
});
