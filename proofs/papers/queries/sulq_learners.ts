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
  type KMeansOptions,
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

/** A rate so high that the noise is negligible. */
const PLAIN = 1e9;

/** Three clusters in a square. */
const clusters: KMeansOptions = {
  clusters: 3,
  rounds: 6,
  rho: 0.5,
  bounds: { lower: [0, 0], upper: [1, 1] },
  relation: replaceOne,
  start: [[0.4, 0.3], [0.5, 0.5], [0.6, 0.3]],
};

/** Three attributes of two values. */
const tree = { attributes: [2, 2, 2], classes: 2, depth: 2, rho: 0.5, relation: replaceOne };

/** A line through the origin of the plane. */
const halfspace = { columnCount: 2, rounds: 15, rho: 0.5 };

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

/** Learners that use noisy sums alone, beside their runs without noise. */
export const sulqLearners = theorem<{ readonly rho: number }>({
  id: "queries/sulq_learners",
  statement:
    "k-means, ID3, the perceptron and statistical-query learning can be computed from noisy sums: they " +
    "stay close to their noiseless runs when counts exceed √R.",
  citation: "Blum, Dwork, McSherry, Nissim 2005; Kearns 1998 for statistical queries",
  source: "Shmatikov’s slides, computing with SuLQ",
  remember: () =>
    `At ρ = .5 six rounds of k-means in two columns have noise of deviation √R = ${
      short(Math.sqrt(kMeansCalibration(clusters).variance))
    } on every sum, beside clusters of 2,000 rows.`,
  assumptions: [
    "false alarms: 1.1e-4 for the centres of k-means, .01 a run at most for the conjunction; of tree and perceptron none is computed",
  ],
  kind: "statistical",
  checked: "ten runs each of 4000 to 6000 rows, ρ = .5, counts of 1000, √R below 10",
  subject: { rho: 0.5 },
  check: ({ rho }, { seed }) => {
    const source = new SeededSource(seed).split("sulq learners");
    const distances = { "k-means": 0, "ID3": 0, "perceptron": 0, "conjunction": 0 };
    for (let run = 0; run < 10; run++) {
      const each = source.split(run);
      const found: typeof distances = {
        "k-means": kMeansDistance(each, rho),
        "ID3": treeDistance(each, rho),
        "perceptron": perceptronDistance(each, rho),
        "conjunction": conjunctionDistance(each),
      };
      for (const name of Object.keys(found) as (keyof typeof distances)[]) {
        distances[name] = Math.max(distances[name], found[name]);
      }
    }
    const outcomes = Object.entries(distances).map(([name, value]) =>
      atMost(1, { value, detail: name, witness: `${name} is ${short(value)} times as far` })
    );
    const shown = Object.entries(distances).map(([name, value]) => `${name} ${short(value)}`)
      .join(", ");
    // Five deviations for each of the noises of k-means: 180 of them, false alarm below 1.1e-4; the
    // oracle fails with probability .01 a run at most.
    return all(outcomes, `farthest of ten runs, of what is allowed: ${shown}`);
  },
  mutants: {
    "counts far below √R": { rho: 5e-7 },
  },
});
