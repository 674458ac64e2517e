import { assert, assertEquals } from "@std/assert";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { learnAdditiveScore } from "../../../../lib/audit/scores/additive_score.ts";
import { type LearnedScores, learnedScores } from "../../../../lib/audit/scores/learned_scores.ts";
import { scoreName } from "../../../../lib/audit/scores/score_bins.ts";
import { normalRows } from "../labelled_rows.ts";

const all = normalRows({ n: 1000, shift: [0.5, -0.5, 0], seed: 41 });

function namesOf({ known, bins }: LearnedScores): { known: string[]; bins: string[] } {
  return {
    known: [...known.keys()].map(({ name }) => name),
    bins: [...bins.keys()].map(({ name }) => name),
  };
}

function learn(rows: LabelledRows, signs?: readonly number[]): LearnedScores {
  return learnedScores(rows, {
    elements: rows.width,
    signs: signs === undefined ? undefined : Int8Array.from(signs),
  });
}

// Mutants: a kind left out, or without bins for a refit, or with the bins of another one.
Deno.test("learnedScores() learns values and differences, and keeps the bins of each", () => {
  const learned = learn(all);
  const names = [
    "score(output)",
    "pooledScore(output)",
    "score(differences)",
    "pooledScore(differences)",
  ];
  assertEquals(namesOf(learned), { known: names, bins: names });
  for (const [{ name }, bins] of learned.bins) assertEquals(scoreName(bins), name);
});

// Mutants: differences of two values; scores of single numbers.
Deno.test("learnedScores() leaves out the differences of few values, and single numbers", () => {
  const few = { ...all, rows: all.rows.map((x) => Number.isNaN(x) ? x : Number(x > 0)) };
  few.rows.fill(NaN, 0, 100);
  assertEquals(namesOf(learn(few)).known, ["score(output)", "pooledScore(output)"]);
  const single = normalRows({ n: 100, shift: [1], seed: 42 });
  assertEquals(namesOf(learn(single)), { known: [], bins: [] });
});

// Mutants: naive values for the cross-fitted ones; signs of a dataset of another length than the outputs.
Deno.test("learnedScores() gives cross-fitted values, by signs where their number is that of the outputs' elements", () => {
  const valuesOf = (signs: readonly number[] | undefined, name: string): Float64Array =>
    [...learn(all, signs).known].find(([feature]) => feature.name === name)![1];
  for (const signs of [undefined, [1, -1, 0]]) {
    const { values } = learnAdditiveScore(all, {
      elements: 3,
      differences: false,
      pooled: true,
      signs: signs === undefined ? undefined : Int8Array.from(signs),
    });
    assertEquals(valuesOf(signs, "pooledScore(output)"), values);
  }
  const unsigned = valuesOf(undefined, "pooledScore(output)");
  assertEquals(valuesOf([1, -1], "pooledScore(output)"), unsigned);
  assert(valuesOf([1, -1, 0], "pooledScore(output)").some((x, i) => x !== unsigned[i]));
});
