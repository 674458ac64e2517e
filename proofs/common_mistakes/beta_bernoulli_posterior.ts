import { short } from "../engine/outcome.ts";
import { falseClaim } from "../engine/theorem.ts";

/** The interval to which θ is confined. */
interface Range {
  readonly low: number;
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
  source: "the ratio is ∝ θ/(1 − θ)",
  assumptions: ["one toss of three replaced, uniform prior; any claim up to ε = 20 is refuted"],
  kind: "sampled",
  subject: { low: 0 },
  check: ({ low }) => {
    // Densities ∝ θ²(1 − θ) and θ(1 − θ)² on [low, 1 − low]: equal totals by symmetry.
    let worst = 0, at = 0;
    for (let k = 1; k <= 60; k++) {
      const theta = Math.max(low, 2 ** -k);
      const loss = Math.log1p(-theta) - Math.log(theta);
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
  corrected: { name: "θ confined to [.05, .95]: 2·ln 19", subject: { low: 0.05 } },
  mutants: { "confined to [1e-9, 1 − 1e-9]": { low: 1e-9 } },
});
