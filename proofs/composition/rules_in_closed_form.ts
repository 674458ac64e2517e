import { advancedComposition } from "../../lib/accounting/advanced_composition.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import { zcdpOfClaim } from "../../lib/accounting/zcdp.ts";
import { approximate, zcdp } from "../../lib/core/claim.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import {
  requireComposition,
  requireGroups,
  type Rules,
  shipped,
} from "../checks/composition_rules.ts";
import { requireConcentrated, requireRenyi, requireSampling } from "../checks/renyi_rules.ts";

/** Formulas of composition and of conversion. */
export const rulesInClosedForm = theorem<Rules>({
  id: "composition/rules_in_closed_form",
  statement:
    "The shipped rules of composition, of groups, of sampling and of conversion between (ε, δ), zCDP, mean-concentrated and Rényi privacy give what " +
    "their theorems state, rounded up.",
  citation:
    "Dwork, Roth 2014, Theorems 2.2, 3.16 and 3.20; Kairouz, Oh, Viswanath 2015, Theorem 3.4; Bun, Steinke 2016; Mironov 2017; Canonne, Kamath, Steinke 2020; Dwork, Rothblum 2016; Wang, Balle, Kasiviswanathan 2019",
  source: "lib/accounting",
  kind: "sampled",
  checked:
    "each rule at three to thirty settings by its printed formula; Rényi divergences of Laplace and of sampled Gaussian noise by quadrature",
  subject: shipped,
  check: (of) =>
    casesOf({
      "composition": () => requireComposition(of),
      "groups": () => requireGroups(of.groupPrivacy),
      "concentrated privacy": () => requireConcentrated(of),
      "Rényi divergences": () => requireRenyi(of),
      "sampling": () => requireSampling(of),
    }),
  mutants: {
    "the largest ε in place of all": {
      ...shipped,
      kairouzComposition: (parts, options) => kairouzComposition(parts.slice(0, 1), options),
    },
    "δ′ not added": {
      ...shipped,
      advancedComposition: (part, options) => ({
        ...advancedComposition(part, options),
        delta: options.count * (part.delta ?? 0),
      }),
    },
    "a group's δ k times as large": {
      ...shipped,
      groupPrivacy: (claim, options) =>
        claim.kind === "approximate" && options.size > 1
          ? approximate({
            ...claim,
            epsilon: options.size * claim.epsilon,
            delta: options.size * claim.delta,
          })
          : groupPrivacy(claim, options),
    },
    "ρ of ε²": {
      ...shipped,
      zcdpOfClaim: (claim) =>
        claim.kind === "pure"
          ? zcdp({ rho: claim.epsilon ** 2, relation: claim.relation })
          : zcdpOfClaim(claim),
    },
    "p·ε for a sample": {
      ...shipped,
      subsampledParameters: ({ epsilon, delta = 0 }, { rate }) => ({
        epsilon: rate * epsilon,
        delta: rate * delta,
      }),
    },
    "the simpler conversion": {
      ...shipped,
      renyiEpsilon: (curve, { delta, orders }) =>
        Math.min(...(orders ?? [2, 4, 8]).map((a) => curve(a) - Math.log(delta) / (a - 1))),
    },
    "a pure claim's divergence is ε": { ...shipped, pureRenyi: ({ epsilon }) => () => epsilon },
  },
});
