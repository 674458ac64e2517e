import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import {
  kMeansCalibration,
  type KMeansOptions,
  sampleKMeans,
} from "../../../lib/papers/sulq/k_means.ts";
import {
  noisySecondMoments,
  principalDirections,
} from "../../../lib/papers/sulq/principal_directions.ts";
import { sulqAccounting } from "../../../lib/papers/sulq/sulq_accounting.ts";
import { secondMomentError } from "../../../lib/papers/sulq/second_moment_error.ts";
import { conjunctions, halfspaces, trees } from "./classifiers_adult.ts";
import { epsilonOf, type Experiment, FAILURE, PLAIN, RHOS } from "./experiment.ts";
import { markdownTable, meanOver, shareOver } from "./markdown.ts";

/** k-means, ID3, perceptron, conjunction and principal directions beside themselves without noise. */
export function compareSulqOnAdult(experiment: Experiment): void {
  console.log(`## SuLQ on ${experiment.people.length} rows of Adult, ${experiment.runs} runs\n`);
  clusters(experiment);
  trees(experiment);
  halfspaces(experiment);
  conjunctions(experiment);
  directions(experiment);
}

function clusters({ people, source, runs }: Experiment): void {
  const lower = [17, 1, 1], upper = [90, 16, 99];
  const points = denseRows(people.map(({ age, education, hours }) => [age, education, hours]));
  const shares = people.map(({ age, education, hours }) =>
    [age, education, hours].map((value, j) => (value - lower[j]!) / (upper[j]! - lower[j]!))
  );
  const boxed = (centre: readonly number[]): number[] =>
    centre.map((value, j) => (value - lower[j]!) / (upper[j]! - lower[j]!));
  const distance = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, j) => sum + (value - b[j]!) ** 2, 0);
  const loss = (centres: readonly (readonly number[])[]): number => {
    const inside = centres.map(boxed);
    return shares.reduce(
      (sum, point) => sum + Math.min(...inside.map((centre) => distance(point, centre))),
      0,
    ) / shares.length;
  };
  const options = (rho: number, rounds: number): KMeansOptions => ({
    clusters: 4,
    rounds,
    rho,
    bounds: { lower, upper },
    relation: replaceOne,
    start: [0.2, 0.4, 0.6, 0.8].map((share) =>
      lower.map((least, j) => least + share * (upper[j]! - least))
    ),
  });
  const plain = sampleKMeans(source, { ...options(PLAIN, 10), points });
  const onePlain = sampleKMeans(source, { ...options(PLAIN, 1), points });
  const rows = RHOS.map((rho) => {
    const found = meanOver(
      runs,
      (run) =>
        loss(
          sampleKMeans(source.split(`k-means ${rho} ${run}`), { ...options(rho, 10), points })
            .centres,
        ),
    );
    // Of 16 noises none is beyond t but with probability FAILURE: a centre of N rows is off by 1.5t/(N − t).
    const { variance } = kMeansCalibration(options(rho, 1));
    const noise = Math.sqrt(2 * variance * Math.log(2 * 16 / FAILURE));
    const within = shareOver(runs, (run) => {
      const one = sampleKMeans(source.split(`round ${rho} ${run}`), { ...options(rho, 1), points });
      return one.centres.every((centre, k) => {
        const rowsOf = Math.round(onePlain.counts[k]!);
        const bound = rowsOf > noise ? 1.5 * noise / (rowsOf - noise) : Infinity;
        return boxed(centre).every((value, j) =>
          Math.abs(value - boxed(onePlain.centres[k]!)[j]!) <= bound
        );
      });
    });
    const { published } = sulqAccounting(kMeansCalibration(options(rho, 10)), { delta: 1e-6 });
    return [rho, epsilonOf(rho), published.epsilon, found, loss(plain.centres), within];
  });
  console.log("k-means: age, education, hours; k = 4, 10 rounds\n");
  console.log(markdownTable(
    [
      "ρ",
      "ε at δ = 10⁻⁶",
      "ε as published, δ = 10⁻⁶",
      "mean squared distance",
      "plain",
      "one round within 1.5t/(N − t)",
    ],
    rows,
  ));
}

function directions({ people, source, runs }: Experiment): void {
  const columnCount = 7, count = 2;
  const data = people.map((person) => [
    (person.age - 50) / 50,
    (person.education - 8.5) / 7.5,
    (person.hours - 50) / 50,
    person.married ? 1 : -1,
    person.sex === "Male" ? 1 : -1,
    person.gain ? 1 : -1,
    person.rich ? 1 : -1,
  ]);
  const normBound = Math.sqrt(columnCount);
  const moments = (rho: number, run: number): number[] =>
    noisySecondMoments({ columnCount, normBound, rho, relation: replaceOne })
      .sample(data, source.split(`moments ${rho} ${run}`));
  const exact = moments(PLAIN, 0);
  const total = data.flat().reduce((sum, x) => sum + x * x, 0);
  /** Share of all squares in the span of directions: Σ vᵀ(Σ xxᵀ)v. */
  const captured = (found: ReturnType<typeof principalDirections>): number =>
    found.directions.reduce(
      (sum, direction) =>
        sum + data.reduce(
          (more, x) =>
            more + x.reduce((product, value, j) => product + value * direction[j]!, 0) ** 2,
          0,
        ),
      0,
    );
  const best = captured(principalDirections(exact, { columnCount, count }));
  const rows = RHOS.map((rho) => {
    const reached = Array.from(
      { length: runs },
      (_, run) => captured(principalDirections(moments(rho, run), { columnCount, count })),
    );
    const options = { columnCount, normBound, rho, relation: replaceOne };
    const norm = secondMomentError(options, { failure: FAILURE });
    const least = best - 2 * count * norm;
    return [
      rho,
      epsilonOf(rho),
      meanOver(runs, (run) => reached[run]! / total),
      best / total,
      least / total,
      shareOver(runs, (run) => reached[run]! >= least),
    ];
  });
  console.log(
    "Principal directions: 2 of 7 columns, second moments; share of the squares in their span\n",
  );
  console.log(markdownTable(
    ["ρ", "ε at δ = 10⁻⁶", "share", "plain", "at least, but for 5%", "holds"],
    rows,
  ));
}
