import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import {
  type CategoricalRow,
  classify,
  type DecisionTreeOptions,
  sampleDecisionTree,
  treeCalibration,
} from "../../../lib/papers/sulq/decision_tree.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  fitConjunction,
  type Literal,
} from "../../../lib/papers/sulq/fit_conjunction.ts";
import { samplePerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../../lib/papers/sulq/perceptron_guarantee.ts";
import { sampleStatisticalQueries } from "../../../lib/papers/sulq/statistical_queries.ts";
import { treeGainBound } from "../../../lib/papers/sulq/tree_gain_bound.ts";
import type { Person } from "./adult.ts";
import { epsilonOf, type Experiment, FAILURE, PLAIN, RHOS } from "./experiment.ts";
import { markdownTable, meanOver, shareOver } from "./markdown.ts";

/** ID3 for income, and the gain that its first test lost. */
export function trees({ people, fresh, source, runs }: Experiment): void {
  const codes = <Key extends keyof Person>(key: Key): Map<Person[Key], number> =>
    new Map(
      [...new Set([...people, ...fresh].map((person) => person[key]))].sort()
        .map((value, code) => [value, code]),
    );
  const marital = codes("maritalStatus"), relations = codes("relationship");
  const rowOf = (person: Person): CategoricalRow => ({
    values: [
      [9, 13, 14].filter((least) => person.education >= least).length,
      marital.get(person.maritalStatus)!,
      relations.get(person.relationship)!,
      person.sex === "Male" ? 1 : 0,
      Math.min(4, Math.floor(person.hours / 15)),
      person.gain ? 1 : 0,
    ],
    label: person.rich ? 1 : 0,
  });
  const training = people.map(rowOf), test = fresh.map(rowOf);
  const options = (rho: number): DecisionTreeOptions => ({
    attributes: [4, marital.size, relations.size, 2, 5, 2],
    classes: 2,
    depth: 3,
    rho,
    relation: replaceOne,
  });
  const accuracy = (tree: ReturnType<typeof sampleDecisionTree>): number =>
    test.filter(({ values, label }) => classify(tree.root, values) === label).length / test.length;
  const grow = (rho: number, run: number): ReturnType<typeof sampleDecisionTree> =>
    sampleDecisionTree(source.split(`tree ${rho} ${run}`), { ...options(rho), data: training });
  const gains = options(1).attributes.map((_, attribute) => gainOf(training, attribute));
  const lost = ({ root }: ReturnType<typeof sampleDecisionTree>): number =>
    root.kind === "leaf" ? 0 : Math.max(...gains) - gains[root.attribute]!;
  const plain = accuracy(grow(PLAIN, 0));
  const rows = RHOS.map((rho) => {
    const grown = Array.from({ length: runs }, (_, run) => grow(rho, run));
    const bound = treeGainBound(options(rho), { rows: training.length, failure: FAILURE });
    const { variance } = treeCalibration(options(rho));
    return [
      rho,
      epsilonOf(rho),
      meanOver(runs, (run) => accuracy(grown[run]!)),
      plain,
      Math.sqrt(variance),
      bound,
      Math.max(...grown.map(lost)),
      shareOver(runs, (run) => lost(grown[run]!) <= bound),
    ];
  });
  console.log(
    `ID3: income by six attributes, depth 3; accuracy on adult.test, where ${
      (1 - meanOver(test.length, (i) => test[i]!.label)).toFixed(4)
    } are not rich; gains at the root from ${Math.min(...gains).toFixed(4)} to ${
      Math.max(...gains).toFixed(4)
    } nats\n`,
  );
  console.log(markdownTable(
    [
      "ρ",
      "ε at δ = 10⁻⁶",
      "accuracy",
      "plain",
      "deviation of a count",
      "Δ (nats)",
      "most lost",
      "within Δ",
    ],
    rows,
  ));
}

/** The information gain of an attribute, in nats. */
function gainOf(rows: readonly CategoricalRow[], attribute: number): number {
  const entropy = (group: readonly CategoricalRow[]): number => {
    const share = group.filter(({ label }) => label === 1).length / group.length;
    return share > 0 && share < 1
      ? -share * Math.log(share) - (1 - share) * Math.log(1 - share)
      : 0;
  };
  const groups = Map.groupBy(rows, ({ values }) => values[attribute]);
  let left = entropy(rows);
  for (const group of groups.values()) left -= group.length / rows.length * entropy(group);
  return left;
}

/** The perceptron for income, and for a class with a margin, where it has a guarantee. */
export function halfspaces({ people, fresh, source, runs }: Experiment): void {
  const sign = (value: boolean): number => value ? 1 : -1;
  const rowOf = (person: Person, positive: boolean): LabelledRow => ({
    features: [
      1,
      sign(person.married),
      sign(person.sex === "Male"),
      sign(person.gain),
      (person.education - 8.5) / 7.5,
      (person.hours - 50) / 50,
      (person.age - 50) / 50,
    ],
    label: sign(positive),
  });
  const classes = [
    (person: Person) => rowOf(person, person.rich),
    (person: Person) => rowOf(person, person.relationship === "Husband"),
  ].map((read) => ({ training: people.map(read), test: fresh.map(read) }));
  const wrong = (weights: readonly number[], rows: readonly LabelledRow[]): number =>
    rows.filter(({ features, label }) =>
      label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0) <= 0
    ).length;
  const accuracies = (rho: number, runs: number): number[] =>
    classes.map(({ training, test }, which) =>
      meanOver(runs, (run) => {
        const options = { columnCount: 7, rounds: 30, rho };
        const random = source.split(`perceptron ${which} ${rho} ${run}`);
        const { weights } = samplePerceptron(random, { ...options, data: training });
        return 1 - wrong(weights, test) / test.length;
      })
    );
  // Married men, from whether someone is married, a man, and 1: the margin is 1/√3.
  const married = people.map((person): LabelledRow => ({
    features: [sign(person.married), sign(person.sex === "Male"), 1],
    label: sign(person.married && person.sex === "Male"),
  }));
  const plain = accuracies(PLAIN, 1);
  const rows = RHOS.map((rho) => {
    const goal = { columnCount: 3, margin: 1 / Math.sqrt(3), rho, failure: FAILURE };
    const { options, wrongRows } = perceptronGuarantee(goal);
    const left = Array.from({ length: runs }, (_, run) => {
      const random = source.split(`separable ${rho} ${run}`);
      return wrong(samplePerceptron(random, { ...options, data: married }).weights, married);
    });
    return [
      rho,
      epsilonOf(rho),
      ...accuracies(rho, runs).flatMap((accuracy, which) => [accuracy, plain[which]!]),
      wrongRows < married.length ? Math.round(wrongRows) : "all",
      Math.max(...left),
      shareOver(runs, (run) => left[run]! <= wrongRows),
    ];
  });
  console.log(
    "Perceptron: income and husbands by seven features, 30 rounds, on adult.test; married men by a margin\n",
  );
  console.log(markdownTable(
    [
      "ρ",
      "ε at δ = 10⁻⁶",
      "income: accuracy",
      "plain",
      "husbands: accuracy",
      "plain",
      "married men: wrong rows guaranteed",
      "most that were",
      "within",
    ],
    rows,
  ));
}

/** A conjunction by statistical queries, true and nearly true. */
export function conjunctions({ people, source, runs }: Experiment): void {
  const data = people.map((person): BooleanRow => ({
    features: [
      person.married,
      person.sex === "Male",
      person.gain,
      person.education >= 13,
      person.hours > 40,
      person.age >= 40,
    ],
    label: person.married && person.sex === "Male",
  }));
  const husbands = people.map(({ relationship }, i) => ({
    ...data[i]!,
    label: relationship === "Husband",
  }));
  const errors = (literals: readonly Literal[], rows: readonly BooleanRow[]): number =>
    rows.filter(({ features, label }) =>
      literals.every(({ column, value }) => features[column] === value) !== label
    ).length / rows.length;
  const truth: Literal[] = [{ column: 0, value: true }, { column: 1, value: true }];
  const rows = [0.4, 0.2, 0.1, 0.05].map((error) => {
    const learning = { columnCount: 6, error };
    const queries = conjunctionQueries(learning);
    const learn = (
      rows: readonly BooleanRow[],
      run: number,
    ): { literals: Literal[]; rho: number } => {
      const random = source.split(`conjunction ${error} ${run}`);
      const oracle = sampleStatisticalQueries(random, { ...queries, failure: FAILURE, data: rows });
      return { literals: fitConjunction(oracle, learning), rho: oracle.claim.rho };
    };
    const { rho } = learn(data, 0);
    return [
      error,
      queries.tolerance,
      rho,
      epsilonOf(rho),
      meanOver(runs, (run) => errors(learn(data, run).literals, data)),
      shareOver(runs, (run) => errors(learn(data, run).literals, data) <= error),
      meanOver(runs, (run) => errors(learn(husbands, run).literals, husbands)),
      errors(truth, husbands),
    ];
  });
  console.log(
    "Statistical queries: married men as a conjunction of six columns; husbands nearly are\n",
  );
  console.log(markdownTable(
    [
      "error allowed",
      "τ",
      "ρ",
      "ε at δ = 10⁻⁶",
      "married men: error",
      "within",
      "husbands: error",
      "plain",
    ],
    rows,
  ));
}
