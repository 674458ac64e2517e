import { assert, assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import type { Spendable } from "../../../lib/core/mechanism/budget.ts";
import { type Claim, pure, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { fitAdditive } from "../../../lib/dp/learners/additive/fit_additive.ts";
import { fit } from "../../../lib/dp/learners/erm/fit.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { fitTuned } from "../../../lib/dp/learners/erm/tune.ts";
import { openReusableHoldout } from "../../../lib/papers/holdout/thresholdout.ts";
import { rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { fitMwem } from "../../../lib/papers/queries/mwem.ts";
import { fitDecisionTree } from "../../../lib/papers/sulq/decision_tree.ts";
import { fitKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { fitDpSgd } from "../../../lib/dp/learners/sgd/dp_sgd.ts";
import { fitPerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { openStatisticalQueries } from "../../../lib/papers/sulq/statistical_queries.ts";
import { openSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { release, type ReleaseOptions, spendThen } from "../../../lib/dp/mechanisms/release.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const rows = denseRows([[0.5], [-0.5], [0.25], [-0.25], [0.1], [-0.1]]);
const labels = [1, -1, 1, -1, 1, -1];
const training = { epsilon: 1, lambda: 0.1, normBound: 1 };
const cells = finiteDomain({ shape: [2] });
const half = rangeQuery(cells, { 0: [0, 0] });
const mwem = { domain: cells, queries: [half], rounds: 1, epsilon: 1, relation };
const descent = {
  columnCount: 1,
  steps: 1,
  rate: 1,
  clip: 1,
  noiseMultiplier: 1,
  learningRate: 1,
  delta: 1e-3,
};
const additive = {
  columns: [{ name: "x", type: "number", min: -1, max: 1, scale: "linear" }],
  epsilon: 1,
  relation,
} as const;
const tree = { attributes: [2], classes: 2, depth: 1, rho: 1, relation };
const boxes = {
  clusters: 1,
  rounds: 1,
  rho: 1,
  bounds: { lower: [0], upper: [1] },
  relation,
};
const yes = count<number>({ where: (row) => row > 0, epsilon: 1, relation });
const broken = { ...yes, check: (): never => refuse(), sample: (): never => refuse() };
function refuse(): never {
  throw new RangeError("Cannot release: a row is bad");
}

/** Everything that draws from a secure source for a user: with good input and with bad. */
const RELEASES: Readonly<
  Record<string, {
    readonly good: (options: ReleaseOptions) => unknown;
    readonly bad: (options: ReleaseOptions) => unknown;
    /** What is asked of it afterwards, where opening draws nothing. */
    readonly ask?: (opened: never) => unknown;
  }>
> = {
  spendThen: {
    good: (options) =>
      spendThen("try", {
        ...options,
        prepare: () => ({ claim: yes.claim, draw: (source) => source.uint32() }),
      }),
    bad: (options) => spendThen("try", { ...options, prepare: refuse }),
  },
  release: {
    good: (options) => release(yes, [1, 0], options),
    bad: (options) => release(broken, [1, 0], options),
  },
  fit: {
    good: (options) => fit(rows, labels, { ...training, ...options }),
    bad: (options) => fit(denseRows([[NaN]]), [1], { ...training, ...options }),
  },
  fitTuned: {
    good: (options) => fitTuned(rows, labels, { ...training, candidates: [{}], ...options }),
    bad: (options) => fitTuned(rows, [1], { ...training, candidates: [{}], ...options }),
  },
  openReusableHoldout: {
    good: (options) =>
      openReusableHoldout(
        { training: [1], holdout: [1, 0] },
        { threshold: 0.1, noiseScale: 1, count: 1, ...options },
      ),
    bad: (options) =>
      openReusableHoldout(
        { training: [], holdout: [1, 0] },
        { threshold: 0.1, noiseScale: 1, count: 1, ...options },
      ),
  },
  fitMwem: {
    good: (options) => fitMwem([0, 1], { ...mwem, ...options }),
    bad: (options) => fitMwem([0, 2], { ...mwem, ...options }),
  },
  fitDecisionTree: {
    good: (options) => fitDecisionTree([{ values: [0], label: 1 }], { ...tree, ...options }),
    bad: (options) => fitDecisionTree([{ values: [2], label: 1 }], { ...tree, ...options }),
  },
  fitKMeans: {
    good: (options) => fitKMeans(denseRows([[0.5]]), { ...boxes, ...options }),
    bad: (options) => fitKMeans(denseRows([[NaN]]), { ...boxes, ...options }),
  },
  fitDpSgd: {
    good: (options) => fitDpSgd([{ features: [1], label: 1 }], { ...descent, ...options }),
    bad: (options) => fitDpSgd([], { ...descent, steps: 0, ...options }),
  },
  fitAdditive: {
    good: (options) => fitAdditive(rows, labels, { ...additive, ...options }),
    bad: (options) => fitAdditive(rows, [1], { ...additive, ...options }),
  },
  fitPerceptron: {
    good: (options) =>
      fitPerceptron([{ features: [1], label: 1 }], {
        columnCount: 1,
        rounds: 1,
        rho: 1,
        ...options,
      }),
    bad: (options) => fitPerceptron([], { columnCount: 0, rounds: 1, rho: 1, ...options }),
  },
  openStatisticalQueries: {
    good: (options) =>
      openStatisticalQueries([1, 0], { queries: 1, tolerance: 0.5, failure: 0.1, ...options }),
    bad: (options) =>
      openStatisticalQueries([], { queries: 1, tolerance: 0.5, failure: 0.1, ...options }),
    ask: (oracle: ReturnType<typeof openStatisticalQueries>) => oracle.ask(() => 1),
  },
  openSulq: {
    good: (options) => openSulq([1, 0], { variance: 4, queries: 1, relation, ...options }),
    bad: (options) => openSulq([1, 0], { variance: 2 ** 60, queries: 1, relation, ...options }),
    ask: (database: ReturnType<typeof openSulq>) => database.ask(() => 1),
  },
};

/** Writes down who was asked first. */
function witness(): { events: string[]; budget: Spendable; source: SecureSource } {
  const events: string[] = [];
  class Watched extends SecureSource {
    override uint32(): number {
      events.push("draw");
      return super.uint32();
    }
    override fillUint32(out: Uint32Array): void {
      events.push("draw");
      super.fillUint32(out);
    }
  }
  const budget = { spend: (_claim: Claim): void => void events.push("spend") };
  return { events, budget, source: new Watched() };
}

for (const [name, { good, bad, ask }] of Object.entries(RELEASES)) {
  // Mutants: `budget?.spend`; spending after the draw; spending before the check.
  Deno.test(`${name}() must have a budget, pays before it draws, and for bad input nothing (item 7)`, () => {
    for (const none of [undefined, null, {}]) {
      const budget = none as unknown as Spendable;
      assertThrows(() => good({ budget }), TypeError, "budget must be given", String(none));
    }
    const seeded = new SeededSource(1) as unknown as SecureSource;
    const { events, budget, source } = witness();
    assertThrows(() => good({ budget, source: seeded }), TypeError, "source must be secure");
    assertThrows(() => bad({ budget, source }), RangeError);
    assertEquals(events, []);
    const opened = good({ budget, source });
    ask?.(opened as never);
    assertEquals(events[0], "spend");
    assert(events.includes("draw") && events.lastIndexOf("spend") === 0, "paid twice, or no draw");
  });

  Deno.test(`${name}() draws nothing when the budget cannot pay (item 7)`, () => {
    const { events, source } = witness();
    for (const limit of [pure({ epsilon: 1e-9, relation }), zcdp({ rho: 1e-9, relation })]) {
      const budget = openBudget(limit);
      assertThrows(() => good({ budget, source }), Error, "Cannot spend");
      assertEquals([budget.ledger, events], [[], []]);
    }
  });
}

const lib = new URL("../../../lib/", import.meta.url);

/** The code of every file of the library, without comments. */
async function* code(folder = ""): AsyncGenerator<[file: string, text: string]> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, lib))) {
    if (isDirectory) yield* code(`${folder}${name}/`);
    else {
      const text = await Deno.readTextFile(new URL(folder + name, lib));
      yield [folder + name, text.replaceAll(/\/\*[^]*?\*\//g, "")];
    }
  }
}

// Mutant: a learner with a secure source of its own, which it may draw from without paying.
Deno.test("secure sources are made by spendThen() alone, and whatever calls it is tried above (item 7)", async () => {
  const makers: string[] = [], callers: string[] = [];
  for await (const [file, text] of code()) {
    if (text.includes("new SecureSource(")) makers.push(file);
    const functions = text.split(/^export (?:async )?function /m).slice(1);
    for (const each of functions) {
      if (/^\s*(return )?spendThen\(/m.test(each)) callers.push(/^\w+/.exec(each)![0]);
    }
  }
  // A table chooses at random which rows of a person count, before it pays: nothing of that is put out.
  assertEquals(makers.sort(), [
    "core/random/secure_source.ts",
    "dp/mechanisms/release.ts",
    "dp/tables/ask.ts",
  ]);
  // Questions to tables are asynchronous, and tried in tests/dp/tables.
  assertEquals(
    [...callers, "spendThen"].filter((name) => name !== "answerAll").sort(),
    Object.keys(RELEASES).sort(),
  );
});

Deno.test("a release without a budget does not compile (item 7)", () => {
  const attempts = [
    // @ts-expect-error: no budget.
    () => release(yes, [1], {}),
    // @ts-expect-error: no budget.
    () => fit(rows, labels, training),
    // @ts-expect-error: no budget.
    () => fitTuned(rows, labels, { ...training, candidates: [{}] }),
    // @ts-expect-error: no budget.
    () => fitMwem([0], mwem),
    // @ts-expect-error: no budget.
    () => fitDecisionTree([], tree),
    // @ts-expect-error: no budget.
    () => fitKMeans(denseRows([[0]]), boxes),
    // @ts-expect-error: no budget.
    () => fitAdditive(rows, labels, additive),
    // @ts-expect-error: no budget.
    () => fitPerceptron([], { columnCount: 1, rounds: 1, rho: 1 }),
    // @ts-expect-error: no budget.
    () => openSulq([], { variance: 1, queries: 1, relation }),
    // @ts-expect-error: no budget.
    () => openStatisticalQueries([1], { queries: 1, tolerance: 0.5, failure: 0.1 }),
  ];
  for (const attempt of attempts) assertThrows(attempt, TypeError, "budget must be given");
});
