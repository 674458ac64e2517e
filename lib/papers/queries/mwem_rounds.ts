import type { Source } from "../../core/mechanism/source.ts";
import { divide, type Rational, rational } from "../../core/numeric/rational.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import type { QueryEvaluator } from "./answer_queries.ts";
import { chooseQuery } from "./choose_query.ts";
import type { FiniteDomain } from "./finite_domain.ts";
import { type HistogramQuery, isLinear } from "./linear_query.ts";
import { reweightBox } from "./reweight_box.ts";
import { reweightLinear } from "./reweight_linear.ts";

/** Estimates are compared with answers in steps of 2⁻²⁰, so that scores are integers. */
const STEPS = 2 ** 20;
/** No single update moves a weight by more than e^±50: only noise far above n asks for it. */
const MOST_EXPONENT = 50;

/** One query that was measured. */
export interface Measurement {
  /** Its position among the queries. */
  readonly query: number;
  /** Its noisy answer. */
  readonly value: number;
}

/** Options of the rounds: everything but the data. */
interface RoundsOptions {
  /** The cells. */
  readonly domain: FiniteDomain;
  /** Queries that may be measured. */
  readonly queries: readonly HistogramQuery[];
  /** Answers them. */
  readonly evaluate: QueryEvaluator;
  /** T. */
  readonly rounds: number;
  /** Spent on the choice of each round's query. */
  readonly selectionEpsilon: number;
  /** Added to each round's answer, in units of `unit`. */
  readonly noise: IntegerNoise;
  /** Unit of which all answers are whole multiples: 1 for boxes. */
  readonly unit: number;
  /** Which iterate. */
  readonly output: "average" | "last";
  /** Passes over all measurements after each round. */
  readonly replays: number;
}

/**
 * The rounds of MWEM (Hardt, Ligett, McSherry 2012, Figure 1) on the exact answers to the queries.
 *
 * The estimate's answers are rounded to a grid before they are compared with the true ones, so that a score is
 * an exact integer of steps and moves by at most 1 between neighbours.
 *
 * @param options `size` is the mass of the estimate: n, or a noisy n.
 */
export function mwemRounds(
  source: Source,
  {
    answers,
    size,
    domain,
    queries,
    evaluate,
    rounds,
    selectionEpsilon,
    noise,
    unit,
    output,
    replays,
  }:
    & RoundsOptions
    & { readonly answers: Float64Array; readonly size: number },
): { histogram: Float64Array; measurements: Measurement[] } {
  // exp(ε·score/2), for a score of sensitivity 1 in steps of 2⁻²⁰.
  const rate: Rational = divide(rational(selectionEpsilon), rational(2 * STEPS));
  const current = new Float64Array(domain.size).fill(size / domain.size);
  const sum = new Float64Array(output === "average" ? domain.size : 0);
  const estimates = new Float64Array(queries.length), scores = new Float64Array(queries.length);
  const drawn = new Float64Array(1);
  const measurements: Measurement[] = [];
  const update = ({ query, value }: Measurement, estimate: number): void => {
    const step = (value - estimate) / (2 * size);
    const exponent = Math.max(-MOST_EXPONENT, Math.min(MOST_EXPONENT, step));
    const asked = queries[query]!;
    if (isLinear(asked)) reweightLinear(current, { query: asked, exponent, size });
    else reweightBox(current, { domain, query: asked, factor: Math.exp(exponent), size });
  };
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + current[i]!;
    evaluate(current, estimates);
    for (let i = 0; i < scores.length; i++) {
      scores[i] = Math.abs(Math.round(estimates[i]! * STEPS) - answers[i]! * STEPS);
    }
    const query = chooseQuery(source, { scores, rate });
    const value = answers[query]! + unit * noise.fill(source, drawn)[0]!;
    measurements.push({ query, value });
    update(measurements[round]!, estimates[query]!);
    for (let pass = 0; pass < replays; pass++) {
      for (const earlier of measurements) {
        update(earlier, evaluate(current, estimates)[earlier.query]!);
      }
    }
  }
  const histogram = output === "last" ? current : sum.map((mass) => mass / rounds);
  return { histogram, measurements };
}
