import { assert, assertEquals } from "@std/assert";
import { planted } from "../../../fixtures/judge/mutants/all.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { encoderOf } from "../../../lib/judge/audit/model/encoding/encoder.ts";
import { featuresOf } from "../../../lib/judge/audit/model/encoding/features.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pairOf } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { dailyOf } from "../../long.ts";

// Without the feature 40,000 draws do not refute it at any of these seeds: two pseudonyms that are alike stand at given
// places once in 780 draws. Mutants: no feature of repeats; one that looks at the first outputs alone to see whether they vary.
for (const seed of dailyOf([3201, 3202, 3203, 3204, 3205], (_, k) => k < 2)) {
  Deno.test(`audit() refutes pseudonyms that repeat within 1,000 draws, and shows repeats (seed ${seed})`, async () => {
    const { mechanism, witness } = planted.find(({ mechanism }) =>
      mechanism.name === "PseudonymsByValue"
    )!;
    const subject = mechanismSubject(mechanism, { source: new SeededSource(seed) });
    const pair = pairOf(mechanism.claim.relation, witness!);
    const report = await audit(subject, {
      alpha: 1e-4,
      pair,
      seed,
      maxDraws: 1_000,
      maxSeconds: Infinity,
      shrink: false,
    });
    assert(report.verdict === "refuted", report.verdict);
    assertEquals(report.event?.conditions.map(({ feature }) => feature), ["repeats(output)"]);
  });
}

/** Whether repeats are a feature of these outputs. */
function hasRepeats(outputs: readonly (readonly number[])[]): boolean {
  const width = outputs[0]!.length, rows = Float64Array.from(outputs.flat());
  const encoder = encoderOf([{ kind: "block", width, values: rows }]);
  return featuresOf(encoder, { rows }).some(({ kind }) => kind === "repeats");
}

// Mutants: the feature for all outputs; for pairs of numbers; for any number of them.
Deno.test("featuresOf() counts repeats where outputs of 3 to 64 numbers differ in them, first or last", () => {
  const distinct = (width: number): number[][] =>
    Array.from(
      { length: 3000 },
      (_, i) => Array.from({ length: width }, (_, j) => i * width + j + 0.5),
    );
  const repeating = (row: number[]): number[] => row.map((value, j) => j === 1 ? row[0]! : value);
  for (const [width, counted] of [[2, false], [3, true], [64, true], [65, false]] as const) {
    const rows = distinct(width);
    assert(!hasRepeats(rows));
    // Every output repeats as many: there is nothing to be told by.
    assert(!hasRepeats(rows.map(repeating)));
    for (const side of [0, 1]) {
      const halves = rows.map((row, i) => Number(i >= 1500) === side ? repeating(row) : row);
      assertEquals(hasRepeats(halves), counted, `${width} numbers`);
    }
  }
  // Of few values their counts tell more.
  assert(!hasRepeats(Array.from({ length: 3000 }, (_, i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1])));
});
