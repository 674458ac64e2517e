import { logBinomialTail } from "../../../../lib/core/numeric/binomial_tail.ts";
import {
  advancedComposition,
  advancedEpsilonOfEach,
} from "../../../../lib/dp/accounting/composition/advanced_composition.ts";
import { optimalDelta } from "../../../../lib/dp/accounting/composition/optimal_composition.ts";

/** A life of `count` databases: the loss to be kept, and with which probability it may be exceeded. */
interface LifetimeOptions {
  /** How many databases. */
  readonly count: number;
  /** The loss to be kept, nats. */
  readonly epsilon: number;
  /** With which probability it may be exceeded. */
  readonly slack: number;
  /** 1/ε₀ as it was published. */
  readonly publishedParts: number;
}

/** What each way of counting says of the published share, and the share 1/ε₀ it allows itself. */
interface LifetimeExample {
  /** ε′ of Theorem 3.20 at the published share. */
  readonly theoremEpsilon: number;
  /** 1/ε₀ that the theorem allows. */
  readonly theoremParts: number;
  /** The same with the sharper drift term. */
  readonly tanhParts: number;
  /** 1/ε₀ of Corollary 3.21. */
  readonly corollaryParts: number;
  /** P(loss > ε) for randomised response, the worst ε₀-DP mechanism. */
  readonly tail: number;
  /** The smallest δ for which all is (ε, δ)-DP. */
  readonly delta: number;
  /** The least whole 1/ε₀ from which on the tail stays within the slack. */
  readonly tailParts: number;
  /** The least whole 1/ε₀ from which on δ stays within the slack. */
  readonly deltaParts: number;
}

/** 10,000 databases, a loss of 1 but for probability e^−32, and a share of 1/801 each. */
const PUBLISHED: LifetimeOptions = {
  count: 10_000,
  epsilon: 1,
  slack: Math.exp(-32),
  publishedParts: 801,
};

/**
 * The lifetime budget of Dwork, Roth 2014 (after Theorem 3.20): someone is in 10,000 databases, each
 * ε₀-DP, and wants a cumulative loss of at most 1 but for probability e^−32; "ε₀ = 1/801 suffices".
 *
 * It does, though not by the theorem quoted, which gives 1.0143 there and allows 1/812.4; its corollary
 * allows 1/1600. Counted exactly, 1/768 keeps the probability of a loss above 1, and 1/716 keeps
 * (1, e^−32)-DP.
 *
 * @throws {RangeError} when an option is out of the range of the theorems.
 *
 * @example
 * ```ts
 * import { lifetimeExample } from "./lifetime_example.ts";
 * lifetimeExample().theoremEpsilon; // 1.0143
 * ```
 */
export function lifetimeExample(options: LifetimeOptions = PUBLISHED): LifetimeExample {
  const { count, epsilon, slack, publishedParts } = options;
  const tailAt = (parts: number): number => lossTail({ parts, count, epsilon });
  const deltaAt = (parts: number): number =>
    optimalDelta([{ epsilon: 1 / parts, count }], { epsilon });
  return {
    theoremEpsilon: advancedComposition({ epsilon: 1 / publishedParts }, { count, slack }).epsilon,
    theoremParts: 1 / advancedEpsilonOfEach({ epsilon, count, slack }),
    tanhParts: 1 / advancedEpsilonOfEach({ epsilon, count, slack, form: "tanh" }),
    corollaryParts: 2 * Math.sqrt(-2 * count * Math.log(slack)) / epsilon,
    tail: tailAt(publishedParts),
    delta: deltaAt(publishedParts),
    tailParts: leastParts((parts) => tailAt(parts) <= slack, publishedParts),
    deltaParts: leastParts((parts) => deltaAt(parts) <= slack, publishedParts),
  };
}

/** P((truths − lies)/parts > epsilon) when each of `count` answers is true with e^ε₀/(1 + e^ε₀). */
function lossTail(
  { parts, count, epsilon }: { parts: number; count: number; epsilon: number },
): number {
  const truths = Math.floor((count + epsilon * parts) / 2) + 1;
  return Math.exp(logBinomialTail(truths, count, 1 / (1 + Math.exp(-1 / parts))));
}

/** Walks from a whole number that may or may not be enough to the least one from which all are. */
function leastParts(enough: (parts: number) => boolean, from: number): number {
  let parts = Math.floor(from);
  while (!enough(parts)) parts++;
  while (parts > 1 && enough(parts - 1)) parts--;
  return parts;
}
