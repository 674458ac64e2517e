import type {
  AuditFigures,
  FailedReport,
  InconclusiveReport,
  NotRefutedReport,
  RefutedReport,
} from "../../../lib/judge/audit/report.ts";
import { pure } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";

/** What a refutation shows. */
const figures: AuditFigures = {
  subject: "python3 mean.py",
  claim: pure({ epsilon: 0.1, relation: replaceOne }),
  epsilonLowerBound: 0.18239,
  confidence: 0.99,
  alpha: 0.01,
  eValue: 123456,
  draws: 20000,
  seconds: 1.25,
  pair: { left: [0, 1], right: [1, 1] },
  event: {
    description: "output <= 0.5",
    conditions: [{ feature: "output", operator: "<=", value: 0.5 }],
    left: { draws: 10000, hits: 5000 },
    right: { draws: 10000, hits: 4000 },
  },
  seed: 7,
  replay: "deno task dpcheck audit --exec 'python3 mean.py' --epsilon 0.1",
  smallestEventProbability: 0.00023,
  detectableEpsilon: null,
  detectableShare: 0.5,
  requiredPower: 2,
  pairsTried: 14,
  bits: false,
  versions: { dpcheck: "0.1.0", deno: "2.9.6" },
};

/** A refutation as the engine reports it. */
export const refuted: RefutedReport = { ...figures, verdict: "refuted", confirmed: false };

/** A refutation that later draws do not repeat. */
export const unconfirmed: RefutedReport = { ...refuted, unconfirmed: { draws: 100, eValue: 2 } };

/** An audit that found nothing. */
export const notRefuted: NotRefutedReport = {
  ...figures,
  verdict: "not-refuted",
  epsilonLowerBound: 0.09719,
  eValue: 0.5,
  detectableEpsilon: 0.10312,
  pairsTried: 1,
};

/** An audit that could have found nothing. */
export const inconclusive: InconclusiveReport = {
  ...figures,
  verdict: "inconclusive",
  epsilonLowerBound: 0,
  eValue: 1,
  detectableEpsilon: 0.4,
  reason: "every output was null: the program may lack a return statement",
};

/** An audit whose subject broke. */
export const failed: FailedReport = {
  ...figures,
  verdict: "failed",
  epsilonLowerBound: 0,
  eValue: 1,
  event: null,
  failure:
    'python3 mean.py crashed: it sent "<b>&"; its standard error ends with "\u0007 out of luck"',
};
