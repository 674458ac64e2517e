import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { privateLearnerRows } from "../../../lib/papers/pac/private_learner_rows.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** A point of [0, 1) and its label. */
interface Point {
  readonly x: number;
  readonly positive: boolean;
}

/** A population: labels follow the threshold `at`, but for a share `turned` of them. */
interface Population {
  readonly at: number;
  readonly turned: number;
}

const thresholds = Array.from({ length: 65 }, (_, i) => i / 64);

function errs(threshold: number, { x, positive }: Point): boolean {
  return (x >= threshold) !== positive;
}

/** The share of the population that a threshold errs on: x is uniform. */
function risk(threshold: number, { at, turned }: Population): number {
  const between = Math.abs(threshold - at);
  return turned * (1 - between) + (1 - turned) * between;
}

function points(source: SeededSource, n: number, { at, turned }: Population): Point[] {
  return Array.from({ length: n }, () => {
    const x = source.uniform();
    return { x, positive: (x >= at) !== (source.uniform() < turned) };
  });
}

/** A finite class is learned by the exponential mechanism on its mistakes. */
export const learningPrivately = theorem<{ readonly rows: number; readonly strength: number }>({
  id: "queries/learning_privately",
  statement:
    "A finite class H is learned ε-privately from max{8ln(4|H|/β)/α², 4ln(2|H|/β)/(αε)} rows, " +
    "whatever the population: the error is within α of the least with probability 1 − β.",
  citation:
    "Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith 2008, generic private agnostic learner",
  source: "Haußmann’s slides, results and extensions",
  remember: () =>
    `${thresholds.length} thresholds within .1 at β = .1: ${
      privateLearnerRows({ hypotheses: thresholds.length, excess: 0.1, failure: 0.1, epsilon: 1 })
    } rows at ε = 1, ${
      privateLearnerRows({
        hypotheses: thresholds.length,
        excess: 0.1,
        failure: 0.1,
        epsilon: 0.01,
      })
    } at ε = .01.`,
  assumptions: ["a class of infinite size needs a bound on its dimension, and is not looked at"],
  kind: "statistical",
  checked:
    "65 thresholds, ε = .1 and 1, α = .1, β = .1, two populations; given the rows the chance of failure is exact",
  subject: { rows: 1, strength: 1 },
  check: ({ rows, strength }, { seed }) => {
    const source = new SeededSource(seed).split("learning privately");
    const excess = 0.1, failure = 0.1, runs = 100;
    const goal = { hypotheses: thresholds.length, excess, failure };
    let worst = 0, most = 0, loss = 0;
    for (const epsilon of [0.1, 1]) {
      const learner = privateLearner<Point, number>({
        hypotheses: thresholds,
        errs,
        epsilon: strength * epsilon,
        relation: replaceOne,
      });
      const n = Math.ceil(rows * privateLearnerRows({ ...goal, epsilon }));
      most = Math.max(most, n);
      for (const population of [{ at: 0.4, turned: 0 }, { at: 0.8, turned: 0.3 }]) {
        const least = Math.min(...thresholds.map((threshold) => risk(threshold, population)));
        let sum = 0;
        for (let run = 0; run < runs; run++) {
          const law = learner.distribution!(points(source, n, population));
          sum += law.reduce(
            (share, { output, probability }) =>
              risk(output, population) > least + excess ? share + probability : share,
            0,
          );
        }
        worst = Math.max(worst, sum / runs);
      }
      // One point on either side of everything: half of the thresholds gain a mistake, half lose one.
      const rest = Array.from({ length: 40 }, (_, i) => ({ x: i / 40, positive: true }));
      const { left, right } = pairOf(replaceOne, {
        left: [...rest, { x: 0.5, positive: true }],
        right: [...rest, { x: 0.5, positive: false }],
      });
      const p = learner.distribution!(left), q = learner.distribution!(right);
      p.forEach(({ probability }, i) => {
        loss = Math.max(loss, Math.abs(Math.log(probability / q[i]!.probability)) / epsilon);
      });
    }
    // The mean of 100 chances in [0, 1] with mean β = .1 at most: beyond .25 with probability
    // e^(−100·KL(.25, .1)) = e^(−9.2) at most (Hoeffding 1963, Theorem 1), four times.
    const outcomes = [
      atMost(failure + 0.15, {
        value: worst,
        detail: "failure",
        witness: `fails with probability ${short(worst)} where β = .1`,
      }),
      atMost(1, { value: loss, detail: "privacy", witness: `loses ${short(loss)} ε` }),
    ];
    const detail = `up to ${most} rows; fails with probability ${short(worst)} (β = .1; false ` +
      `alarm 4e^−9.2); a pair loses ${short(loss)} ε`;
    return all(outcomes, detail);
  },
  mutants: {
    "a hundredth of the rows": { rows: 0.01, strength: 1 },
    "ε per mistake in place of ε/2": { rows: 1, strength: 2 },
  },
});
