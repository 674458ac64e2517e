import { integerVectors } from "../../engine/finite_check.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

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
  remember: () =>
    `Even odds become ${short(Math.exp(0.1))} to 1 at most for ε = .1, and ${
      short(Math.E)
    } to 1 for ε = 1.`,
  onPaper: true,
  kind: "exhaustive",
  checked:
    "e^ε = 3: all mechanisms of three values with three outputs, all possible, in eighths, and k-ary randomised response, with all 36 priors in tenths",
  subject: 1,
  check: (power) => {
    let worst = 0, mechanisms = 0;
    const laws = [...integerVectors(2, { min: 1, max: 6 })].filter(([a, b]) => a! + b! < 8)
      .map(([a, b]) => [a!, b!, 8 - a! - b!]);
    const within = (p: readonly number[], q: readonly number[]): boolean =>
      p.every((value, i) => value <= 3 * q[i]! && q[i]! <= 3 * value);
    const all = [[[3, 1, 1], [1, 3, 1], [1, 1, 3]]];
    for (const p of laws) {
      for (const q of laws.filter((law) => within(p, law))) {
        for (const r of laws.filter((law) => within(p, law) && within(q, law))) all.push([p, q, r]);
      }
    }
    for (const [a, b] of integerVectors(2, { min: 1, max: 8 })) {
      const prior = [a!, b!, 10 - a! - b!];
      if (prior[2]! < 1) continue;
      for (const mechanism of all) {
        mechanisms++;
        for (let output = 0; output < 3; output++) {
          for (let x = 0; x < 3; x++) {
            for (let y = 0; y < 3; y++) {
              const [after, other] = [x, y].map((row) => prior[row]! * mechanism[row]![output]!);
              worst = Math.max(worst, after! * prior[y]! / (other! * prior[x]!));
            }
          }
        }
      }
    }
    return atMost(3 ** power, {
      value: worst,
      detail: `${mechanisms} mechanisms with priors, three outputs`,
      witness: `odds change by ${short(worst)}`,
    });
  },
  mutants: { "e^(ε/2)": 1 / 2 },
});
