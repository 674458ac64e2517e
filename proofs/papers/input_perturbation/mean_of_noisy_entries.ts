import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  type Perturbation,
  wrappedNoise,
} from "../../../lib/dp/mechanisms/input_perturbation.ts";
import { scriptedSource } from "./checks/scripted_source.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How entries are perturbed, by how many values they may have and the reach of the noise. */
type Noise = (shape: { readonly size: number; readonly reach: number }) => Perturbation;

/** The mean survives noise of mean 0 on every entry. */
export const meanOfNoisyEntries = theorem<Noise>({
  id: "input_perturbation/mean_of_noisy_entries",
  statement:
    "When whole noise of mean 0, equally likely from −a to a, is added to every entry, the mean of what is published is the mean of the entries on average, " +
    "with variance a(a + 1)/(3n): it can be computed however large a is, while n is larger.",
  citation: "Agrawal, Srikant 2000; Evfimievski, Gehrke, Srikant 2003, section 1",
  source:
    "Shmatikov’s slides, input perturbation: “if distribution of noise has mean 0, user can compute average of x_i”",
  remember: () =>
    `Noise of up to ±20 on 1,000 ages leaves their mean with a deviation of ${
      short(Math.sqrt(20 * 21 / 3 / 1000))
    }.`,
  kind: "exhaustive",
  checked:
    "entries of 2 to 12 values and every reach: the stated law, and every draw of perturb(), for each value; all outputs of three entries together",
  subject: additiveNoise,
  check: (noise) =>
    outcomeOf("eleven sizes and all reaches", () => {
      for (let size = 2; size <= 12; size++) {
        for (let reach = 0; reach <= Math.floor((size - 1) / 2); reach++) {
          const perturbation = noise({ size, reach });
          for (let entry = 0; entry < size; entry++) {
            let total = 0, mean = 0, square = 0;
            for (let output = -size; output <= 2 * size; output++) {
              const chance = perturbation.probability(entry, output);
              total += chance;
              mean += chance * output;
              square += chance * (output - entry) ** 2;
            }
            const what = `${perturbation.name}, entry ${entry} of ${size} within ${reach}`;
            requireNear(total, 1, { what, relative: 1e-12 });
            requireNear(mean, entry, { what: `${what}: mean`, absolute: 1e-9 });
            requireNear(square, reach * (reach + 1) / 3, {
              what: `${what}: variance`,
              absolute: 1e-9,
            });
            // Each value of the one draw: outputs as often as stated.
            const drawn = Array.from({ length: 2 * reach + 1 }, (_, k) =>
              perturbation.perturb(entry, scriptedSource(() => k)));
            requireThat(
              new Set(drawn).size === drawn.length &&
                drawn.every((output) =>
                  perturbation.probability(entry, output) > 0
                ),
              `${what}: draws`,
            );
          }
        }
      }
      // Means of three entries: over all outputs, mean and variance.
      const entries = [0, 4, 5], perturbation = noise({ size: 6, reach: 2 });
      let mean = 0, square = 0;
      const outputs = Array.from({ length: 15 }, (_, k) => k - 4);
      for (const a of outputs) {
        for (const b of outputs) {
          for (const c of outputs) {
            const chance = [a, b, c].reduce(
              (product, output, i) => product * perturbation.probability(entries[i]!, output),
              1,
            );
            mean += chance * (a + b + c) / 3;
            square += chance * ((a + b + c) / 3 - 3) ** 2;
          }
        }
      }
      requireNear(mean, 3, { absolute: 1e-9, what: "the mean of three entries" });
      requireNear(square, 2 / 3, { absolute: 1e-9, what: "its variance" });
    }),
  mutants: {
    "noise that wraps round": ({ size, reach }) => wrappedNoise({ size, reach }),
    "entries kept or replaced": ({ size }) => keepOrReplace({ size, keep: 0.9 }),
    "noise that wraps, mixed with any entry": ({ size, reach }) =>
      mixedNoise({ size, reach, keep: 0.95 }),
    "noise from −a to a − 1": ({ size, reach }) => {
      const whole = additiveNoise({ size, reach });
      return {
        ...whole,
        probability: (entry, output) =>
          output === entry + reach
            ? 0
            : whole.probability(entry, output) * (2 * reach + 1) / Math.max(1, 2 * reach),
      };
    },
  },
});
