import { assert, assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import type { Spendable } from "../../../lib/core/mechanism/budget.ts";
import { type Claim, pure, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { fitAdditive } from "../../../lib/dp/learners/additive/fit_additive.ts";
import { fit } from "../../../lib/dp/learners/erm/fit.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { fitTuned } from "../../../lib/dp/learners/erm/tune.ts";
import { rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { fitMwem } from "../../../lib/papers/queries/mwem.ts";
import { fitDecisionTree } from "../../../lib/papers/sulq/decision_tree.ts";
import { fitKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { fitPerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { openStatisticalQueries } from "../../../lib/papers/sulq/statistical_queries.ts";
import { openSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { release, type ReleaseOptions, spendThen } from "../../../lib/dp/mechanisms/release.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { learnerSweeps, mechanismSweeps } from "../../sweeps/every_sweep.ts";

const rows = denseRows([[0.5], [-0.5], [0.25], [-0.25], [0.1], [-0.1]]);
const labels = [1, -1, 1, -1, 1, -1];
const training = { epsilon: 1, lambda: 0.1, normBound: 1 };
const cells = finiteDomain({ shape: [2] });
const half = rangeQuery(cells, { 0: [0, 0] });
const mwem = { domain: cells, queries: [half], rounds: 1, epsilon: 1, relation };
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
function refuse(): never {
  throw new RangeError("Cannot release: a row is bad");
}

/** What draws from a secure source for a user, with good input and with bad. */
const good = (options: ReleaseOptions): unknown =>
  spendThen("try", {
    ...options,
    prepare: () => ({ claim: yes.claim, draw: (source) => source.uint32() }),
  });
const bad = (options: ReleaseOptions): unknown => spendThen("try", { ...options, prepare: refuse });

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

// Mutants: `budget?.spend`; spending after the draw; spending before the check. Sweeps check of each caller that it pays its claim once, and draws
// nothing where data or options are bad or the budget cannot pay.
Deno.test("spendThen() must have a budget, pays before it draws, and for bad input nothing (item 7)", () => {
  for (const none of [undefined, null, {}]) {
    const budget = none as unknown as Spendable;
    assertThrows(() => good({ budget }), TypeError, "budget must be given", String(none));
  }
  const seeded = new SeededSource(1) as unknown as SecureSource;
  const { events, budget, source } = witness();
  assertThrows(() => good({ budget, source: seeded }), TypeError, "source must be secure");
  assertThrows(() => bad({ budget, source }), RangeError);
  assertEquals(events, []);
  good({ budget, source });
  assertEquals(events, ["spend", "draw"]);
});

Deno.test("spendThen() draws nothing when the budget cannot pay (item 7)", () => {
  const { events, source } = witness();
  for (const limit of [pure({ epsilon: 1e-9, relation }), zcdp({ rho: 1e-9, relation })]) {
    const budget = openBudget(limit);
    assertThrows(() => good({ budget, source }), Error, "Cannot spend");
    assertEquals([budget.ledger, events], [[], []]);
  }
});

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
Deno.test("secure sources are made by spendThen() alone, and sweeps release by whatever calls it (item 7)", async () => {
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
  const swept = new Set([...learnerSweeps, ...mechanismSweeps].flatMap(({ covers }) => covers));
  assert(callers.length > 10);
  assertEquals(
    callers.filter((name) => !swept.has(name)).sort(),
    ["answerAll", "release"],
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
