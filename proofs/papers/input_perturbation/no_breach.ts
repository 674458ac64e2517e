import { breachFreeAmplification } from "../../../lib/papers/breaches/amplification.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The γ said to rule breaches out. */
type Threshold = (levels: { readonly rho1: number; readonly rho2: number }) => number;

/** How many outputs are generated, half of them on two values. */
const CASES = 4000;

/** Amplification below the threshold rules out every breach, and at the threshold one exists. */
export const noBreach = theorem<Threshold>({
  id: "input_perturbation/no_breach",
  statement:
    "If an operator is γ-amplifying and ρ₂(1 − ρ₁)/(ρ₁(1 − ρ₂)) > γ, no property has a straight " +
    "(ρ₁ to ρ₂) or inverse (ρ₂ to ρ₁) breach, under any prior.",
  citation: "Evfimievski, Gehrke, Srikant 2003, Statement 1",
  source: "Shmatikov’s slides, amplification",
  remember: () =>
    `To keep belief from rising from 1% to 50%, γ below ${
      short(breachFreeAmplification({ rho1: 0.01, rho2: 0.5 }))
    } is enough.`,
  kind: "sampled",
  checked: `${
    CASES / 2
  } generated outputs and priors on five values, all properties; and as many on two values, with the levels ρ₁ and ρ₂ generated, which attain the bound`,
  subject: breachFreeAmplification,
  check: (threshold, { seed }) => {
    const source = new SeededSource(seed).split("operators");
    let worst = 0, cases = 0;
    for (let k = 0; k < CASES; k++) {
      const rho1 = 0.02 + 0.4 * source.uniform(), rho2 = rho1 + 0.05 + 0.4 * source.uniform();
      const gamma = threshold({ rho1, rho2 }) * (1 - 1e-9);
      if (!(gamma > 1)) continue;
      // P(x → y) for one output y, on γ's two levels or between them.
      const size = k % 2 === 0 ? 2 : 5;
      const chances = Array.from(
        { length: size },
        (_, x) =>
          k % 2 === 0 || x < 2 ? (x % 2 === 0 ? gamma : 1) : 1 + (gamma - 1) * source.uniform(),
      );
      const raw = chances.map((_, x) =>
        k % 2 === 0 ? (x === 0 ? rho1 : 1 - rho1) : source.uniform() + 1e-6
      );
      const total = raw.reduce((sum, value) => sum + value, 0);
      const prior = raw.map((value) => value / total);
      const evidence = prior.reduce((sum, value, x) => sum + value * chances[x]!, 0);
      for (let set = 1; set < 2 ** size - 1; set++) {
        cases++;
        let before = 0, after = 0;
        for (let x = 0; x < size; x++) {
          if (((set >> x) & 1) === 0) continue;
          before += prior[x]!;
          after += prior[x]! * chances[x]! / evidence;
        }
        if (before <= rho1) worst = Math.max(worst, after / rho2);
        if (before >= rho2) worst = Math.max(worst, (1 - after) / (1 - rho1));
      }
    }
    return {
      holds: worst < 1,
      margin: worst,
      detail: `${cases} properties; the nearest reaches ${short(worst)} of a breach`,
      ...(worst < 1 ? {} : { witness: `a belief rises to ${short(worst)} times ρ₂` }),
    };
  },
  mutants: {
    "the threshold ρ₂/ρ₁·1.6": ({ rho1, rho2 }) => 1.6 * rho2 / rho1 + 1,
    "twice the threshold": (levels) => 2 * breachFreeAmplification(levels),
  },
});
