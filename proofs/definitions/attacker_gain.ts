import { integerVectors } from "../checks/finite_check.ts";
import { atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The most that the odds of two values of one row may change, as a power of e^ε. */
type Power = number;

/** What an attacker who knows all rows but one may learn of it. */
export const attackerGain = theorem<Power>({
  id: "definitions/attacker_gain",
  statement:
    "Whoever knows all rows but one and sees an output of an ε-DP mechanism changes the odds of " +
    "any two values of that row by a factor of at most e^ε, whatever was believed before.",
  citation:
    "Dwork, McSherry, Nissim, Smith 2006, appendix (semantic privacy); Kasiviswanathan, Smith 2014",
  source: "Chaudhuri’s slides, facts: “adversary cannot gain confidence on last value”",
  kind: "exhaustive",
  checked: "k-ary randomised response on three values with e^ε = 3, and all 36 priors in tenths",
  subject: 1,
  check: (power) => {
    let worst = 0;
    for (const [a, b] of integerVectors(2, { min: 1, max: 8 })) {
      const prior = [a!, b!, 10 - a! - b!];
      if (prior[2]! < 1) continue;
      for (let output = 0; output < 3; output++) {
        const posterior = prior.map((p, x) => p * (x === output ? 3 : 1));
        for (let x = 0; x < 3; x++) {
          for (let y = 0; y < 3; y++) {
            worst = Math.max(worst, posterior[x]! * prior[y]! / (posterior[y]! * prior[x]!));
          }
        }
      }
    }
    return atMost(3 ** power, {
      value: worst,
      detail: "36 priors, three outputs",
      witness: `odds change by ${short(worst)}`,
    });
  },
  mutants: { "e^(ε/2)": 1 / 2 },
});
