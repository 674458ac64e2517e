import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The interval to which θ is confined. */
interface Range {
  readonly low: number;
  /** Both shapes of the prior. */
  readonly shape: number;
}

/** Sampling from a Beta posterior: the ratio of densities is unbounded. */
export const betaBernoulliPosterior = falseClaim<Range>({
  id: "common_mistakes/beta_bernoulli_posterior",
  statement:
    "One sample from the Beta posterior of coin tosses is ε-differentially private for some " +
    "finite ε.",
  citation:
    "Dimitrakakis, Nelson, Mitrokotsa, Rubinstein 2014; Wang, Fienberg, Smola 2015 need bounded " +
    "log-likelihoods",
  source: "code that samples the usual posterior: the ratio is ∝ θ/(1 − θ)",
  remember: () =>
    `A sample of one in a million loses ${
      short(Math.log((1 - 1e-6) / 1e-6))
    }, and rarer ones lose more.`,
  assumptions: ["one toss of three replaced, uniform prior; any claim up to ε = 20 is refuted"],
  onPaper: true,
  kind: "sampled",
  subject: { low: 0, shape: 1 },
  check: ({ low, shape }) => {
    // Densities ∝ θ^(a + 1)(1 − θ)^a and the other way round on [low, 1 − low]: equal totals by symmetry.
    let worst = 0, at = 0;
    for (let k = 1; k <= 60; k++) {
      const theta = Math.max(low, 2 ** -k);
      const log = (a: number, b: number): number => a * Math.log(theta) + b * Math.log1p(-theta);
      const loss = log(shape, shape + 1) - log(shape + 1, shape);
      if (loss > worst) [worst, at] = [loss, theta];
    }
    const claim = low === 0 ? 20 : 2 * Math.log((1 - low) / low);
    return {
      holds: worst <= claim && worst < 20,
      margin: worst / Math.min(20, claim),
      detail: `the loss is ln((1 − θ)/θ): ${short(worst)} at θ = ${short(at)}`,
      ...(worst < 20 ? {} : { witness: `θ = ${short(at)} loses ${short(worst)}, and less θ more` }),
    };
  },
  corrected: { name: "θ confined to [.05, .95]: 2·ln 19", subject: { low: 0.05, shape: 1 } },
  mutants: { "prior Beta(5, 5), which rows outweigh": { low: 0, shape: 5 } },
});
