import { sulqVariance } from "../../../lib/papers/breaches/sulq_condition.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How many queries SuLQ can answer before its noise is that of a sample. */
export const sulqSublinear = theorem<typeof sulqVariance>({
  id: "input_perturbation/sulq_sublinear",
  statement:
    "For T = n^a queries on n rows with a < 1, SuLQ's noise √R becomes small beside √n, the order of the deviation of a count of n " +
    "random rows, as n grows; for T = n and ε ≤ 1 it is larger than √n for every n.",
  citation: "Blum, Dwork, McSherry, Nissim 2005, section 3, with R = 8T·log²(T/δ)/ε²",
  source: "Shmatikov’s slides, the SuLQ algorithm: why is sublinearity important?",
  remember: () =>
    `At ε = 1 and δ = .01, a thousand queries on 10⁹ rows: √R is ${
      short(Math.sqrt(sulqVariance({ epsilon: 1, delta: 0.01, queries: 1000 })))
    }, and √n is ${Math.round(Math.sqrt(1e9))}.`,
  kind: "sampled",
  checked:
    "ε = .1 and 1, δ = .1 and 1e-6; a = ¼, ½ and ¾ with T up to 10^15, and T = n up to 10^15",
  subject: sulqVariance,
  check: (variance) =>
    outcomeOf("four settings, three exponents", () => {
      for (const epsilon of [0.1, 1]) {
        for (const delta of [0.1, 1e-6]) {
          const beside = (queries: number, rows: number): number =>
            variance({ epsilon, delta, queries }) / rows;
          for (let power = 0; power <= 15; power++) {
            const rows = 10 ** power;
            requireThat(beside(rows, rows) > 1, `T = n = ${rows}: R is below n`);
          }
          for (const exponent of [0.25, 0.5, 0.75]) {
            const at = (power: number): number =>
              beside(Math.round(10 ** power), 10 ** (power / exponent));
            // log² grows by (15/14)² at most, and n^(1 − a) by 10^(1/a − 1) at least: it falls.
            for (let power = 3; power <= 15; power++) {
              requireThat(
                at(power) < at(power - 1),
                `a = ${exponent}: R/n grows at T = 10^${power}`,
              );
            }
            // Four powers of ten for every factor of four of log².
            requireThat(
              at(15) < at(3) * 10 ** (-12 * (1 / exponent - 1)) * 30,
              `a = ${exponent}: R/n is ${at(15)} at T = 10^15`,
            );
          }
        }
      }
    }),
  mutants: {
    "R that grows as T²": (privacy) => sulqVariance(privacy) * privacy.queries,
    "R that does not grow with T": (privacy) => sulqVariance({ ...privacy, queries: 1 }),
  },
});
