import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { type Moments, moments } from "../checks/moment_parts.ts";
import { requireMoments } from "../checks/moment_cases.ts";
import { requireSearches } from "../checks/search_ends.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** What bounds on compositions are made of, and what they take. */
export const momentsOfLosses = theorem<Moments>({
  id: "composition/moments",
  statement:
    "Moments of losses are sums of exponentials, also where these leave the doubles; searches for ε, δ and levels end where they must.",
  citation: "Daniels 1954 on saddle points; Canonne, Kamath, Steinke 2020, Proposition 12",
  source: "lib/accounting: what privacy_loss_distribution is built of",
  kind: "sampled",
  checked: "finite laws at three tilts; saddle points of a normal loss; searches for 20 ε",
  subject: moments,
  check: (of) =>
    casesOf({
      "moments": () => requireMoments(of),
      "searches": requireSearches,
    }),
  mutants: {
    "the largest loss forgotten": {
      ...moments,
      logMoment: ({ losses, masses }, tilt) =>
        logMoment({ losses: losses.slice(1), masses: masses.slice(1) }, tilt),
    },
  },
});
