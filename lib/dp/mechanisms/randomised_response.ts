import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { rational } from "../../core/numeric/rational.ts";
import { exactChoice } from "../../core/random/exact_choice.ts";
import { randomInteger } from "../../core/random/random_integer.ts";
import { categoryPlaces } from "./category_places.ts";
import { rowByRow } from "./row_by_row.ts";

/** Respondents up to which all lists of answers are enumerated. */
const MOST_ENUMERATED = 12;

/**
 * The survey of two coins (Warner 1965; Dwork, Roth 2014, section 3.2): each respondent flips a coin
 * and, on tails, tells the truth; otherwise a second coin says "yes" on tails, "no" on heads. A truth
 * is told with probability 3/4, exactly, so the claim is ln 3 for replacing one respondent.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @returns a mechanism from truths to answers, in the same order. With a `domain` of at most 64
 * respondents it is drawn in blocks too, of 1 and 0, padded with NaN; so are the other two.
 *
 * @example
 * ```ts
 * import { estimateProportion, twoCoinSurvey } from "./randomised_response.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const survey = twoCoinSurvey();
 * const answers = release(survey, [true, false, true], { budget: openBudget(survey.claim) });
 * estimateProportion(answers, { truthProbability: 0.75 });
 * ```
 */
export function twoCoinSurvey(
  options: { domain?: Domain } = {},
): Mechanism<boolean, boolean[]> {
  const { domain } = requireFields("twoCoinSurvey", options, { domain: "record?" });
  requireKnown("call twoCoinSurvey()", options, ["domain"]);
  return answering({
    name: "two-coin survey",
    domain,
    // The double nearest to ln 3 is above it, by 9e-17. It is written out, for Math.log may round otherwise.
    epsilon: 1.0986122886681098,
    logTruth: Math.log(0.75),
    logLie: Math.log(0.25),
    answer: (truth, source) => {
      const coins = randomInteger(source, { below: 4 });
      return (coins & 1) === 0 ? truth : (coins & 2) === 0;
    },
  });
}

/**
 * The unbiased estimate of the share p of true "yes" from randomised answers, each of which is true
 * with probability t: (share of "yes" + t − 1)/(2t − 1). For the survey of two coins, whose expected
 * share is 1/4 + p/2, that is 2·share − 1/2. It may fall outside [0, 1].
 *
 * @throws {RangeError} when there are no answers, or unless `truthProbability` is in (1/2, 1].
 *
 * @example
 * ```ts
 * import { estimateProportion } from "./randomised_response.ts";
 * estimateProportion([true, true, true, false], { truthProbability: 0.75 }); // 1
 * ```
 */
export function estimateProportion(
  answers: readonly boolean[],
  options: { truthProbability: number },
): number {
  requireKind("estimateProportion", "answers", answers, "list");
  const { truthProbability } = requireFields("estimateProportion", options, {});
  requireKnown("call estimateProportion()", options, ["truthProbability"]);
  if (!(truthProbability > 0.5 && truthProbability <= 1)) {
    throw new RangeError(
      `Cannot estimate a proportion: truthProbability must be in (1/2, 1]: current value is ${truthProbability}`,
    );
  }
  if (answers.length === 0) {
    throw new RangeError("Cannot estimate a proportion: answers must not be empty");
  }
  const share = answers.filter((yes) => yes).length / answers.length;
  return (share + truthProbability - 1) / (2 * truthProbability - 1);
}

/**
 * Randomised response for yes and no (Warner 1965): each respondent's truth with probability
 * e^ε/(1 + e^ε), the opposite otherwise; the least lying that keeps ε (Kairouz, Oh, Viswanath 2016).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @throws {RangeError} unless ε is positive and finite.
 *
 * @example
 * ```ts
 * import { randomisedResponse } from "./randomised_response.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const survey = randomisedResponse({ epsilon: 1 });
 * release(survey, [true, false], { budget: openBudget(survey.claim) });
 * ```
 */
export function randomisedResponse(
  options: { epsilon: number; domain?: Domain },
): Mechanism<boolean, boolean[]> {
  const { epsilon, domain } = requireFields("randomisedResponse", options, { domain: "record?" });
  requireKnown("call randomisedResponse()", options, ["epsilon", "domain"]);
  const claim = pure({ epsilon, relation: replaceOne });
  const choose = exactChoice([{ exponent: rational(0) }, { exponent: rational(epsilon) }]);
  return answering({
    name: "randomised response",
    domain,
    epsilon: claim.epsilon,
    logTruth: -Math.log1p(Math.exp(-epsilon)),
    logLie: -epsilon - Math.log1p(Math.exp(-epsilon)),
    answer: (truth, source) => (choose(source) === 0) === truth,
  });
}

/**
 * Randomised response among k categories (Kairouz, Bonawitz, Ramage 2016): each respondent's category
 * with probability e^ε/(e^ε + k − 1), any other with 1/(e^ε + k − 1).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration`.
 *
 * @param options ε in nats, the k ≥ 2 different categories, and the domain. Categories that are numbers or
 * booleans come in blocks; there is not a number for another.
 * @throws {RangeError} when a parameter is out of range, or at release a row is not a category.
 *
 * @example
 * ```ts
 * import { kAryRandomisedResponse } from "./randomised_response.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const mechanism = kAryRandomisedResponse({ epsilon: 1, categories: ["red", "green", "blue"] });
 * release(mechanism, ["red"], { budget: openBudget(mechanism.claim) });
 * ```
 */
export function kAryRandomisedResponse<Category extends string | number | boolean>(
  options: {
    epsilon: number;
    categories: readonly Category[];
    domain?: Domain;
  },
): Mechanism<Category, Category[]> {
  const { epsilon, categories, domain } = requireFields("kAryRandomisedResponse", options, {
    categories: "list",
    domain: "record?",
  });
  requireKnown("call kAryRandomisedResponse()", options, ["epsilon", "categories", "domain"]);
  const claim = pure({ epsilon, relation: replaceOne });
  const k = categories.length;
  const place = categoryPlaces("make randomised response", categories, { least: 2 });
  const choose = exactChoice([
    { exponent: rational(0) },
    { exponent: rational(epsilon), multiplicity: BigInt(k - 1) },
  ]);
  // The k − 1 others are equally likely: one uniform choice among them, made exactly.
  const other = exactChoice(categories.slice(1).map(() => ({ exponent: rational(0) })));
  const logTruth = -Math.log1p((k - 1) * Math.exp(-epsilon));
  const check = (data: Dataset<Category>): void => {
    if (!data.every((row) => place.has(row))) {
      throw new RangeError("Cannot release k-ary randomised response: rows must be categories");
    }
  };
  const mechanism = rowByRow<Category, Category>({
    name: "k-ary randomised response",
    claim,
    domain,
    numeric: categories.every(Number.isFinite) ||
      categories.every((category) => typeof category === "boolean"),
    check,
    answer: (truth, source) =>
      choose(source) === 0 ? truth : categories[(place.get(truth)! + 1 + other(source)) % k]!,
    logChance: (truth, said) =>
      place.has(said) ? logTruth - (said === truth ? 0 : epsilon) : -Infinity,
  });
  return {
    ...mechanism,
    distribution: (data) => enumerated(categories, data, mechanism.logDensity),
  };
}

function answering(
  { name, domain, epsilon, logTruth, logLie, answer }: {
    name: string;
    domain: Domain | undefined;
    epsilon: number;
    logTruth: number;
    logLie: number;
    answer: (truth: boolean, source: Source) => boolean;
  },
): Mechanism<boolean, boolean[]> {
  const mechanism = rowByRow<boolean, boolean>({
    name,
    claim: pure({ epsilon, relation: replaceOne }),
    domain,
    numeric: true,
    check: (data) => {
      if (!data.every((row) => typeof row === "boolean")) {
        throw new TypeError(`Cannot release ${name}: rows must be true or false`);
      }
    },
    answer,
    logChance: (truth, said) => said === truth ? logTruth : logLie,
  });
  return {
    ...mechanism,
    distribution: (data) => enumerated([false, true], data, mechanism.logDensity),
  };
}

/** All lists of answers with their probabilities. */
function enumerated<Answer>(
  answers: readonly Answer[],
  data: Dataset<Answer>,
  logDensity: (output: Answer[], data: Dataset<Answer>) => number,
): { output: Answer[]; probability: number }[] {
  if (data.length * Math.log2(answers.length) > MOST_ENUMERATED) {
    throw new RangeError(
      `Cannot enumerate answers: respondents must leave at most 2^${MOST_ENUMERATED} lists`,
    );
  }
  let lists: Answer[][] = [[]];
  for (let i = 0; i < data.length; i++) {
    lists = lists.flatMap((list) => answers.map((answer) => [...list, answer]));
  }
  return lists.map((output) => ({ output, probability: Math.exp(logDensity(output, data)) }));
}
