import { largestRho } from "../../../lib/dp/accounting/composition/zcdp.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { ColumnDescription } from "../../../lib/dp/learners/erm/files/column_description.ts";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { answerQueries } from "../../../lib/papers/queries/answer_queries.ts";
import { marginalQueries } from "../../../lib/papers/queries/box_query.ts";
import { cellOf, finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { adaptiveMarginals } from "../../../lib/dp/learners/synthetic/adaptive_marginals.ts";
import type { CodedRow } from "../../../lib/dp/learners/synthetic/adaptive_rounds.ts";
import { drawRows } from "../../../lib/dp/learners/synthetic/draw_rows.ts";
import { expectedMarginals } from "../../../lib/dp/learners/synthetic/expected_marginals.ts";
import {
  MarginalModel,
  type NoisyMarginal,
} from "../../../lib/dp/learners/synthetic/marginal_model.ts";
import { cellsOf, placeIn } from "../../../lib/dp/learners/synthetic/marginal_tables.ts";
import { tableCoder } from "../../../lib/dp/learners/synthetic/table_coder.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { integerGaussian } from "../../../lib/dp/mechanisms/gaussian.ts";
import { integerLaplace } from "../../../lib/dp/mechanisms/geometric.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { adultTable, experiment, readDescription } from "../erm/load_data.ts";
import { readAdult } from "./adult.ts";
import { markdownTable, meanOver } from "./markdown.ts";

const EPSILONS = [0.1, 1, 10];
const DELTA = 1e-6;

interface Runs {
  readonly source: SeededSource;
  readonly runs: number;
}

type Rows = readonly CodedRow[];

/** Counts of rows by attributes. */
function countsOf(rows: Rows, shape: readonly number[], attributes: readonly number[]): number[] {
  const counts = new Array<number>(cellsOf(shape, attributes)).fill(0);
  const place = placeIn(shape, attributes);
  for (const row of rows) counts[place(row)]!++;
  return counts;
}

/** Half the sum of absolute differences of shares; negative counts count as 0. */
function variation(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [a, b] = [one, other].map((counts) => {
    const above = Array.from(counts, (count) => Math.max(0, count));
    const sum = above.reduce((x, y) => x + y, 0) || 1;
    return above.map((count) => count / sum);
  }) as [number[], number[]];
  return a.reduce((sum, share, i) => sum + Math.abs(share - b[i]!), 0) / 2;
}

/** All sets of so many attributes. */
function setsOf(count: number, size: number, first = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, count - first) }, (_, i) => first + i).flatMap((one) =>
    setsOf(count, size - 1, one + 1).map((rest) => [one, ...rest])
  );
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0) / numbers.length;
}

function noisyCounts(
  rows: Rows,
  { shape, attributes, rho, source }: {
    readonly shape: readonly number[];
    readonly attributes: readonly number[];
    readonly rho: number;
    readonly source: SeededSource;
  },
): NoisyMarginal {
  const counts = countsOf(rows, shape, attributes);
  const mechanism = integerGaussian<CodedRow>({
    query: () => counts,
    dimension: counts.length,
    rho,
    sensitivity: 1,
    relation: addRemoveOne,
  });
  return {
    attributes,
    values: mechanism.sample(rows, source),
    variance: mechanism.grid.scaleInSteps ** 2,
  };
}

function modelOf(shape: readonly number[], marginals: readonly NoisyMarginal[]): MarginalModel {
  const size = Math.max(
    1,
    average(marginals.map(({ values }) => values.reduce((a, b) => a + b, 0))),
  );
  const model = new MarginalModel({ shape, size, marginals });
  model.fit(500);
  return model;
}

/** A third of ρ each for single columns, for the choice of a tree and for its edges: MST (McKenna, Miklau, Sheldon 2021), without its joining of rare values. */
function mst(
  rows: Rows,
  shape: readonly number[],
  rho: number,
  source: SeededSource,
): MarginalModel {
  const singles = shape.map((_, i) =>
    noisyCounts(rows, { shape, attributes: [i], rho: rho / 3 / shape.length, source })
  );
  const expected = expectedMarginals(modelOf(shape, singles));
  const part = shape.map((_, i) => i), edges: number[][] = [];
  const epsilon = Math.sqrt(8 * rho / 3 / (shape.length - 1));
  while (edges.length < shape.length - 1) {
    const candidates = setsOf(shape.length, 2).filter(([a, b]) => part[a!] !== part[b!]);
    const edge = exponentialMechanism<CodedRow, number[]>({
      candidates,
      utilities: (data) =>
        candidates.map((pair) => {
          const estimate = expected.get(pair.join())!;
          return countsOf(data, shape, pair)
            .reduce((sum, count, i) => sum + Math.abs(count - Math.round(estimate[i]!)), 0);
        }),
      epsilon,
      sensitivity: 1,
      monotone: false,
      relation: addRemoveOne,
    }).sample(rows, source);
    const [from, to] = [part[edge[0]!]!, part[edge[1]!]!];
    part.forEach((each, i) => part[i] = each === from ? to : each);
    edges.push(edge);
  }
  const pairs = edges.map((attributes) =>
    noisyCounts(rows, { shape, attributes, rho: rho / 3 / edges.length, source })
  );
  return modelOf(shape, [...singles, ...pairs]);
}

/** All 12 columns: distances of marginals, and the error of a classifier that learns from synthetic rows. */
async function compareMethods(directory: string, { source, runs }: Runs): Promise<void> {
  const description: ColumnDescription = await readDescription("adult_domain_columns.json");
  const coder = tableCoder(description), { shape } = coder;
  const table = await adultTable(directory, "train");
  const test = experiment("test", {
    table: await adultTable(directory, "test"),
    columns: description,
  });
  const rows = coder.encode(table);
  const pairs = setsOf(shape.length, 2), triples = setsOf(shape.length, 3);
  const sampled = triples.filter((_, i) => i % 4 === 0);
  const errorOf = (given: typeof table, seed: SeededSource): number => {
    const { rows: features, signs } = experiment("train", { table: given, columns: description });
    const model = sampleModel(seed, {
      rows: features,
      labels: signs,
      // So large that the noise is far below anything learned.
      epsilon: 1e6,
      delta: 0,
      lambda: 1e-4,
      loss: logisticLoss,
      normBound: 4,
    });
    return 1 - model.score(test.rows, test.signs);
  };
  const distance = (drawn: Rows, sets: readonly number[][]): number =>
    average(sets.map((set) => variation(countsOf(rows, shape, set), countsOf(drawn, shape, set))));
  console.log(
    `## Synthetic rows of Adult\n\n${rows.length} complete rows, ${shape.length} columns of ${
      shape.join(", ")
    } values, ${runs} runs, δ = ${DELTA}: mean total variation distance over all ${pairs.length} pairs of columns and ${sampled.length} of ${triples.length} triples; test error of a logistic regression (${
      errorOf(table, source.split("real")).toFixed(4)
    } of real rows)\n`,
  );
  const lines: (string | number)[][] = [];
  for (const epsilon of EPSILONS) {
    const rho = largestRho({ epsilon, delta: DELTA });
    const methods: Record<string, (random: SeededSource) => Rows> = {
      "columns by themselves": (random) => {
        const singles = shape.map((_, i) =>
          noisyCounts(rows, { shape, attributes: [i], rho: rho / shape.length, source: random })
        );
        return drawRows(modelOf(shape, singles), random, rows.length);
      },
      MST: (random) => drawRows(mst(rows, shape, rho, random), random, rows.length),
      "adaptiveMarginals": (random) =>
        adaptiveMarginals({ shape, epsilon, delta: DELTA, relation: addRemoveOne })
          .sample(rows, random).rows,
      "adaptiveMarginals, δ = 0": (random) =>
        adaptiveMarginals({ shape, epsilon, relation: addRemoveOne }).sample(rows, random).rows,
    };
    const plain = meanOver(runs, (run) =>
      average(pairs.map((attributes) => {
        const options = { shape, attributes, rho: rho / pairs.length };
        const random = source.split(`pairs ${epsilon} ${run} ${attributes}`);
        return variation(
          countsOf(rows, shape, attributes),
          noisyCounts(rows, { ...options, source: random }).values,
        );
      })));
    lines.push([epsilon, "each pair counted (no rows)", plain, "", "", ""]);
    for (const [name, method] of Object.entries(methods)) {
      let two = 0, three = 0, error = 0, seconds = 0;
      for (let run = 0; run < runs; run++) {
        const random = source.split(`${name} ${epsilon} ${run}`), begin = performance.now();
        const drawn = method(random);
        seconds += (performance.now() - begin) / 1000 / runs;
        two += distance(drawn, pairs) / runs;
        three += distance(drawn, sampled) / runs;
        error += errorOf(coder.decode(drawn, random) as typeof table, random.split("fit")) / runs;
      }
      lines.push([epsilon, name, two, three, error, seconds.toFixed(1)]);
    }
  }
  console.log(markdownTable(["ε", "", "pairs", "triples", "test error", "seconds"], lines));
}

/** Five columns, which MWEM has memory for: pure ε, rows replaced, their number public. */
async function compareWithMwem(directory: string, { source, runs }: Runs): Promise<void> {
  const shape = [10, 16, 10, 2, 2], domain = finiteDomain({ shape });
  const rows = (await readAdult(directory)).map(({ age, education, hours, married, rich }) => [
    Math.min(9, Math.floor(age / 10)),
    education - 1,
    Math.min(9, Math.floor(hours / 10)),
    Number(married),
    Number(rich),
  ]);
  const cells = rows.map((row) => cellOf(domain, row));
  const pairs = setsOf(shape.length, 2), triples = setsOf(shape.length, 3);
  const queries = pairs.flatMap((attributes) => marginalQueries(domain, { attributes }));
  const lines = EPSILONS.map((epsilon) => {
    const shared = { epsilon, relation: replaceOne };
    const by = (sets: number[][], answers: (set: number[]) => ArrayLike<number>): number =>
      average(sets.map((set) => variation(countsOf(rows, shape, set), answers(set))));
    const plain = meanOver(runs, (run) =>
      by(pairs, (set) => {
        const counts = countsOf(rows, shape, set);
        return integerLaplace<never>({
          ...shared,
          query: () => counts,
          dimension: counts.length,
          sensitivity: 2 * pairs.length,
        }).sample([], source.split(`plain ${epsilon} ${run} ${set}`));
      }));
    const mwem = (sets: number[][]): number =>
      meanOver(runs, (run) => {
        const { histogram } = sampleMwem(source.split(`mwem ${epsilon} ${run}`), {
          ...shared,
          domain,
          queries,
          rounds: 30,
          output: "last",
          replays: 20,
          rows: cells,
        });
        return by(
          sets,
          (attributes) =>
            answerQueries(histogram, { domain, queries: marginalQueries(domain, { attributes }) }),
        );
      });
    const adaptive = (sets: number[][]): number =>
      meanOver(runs, (run) => {
        const drawn = adaptiveMarginals({ ...shared, shape, rowCount: rows.length })
          .sample(rows, source.split(`adaptive ${epsilon} ${run}`)).rows;
        return by(sets, (set) => countsOf(drawn, shape, set));
      });
    return [epsilon, plain, mwem(pairs), adaptive(pairs), mwem(triples), adaptive(triples)];
  });
  console.log(
    `MWEM (T = 30, 20 replays) on five columns, ${domain.size} cells, of ${rows.length} rows; pure ε, one row replaced: mean total variation distance\n`,
  );
  console.log(markdownTable(
    [
      "ε",
      "pairs: each counted",
      "pairs: MWEM",
      "pairs: adaptiveMarginals",
      "triples: MWEM",
      "triples: adaptiveMarginals",
    ],
    lines,
  ));
}

/** Synthetic rows by several methods, at ε = 0.1, 1 and 10. */
export async function syntheticRowsOfAdult(directory: string, options: Runs): Promise<void> {
  await compareMethods(directory, options);
  await compareWithMwem(directory, options);
}
