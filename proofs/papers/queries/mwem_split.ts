import type { DiscreteLaw } from "../../../lib/core/mechanism/discrete_law.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { answerQueries } from "../../../lib/papers/queries/answer_queries.ts";
import { rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import { type HistogramQuery, linearQuery } from "../../../lib/papers/queries/linear_query.ts";
import { type MwemOptions, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { toNumber } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** One transcript: the noisy size (where it is measured), the queries chosen and their noisy answers. */
interface Transcript {
  readonly size: number;
  readonly chosen: readonly number[];
  readonly values: readonly number[];
}

/** What a dataset is worth to MWEM: its rows and its true answers. */
interface Side {
  readonly rows: readonly number[];
  readonly answers: readonly number[];
}

/**
 * The log probability with which the shipped code writes this transcript on a side, by the laws that it asks of a source that
 * enumerates. A choice is made by proposals that are kept or not: every query is proposed and turned down once, which shows its
 * chance of being kept, before the one of the transcript is kept.
 */
function logProbability(
  { rows, answers }: Side,
  transcript: Transcript,
  { options, unit }: { readonly options: MwemOptions; readonly unit: number },
): number {
  const { queries, relation } = options,
    none = (): never => {
      throw new Error("MWEM drew something else than exact laws");
    };
  let log = 0, round = 0, proposals = 0, sizeIsToCome = relation === addRemoveOne;
  let kept: number[] = [];
  const branch = (law: DiscreteLaw): number => {
    if (law.kind === "uniform") {
      proposals++;
      return proposals <= queries.length ? proposals - 1 : transcript.chosen[round]!;
    }
    if (law.kind === "exponential coin") {
      if (proposals <= queries.length) {
        kept.push(-toNumber(law.exponent));
        return 0;
      }
      const total = kept.reduce((sum, each) => sum + Math.exp(each), 0);
      log += kept[transcript.chosen[round]!]! - Math.log(total);
      [proposals, kept] = [0, []];
      return 1;
    }
    if (law.kind !== "discrete laplace") return none();
    const wanted = sizeIsToCome
      ? transcript.size - rows.length
      : transcript.values[round]! - answers[transcript.chosen[round++]!]!;
    sizeIsToCome = false;
    const noise = Math.round(wanted / unit), rate = toNumber(law.rate);
    log += Math.log(Math.tanh(rate / 2)) - rate * Math.abs(noise);
    return noise;
  };
  const source: Source = {
    kind: "seeded",
    uint32: none,
    uniform: none,
    fillUint32: none,
    split: none,
    branch,
  };
  sampleMwem(source, { ...options, rows });
  return log;
}

/** Generated queries: boxes, or weights in 2⁻¹⁶ between 0 and 1. */
function generatedQueries(
  source: SeededSource,
  { cells, linear }: { readonly cells: number; readonly linear: boolean },
): { queries: HistogramQuery[]; domain: ReturnType<typeof finiteDomain> } {
  const domain = finiteDomain({ shape: [cells] });
  const queries = Array.from({ length: 2 + source.uint32() % 2 }, (_, i): HistogramQuery => {
    if (!linear) {
      const at = (i * 2 + source.uint32()) % cells;
      return rangeQuery(domain, { 0: [at, Math.min(cells - 1, at + source.uint32() % 2)] });
    }
    return linearQuery(domain, () => source.uint32() % 5 / 4);
  });
  return { queries, domain };
}

/** MWEM as it is shipped, along whole transcripts. */
export const mwemSplit = theorem<{ readonly strength: number }>({
  id: "queries/mwem_split",
  statement:
    "MWEM as shipped is ε-differentially private: T choices and T measurements, and one of n where n is private, lose at " +
    "most equal shares of ε, along every transcript.",
  citation: "Hardt, Ligett, McSherry 2012, Theorem 2.1",
  source: "Haußmann’s slides, MWEM; the split of sampleMwem()",
  remember: () =>
    `Ten rounds at ε = 1 where n is private: ${2 * 10 + 1} equal shares of ${
      short(1 / (2 * 10 + 1))
    }.`,
  kind: "sampled",
  checked:
    "1,200 generated neighbours and transcripts: T = 1 to 3, both relations, boxes and weights, ε from .1 to 5; the law of every draw that the shipped code asks for",
  subject: { strength: 1 },
  check: ({ strength }, { seed }) => {
    const source = new SeededSource(seed).split("mwem split"), cells = 4;
    let worst = 0, witness = "";
    for (let k = 0; k < 1200; k++) {
      const linear = k % 2 === 1, relation = k % 4 < 2 ? replaceOne : addRemoveOne;
      const { queries, domain } = generatedQueries(source, { cells, linear });
      const rounds = 1 + k % 3, epsilon = [0.1, 1, 5][source.uint32() % 3]!;
      const n = 3 + source.uint32() % 40;
      const rows = Array.from({ length: n }, () => source.uint32() % cells);
      const moved = (rows[0]! + 1 + source.uint32() % (cells - 1)) % cells;
      const beside = relation === replaceOne ? [moved, ...rows.slice(1)] : rows.slice(1);
      const side = (of: readonly number[]): Side => {
        const counts = new Float64Array(cells);
        for (const cell of of) counts[cell]!++;
        return { rows: of, answers: Array.from(answerQueries(counts, { domain, queries })) };
      };
      const sides = [side(rows), side(beside)] as const;
      const options = { domain, queries, rounds, relation, epsilon: strength * epsilon };
      const unit = linear ? 2 ** -16 : 1;
      // Values beyond both true answers, in either direction, lose the whole share of a measurement.
      const far = (): number => (source.uint32() % 2 === 0 ? 1 : -1) * (2 + source.uint32() % 20);
      const chosen = Array.from({ length: rounds }, () => source.uint32() % queries.length);
      const transcript: Transcript = {
        size: Math.max(1, n + far()),
        chosen,
        values: chosen.map((query) => sides[0].answers[query]! + far()),
      };
      const [left, right] = sides.map((each) =>
        logProbability(each, transcript, { options, unit })
      );
      const share = Math.abs(left! - right!) / epsilon;
      if (share > worst) {
        worst = share;
        witness = `T = ${rounds}, ε = ${epsilon}, ${relation.name}: a transcript loses ${
          short(share)
        } of ε`;
      }
    }
    return atMost(1, {
      value: worst,
      detail: `1,200 transcripts lose up to ${short(worst)} of ε`,
      witness,
    });
  },
  mutants: {
    "noise and choices at 0.87": { strength: 1 / 0.87 },
    "shares of ε/T": { strength: 2 },
  },
});
