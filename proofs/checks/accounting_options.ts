import {
  advancedComposition,
  advancedEpsilonOfEach,
  type AdvancedForm,
  corollaryEpsilonOfEach,
} from "../../lib/accounting/advanced_composition.ts";
import { basicComposition } from "../../lib/accounting/basic_composition.ts";
import { groupPrivacy } from "../../lib/accounting/group_privacy.ts";
import { kairouzComposition } from "../../lib/accounting/kairouz_composition.ts";
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import { privacyFilter } from "../../lib/accounting/privacy_filter.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  lossOfClaim,
  type PrivacyLoss,
} from "../../lib/accounting/privacy_loss.ts";
import { deltaBounds, epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { privacyOdometer } from "../../lib/accounting/privacy_odometer.ts";
import { share } from "../../lib/accounting/share.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { approximate, type Claim, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { addRemoveOne, changeEach } from "../../lib/core/relation.ts";
import {
  AT_LEAST_0,
  BELOW_1,
  COPIES,
  COUNT,
  DELTA,
  LEAST,
  NEARLY_1,
  NO_NUMBER,
  POSITIVE,
  RATE,
  type Refusing,
  relation,
} from "./refused_values.ts";

const RUNS = [...NO_NUMBER, -1, 1.5];

type Part = { readonly epsilon: number; readonly delta: number };
type Each = { readonly epsilon: number; readonly count: number; readonly slack: number };

const half = pure({ epsilon: 0.5, relation });
const leaking = approximateLoss({ epsilon: 1, delta: 0.1 }), coin = approximateLoss({ epsilon: 1 });
/** One that leaks in one direction alone. */
const oneSided = finiteLoss({ p: [0.5, 0.5], q: [1, 0] });

/** Functions of accounting, options that they take, values of each that they must not take, and ends of what they take. */
export const ACCOUNTING_OPTIONS: readonly Refusing[] = [
  [
    "basicComposition",
    (part: Part) => basicComposition([half, part]),
    {
      epsilon: 0.5,
      delta: 0.1,
    },
    { epsilon: AT_LEAST_0, delta: DELTA },
    { epsilon: [0], delta: [0, NEARLY_1] },
  ],
  [
    "kairouzComposition",
    ({ slack, ...part }: Part & { slack: number }) => kairouzComposition([half, part], { slack }),
    { epsilon: 0.5, delta: 0.1, slack: 0.1 },
    { epsilon: AT_LEAST_0, delta: DELTA, slack: BELOW_1 },
    { epsilon: [0], delta: [0, NEARLY_1], slack: [LEAST, NEARLY_1] },
  ],
  [
    "advancedComposition",
    ({ count, slack, form, ...part }: Part & Each & { form: AdvancedForm }) =>
      advancedComposition(part, { count, slack, form }),
    { epsilon: 0.5, delta: 0.1, count: 2, slack: 0.1, form: "tanh" },
    { epsilon: AT_LEAST_0, delta: DELTA, count: RUNS, slack: BELOW_1 },
    { epsilon: [0], delta: [0, NEARLY_1], count: [0, 1], slack: [LEAST, NEARLY_1] },
  ],
  ["advancedEpsilonOfEach", advancedEpsilonOfEach, { epsilon: 0.5, count: 2, slack: 0.1 }, {
    epsilon: POSITIVE,
    count: COUNT,
    slack: BELOW_1,
  }, { count: [1], slack: [LEAST, NEARLY_1] }],
  ["corollaryEpsilonOfEach", corollaryEpsilonOfEach, { epsilon: 0.5, count: 2, slack: 1e-6 }, {
    epsilon: [...POSITIVE, 1 + 2 ** -52],
    count: COUNT,
    slack: [...BELOW_1, 0.9],
  }, { epsilon: [1], count: [1], slack: [LEAST] }],
  [
    "optimalDelta",
    ({ at, ...group }: Part & { count: number; at: number }) =>
      optimalDelta([{ epsilon: 0.5, count: 1 }, group], { epsilon: at }),
    { epsilon: 0.5, delta: 0.1, count: 2, at: 0.3 },
    { epsilon: AT_LEAST_0, delta: DELTA, count: RUNS, at: AT_LEAST_0 },
    { epsilon: [0], delta: [0, NEARLY_1], count: [0, 1], at: [0] },
  ],
  [
    "optimalEpsilon",
    ({ of, ...group }: Part & { count: number; of: number }) =>
      optimalEpsilon([group], { delta: of }),
    { epsilon: 0.5, delta: 0.1, count: 2, of: 0.3 },
    { epsilon: AT_LEAST_0, delta: DELTA, count: RUNS, of: DELTA },
    { epsilon: [0], delta: [0], count: [0, 1], of: [0, NEARLY_1] },
  ],
  [
    "groupPrivacy",
    ({ claim, size }: { claim: Claim; size: number }) => groupPrivacy(claim, { size }),
    { claim: half, size: 2 },
    {
      // A group of two: also of one, which keeps a claim as it is.
      claim: [
        ...COPIES,
        renyi({ order: 4 - 2 ** -50, epsilon: 1, relation }),
        pure({ epsilon: 1, relation: changeEach({ by: 1 }) }),
        // A name is not enough.
        pure({ epsilon: 1, relation: { ...relation } }),
        approximate({ epsilon: 1, delta: 0.5, relation }),
      ],
      size: COUNT,
    },
    { claim: [renyi({ order: 4, epsilon: 1, relation })], size: [1] },
  ],
  [
    "groupPrivacy of one",
    ({ claim }: { claim: Claim }) => groupPrivacy(claim, { size: 1 }),
    {
      claim: half,
    },
    { claim: COPIES },
    { claim: [pure({ epsilon: 1, relation: changeEach({ by: 1 }) })] },
  ],
  [
    "share",
    ({ of, parts }: { of: number; parts: number }) => share(of, parts),
    {
      of: 1,
      parts: 2,
    },
    { of: POSITIVE, parts: COUNT },
    { of: [LEAST], parts: [1] },
  ],
  [
    "privacyFilter",
    ({ limit, claim, slack }: { limit: Claim; claim: Claim; slack: number }) => {
      const after = privacyFilter(limit, { slack }).after(claim);
      if (after === undefined) throw new Error("nothing is left");
      privacyFilter(limit, { slack }).cheapest(claim, [claim]);
    },
    { limit: approximate({ epsilon: 1, delta: 0.1, relation }), claim: half, slack: 0.05 },
    {
      limit: [...COPIES, half, zcdp({ rho: 1, relation })],
      claim: [...COPIES, pure({ epsilon: 0.5, relation: addRemoveOne })],
      slack: [...BELOW_1, 0.1 + 2 ** -50],
    },
    { slack: [0.1] },
  ],
  [
    "privacyFilter.cheapest",
    ({ claim, other }: { claim: Claim; other: Claim }) =>
      privacyFilter(pure({ epsilon: 1, relation })).cheapest(claim, [other]),
    { claim: half, other: half },
    {
      claim: [...COPIES, pure({ epsilon: 0.5, relation: addRemoveOne })],
      other: [...COPIES, pure({ epsilon: 0.5, relation: addRemoveOne })],
    },
    { claim: [zcdp({ rho: 1, relation })], other: [zcdp({ rho: 1, relation })] },
  ],
  [
    "privacyOdometer",
    (
      { slack, tunedFor, claim, other }: {
        slack: number;
        tunedFor: readonly number[];
        claim: Claim;
        other: Claim;
      },
    ) => privacyOdometer({ slack, tunedFor }).after(half).after(claim, [other]),
    { slack: 0.1, tunedFor: [0.1, 1], claim: half, other: half },
    {
      slack: BELOW_1,
      tunedFor: [[], ...POSITIVE.map((bad) => [1, bad])],
      claim: [...COPIES, pure({ epsilon: 0.5, relation: addRemoveOne })],
      other: [...COPIES, pure({ epsilon: 0.5, relation: addRemoveOne })],
    },
    { slack: [LEAST, NEARLY_1], tunedFor: [[1]] },
  ],
  ["approximateLoss", approximateLoss, { epsilon: 1, delta: 0.1 }, {
    epsilon: POSITIVE,
    delta: DELTA,
  }, { delta: [0, NEARLY_1] }],
  ["laplaceLoss", laplaceLoss, { epsilon: 1 }, { epsilon: POSITIVE }, {}],
  ["gaussianLoss", gaussianLoss, { mu: 1 }, { mu: POSITIVE }, {}],
  ["lossOfClaim", ({ claim }: { claim: Claim }) => lossOfClaim(claim), { claim: half }, {
    claim: COPIES,
  }, { claim: [zcdp({ rho: 1, relation })] }],
  ["finiteLoss", finiteLoss, { p: [0.5, 0.5], q: [0.25, 0.75] }, {
    p: [[1], [0.5, 0.25, 0.25], [0.5, NaN], [1.5, -0.5], [0.5, 0.5 + 2e-12], [0.5, 0.5 - 2e-12]],
    q: [[1], [0.5, 0.25, 0.25], [0.5, NaN], [1.5, -0.5], [0.5, 0.5 + 2e-12], [0.5, 0.5 - 2e-12]],
  }, { p: [[1, 0], [0.5, 0.5 + 9e-13], [0.5, 0.5 - 9e-13]], q: [[0, 1]] }],
  [
    "poissonSubsampledLoss",
    ({ loss, rate }: { loss: PrivacyLoss; rate: number }) => poissonSubsampledLoss(loss, { rate }),
    { loss: coin, rate: 0.5 },
    {
      loss: [leaking, oneSided, { forward: oneSided.backward, backward: oneSided.forward }],
      rate: RATE,
    },
    { rate: [1, 1e-9] },
  ],
  [
    "deltaBounds",
    ({ count, ...options }: { count: number; epsilon: number }) =>
      deltaBounds([{ loss: coin, count: 1 }, { loss: coin, count }], options),
    { count: 2, epsilon: 0.5 },
    { count: COUNT, epsilon: AT_LEAST_0 },
    { count: [1], epsilon: [0] },
  ],
  [
    "epsilonBounds",
    ({ count, ...options }: { count: number; delta: number }) =>
      epsilonBounds([{ loss: coin, count: 1 }, { loss: coin, count }], options),
    { count: 2, delta: 0.5 },
    { count: COUNT, delta: BELOW_1 },
    { count: [1], delta: [1e-9, NEARLY_1] },
  ],
];
