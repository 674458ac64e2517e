import { finiteDelta, productLaw } from "../../engine/finite_laws.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The ε of one selection and of one measurement, for T rounds and ε = 1. */
interface Shares {
  readonly selection: (rounds: number) => number;
  readonly measurement: (rounds: number) => number;
}

/**
 * One round on a count that moves by 1: the exponential mechanism between two queries, and geometric
 * noise on the answer, folded where it is rare; both at their worst pair.
 */
function round(rounds: number, { selection, measurement }: Shares): { p: number[]; q: number[] } {
  // Scores 0, 30 against 1, 29: e^(ε·score/2), nearly e^ε apart.
  const gap = 30 / selection(rounds);
  const law = (rise: number): number[] => {
    const odds = Math.exp(selection(rounds) / 2 * (gap - 2 * rise));
    return [1 / (1 + odds), odds / (1 + odds)];
  };
  const ratio = Math.exp(-measurement(rounds));
  const answer = [1 / (1 + ratio), ratio / (1 + ratio)];
  return { p: productLaw(law(1), answer), q: productLaw(law(0), answer.toReversed()) };
}

/** MWEM spends ε in T rounds of half selection, half measurement. */
export const mwemBudget = theorem<Shares>({
  id: "queries/mwem_budget",
  statement:
    "T rounds of the exponential mechanism with ε/(2T) and the Laplace mechanism with scale " +
    "2T/ε are ε-differentially private: T·(ε/(2T) + ε/(2T)) = ε.",
  citation: "Hardt, Ligett, McSherry 2012, Theorem 2.1",
  source: "Haußmann’s slides, MWEM, proof of privacy (printed without the factor T)",
  remember: () => `Ten rounds at ε = 1 are twenty steps of ${1 / (2 * 10)}.`,
  assumptions: ["queries of sensitivity 1; the update is post-processing"],
  onPaper: true,
  kind: "sampled",
  checked:
    "ε = 1, T = 1 to 4 rounds: all transcripts of one pair, on which the selection and the measurement of each round lose nearly their shares",
  subject: { selection: (rounds) => 1 / (2 * rounds), measurement: (rounds) => 1 / (2 * rounds) },
  check: (shares) => {
    let worst = 0;
    for (let rounds = 1; rounds <= 4; rounds++) {
      let p = [1], q = [1];
      const one = round(rounds, shares);
      for (let k = 0; k < rounds; k++) [p, q] = [productLaw(p, one.p), productLaw(q, one.q)];
      worst = Math.max(worst, ...p.map((value, i) => Math.abs(Math.log(value / q[i]!))));
      if (finiteDelta(p, q, Math.exp(1)) > 1e-12) worst = Math.max(worst, 1 + 1e-6);
    }
    return atMost(1, {
      value: worst,
      detail: `whole transcripts lose up to ${short(worst)} at ε = 1`,
      witness: `a transcript loses ${short(worst)}`,
    });
  },
  mutants: {
    "ε/T not halved": { selection: (rounds) => 1 / rounds, measurement: (rounds) => 1 / rounds },
    "not divided by T": { selection: () => 1 / 2, measurement: () => 1 / 2 },
  },
});
