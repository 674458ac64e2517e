import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import {
  type CategoricalRow,
  classify,
  sampleDecisionTree,
} from "../../../lib/papers/sulq/decision_tree.ts";
import {
  kMeansCalibration,
  kMeansSquaredSensitivity,
  sampleKMeans,
} from "../../../lib/papers/sulq/k_means.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  fitConjunction,
} from "../../../lib/papers/sulq/fit_conjunction.ts";
import { samplePerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { sampleStatisticalQueries } from "../../../lib/papers/sulq/statistical_queries.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";
import {
  clusters,
  halfspace,
  kMeansShare,
  type Learning,
  noiseShare,
  perceptronShare,
  PLAIN,
  tree,
  treeShare,
} from "./checks/sulq_shares.ts";

function share<Row>(rows: readonly Row[], right: (row: Row) => boolean): number {
  return rows.filter(right).length / rows.length;
}

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

/** Rows that the conjunction learnt from noisy answers is wrong about, over the error asked for. */
function conjunctionDistance(source: SeededSource): number {
  const goal = { columnCount: 6, error: 0.2 };
  const data = Array.from({ length: 4000 }, (): BooleanRow => {
    const features = Array.from({ length: 6 }, () => source.uniform() < 0.6);
    return { features, label: features[0]! && !features[3] };
  });
  const options = { ...conjunctionQueries(goal), failure: 0.01, data };
  const learnt = fitConjunction(sampleStatisticalQueries(source, options), goal);
  const wrong = share(
    data,
    ({ features, label }) =>
      learnt.every(({ column, value }) => features[column] === value) !== label,
  );
  return wrong / goal.error;
}

/** As shipped. */
const SHIPPED: Learning = {
  charged: (answers) => answers,
  roundCharged: (columns) =>
    kMeansSquaredSensitivity({
      clusters: clusters.clusters,
      bounds: { lower: new Array(columns).fill(0), upper: new Array(columns).fill(1) },
      relation: replaceOne,
    }),
  rho: 0.5,
};

/** What is learnt from noisy sums alone is paid for, and good where counts exceed the noise. */
export const sulqLearners = theorem<Learning>({
  id: "queries/sulq_learners",
  statement:
    "k-means, ID3, the perceptron and statistical-query learning use noisy sums only, of which a " +
    "row changes no more than ρ pays for, and stay close to their noiseless runs when counts " +
    "exceed √R.",
  citation: "Blum, Dwork, McSherry, Nissim 2005; Kearns 1998 for statistical queries",
  source: "Shmatikov’s slides, computing with SuLQ",
  remember: () =>
    `A row that is replaced moves the answers of a round of k-means by ${
      short(SHIPPED.roundCharged(2))
    } at most in two columns, squared.`,
  assumptions: [
    "false alarms: 1.1e-4 for the centres of k-means, .01 a run at most for the conjunction; of tree and perceptron none is computed",
  ],
  kind: "statistical",
  checked:
    "privacy, in 1 to 784 columns: the answers that shipped learners ask for, counted, a round of k-means on rows that move within a cluster and across, and the law of the noise, beside the ρ claimed; closeness: ten runs each of 4000 to 6000 rows, ρ = .5, counts of 1000, √R below 10",
  subject: SHIPPED,
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
    "charged for one round or answer": { ...SHIPPED, charged: () => 1 },
    "k-means charged 2 + d/2": { ...SHIPPED, roundCharged: (columns) => 2 + columns / 2 },
    "counts far below √R": { ...SHIPPED, rho: 5e-7 },
  },
});
