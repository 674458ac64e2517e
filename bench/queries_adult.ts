import { replaceOne } from "../lib/core/relation.ts";
import { pluralityVote } from "../lib/learners/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../lib/learners/aggregate/subsample_and_aggregate.ts";
import { sampleReusableHoldout } from "../lib/learners/holdout/thresholdout.ts";
import { privateLearner } from "../lib/learners/pac/private_learner.ts";
import { answerQueries } from "../lib/learners/queries/answer_queries.ts";
import { marginalQueries } from "../lib/learners/queries/box_query.ts";
import { cellOf, finiteDomain, histogramOf } from "../lib/learners/queries/finite_domain.ts";
import { sampleMwem } from "../lib/learners/queries/mwem.ts";
import { boundedMean } from "../lib/mechanisms/bounded_sum.ts";
import { integerLaplace } from "../lib/mechanisms/geometric.ts";
import { quantile } from "../lib/mechanisms/quantile.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";

/** What is used of a row of Adult. */
interface Person {
  readonly age: number;
  readonly education: number;
  readonly hours: number;
  readonly married: boolean;
  readonly rich: boolean;
}

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

/** Each learner beside its non-private version on columns of Adult, means over some runs. */
export async function compareOnAdult(
  directory: string,
  { seed, runs }: { seed: number; runs: number },
): Promise<void> {
  const people = await readAdult(`${directory}/adult/adult.data.gz`);
  const source = new SeededSource(seed);
  const size = people.length;
  console.log(`\nAdult, ${size} rows, means over ${runs} runs`);
  const over = (run: () => number): string => {
    let sum = 0;
    for (let i = 0; i < runs; i++) sum += run();
    return (sum / runs).toFixed(4);
  };
  const share = (rows: readonly Person[], stump: Stump): number =>
    1 - rows.filter((person) => errs(stump, person)).length / rows.length;
  const best = (rows: readonly Person[]): number => {
    const shares = stumps.map((stump) => share(rows, stump));
    return shares.indexOf(Math.max(...shares));
  };

  // Marginals of up to three of five columns.
  const domain = finiteDomain({ shape: [10, 16, 10, 2, 2] });
  const cells = people.map(({ age, education, hours, married, rich }) =>
    cellOf(domain, [
      Math.min(9, Math.floor(age / 10)),
      education - 1,
      Math.min(9, Math.floor(hours / 10)),
      Number(married),
      Number(rich),
    ])
  );
  const triples = [0, 1, 2, 3, 4].flatMap((a) =>
    [0, 1, 2, 3, 4].flatMap((b) =>
      [0, 1, 2, 3, 4].filter((c) => a < b && b < c).map((c) => [a, b, c])
    )
  );
  const queries = triples.flatMap((attributes) => marginalQueries(domain, { attributes }));
  const truth = answerQueries(histogramOf(domain, cells), { domain, queries });
  const error = (answers: ArrayLike<number>): number =>
    truth.reduce((sum, answer, i) => sum + Math.abs(answer - answers[i]!), 0) / truth.length;
  for (const epsilon of [0.1, 1]) {
    const mwem = over(() =>
      error(answerQueries(
        sampleMwem(source, {
          domain,
          queries,
          rounds: 30,
          epsilon,
          relation: replaceOne,
          output: "last",
          replays: 20,
          rows: cells,
        }).histogram,
        { domain, queries },
      ))
    );
    // A row replaced moves two cells of each of the ten marginals.
    const plain = integerLaplace<never>({
      query: () => Array.from(truth),
      dimension: truth.length,
      sensitivity: 2 * triples.length,
      epsilon,
      relation: replaceOne,
    });
    const laplace = over(() => error(plain.sample([], source)));
    console.log(
      `  mean error of ${queries.length} marginal cells, ε = ${epsilon}: MWEM ${mwem}, plain Laplace ${laplace}`,
    );
  }

  const hours = people.map((person) => person.hours);
  const average = (rows: readonly number[]): number =>
    rows.reduce((sum, row) => sum + row, 0) / rows.length;
  const ages = people.map(({ age }) => age).sort((a, b) => a - b);
  for (const epsilon of [0.1, 1]) {
    const shared = { granularity: 2 ** -6, epsilon, relation: replaceOne };
    const aggregate = { blocks: 200, fallback: 40, relation: replaceOne };
    const mean = subsampleAndAggregate<number, number, number>({
      ...aggregate,
      estimator: average,
      aggregator: boundedMean({ ...shared, bounds: { lower: 20, upper: 60 } }),
    });
    const median = subsampleAndAggregate<number, number, number>({
      ...aggregate,
      estimator: (block) => block.toSorted((a, b) => a - b)[block.length >> 1]!,
      aggregator: quantile({ ...shared, level: 0.5, bounds: { lower: 0, upper: 128 } }),
    });
    const vote = subsampleAndAggregate<Person, number, Stump>({
      ...aggregate,
      estimator: best,
      fallback: 0,
      aggregator: pluralityVote({ candidates: stumps, epsilon }),
    });
    const learner = privateLearner({ hypotheses: stumps, errs, epsilon, relation: replaceOne });
    console.log(
      `  ε = ${epsilon}, 200 blocks: hours ${over(() => mean.sample(hours, source))} (plain ${
        average(hours).toFixed(4)
      }), median age ${over(() => median.sample(ages, source))} (plain ${ages[size >> 1]})`,
    );
    console.log(
      `    income by a stump: vote ${over(() => share(people, vote.sample(people, source)))}, ` +
        `exponential mechanism ${over(() => share(people, learner.sample(people, source)))}, ` +
        `plain ${share(people, stumps[best(people)]!).toFixed(4)}`,
    );
  }

  const half = size >> 1;
  const training = people.slice(0, half), holdout = people.slice(half);
  const asked = sampleReusableHoldout(source, {
    training,
    holdout,
    threshold: 0.02,
    noiseScale: 0.002,
    count: 10,
  });
  const worst = stumps.reduce((most, stump) => {
    const answer = asked.answer((person) => errs(stump, person) ? 0 : 1);
    return Math.max(most, Math.abs((answer ?? 0) - share(holdout, stump)));
  }, 0);
  console.log(
    `  reusable holdout: ${stumps.length} accuracies within ${
      worst.toFixed(4)
    } of the holdout's, ` +
      `${10 - asked.remaining} of 10 answers spent`,
  );
}

async function readAdult(path: string): Promise<Person[]> {
  const { body } = new Response(await Deno.readFile(path));
  const text = await new Response(body!.pipeThrough(new DecompressionStream("gzip"))).text();
  return text.split("\n").map((line) => line.split(", ")).filter(({ length }) => length === 15)
    .map((columns) => ({
      age: Number(columns[0]),
      education: Number(columns[4]),
      married: columns[5]!.startsWith("Married"),
      hours: Number(columns[12]),
      rich: columns[14]!.startsWith(">"),
    }));
}
