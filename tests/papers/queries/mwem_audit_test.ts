import { assertEquals } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { queryEvaluator } from "../../../lib/papers/queries/answer_queries.ts";
import { marginalQueries } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../../../lib/papers/queries/finite_domain.ts";
import { linearQuery } from "../../../lib/papers/queries/linear_query.ts";
import { mwemMechanism } from "../../../lib/papers/queries/mwem.ts";
import { mwemRounds } from "../../../lib/papers/queries/mwem_rounds.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { longTest } from "../../long.ts";

const four = finiteDomain({ shape: [4] });
const eachOfFour = marginalQueries(four, { attributes: [0] });

/** Two queries at their uniform answers, or one off: choice and measurement both tell the sides apart. */
const twoQueries = eachOfFour.slice(0, 2);
const replaced = pairOf(replaceOne, { left: [0, 0, 1, 2], right: [0, 1, 1, 2] });
const added = pairOf(addRemoveOne, { left: [0, 0, 1], right: [0, 0, 1, 1] });

longTest("mwemMechanism() is not refuted at its claim, whichever the relation", async () => {
  for (const [pair, rounds] of [[replaced, 2], [added, 1]] as const) {
    const mechanism = mwemMechanism({
      domain: four,
      queries: twoQueries,
      rounds,
      epsilon: 1,
      relation: pair.relation,
      sizes: { min: 1, max: 4 },
    });
    const report = await audit(mechanismSubject(mechanism, { source: new SeededSource(615) }), {
      pair,
      maxDraws: 20_000,
      seed: 616,
    });
    assertEquals(report.verdict, "not-refuted");
  }
});

/** MWEM's rounds with the mistake to be found; one round, so that ε/T is ε. */
function broken({ share, knownSize }: { share: number; knownSize: boolean }): typeof run {
  const evaluate = queryEvaluator(four, twoQueries);
  const noise = discreteLaplace({ scale: rational(1 / share) });
  function run(rows: number[], source: Source): number[] {
    const answers = evaluate(histogramOf(four, rows), new Float64Array(2));
    const drawn = noise.fill(source, new Float64Array(1))[0]!;
    const { measurements, histogram } = mwemRounds(source, {
      answers,
      size: knownSize ? rows.length : Math.max(1, rows.length + drawn),
      domain: four,
      queries: twoQueries,
      evaluate,
      rounds: 1,
      selectionEpsilon: share,
      noise,
      unit: 1,
      output: "average",
      replays: 0,
    });
    return [measurements[0]!.query, measurements[0]!.value, ...histogram];
  }
  return run;
}

longTest("MWEM with ε/T for the choice and ε/T for the count is refuted", async () => {
  const subject = functionSubject(broken({ share: 1, knownSize: true }), {
    name: "ε/T not halved",
    source: new SeededSource(617),
  });
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const report = await audit(subject, {
    claim,
    pair: replaced,
    maxDraws: 200_000,
    shrink: false,
    seed: 618,
  });
  assertEquals(report.verdict, "refuted");
});

longTest("MWEM that takes n for public when a row may be added is refuted", async () => {
  const subject = functionSubject(broken({ share: 0.5, knownSize: true }), {
    name: "n not paid for",
    source: new SeededSource(619),
  });
  const claim = pure({ epsilon: 1, relation: addRemoveOne });
  const report = await audit(subject, {
    claim,
    pair: added,
    maxDraws: 200_000,
    shrink: false,
    seed: 620,
  });
  assertEquals(report.verdict, "refuted");
});

/** Sums of weights, two of which end in a fraction that only some rows have. */
const weighted = [[0, 1 / 3, 1, 0.5], [1, 0.25, 0, 1]]
  .map((weights) => linearQuery(four, (cell) => weights[cell]!));

longTest(
  "mwemMechanism() of linear queries is not refuted at its claim; noise in whole rows is refuted by fractions",
  async () => {
    const mechanism = mwemMechanism({
      domain: four,
      queries: weighted,
      rounds: 1,
      epsilon: 1,
      relation: replaceOne,
      sizes: { min: 4, max: 4 },
    });
    const pair = pairOf(replaceOne, { left: [0, 0, 2, 2], right: [1, 0, 2, 2] });
    const honest = await audit(mechanismSubject(mechanism, { source: new SeededSource(622) }), {
      pair,
      maxDraws: 50_000,
      seed: 623,
    });
    assertEquals(honest.verdict, "not-refuted");
    const evaluate = queryEvaluator(four, weighted);
    const noise = discreteLaplace({ scale: rational(2) });
    const coarse = functionSubject((rows: number[], source: Source) => {
      const answers = evaluate(histogramOf(four, rows), new Float64Array(2));
      return mwemRounds(source, {
        answers,
        size: rows.length,
        domain: four,
        queries: weighted,
        evaluate,
        rounds: 1,
        selectionEpsilon: 0.5,
        noise,
        unit: 1,
        output: "average",
        replays: 0,
      }).measurements[0]!.value;
    }, { name: "noise in whole rows", source: new SeededSource(624) });
    const report = await audit(coarse, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      pair,
      maxDraws: 50_000,
      shrink: false,
      seed: 625,
    });
    assertEquals(report.verdict, "refuted");
  },
);
