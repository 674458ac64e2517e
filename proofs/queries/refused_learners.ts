import { LEARNER_OPTIONS } from "../checks/learner_options.ts";
import { requirePaid, requirePaidParts } from "../checks/paid_learners.ts";
import { relation, requireRefusals, type Running, withoutSigns } from "../checks/refused_values.ts";
import { SULQ_OPTIONS } from "../checks/sulq_options.ts";
import { outcomeOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const REFUSING = [...SULQ_OPTIONS, ...LEARNER_OPTIONS];

/** What no guarantee of a learner covers is refused. */
export const refusedLearners = theorem<Running>({
  id: "queries/refused_learners",
  statement:
    "Learners, their calibrations and their guarantees take options in range, and refuse every one of them that is no number or out of range, before anything is computed; " +
    "those that spend a budget find what is wrong before it pays, and pay once what they claim.",
  citation: "each learner names its own theorem",
  source: "lib/learners",
  kind: "exhaustive",
  checked:
    `every option of ${REFUSING.length} functions with three to nine values that it must not have, and the ends of those that it may; ten learners with a budget`,
  subject: (run, options) => run(options as never),
  check: (attempt) =>
    outcomeOf(`${REFUSING.length} functions`, () => {
      requireRefusals(REFUSING, attempt);
      requirePaid();
      requirePaidParts();
    }),
  mutants: {
    "numbers below 0 are made positive": withoutSigns,
    "a failure of 1": (run, options) =>
      run({ ...options, ...(options["failure"] === 1 ? { failure: 0.5 } : {}) } as never),
    "any relation": (run, options) =>
      run({ ...options, ...("relation" in options ? { relation } : {}) } as never),
  },
});
