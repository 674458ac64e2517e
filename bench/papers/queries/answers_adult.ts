import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { sampleReusableHoldout } from "../../../lib/papers/holdout/thresholdout.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { answerQueries } from "../../../lib/papers/queries/answer_queries.ts";
import { marginalQueries } from "../../../lib/papers/queries/box_query.ts";
import { cellOf, finiteDomain, histogramOf } from "../../../lib/papers/queries/finite_domain.ts";
import { type MwemOptions, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { integerLaplace } from "../../../lib/dp/mechanisms/geometric.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import type { Person } from "./adult.ts";
import type { Experiment } from "./experiment.ts";
import { markdownTable, meanOver, shareOver } from "./markdown.ts";

type Answers = Omit<Experiment, "fresh">;

const EPSILONS = [0.01, 0.1, 1];
/** Largest probability that a bound fails. */
const FAILURE = 0.1;

/** One side of a threshold on years of education, perhaps among the married only. */
interface Stump {
  readonly least: number;
  readonly marriedOnly: boolean;
}

const stumps: readonly Stump[] = [false, true].flatMap((marriedOnly) =>
  Array.from({ length: 17 }, (_, i) => ({ least: i + 1, marriedOnly }))
);

function errs({ least, marriedOnly }: Stump, person: Person): boolean {
  return (person.education >= least && (person.married || !marriedOnly)) !== person.rich;
}

function mistakes(rows: readonly Person[], stump: Stump): number {
  return rows.reduce((sum, person) => errs(stump, person) ? sum + 1 : sum, 0);
}

function bestOf(rows: readonly Person[]): number {
  const wrong = stumps.map((stump) => mistakes(rows, stump));
  return wrong.indexOf(Math.min(...wrong));
}

function average(rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** MWEM, subsample and aggregate, the generic learner, Thresholdout beside their plain versions. */
export function compareAnswersOnAdult(experiment: Answers): void {
  console.log(
    `## Answers about ${experiment.people.length} rows of Adult, ${experiment.runs} runs\n`,
  );
  marginals(experiment);
  aggregates(experiment);
  stumpsOf(experiment);
  holdout(experiment);
}

/** Marginals of three of five columns. */
function marginals({ people, source, runs }: Answers): void {
  const domain = finiteDomain({ shape: [10, 16, 10, 2, 2] });
  const rows = people.map(({ age, education, hours, married, rich }) =>
    cellOf(domain, [
      Math.min(9, Math.floor(age / 10)),
      education - 1,
      Math.min(9, Math.floor(hours / 10)),
      Number(married),
      Number(rich),
    ])
  );
  const columns = [0, 1, 2, 3, 4];
  const triples = columns.flatMap((a) =>
    columns.flatMap((b) => columns.filter((c) => a < b && b < c).map((c) => [a, b, c]))
  );
  const queries = triples.flatMap((attributes) => marginalQueries(domain, { attributes }));
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  const errors = (answers: ArrayLike<number>): number[] =>
    Array.from(truth, (answer, i) => Math.abs(answer - answers[i]!));
  const shared = { domain, queries, relation: replaceOne };
  const estimate = (label: string, options: Omit<MwemOptions, keyof typeof shared>): number[] =>
    errors(answerQueries(
      sampleMwem(source.split(label), { ...shared, ...options, rows }).histogram,
      { domain, queries },
    ));
  const table = EPSILONS.map((epsilon) => {
    const improved = meanOver(runs, (run) =>
      average(
        estimate(`mwem ${epsilon} ${run}`, { epsilon, rounds: 30, output: "last", replays: 20 }),
      ));
    // A row replaced moves two cells of each of the ten marginals.
    const plain = integerLaplace<never>({
      query: () => Array.from(truth),
      dimension: truth.length,
      sensitivity: 2 * triples.length,
      epsilon,
      relation: replaceOne,
    });
    const laplace = meanOver(
      runs,
      (run) => average(errors(plain.sample([], source.split(`laplace ${epsilon} ${run}`)))),
    );
    const rounds = 100;
    const { error, probability } = mwemErrorBound({
      size: rows.length,
      cells: domain.size,
      queries: queries.length,
      rounds,
      epsilon,
    });
    const largest = Array.from(
      { length: runs },
      (_, run) => Math.max(...estimate(`theorem ${epsilon} ${run}`, { epsilon, rounds })),
    );
    return [
      epsilon,
      improved,
      laplace,
      Math.round(average(largest)),
      error < rows.length ? Math.round(error) : "over n",
      `${Math.round(100 * probability)}%`,
      shareOver(runs, (run) => largest[run]! <= error),
    ];
  });
  console.log(
    `MWEM: ${queries.length} cells of marginals; T = 30, last iterate, 20 replays, and T = 100, average, for Theorem 2.2\n`,
  );
  console.log(markdownTable(
    [
      "ε",
      "mean error",
      "plain Laplace",
      "T = 100: largest error",
      "Theorem 2.2",
      "promised",
      "holds",
    ],
    table,
  ));
}

function aggregates({ people, source, runs }: Answers): void {
  // Equal blocks, so that the mean of their means is the mean.
  const blocks = 200, rows = people.slice(0, blocks * Math.floor(people.length / blocks));
  const hours = rows.map((person) => person.hours), ages = rows.map(({ age }) => age);
  const middle = (block: readonly number[]): number =>
    block.toSorted((a, b) => a - b)[block.length >> 1]!;
  const table = EPSILONS.map((epsilon) => {
    const shared = { epsilon, relation: replaceOne };
    const mean = subsampleAndAggregate<number, number, number>({
      blocks,
      fallback: 40,
      relation: replaceOne,
      estimator: average,
      aggregator: boundedMean({
        ...shared,
        granularity: 2 ** -6,
        bounds: { lower: 20, upper: 60 },
      }),
    });
    const median = subsampleAndAggregate<number, number, number>({
      blocks,
      fallback: 40,
      relation: replaceOne,
      estimator: middle,
      aggregator: quantile({
        ...shared,
        granularity: 1,
        level: 0.5,
        bounds: { lower: 0, upper: 128 },
      }),
    });
    const random = source.split(`aggregates ${epsilon}`);
    const means = Array.from({ length: runs }, () => mean.sample(hours, random));
    const bound = 40 * Math.log(1 / FAILURE) / (blocks * epsilon);
    const plain = average(hours);
    return [
      epsilon,
      meanOver(runs, (run) => Math.abs(means[run]! - plain)),
      bound,
      // Blocks are rounded to the grid: half a step.
      shareOver(runs, (run) => Math.abs(means[run]! - plain) <= bound + 2 ** -7),
      meanOver(runs, () => Math.abs(median.sample(ages, random) - middle(ages))),
    ];
  });
  console.log(
    `Subsample and aggregate, ${blocks} blocks: mean of hours (plain ${
      average(hours).toFixed(4)
    }) within ln(1/β)·range/(kε), β = ${FAILURE}; median of ages (plain ${middle(ages)})\n`,
  );
  console.log(markdownTable(
    ["ε", "mean of hours: mean error", "bound, 90%", "within", "median of ages: mean error"],
    table,
  ));
}

function stumpsOf({ people, source, runs }: Answers): void {
  const wrong = new Map(stumps.map((stump) => [stump, mistakes(people, stump)]));
  const least = Math.min(...wrong.values());
  const accuracy = (count: number): number => 1 - count / people.length;
  const table = EPSILONS.map((epsilon) => {
    const random = source.split(`stumps ${epsilon}`);
    const vote = subsampleAndAggregate<Person, number, Stump>({
      blocks: 200,
      fallback: 0,
      relation: replaceOne,
      estimator: bestOf,
      aggregator: pluralityVote({ candidates: stumps, epsilon }),
    });
    const learner = privateLearner({ hypotheses: stumps, errs, epsilon, relation: replaceOne });
    const chosen = Array.from({ length: runs }, () => wrong.get(learner.sample(people, random))!);
    const bound = 2 * Math.log(stumps.length / FAILURE) / epsilon;
    return [
      epsilon,
      accuracy(meanOver(runs, () => wrong.get(vote.sample(people, random))!)),
      accuracy(average(chosen)),
      accuracy(least),
      Math.round(bound),
      Math.max(...chosen) - least,
      shareOver(runs, (run) => chosen[run]! - least <= bound),
    ];
  });
  console.log(
    `Income by one of ${stumps.length} stumps: a vote of 200 blocks, and the generic learner, whose mistakes exceed the fewest by 2·ln(|H|/β)/ε at most, β = ${FAILURE}\n`,
  );
  console.log(markdownTable(
    [
      "ε",
      "vote, accuracy",
      "learner, accuracy",
      "plain",
      "learner: bound on excess mistakes, 90%",
      "most",
      "within",
    ],
    table,
  ));
}

function holdout({ people, source, runs }: Answers): void {
  const half = people.length >> 1;
  const training = people.slice(0, half), rest = people.slice(half);
  const accuracies = stumps.map((stump) => 1 - mistakes(rest, stump) / rest.length);
  const table = [0.0005, 0.002].map((noiseScale) => {
    const count = 10, threshold = 0.02;
    const results = Array.from({ length: runs }, (_, run) => {
      const asked = sampleReusableHoldout(source.split(`holdout ${noiseScale} ${run}`), {
        training,
        holdout: rest,
        threshold,
        noiseScale,
        count,
      });
      const worst = stumps.reduce((most, stump, i) => {
        const answer = asked.answer((person) => errs(stump, person) ? 0 : 1);
        return Math.max(most, Math.abs((answer ?? 0) - accuracies[i]!));
      }, 0);
      return { worst, spent: count - asked.remaining, epsilon: asked.claim };
    });
    // m differences, B thresholds and one, B answers: none of the noises beyond its scale times ln(N/β).
    const noises = stumps.length + 2 * count + 1;
    const bound = threshold + 6 * noiseScale * Math.log(noises / FAILURE);
    const { claim } = sampleReusableHoldout(source, {
      training,
      holdout: rest,
      threshold,
      noiseScale,
      count,
    });
    return [
      noiseScale,
      claim.kind === "pure" ? claim.epsilon : NaN,
      meanOver(runs, (run) => results[run]!.worst),
      meanOver(runs, (run) => results[run]!.spent),
      bound,
      shareOver(runs, (run) => results[run]!.worst <= bound),
    ];
  });
  console.log(
    `Thresholdout: accuracies of ${stumps.length} stumps, half of the rows as holdout, T = 0.02, B = 10; worst answer within T + 6σ·ln(N/β), β = ${FAILURE}\n`,
  );
  console.log(markdownTable(
    ["σ", "ε", "worst answer, mean", "answers spent, mean", "bound, 90%", "within"],
    table,
  ));
}
