import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { largestMechanismLoss } from "../../lib/exact/mechanism_loss.ts";
import { exponentialFamily, withinBounds } from "../../lib/learners/bayes/exponential_family.ts";
import { exponentialPosterior } from "../../lib/learners/bayes/exponential_posterior.ts";
import {
  type PosteriorFamily,
  posteriorSampling,
} from "../../lib/learners/bayes/posterior_sampling.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  bernoulli,
  cases,
  dirichlet,
  gaussian,
  natural,
  requireLaw,
  requireRanges,
  type Sampling,
} from "../checks/posterior_cases.ts";

/** What is shipped to sample from posteriors. */
export const shippedFamilies = theorem<Sampling>({
  id: "bayes/shipped_families",
  statement:
    "The shipped families have the priors, likelihoods and ranges of log-likelihoods that they are named for; a sample from their posterior, tempered by ε/(2C) where that is below 1 " +
    "(q samples: 2qC; a row added: C), has its law, claims no less than it loses, and no more than ε; a conjugate posterior depends on the rows through their number and sums.",
  citation:
    "Wang, Fienberg, Smola 2015; Foulds, Geumlek, Welling, Chaudhuri 2016; Dimitrakakis et al. 2014; Diaconis, Ylvisaker 1979",
  source: "Haußmann’s slides, posterior sampling; lib/learners/bayes",
  kind: "sampled",
  checked:
    "four families on three to eighteen parameters, ε = .3, 2 and 50, one and three samples, both relations, datasets of none to four rows, against the posterior worked out row by row",
  subject: posteriorSampling,
  check: (sampling, { seed }) =>
    casesOf({
      "priors, likelihoods and ranges": () => {
        for (const { name, family, rows, logPrior, logLikelihood } of cases) {
          let range = 0;
          const [first] = family.parameters;
          for (const parameter of family.parameters) {
            requireNear(
              family.logPrior(parameter) - family.logPrior(first!),
              logPrior(parameter) - logPrior(first!),
              { absolute: 1e-12, what: `${name}: prior` },
            );
          }
          for (const row of rows) {
            const logs = family.parameters.map((parameter) =>
              family.logLikelihood(row as never, parameter)
            );
            const stated = family.parameters.map((parameter) =>
              logLikelihood(row as never, parameter)
            );
            logs.forEach((log, i) =>
              requireNear(log - logs[0]!, stated[i]! - stated[0]!, {
                absolute: 1e-12,
                what: `${name}: likelihood`,
              })
            );
            range = Math.max(range, Math.max(...logs) - Math.min(...logs));
          }
          requireThat(range <= family.range * (1 + 1e-12), `${name}: a range that is too small`);
          // The range is that of some row, or for numbers of an end of their bounds.
          requireThat(
            range >= family.range * (1 - 1e-9),
            `${name}: a range of ${family.range} where rows have ${range}`,
          );
        }
        requireEqual(bernoulli.parameters.map((p) => p.toFixed(6)), [
          "0.100000",
          "0.300000",
          "0.500000",
          "0.700000",
          "0.900000",
        ]);
        requireEqual([
          gaussian.parameters.length,
          gaussian.parameters[0],
          gaussian.parameters.at(-1),
        ], [7, -1, 2]);
        requireEqual(dirichlet.parameters.length, 10);
        requireThat(
          new Set(dirichlet.parameters.map((p) => p.join())).size === 10 &&
            dirichlet.parameters.every((p) =>
              p.length === 3 && p.every((share) => share > 0) && Math.abs(
                  p.reduce((a, b) => a + b) - 1,
                ) < 1e-12
            ),
          "shares",
        );
        requireEqual(dirichlet.logLikelihood(7, dirichlet.parameters[0]!), 0);
        requireEqual(
          withinBounds([NaN, 9, -9, 0.5], { lower: [0, 0, 0, 0], upper: [1, 1, 1, 1] }),
          [0, 1, 0, 0.5],
        );
      },
      "laws and claims of samples": () => {
        for (const { name, family, rows, logPrior, logLikelihood } of cases) {
          for (const epsilon of [0.3, 2, 50]) {
            for (const [relation, factor] of [[replaceOne, 2], [addRemoveOne, 1]] as const) {
              for (const samples of [1, 3]) {
                const mechanism = sampling(family as unknown as PosteriorFamily<unknown, unknown>, {
                  epsilon,
                  relation,
                  samples,
                });
                const temper = Math.min(1, epsilon / (factor * samples * family.range));
                requireNear(mechanism.temper, temper, { relative: 1e-6, what: `${name}: temper` });
                const claim = mechanism.claim as { epsilon: number };
                requireNear(claim.epsilon, Math.min(epsilon, factor * samples * family.range), {
                  relative: 1e-6,
                  what: `${name}: ε`,
                });
                requireThat(claim.epsilon <= epsilon, "no more than was asked for");
                const rho = (mechanism.alsoKeeps![0] as { rho: number }).rho;
                requireThat(
                  rho <= claim.epsilon ** 2 / 8 / samples * (1 + 1e-9) && rho > 0,
                  "ρ of a bounded range",
                );
                if (samples > 1) continue;
                requireLaw(name, mechanism, {
                  rows,
                  temper,
                  logPrior,
                  logLikelihood,
                  parameters: family.parameters,
                });
                const pairs = relation === replaceOne
                  ? rows.flatMap((row) =>
                    rows.map((other) => ({ left: [row, rows[0]!], right: [other, rows[0]!] }))
                  )
                  : rows.map((row) => ({ left: [rows[1]!], right: [rows[1]!, row] }));
                const { loss } = largestMechanismLoss(mechanism, {
                  pairs: pairs.slice(0, 12),
                  seed,
                });
                requireThat(
                  loss <= claim.epsilon * (1 + 1e-6),
                  `${name} loses ${loss} of ${claim.epsilon}`,
                );
              }
            }
          }
        }
      },
      "draws are those of the law": () => {
        const source = new SeededSource(seed).split("posterior");
        const mechanism = sampling(bernoulli, { epsilon: 3, relation: replaceOne });
        const data = [true, true, false], law = mechanism.distribution!(data);
        const many = mechanism.sampleMany!(data, 3000, source);
        const three = sampling(bernoulli, { epsilon: 9, relation: replaceOne, samples: 3 });
        requireEqual([
          three.width,
          three.sampleMany!(data, 5, source).length,
          three.sample(data, source).length,
          "distribution" in three,
        ], [3, 15, 3, false]);
        const draws = Array.from({ length: 1000 }, () => mechanism.sample(data, source)[0]!);
        for (const { output: [p], probability } of law) {
          for (const list of [[...many], draws]) {
            const count = list.filter((each) => each === p).length, n = list.length;
            // Bernstein's bound, for a chance of 1e-12.
            const room = 9.5 + Math.sqrt(90 + 57 * n * probability * (1 - probability));
            requireThat(
              Math.abs(count - n * probability) <= room,
              () => `${p} comes ${count} times in ${n}, stated is ${probability}`,
            );
          }
        }
        requireEqual(
          "sampleMany" in sampling(dirichlet, { epsilon: 1, relation: replaceOne }),
          false,
        );
      },
      "conjugate posteriors": () => {
        const family = exponentialFamily(natural);
        const mechanism = sampling(family, { epsilon: 1e6, relation: replaceOne });
        for (const data of [[], [[0, 1], [1, -1]], [[0.5, 0.5], [1, 1], [0, 0]]] as number[][][]) {
          const sums = [0, 1].map((k) => data.reduce((sum, row) => sum + row[k]!, 0));
          const found = exponentialPosterior(natural, [data.length, ...sums]);
          requireNear(found.reduce((a, b) => a + b, 0), 1, { relative: 1e-12 });
          mechanism.distribution!(data).forEach(({ probability }, i) =>
            requireNear(found[i]!, probability, { absolute: 1e-6 })
          );
        }
        requireRefused(
          "too few statistics",
          () => exponentialPosterior(natural, [1, 2]),
          "3 numbers",
        );
        requireRefused(
          "no statistics",
          () => exponentialPosterior({ ...natural, prior: { mean: [], strength: 1 } }, []),
          "numbers",
        );
      },
      "rows that say nothing, and sums that are large": () => {
        const odd: PosteriorFamily<string, number> = {
          parameters: [0, 1],
          logPrior: () => 0,
          logLikelihood: (row, p) =>
            row === "none" ? -Infinity : row === "one" && p === 0 ? -Infinity : 0,
          range: 1,
        };
        const mechanism = sampling(odd, { epsilon: 2, relation: replaceOne });
        const share = (data: string[]): number => mechanism.distribution!(data)[0]!.probability;
        requireNear(share(["none"]), 0.5);
        // What is impossible is held to the range.
        requireNear(share(["one"]), 1 / (1 + Math.E), { relative: 1e-9 });
        requireNear(share(Array(5).fill("one")), 1 / (1 + Math.exp(5)), { relative: 1e-9 });
        const steep = sampling({ ...odd, range: 2 ** 24 }, {
          epsilon: 2 ** 26,
          relation: replaceOne,
        });
        const data = Array(40).fill("one");
        requireEqual(steep.distribution!(data)[0]!.probability, 0);
      },
      "options out of range": requireRanges,
    }),
  mutants: {
    "C in place of 2C": (family, options) =>
      posteriorSampling({ ...family, range: family.range / 2 }, options),
    "the prior is tempered too": (family, options) =>
      posteriorSampling(
        { ...family, logPrior: (parameter) => family.logPrior(parameter) / 2 },
        options,
      ),
    "ε for each sample": (family, options) =>
      posteriorSampling(family, { ...options, epsilon: options.epsilon * (options.samples ?? 1) }),
    "the claim is ε whatever the range": (family, options) => {
      const mechanism = posteriorSampling(family, options);
      return { ...mechanism, claim: { ...mechanism.claim, epsilon: options.epsilon } as never };
    },
  },
});
