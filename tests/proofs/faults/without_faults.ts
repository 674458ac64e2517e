const PLUMBING = "hands options and data on; no number of its own";
const AFTERWARDS = "works on what is private already";
const SOLVER = "how fast and how exactly a minimum is found; the certificate ‖∇J‖ is what counts";
const ERROR_BOUND = "says how good a learner is, not how private";
const FORMAT = "reads and writes";

/** Modules below lib/learners without a constant that privacy rests on, and why. */
export const WITHOUT_FAULTS: Readonly<Record<string, string>> = {
  "bayes/exponential_family.ts": "its range is enforced by posterior_sampling.ts",
  "bayes/exponential_posterior.ts": AFTERWARDS,
  "bayes/families.ts": "their ranges are enforced by posterior_sampling.ts",
  "erm/checked_rows.ts": FORMAT,
  "erm/cholesky.ts": SOLVER,
  "erm/column_encoder.ts": FORMAT,
  "erm/conjugate_gradient.ts": SOLVER,
  "erm/fit.ts": PLUMBING,
  "erm/least_along.ts": SOLVER,
  "erm/loss.ts": "a type",
  "erm/mechanism.ts": PLUMBING,
  "erm/minimise.ts": SOLVER,
  "erm/model.ts": AFTERWARDS,
  "erm/model_json.ts": FORMAT,
  "erm/read_labels.ts": FORMAT,
  "erm/require_loss.ts": PLUMBING,
  "erm/require_regulariser.ts": PLUMBING,
  "erm/require_trainable.ts": PLUMBING,
  "erm/row_kernels.ts": SOLVER,
  "erm/rows.ts": FORMAT,
  "erm/sample_model.ts": PLUMBING,
  "erm/suggested_lambda.ts": "Λ may be any number that does not come from the data",
  "erm/training_options.ts": PLUMBING,
  "pac/private_learner_rows.ts": ERROR_BOUND,
  "queries/answer_queries.ts": "exact answers, which mwem.ts makes private",
  "queries/box_query.ts": "which cells are counted",
  "queries/choose_query.ts": "draws by the rate that mwem_rounds.ts sets",
  "queries/finite_domain.ts": FORMAT,
  "queries/linear_query.ts": "which cells are counted, and the grid of weights",
  "queries/mwem_error_bound.ts": ERROR_BOUND,
  "queries/reweight_box.ts": AFTERWARDS,
  "queries/reweight_linear.ts": AFTERWARDS,
  "queries/scale_to.ts": AFTERWARDS,
  "sulq/k_means_mechanism.ts": PLUMBING,
  "sulq/k_means_sums.ts": "exact sums, which k_means.ts makes private",
  "sulq/perceptron_guarantee.ts": ERROR_BOUND,
  "sulq/second_moment_error.ts": ERROR_BOUND,
  "sulq/sulq_mechanism.ts": PLUMBING,
  "sulq/tree_gain_bound.ts": ERROR_BOUND,
};
