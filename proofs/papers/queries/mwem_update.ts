import { answerQueries } from "../../../lib/papers/queries/answer_queries.ts";
import { type BoxQuery, rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../../../lib/papers/queries/finite_domain.ts";
import { sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** What is claimed of an update and of the whole. */
interface Claimed {
  /** The least fall of the potential, from the errors of estimate and measurement over n. */
  readonly fall: (error: { readonly estimate: number; readonly measured: number }) => number;
  /** A factor on the bound of the average. */
  readonly bound: number;
}

const domain = finiteDomain({ shape: [4, 4, 4] });

/** All boxes: 1000 counting queries. */
export const queries: readonly BoxQuery[] = [0, 1, 2].reduce<Record<number, [number, number]>[]>(
  (boxes, attribute) =>
    boxes.flatMap((box) =>
      [0, 1, 2, 3].flatMap((from) =>
        [0, 1, 2, 3].filter((to) => to >= from).map((to): Record<number, [number, number]> => ({
          ...box,
          [attribute]: [from, to],
        }))
      )
    ),
  [{}],
).map((ranges) => rangeQuery(domain, ranges));

/** n rows: a fifth of them everywhere, the others in four cells. */
function generatedRows(source: SeededSource, { n }: { readonly n: number }): Uint16Array {
  const rows = Uint16Array.from({ length: n }, (_, i) => i % domain.size);
  for (let k = 1; k < 5; k++) {
    rows.fill(randomInteger(source, { below: domain.size }), k * n / 5, (k + 1) * n / 5);
  }
  return rows;
}

/** Σ B/n·ln(B/A): what an update brings down. */
function potential(truth: Float64Array, estimate: Float64Array, size: number): number {
  return truth.reduce(
    (sum, rows, cell) => rows === 0 ? sum : sum + rows / size * Math.log(rows / estimate[cell]!),
    0,
  );
}

/** Rounds of a whole run. */
export const ROUNDS = 40;

/** The worst share of what the shipped updates bring the potential down by, over ten transcripts. */
function worstUpdate(source: SeededSource, { fall }: Claimed): number {
  const size = 1000;
  let worst = 0;
  for (let run = 0; run < 10; run++) {
    const rows = generatedRows(source.split(run), { n: size });
    const truth = histogramOf(domain, rows), answers = answerQueries(truth, { domain, queries });
    // Loud noise in half of the runs: then updates may go the wrong way.
    const share = run % 2 === 0 ? 1 / 16 : 1 / 512;
    let before = new Float64Array(domain.size).fill(size / domain.size);
    for (let rounds = 1; rounds <= 5; rounds++) {
      // The same draws and the same noise every time: one round more than before.
      const { histogram, measurements } = sampleMwem(source.split(`transcript ${run}`), {
        rows,
        domain,
        queries,
        rounds,
        epsilon: 2 * rounds * share,
        relation: replaceOne,
        output: "last",
      });
      const { query, value } = measurements.at(-1)!;
      const estimated = answerQueries(before, { domain, queries })[query]!;
      const claimed = fall({
        estimate: (answers[query]! - estimated) / size,
        measured: (value - answers[query]!) / size,
      });
      const fell = potential(truth, before, size) - potential(truth, histogram, size);
      // A promised fall of which more happened, or an allowed rise of which less did.
      worst = Math.max(worst, claimed > 0 ? claimed / Math.max(fell, 0) : fell / claimed);
      before = histogram.slice();
    }
  }
  return worst;
}

/** Multiplicative weights learn, and MWEM answers within its bound. */
export const mwemUpdate = theorem<Claimed>({
  id: "queries/mwem_update",
  statement:
    "An update by (m − q(A))/2n brings Σ B/n·ln(B/A) down by (e² − z²)/4 at least, e = (q(B) − q(A))/n and " +
    "z = (m − q(B))/n; so the average estimate answers every query within 2n√(ln|D|/T) + " +
    "10T·ln|Q|/ε with probability 1 − 2T/|Q|.",
  citation: "Hardt, Ligett, McSherry 2012, Theorem 2.2 and its proof",
  source: "Haußmann’s slides, MWEM",
  remember: () => {
    const { error } = mwemErrorBound({
      size: 1_000_000,
      cells: domain.size,
      queries: queries.length,
      rounds: ROUNDS,
      epsilon: 1,
    });
    return `A million rows, ${queries.length} queries, ${ROUNDS} rounds at ε = 1: the bound is ${
      Math.round(error)
    }. It needs many rounds to say much.`;
  },
  kind: "statistical",
  checked:
    `50 updates for n = 1000; 10 runs with |D| = ${domain.size}, |Q| = ${queries.length}, T = ${ROUNDS}, ε = 1, n = 10⁶`,
  subject: { fall: ({ estimate, measured }) => (estimate ** 2 - measured ** 2) / 4, bound: 1 },
  check: (claimed, { seed }) => {
    const source = new SeededSource(seed).split("mwem update");
    const update = worstUpdate(source, claimed);
    const runs = 10, rounds = ROUNDS, size = 1_000_000;
    const { error, probability } = mwemErrorBound({
      size,
      cells: domain.size,
      queries: queries.length,
      rounds,
      epsilon: 1,
    });
    const bound = claimed.bound * error;
    let beyond = 0, most = 0;
    for (let run = 0; run < runs; run++) {
      const rows = generatedRows(source.split(`rows ${run}`), { n: size });
      const { histogram } = sampleMwem(source, {
        rows,
        domain,
        queries,
        rounds,
        epsilon: 1,
        relation: replaceOne,
      });
      const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
      const found = answerQueries(histogram, { domain, queries });
      const off = truth.reduce(
        (worst, answer, q) => Math.max(worst, Math.abs(answer - found[q]!)),
        0,
      );
      most = Math.max(most, off / error);
      if (off > bound) beyond++;
    }
    // Were it 2T/|Q| = .08 exactly, five standard errors more have probability below 1e-3.
    const failure = 1 - probability;
    const allowed = failure + 5 * Math.sqrt(failure * (1 - failure) / runs);
    const outcomes = [
      atMost(1, {
        value: update,
        detail: "potential",
        witness: `an update is claimed to do ${short(update)} times what it does`,
      }),
      atMost(allowed, {
        value: beyond / runs,
        detail: "error",
        witness: `the error is beyond the bound in ${beyond} of ${runs} runs`,
      }),
    ];
    const detail = `updates: at worst ${short(update)} of the fall that happened is claimed; ` +
      `errors up to ${short(most)} of the bound, beyond it in ${beyond} of ${runs} runs ` +
      "(false alarm below 1e-3)";
    return all(outcomes, detail);
  },
  mutants: {
    "a fall of (e² − z²)/2": {
      fall: ({ estimate, measured }) => (estimate ** 2 - measured ** 2) / 2,
      bound: 1,
    },
    "noise left out of it: e²/4": { fall: ({ estimate }) => estimate ** 2 / 4, bound: 1 },
    "a fiftieth of the bound": {
      fall: ({ estimate, measured }) => (estimate ** 2 - measured ** 2) / 4,
      bound: 1 / 50,
    },
  },
});
