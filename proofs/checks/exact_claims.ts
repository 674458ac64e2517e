import { share } from "../../lib/accounting/share.ts";
import type { Claim } from "../../lib/core/claim.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { betaBernoulli } from "../../lib/learners/bayes/families.ts";
import { posteriorSampling } from "../../lib/learners/bayes/posterior_sampling.ts";
import { thresholdoutMechanism } from "../../lib/learners/holdout/thresholdout.ts";
import { finiteDomain } from "../../lib/learners/queries/finite_domain.ts";
import { linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { mwemMechanism } from "../../lib/learners/queries/mwem.ts";
import { boundedMean } from "../../lib/mechanisms/bounded_sum.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
} from "../../lib/mechanisms/gaussian.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../lib/mechanisms/input_perturbation.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import { twoCoinSurvey } from "../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { treeCounts } from "../../lib/mechanisms/tree_counts.ts";
import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireThat } from "../engine/requirement.ts";
import { exactLog, LOG_BITS } from "./exact_logarithm.ts";

type Concentrated = { readonly alsoKeeps?: readonly Claim[] };

const rhoOf = ({ alsoKeeps }: Concentrated): number => (alsoKeeps![0] as { rho: number }).rho;
const epsilonOf = (claim: Claim): number => (claim as { epsilon: number }).epsilon;

/** times·value², exactly. */
const square = (value: number, times: Rational = rational(1)): Rational =>
  multiply(times, multiply(rational(value), rational(value)));

/** Not below what is exact, and above it by less than a share of 2^−`bits`. */
function requireUp(what: string, value: number, exact: Rational, bits = 40): void {
  const room = add(rational(1), rational(2 ** -bits));
  requireThat(
    compare(rational(value), exact) >= 0 && compare(rational(value), multiply(exact, room)) <= 0,
    () => `${what} is ${value}, for ${exact.numerator}/${exact.denominator}`,
  );
}

/** The same of ε and a ratio of chances, whose logarithm is known to 300 bits. */
function requireLogUp(
  what: string,
  value: number,
  ratio: Rational,
  times: bigint,
  room: number,
): void {
  const exact = times * exactLog(ratio.numerator, ratio.denominator);
  const scaled = (of: number): bigint => {
    const { numerator, denominator } = rational(of);
    return (numerator << LOG_BITS) / denominator;
  };
  requireThat(
    scaled(value) >= exact && scaled(value - room * (1 + value)) <= exact,
    () => `${what} is ${value}, and not a little above the logarithm of its ratio`,
  );
}

/** Claims are not below what follows from the numbers that noise is drawn with, to the last bit, and next to it. */
export function requireExactClaims(source: SeededSource): void {
  const query = (rows: readonly number[]): number => rows[0]!;
  for (let k = 0; k < 60; k++) {
    const epsilon = Math.exp(8 * source.uniform() - 6);
    const bounds = { lower: 0, upper: 1 }, granularity = 2 ** -4;
    for (const steps of [1, 5, 8]) {
      const tree = treeCounts<number>({ steps, stepOf: Number, epsilon, relation: addRemoveOne });
      requireUp(
        "ρ of tree counts",
        rhoOf(tree),
        divide(square(epsilon), rational(2 * tree.nodeSensitivity)),
      );
    }
    requireUp(
      "ρ of a mean",
      rhoOf(boundedMean({ bounds, epsilon, granularity, relation: addRemoveOne })),
      square(epsilon, rational(1, 4)),
    );
    const choice = exponentialMechanism({
      candidates: [0, 1],
      utilities: () => [0, 1],
      epsilon,
      sensitivity: 1,
      monotone: false,
      relation: replaceOne,
    });
    requireUp("ρ of a choice", rhoOf(choice), square(epsilon, rational(1, 8)));
    requireUp(
      "ρ of a quantile",
      rhoOf(quantile({ level: 0.5, bounds, granularity, epsilon, relation: replaceOne })),
      square(epsilon, rational(1, 8)),
    );
    const number = { query, epsilon: epsilon / 10, delta: 0.1 * source.uniform() + 1e-9 };
    for (const make of [classicalGaussian, analyticGaussian]) {
      if (!(number.epsilon < 1)) continue;
      const { grid, ...noisy } = make({
        ...number,
        sensitivity: 1,
        granularity,
        relation: replaceOne,
      });
      const { sensitivityInSteps, scaleInSteps } = grid;
      // The variance is the deviation squared, as a double.
      requireUp(
        "ρ of Gaussian noise",
        rhoOf(noisy),
        divide(square(sensitivityInSteps, rational(1, 2)), rational(scaleInSteps ** 2)),
      );
    }
    // Noise is not below what ρ asks for: the claim itself is given.
    const { grid: { scaleInSteps } } = integerGaussian<number>({
      query: (rows) => rows,
      dimension: 2,
      rho: epsilon,
      sensitivity: 3,
      relation: replaceOne,
    });
    requireUp(
      "a variance",
      scaleInSteps ** 2,
      divide(rational(9), multiply(rational(2), rational(epsilon))),
      37,
    );
    const cells = finiteDomain({ shape: [2] }), queries = [linearQuery(cells, (cell) => cell)];
    for (const [relation, more] of [[replaceOne, 0], [addRemoveOne, 1]] as const) {
      const rounds = 1 + k % 5, sizes = { min: 1, max: 9 };
      const mwem = mwemMechanism({ domain: cells, queries, rounds, epsilon, relation, sizes });
      // T choices of bounded range and T measurements, and one more where the number of rows is private, of an equal share each,
      // which is rounded down.
      const each = share(epsilon, 2 * rounds + more);
      requireUp("ρ of MWEM", rhoOf(mwem), square(each, rational(5 * rounds + 4 * more, 8)));
    }
    const rowCount = 20 + source.uint32() % 50, noiseScale = epsilon, count = 1 + k % 7;
    const holdout = thresholdoutMechanism({
      threshold: 0.1,
      noiseScale,
      count,
      rowCount,
      training: [0],
      statistics: [],
    });
    const part = divide(rational(2), multiply(rational(noiseScale), rational(rowCount)));
    requireUp(
      "ρ of Thresholdout",
      rhoOf(holdout),
      multiply(rational(count, 2), multiply(part, part)),
    );
    requireUp("ε of Thresholdout", epsilonOf(holdout.claim), multiply(rational(count), part));
    const family = betaBernoulli({ ones: 1, zeros: 1, least: 0.05, resolution: 5 });
    for (const samples of [1, 3]) {
      const posterior = posteriorSampling(family, { epsilon, relation: replaceOne, samples });
      requireUp(
        "ρ of samples of a posterior",
        rhoOf(posterior),
        divide(square(epsilonOf(posterior.claim)), rational(8 * samples)),
      );
    }
    requireRatios(source);
  }
  requireLogUp("ε of two coins", epsilonOf(twoCoinSurvey().claim), rational(3), 1n, 2 ** -51);
}

/** ε of chances that are told as doubles. */
function requireRatios(source: SeededSource): void {
  for (
    const keep of [
      source.uniform() * 0.998 + 0.001,
      // Next to 1 and to 0, where ε is large and its own rounding counts.
      1 - Math.exp(-10 - 25 * source.uniform()),
      Math.exp(-10 - 90 * source.uniform()),
    ]
  ) requireKept(2 + source.uint32() % 9, keep);
  const forget = source.uniform() * 0.99 + 0.005, hashes = 1 + source.uint32() % 4;
  const half = multiply(rational(forget), rational(1, 2)), kept = subtract(rational(1), half);
  requireLogUp(
    `ε of RAPPOR that forgets with ${forget}`,
    epsilonOf(rappor({ bits: 8, hashes, forget }).claim),
    divide(multiply(kept, kept), multiply(half, half)),
    BigInt(hashes),
    2 ** -45,
  );
}

/** ε of entries that are kept with this chance. */
function requireKept(size: number, keep: number): void {
  const other = divide(subtract(rational(1), rational(keep)), rational(size - 1));
  const [least, most] = compare(rational(keep), other) < 0
    ? [rational(keep), other]
    : [other, rational(keep)];
  requireLogUp(
    `ε of keeping with ${keep} of ${size}`,
    epsilonOf(perturbedDatabase(keepOrReplace({ size, keep })).claim),
    divide(most, least),
    1n,
    2 ** -47,
  );
  // Of so few that are kept, mixed noise says nothing.
  if (keep < 1e-6) return;
  const wide = size + 3, rest = divide(subtract(rational(1), rational(keep)), rational(wide));
  requireLogUp(
    `ε of mixed noise, ${keep} of ${wide}`,
    epsilonOf(perturbedDatabase(mixedNoise({ size: wide, reach: 1, keep })).claim),
    divide(add(rest, divide(rational(keep), rational(3))), rest),
    1n,
    2 ** -47,
  );
}
