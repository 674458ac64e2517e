import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import { chooseGuesses } from "../../../../lib/audit/bet_choice/choose_guesses.ts";
import { Predictor } from "../../../../lib/audit/prediction/predictor.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { block, EFFORTS, NONE, total } from "./predictor_outputs.ts";

/** `n` rows of a number below 90 and a 0; with `even` half of the odd numbers become even. */
function numbers(n: number, even: boolean, source: SeededSource): Outputs {
  return block(
    2,
    Array.from({ length: 2 * n }, (_, at) => {
      if (at % 2 === 1) return 0;
      const x = Math.floor(90 * source.uniform());
      return even && source.uniform() < 0.5 ? x - x % 2 : x;
    }),
  );
}

// Mutants: rows that repeat counted once, in the current partition or in candidates; labels exchanged.
Deno.test("Predictor counts rows that repeat as often as they come", () => {
  const source = new SeededSource("numbers");
  for (const effort of EFFORTS) {
    const predictor = new Predictor({ effort });
    // Refitted scores are counted from their refit on: over the last batches, however many.
    const since = new Set([0]);
    const checkTotals = (): void => {
      const both = [total(predictor.counts, 0), total(predictor.counts, 1)];
      assertEquals(both[0], both[1]);
      assert(since.has(both[0]!), `${both[0]} of ${[...since]}`);
    };
    for (let k = 0; k < 14; k++) {
      const n = 2000 + 4000 * Math.floor(k / 2);
      const sides = [numbers(n, false, source), numbers(n, k >= 9, source)] as const;
      const { partition, encoder } = predictor;
      const { counts } = predictor.observe(...sides);
      const expected = new Float64Array(counts.length);
      sides.forEach((side, label) => {
        if (encoder === undefined) expected[label] = n;
        else compileCountLeaves(partition, 2)(encoder.encode(side), label as 0 | 1, expected);
      });
      assertEquals(counts, expected);
      const before = [...since];
      since.clear();
      for (const rows of [-n, ...before]) since.add(rows + n);
      checkTotals();
    }
    predictor.freeze({ alpha: 0.05, draws: 1e6 });
    checkTotals();
    if (effort !== "sparing") continue;
    // Its store was full before the sides differed: only a candidate separates odd numbers, whose odds are 2, so well.
    const { expectedBound } = chooseGuesses(predictor, { alpha: 0.05, draws: 1e6 });
    assert(expectedBound > 0.55 && expectedBound < Math.log(2), `${expectedBound}`);
  }
});

// Mutants: rows next to each other in the table taken for one until proved different; a row that comes late
// counted with another; rows searched as if they were many; draws that filled the store not counted; single numbers
// in a tree.
Deno.test("Predictor gives few distinct rows a leaf each, except with effort quick", () => {
  // Odds of the rows k: the rare sixth stands out of its neighbours by five standard errors.
  const draws = [40_000, 20_000, 20_000, 10_000, 10_000, 3000, 8000, 9000];
  const logOdds = [0.01, -0.02, -0.02, -0.02, -0.03, 0.1, -0.02, -0.02];
  const side = (
    label: number,
    part: number,
    { width, more = [] }: { width: number; more?: readonly number[] },
  ): Outputs => {
    const sign = label === 1 ? -1 : 1;
    const rows = draws.flatMap((n, k) =>
      Array(Math.round(part * n / (1 + Math.exp(sign * logOdds[k]!)))).fill(k)
    );
    return rowsOf([...rows, ...more], width);
  };
  const rowsOf = (rows: readonly number[], width: number): Outputs =>
    block(width, rows.flatMap((k) => [k, ...Array(width - 1).fill(0)]));
  for (const [effort, width] of EFFORTS.flatMap((effort) => [[effort, 10], [effort, 1]] as const)) {
    const predictor = new Predictor({ effort });
    // With effort sparing a tree of so few draws would begin with counts of 0; leaves for each row do not.
    for (let k = 0; k < 4; k++) {
      predictor.observe(side(0, 1 / 50, { width }), side(1, 1 / 50, { width }));
    }
    for (let k = 0; k < 12; k++) predictor.observe(side(0, 1, { width }), side(1, 1, { width }));
    assertEquals(total(predictor.counts, 0) + total(predictor.counts, 1), predictor.draws);
    const hasLeafPerRow = (): boolean =>
      predictor.partition.features[0]!.kind === (width === 1 ? "column" : "row");
    if (width > 1 || effort !== "quick") assert(predictor.seesFewRows);
    if (width > 1) assertEquals(hasLeafPerRow(), effort !== "quick");
    if (effort === "quick") continue;
    const learned = (row: number): number => {
      const { counts, logOdds: [odds] } = predictor.observe(
        rowsOf([row], width),
        NONE,
      );
      return odds![counts.indexOf(1) >> 1]!;
    };
    logOdds.forEach((expected, row) => assertAlmostEquals(learned(row), expected, 0.004));
    // One that comes late lies between two others.
    const late = 3.5;
    assertAlmostEquals(learned(late), 0, 0.6);
    for (let k = 0; k < 4; k++) {
      predictor.observe(side(0, 1, { width }), side(1, 1, { width, more: Array(50).fill(late) }));
    }
    assert(learned(late) > 2);
    predictor.freeze({ alpha: 0.05, draws: 1e6 });
    assert(hasLeafPerRow());
    assert(learned(5) > 0.09);
  }
});
