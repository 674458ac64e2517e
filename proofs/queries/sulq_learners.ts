import { replaceOne } from "../../lib/core/relation.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import type { LabelledRow } from "../../lib/learners/erm/mechanism.ts";
import {
  type CategoricalRow,
  classify,
  sampleDecisionTree,
} from "../../lib/learners/sulq/decision_tree.ts";
import {
  kMeansCalibration,
  type KMeansOptions,
  sampleKMeans,
} from "../../lib/learners/sulq/k_means.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  learnConjunction,
} from "../../lib/learners/sulq/learn_conjunction.ts";
import { samplePerceptron } from "../../lib/learners/sulq/perceptron.ts";
import { sampleStatisticalQueries } from "../../lib/learners/sulq/statistical_queries.ts";
import { type SulqNoise, sulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { all, atMost, short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** What is charged for T answers, and what is left of the ρ that learners are run with. */
interface Learning {
  readonly charged: (answers: number) => number;
  readonly rho: number;
}

/** A rate so high that the noise is negligible. */
const PLAIN = 1e9;

/** No noise, and how many tables and numbers of it were asked for. */
function countedNoise(): { prepared: SulqNoise; tables: () => number; numbers: () => number } {
  let tables = 0, numbers = 0;
  return {
    tables: () => tables,
    numbers: () => numbers,
    prepared: {
      stepsPerUnit: 2 ** 20,
      noise: {
        fill(_source, out): Float64Array {
          tables++;
          numbers += out.length;
          return out.fill(0);
        },
        logProbability: (value) => value === 0 ? 0 : -Infinity,
        logUpperTail: (value) => value <= 0 ? 0 : -Infinity,
      },
    },
  };
}

function share<Row>(rows: readonly Row[], right: (row: Row) => boolean): number {
  return rows.filter(right).length / rows.length;
}

const clusters: KMeansOptions = {
  clusters: 3,
  rounds: 6,
  rho: 0.5,
  bounds: { lower: [0, 0], upper: [1, 1] },
  relation: replaceOne,
  start: [[0.4, 0.3], [0.5, 0.5], [0.6, 0.3]],
};

/** Centres beside those of the noiseless run, in five deviations of a quotient of noisy sums. */
function kMeansDistance(source: SeededSource, rho: number): number {
  const truth = [[0.2, 0.2], [0.5, 0.8], [0.8, 0.4]], n = 6000;
  const values = floatNormal(source, new Float64Array(2 * n), { scale: 0.05 })
    .map((value, i) => value + truth[(i >> 1) % 3]![i % 2]!);
  const points = denseRows(values, { columnCount: 2 });
  const plain = sampleKMeans(source, { ...clusters, rho: PLAIN, points }).centres.flat();
  const noisy = sampleKMeans(source, { ...clusters, rho, points }).centres.flat();
  // The noise of a sum, and half a side times that of a count, twice for the rounds before.
  const expected = 2 * 5 * 1.5 * Math.sqrt(kMeansCalibration(clusters).variance) / (n / 3);
  return Math.max(...plain.map((value, i) => Math.abs(value - noisy[i]!))) / expected;
}

/** The squared change of one round's answers under a replaced row, over what ρ pays for. */
function kMeansShare(source: SeededSource, { charged }: Learning): number {
  const { clusters: k, rounds } = clusters;
  let most = 0;
  for (let run = 0; run < 300; run++) {
    const coordinate = (): number =>
      source.uniform() < 0.5 ? Math.round(source.uniform()) : source.uniform();
    const point = (): number[] => [coordinate(), coordinate()];
    const start = Array.from({ length: k }, point), rest = [point(), point()];
    const answers = (row: number[]): number[] => {
      const { prepared } = countedNoise();
      const { centres, counts } = sampleKMeans(source, {
        ...clusters,
        rho: PLAIN,
        rounds: 1,
        start,
        points: denseRows([row, ...rest]),
        prepared,
      });
      return counts.flatMap((count, c) => [
        count,
        ...centres[c]!.map((value) => count < 0.5 ? 0 : count * (value - 0.5)),
      ]);
    };
    const one = answers(point()), other = answers(point());
    most = Math.max(most, one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0));
  }
  const points = denseRows([[0, 0]]);
  const { claim, calibration } = sampleKMeans(source, { ...clusters, points });
  return rounds * most / (2 * calibration.variance * claim.rho) * rounds / charged(rounds);
}

const tree = { attributes: [2, 2, 2], classes: 2, depth: 2, rho: 0.5, relation: replaceOne };

/** Rows misclassified beyond those of the noiseless tree, in hundredths of all. */
function treeDistance(source: SeededSource, rho: number): number {
  const data = Array.from({ length: 4000 }, (): CategoricalRow => {
    const values = tree.attributes.map(() => source.uint32() & 1);
    const label = values[1] === 1 ? values[2]! : 0;
    return { values, label: source.uniform() < 0.1 ? 1 - label : label };
  });
  const [plain, noisy] = [PLAIN, rho].map((each) => {
    const { root } = sampleDecisionTree(source, { ...tree, rho: each, data });
    return share(data, ({ values, label }) => classify(root, values) === label);
  });
  return Math.max(0, plain! - noisy!) / 0.01;
}

/** The tables that two rows are in, where all rows take one path, over those charged for. */
function treeShare(source: SeededSource, { charged }: Learning): number {
  const { prepared, tables } = countedNoise();
  const data = Array.from(
    { length: 1000 },
    (): CategoricalRow => ({ values: [0, 0, 0], label: 0 }),
  );
  sampleDecisionTree(source, { ...tree, rho: PLAIN, data, prepared });
  const { claim, calibration: { variance, queries } } = sampleDecisionTree(source, {
    ...tree,
    data,
  });
  // Beside the path there is an empty leaf, a table, at either level; two rows change a table by 1.
  const changed = 2 * (tables() - 2);
  return changed / (2 * variance * claim.rho) * queries / charged(queries);
}

const halfspace = { columnCount: 2, rounds: 15, rho: 0.5 };

/** Rows on the wrong side, in thirtieths of all; a noiseless run leaves next to none. */
function perceptronDistance(source: SeededSource, rho: number): number {
  const data: LabelledRow[] = [];
  while (data.length < 5000) {
    const features = [2 * source.uniform() - 1, 2 * source.uniform() - 1];
    const side = 0.8 * features[0]! - 0.6 * features[1]!;
    if (Math.abs(side) > 0.1) data.push({ features, label: Math.sign(side) });
  }
  const { weights } = samplePerceptron(source, { ...halfspace, rho, data });
  return share(
    data,
    ({ features, label }) => label * (weights[0]! * features[0]! + weights[1]! * features[1]!) <= 0,
  ) * 30;
}

/** Answers asked for on rows that no line separates, over those charged for. */
function perceptronShare(source: SeededSource, { charged }: Learning): number {
  const { prepared, numbers } = countedNoise();
  const data = [1, -1].flatMap((label): LabelledRow[] => [
    { features: [1, 0], label },
    { features: [0, 1], label },
  ]);
  samplePerceptron(source, { ...halfspace, rho: PLAIN, data, prepared });
  const { claim, calibration } = samplePerceptron(source, { ...halfspace, data });
  const { variance, queries } = calibration;
  return numbers() / (2 * variance * claim.rho) * queries / charged(queries);
}

/** The largest |ln P/Q| of one answer moved by 1 from its likeliest value, over 1/(2R). */
function noiseShare(): number {
  return Math.max(...[0.01, 1, 45, 1e6].map((variance) => {
    const { noise, stepsPerUnit } = sulqNoise({ variance });
    return 2 * variance * (noise.logProbability(0) - noise.logProbability(stepsPerUnit));
  }));
}

/** Rows that the conjunction learnt from noisy answers is wrong about, over the error asked for. */
function conjunctionDistance(source: SeededSource): number {
  const goal = { columnCount: 6, error: 0.2 };
  const data = Array.from({ length: 4000 }, (): BooleanRow => {
    const features = Array.from({ length: 6 }, () => source.uniform() < 0.6);
    return { features, label: features[0]! && !features[3]! };
  });
  const options = { ...conjunctionQueries(goal), failure: 0.01, data };
  const learnt = learnConjunction(sampleStatisticalQueries(source, options), goal);
  const wrong = share(
    data,
    ({ features, label }) =>
      learnt.every(({ column, value }) => features[column] === value) !== label,
  );
  return wrong / goal.error;
}

/** What is learnt from noisy sums alone is paid for, and good where counts exceed the noise. */
export const sulqLearners = theorem<Learning>({
  id: "queries/sulq_learners",
  statement:
    "k-means, ID3, the perceptron and statistical-query learning use noisy sums only, of which a " +
    "row changes no more than ρ pays for, and stay close to their noiseless runs when counts " +
    "exceed √R.",
  citation: "Blum, Dwork, McSherry, Nissim 2005; Kearns 1998 for statistical queries",
  source: "Shmatikov’s slides, computing with SuLQ",
  assumptions: [
    "privacy: the answers that shipped learners ask for, counted, a round of k-means on 300 pairs of " +
    "neighbours, and the law of the noise, beside the ρ claimed",
    "closeness: ten runs each of 4000 to 6000 rows, ρ = .5: counts of 1000, √R below 10",
  ],
  kind: "statistical",
  subject: { charged: (answers) => answers, rho: 0.5 },
  check: (learning, { seed }) => {
    const source = new SeededSource(seed).split("sulq learners");
    const shares = {
      "k-means": kMeansShare(source, learning),
      "ID3": treeShare(source, learning),
      "perceptron": perceptronShare(source, learning),
      "the noise": noiseShare(),
    };
    const distances = { "k-means": 0, "ID3": 0, "perceptron": 0, "conjunction": 0 };
    for (let run = 0; run < 10; run++) {
      const each = source.split(run);
      const found: typeof distances = {
        "k-means": kMeansDistance(each, learning.rho),
        "ID3": treeDistance(each, learning.rho),
        "perceptron": perceptronDistance(each, learning.rho),
        "conjunction": conjunctionDistance(each),
      };
      for (const name of Object.keys(found) as (keyof typeof distances)[]) {
        distances[name] = Math.max(distances[name], found[name]);
      }
    }
    const outcomes = [
      ...Object.entries(shares).map(([name, value]) =>
        atMost(1, { value, detail: name, witness: `${name} uses ${short(value)} of what is paid` })
      ),
      ...Object.entries(distances).map(([name, value]) =>
        atMost(1, { value, detail: name, witness: `${name} is ${short(value)} times as far` })
      ),
    ];
    const shown = (values: Record<string, number>): string =>
      Object.entries(values).map(([name, value]) => `${name} ${short(value)}`).join(", ");
    // Five deviations for each of the noises of k-means: 180 of them, false alarm below 1.1e-4; the
    // oracle fails with probability .01 a run at most.
    return all(
      outcomes,
      `of what is paid for, used: ${shown(shares)}; farthest of ten runs, of what is allowed: ` +
        shown(distances),
    );
  },
  mutants: {
    "charged for one round or answer": { charged: () => 1, rho: 0.5 },
    "counts far below √R": { charged: (answers) => answers, rho: 5e-7 },
  },
});
