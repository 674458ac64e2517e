import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { jsonReport } from "../../../lib/judge/report/json.ts";

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

// Mutants: outputs that fall into no cell; the message of an error in a cell.
Deno.test("details show no message of an error, and put every output into a cell", async () => {
  const run = (data: readonly number[], source: Source): number => {
    if (source.uniform() < 0.3) throw new Error(`row ${data[0]}`);
    return source.uniform() < 0.1 ? NaN : source.uniform() < 0.1 ? Infinity : source.uniform();
  };
  for (const bit of [1, 0]) {
    const subject = functionSubject(
      (data: readonly number[], source: Source) => run([bit * data[0]!], source),
      { name: "f", source: new SeededSource(4) },
    );
    const { details, event } = await audit(subject, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      pair: pairOf(replaceOne, { left: [17], right: [18] }),
      maxDraws: 4000,
      seed: 3,
      details: true,
    });
    const { cells, draws } = details!.outputs!;
    assert(!JSON.stringify(details!.outputs).includes("row "), event?.description);
    for (const side of ["left", "right"] as const) {
      assertEquals(cells.reduce((sum, cell) => sum + cell[side], 0), draws[side]);
    }
  }
});
