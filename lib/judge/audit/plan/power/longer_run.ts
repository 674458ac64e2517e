import { parameterOf } from "../../../../core/claims/claim_curve.ts";
import {
  detectableParameter,
  isDetectable,
  type TestsMade,
  withDraws,
} from "./detectable_parameter.ts";
import { eventLawAt } from "./event_law.ts";

/** A number of draws, and the violation that a run of so many would have seen. */
export interface LongerRun {
  /** Draws, both sides together. */
  readonly draws: number;
  /** A violation above this ε (ρ or μ), of the same pair and kind, would be refuted with the power of `detectableEpsilon`. */
  readonly detectableEpsilon: number;
}

/** Fewer draws than these are few: they show large violations alone. */
const FEW = 20_000;

/** The most times as many draws that are looked at, and the factors on the way. */
const FACTORS = [2, 5, 10, 20, 50, 100];

/**
 * Returns a longer run for a program that was drawn from seldom: of the fewest draws, among some multiples, by which a wanted violation would be
 * seen: half as far above the claim as the smallest one seen now, or twice the claim where none was seen. If none shows the wanted one, it
 * is the longest that shows any. `undefined` where draws are many, where there are none, or where no run shows a violation.
 */
export function longerRun(
  share: number,
  { all, detectable, ...tests }: TestsMade & {
    /** All draws of the run. */
    readonly all: number;
    /** The smallest violation that these draws would have shown. */
    readonly detectable: number | null;
  },
): LongerRun | undefined {
  if (!(all < FEW) || detectable === null) return undefined;
  const { value } = parameterOf(tests.claim);
  const wanted = detectable === Infinity ? 2 * value : (value + detectable) / 2;
  const law = eventLawAt(share, { claim: tests.claim, parameter: wanted });
  const runs = FACTORS.map((factor) => ({
    draws: rounded(factor * all),
    tests: withDraws(tests, factor * tests.bets.draws),
  }));
  const run = runs.find(({ tests }) => isDetectable(law, tests)) ?? runs.at(-1)!;
  const detectableEpsilon = detectableParameter(share, run.tests) ?? Infinity;
  return detectableEpsilon === Infinity ? undefined : { draws: run.draws, detectableEpsilon };
}

/** Upwards to two digits. */
function rounded(draws: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(draws)) - 1);
  return Math.ceil(draws / unit) * unit;
}
