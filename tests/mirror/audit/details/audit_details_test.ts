import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/audit/audit.ts";
import { countCells } from "../../../../lib/audit/details/count_cells.ts";
import { EvidenceHistory } from "../../../../lib/audit/details/evidence_history.ts";
import { summariseOutputs } from "../../../../lib/audit/details/output_summary.ts";
import { encoderOf } from "../../../../lib/audit/encoding/encoder.ts";
import { packOutputs } from "../../../../lib/audit/subjects/outputs.ts";
import { functionSubject } from "../../../../lib/audit/subjects/function_subject.ts";
import { Thrown } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import type { Source } from "../../../../lib/core/source.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { jsonReport } from "../../../../lib/report/json.ts";

// Mutants: details that change what is drawn or bet; a history that ends too soon; outputs of another pair; details in JSON.
Deno.test("an audit that keeps details draws and bets what it does without", async () => {
  const run = (details: boolean, scale: number): ReturnType<typeof audit> =>
    audit(
      functionSubject(
        (data: readonly number[], source: Source) =>
          data.reduce((a, b) => a + b, 0) +
          scale * (Math.log(source.uniform()) - Math.log(source.uniform())),
        { name: "sum", source: new SeededSource(2) },
      ),
      {
        claim: pure({ epsilon: 1, relation: replaceOne }),
        domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 3 } },
        maxDraws: 5000,
        seed: 3,
        details,
      },
    );
  for (const scale of [0.4, 1.1]) {
    const [plain, kept] = [await run(false, scale), await run(true, scale)];
    const { details, seconds: _1, ...rest } = kept, { seconds: _2, ...expected } = plain;
    assertEquals(rest, expected);
    assertEquals(plain.details, undefined);
    assert(!jsonReport(kept).includes('"details"'));
    const { history, outputs, pairs, power } = details!;
    assertEquals(history.at(-1)!.draws, kept.draws);
    assert(history.length > 3 && history.length < 100);
    assert(history.every(({ draws }, k) => k === 0 || draws > history[k - 1]!.draws));
    assert(
      Math.abs(Math.exp(history.at(-1)!.logEValue) / kept.eValue - 1) < 1e-9 || kept.eValue > 100,
    );
    assertEquals(outputs!.feature, kept.event?.conditions[0]?.feature ?? "output");
    if (kept.event !== null) {
      assertEquals(outputs!.draws, {
        left: kept.event.left.draws,
        right: kept.event.right.draws,
      });
    }
    assert(pairs.length >= 1 && pairs.length <= 24);
    assert(pairs.every(({ draws, refutable }) => draws > 0 && refutable >= 0));
    assert(power.length > 5 && power.at(-1)!.detectable < power[2]!.detectable);
  }
});

// Mutants: no limit on points; the first draws left out.
Deno.test("EvidenceHistory keeps few points of many draws", () => {
  const history = new EvidenceHistory(1);
  const evidence = {
    lowerBound: 0,
    logEValue: 0,
    refuted: false,
    rareCells: [],
    add(): void {},
    restart(): void {},
  };
  for (let draws = 1; draws <= 1_000_000; draws += 10) history.see(draws, evidence);
  assert(history.points.length > 50 && history.points.length < 150);
  assertEquals(history.points[0]!.draws, 1);
});

// Mutants: outputs that fall into no cell; the message of an error; NaN taken for a number.
Deno.test("summariseOutputs() puts every output into a cell, and shows no message of an error", () => {
  const source = new SeededSource(4);
  const numbers = (): number[] =>
    Array.from({ length: 1000 }, () => source.uniform() / source.uniform());
  const many = summariseOutputs({ left: packOutputs(numbers()), right: packOutputs(numbers()) });
  assertEquals([many.kind, many.feature], ["numbers", "output"]);
  const strange = summariseOutputs({
    left: packOutputs([NaN, Infinity, 1, 1]),
    right: packOutputs([-Infinity, 1, 1, 2]),
  });
  assertEquals(
    strange.cells.map(({ label, left, right }) => [label, left, right]),
    [["-Infinity", 0, 1], ["1", 2, 2], ["2", 0, 1], ["Infinity", 1, 0], ["(no number)", 1, 0]],
  );
  const errors = summariseOutputs({
    left: packOutputs([new Thrown("row 17"), "yes", null]),
    right: packOutputs(["yes", "yes", true]),
  });
  assert(!JSON.stringify(errors).includes("row 17"));
  assertEquals(errors.cells[0], { label: "yes", left: 1, right: 2 });
  const words = (from: number): string[] =>
    Array.from({ length: 100 }, (_, k) => `word ${from + k % 60}`);
  const texts = summariseOutputs({ left: packOutputs(words(0)), right: packOutputs(words(10)) });
  assertEquals([texts.kind, texts.cells.length], ["texts", 13]);
  // An event on the message itself, among outputs that are numbers.
  const sides = {
    left: packOutputs([1, new Thrown("row 18"), new Thrown("row 19")]),
    right: packOutputs([2, 3, new Thrown("row 20")]),
  };
  const encoder = encoderOf([sides.left, sides.right]);
  const index = encoder.columns.findIndex(({ name, label }) =>
    name === "output" && label?.(0) === "row 18"
  );
  const feature = { kind: "category" as const, index, name: "output" };
  const messages = summariseOutputs(sides, { encoder, terms: [{ feature }] });
  assert(!JSON.stringify(messages).includes("row "));
  assert(
    messages.cells.some(({ label, left, right }) => /error/.test(label) && left + right === 3),
  );
  for (const { cells, draws } of [many, strange, errors, texts]) {
    for (const side of ["left", "right"] as const) {
      assertEquals(cells.reduce((sum, cell) => sum + cell[side], 0), draws[side]);
    }
  }
});

// Mutants: ordered on all outputs; counted on those that it was ordered on.
Deno.test("countCells() orders cells by one half of the outputs and counts the other", () => {
  const left = Uint16Array.of(0, 0, 1, 1), right = Uint16Array.of(1, 1, 0, 0);
  assertEquals(countCells({ left, right }, 2), {
    cells: [{ left: 2, right: 2 }, { left: 2, right: 2 }],
    draws: { left: 4, right: 4 },
    tradeOff: [{ left: 0, right: 0 }, { left: 0, right: 1 }, { left: 1, right: 1 }],
  });
});
