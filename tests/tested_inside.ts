/**
 * Parts of lib that no entry exports and that tests may import by name, each with the reason why its surface is not enough. The rule
 * is in README.md; `surface_test.ts` holds it. A path that ends with `/` stands for the files of a folder.
 */
export const TESTED_INSIDE: Readonly<Record<string, string>> = {
  // Trusted bases.
  "lib/core/numeric/": "all other code rests on these numbers",
  "lib/core/random/": "all noise is drawn here, and its laws are compared with exact ones",
  "lib/judge/audit/kernel/": "soundness of audits rests on it",
  "lib/judge/certificates/": "checks what the rest of judge says, and imports nothing of it",
  "lib/judge/exact/interval.ts": "exact arithmetic",
  "lib/judge/exact/polynomial.ts": "exact arithmetic",
  "lib/judge/exact/sturm.ts": "exact arithmetic",
  "lib/judge/exact/followed_program.ts":
    "a module as exact follows it, without a command that is started",
  "lib/judge/exact/enumeration/":
    "says HOLDS; a wrong law shows on small programs alone, and is hidden by a right verdict",
  "lib/judge/exact/alignment/":
    "says HOLDS; each step is compared with brute force on linear forms",
  "lib/judge/exact/likelihood/": "refutes; its likelihoods are compared with integrals",
  "lib/judge/exact/smt/":
    "a certificate in the language of other solvers, which need not be installed",

  // core
  "lib/core/claims/at_reach.ts": "a claim over so many steps of a relation, beside group privacy",
  "lib/core/claims/bounded_range.ts": "rounding outwards: mechanisms show claims, not margins",
  "lib/core/claims/claim.ts": "`claimUnder`: a claim under another relation, used by dp and judge",
  "lib/core/claims/claim_curve.ts":
    "the number by which claims of a kind are ordered, and points where two differ",
  "lib/core/claims/trade_off/": "audits that end by bets on a trade-off function rest on it",
  "lib/core/mechanism/declared_call.ts": "the contract of mechanisms of others, refusal by refusal",
  "lib/core/relations/relation.ts": "when rows and relations are the same: assumed by every pair",
  "lib/core/relations/relation_named.ts": "names of relations in files and options",
  "lib/core/text/bare_json.ts": "JSON with NaN and infinities, written and read again",
  "lib/core/text/closest_name.ts": "which name is meant, whoever asks",
  "lib/core/text/numbers_in_program.ts":
    "what an audit takes from the text of programs in any language",

  // dp
  "lib/dp/accounting/budget/approximate_zcdp.ts": "an error bound beside exact values",
  "lib/dp/accounting/composition/lie_probabilities.ts": "an error bound beside exact fractions",
  "lib/dp/accounting/loss_distribution/":
    "error bounds of δ: an entry shows their sum, which hides a margin that is gone",
  "lib/dp/accounting/sampling/sampled_gaussian_moment.ts": "an error bound beside golden values",
  "lib/dp/accounting/sampling/subsampling.ts":
    "one of two formulas of which the entry takes the smaller",
  "lib/dp/learners/additive/": "boosting without noise is compared with boosting by definition",
  "lib/dp/learners/erm/files/column_description.ts":
    "`featureCount`: how many columns a description makes",
  "lib/dp/learners/erm/losses/":
    "what is asked of losses and regularisers that callers write, condition by condition",
  "lib/dp/learners/erm/noise/": "the density of the output, which the claim is an inequality of",
  "lib/dp/learners/erm/rows/": "rows in three layouts that must compute the same",
  "lib/dp/learners/erm/sample_model.ts":
    "a model on a given source: the fit draws from a secure one",
  "lib/dp/learners/erm/solver/":
    "claims rest on a certified minimum; a model shows the point and not its error",
  "lib/dp/learners/erm/training_options.ts": "the calibration that a fit uses, before it draws",
  "lib/dp/learners/erm/tune.ts": "the choice of tuning on a given source",
  "lib/dp/learners/sgd/clipped_gradient.ts": "sensitivity of a step, searched in gradients",
  "lib/dp/learners/sgd/dp_sgd.ts": "a training on a given source",
  "lib/dp/learners/synthetic/": "graphs and marginals beside brute force",
  "lib/dp/mechanisms/audit_inputs.ts": "the test datasets of the registry are what they say",
  "lib/dp/mechanisms/discrete_gaussian_delta.ts": "an error bound beside exact sums",
  "lib/dp/mechanisms/exact_sum.ts": "exact sums of doubles, beside BigInt",
  "lib/dp/mechanisms/grid.ts": "rounding to grids: sensitivities that hold after it",
  "lib/dp/mechanisms/grid_mechanism.ts": "integers beyond doubles are refused",
  "lib/dp/mechanisms/rank_distance.ts": "the score of quantiles beside its definition",
  "lib/dp/mechanisms/release.ts": "`spendThen`: what pays before it draws",
  "lib/dp/mechanisms/snapping.ts": "the scale that the claim rests on, beside its definition",
  "lib/dp/mechanisms/staircase.ts": "the tread that the claim rests on, beside its optimum",
  "lib/dp/schema/cells.ts":
    "which texts are numbers: the one rule that every engine is compared with",
  "lib/dp/tables/":
    "steps and sensitivities of questions, which released numbers hide behind noise",
  "lib/dp/temporary_file.ts": "files that vanish when a process is killed",

  // papers
  "lib/papers/bayes/exponential_family.ts": "bounds of parameters, which a posterior hides",
  "lib/papers/breaches/privacy_breach.ts": "refusals of priors",
  "lib/papers/breaches/sulq_condition.ts": "a limit of the condition that the paper does not have",
  "lib/papers/holdout/thresholdout.ts":
    "answers on a given source, and the claim that they rest on",
  "lib/papers/null_space/laplace_noise.ts": "the scale of noise, beside its definition",
  "lib/papers/queries/": "the rounds of Figure 1 on a given source, replayed by hand",
  "lib/papers/sulq/": "five learners on a given source of noise: with none they are the textbook's",

  // judge
  "lib/judge/audit/counterexample/": "which event is reported, from outputs that are given",
  "lib/judge/audit/model/":
    "partitions and predictions on given outputs: an audit shows whether they suffice, not which is wrong",
  "lib/judge/audit/plan/": "the size of the final test, beside exact tails",
  "lib/judge/audit/one_run/": "tails of guesses beside exact sums",
  "lib/judge/audit/search/": "which rows and pairs a domain has",
  "lib/judge/audit/subjects/":
    "programs that answer wrongly, late or in parts: started ones would each cost a second",
  "lib/judge/audit/bound_on_pair.ts": "which hypotheses are looked at",
  "lib/judge/audit/run.ts": "an audit between its draws",
  "lib/judge/dialogue/": "sessions of started programs",
  "lib/judge/recording/": "judgements of tapes that are given: the commands record programs",
  "lib/judge/source/resolve_import.ts":
    "which files of an import tree are rewritten, and why others are not",
  "lib/judge/report/": "sentences of findings that are rare in audits",
  "lib/judge/testing/prove_or_audit.ts":
    "whether a function was proved or audited, which an assertion that passes does not say",
  "lib/judge/testing/laws/": "laws of mechanisms of others: what each of them catches",
};
