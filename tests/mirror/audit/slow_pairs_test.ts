import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../lib/audit/audit.ts";
import { processSubject } from "../../../lib/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../lib/audit/subjects/process/split_command.ts";
import type { Outputs } from "../../../lib/audit/kernel/outputs.ts";
import type { Subject } from "../../../lib/audit/kernel/subject.ts";
import { pure } from "../../../lib/core/claim.ts";
import { replaceOne } from "../../../lib/core/relation.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

/** Single rows keep the claim; with two rows outputs tell a 0 from a 1, and each takes a fiftieth of a second. */
function slowWhereItLeaks(): Subject {
  const source = new SeededSource(8);
  return {
    name: "slow where it leaks",
    drawsElsewhere: true,
    async draw(data, count): Promise<Outputs> {
      const rows = data as number[];
      if (rows.length > 1) await seconds(0.02 * count);
      const values = Array.from(
        { length: count },
        () => rows.length > 1 ? rows[0] : source.uint32() % 2,
      );
      return { kind: "values", values } as unknown as Outputs;
    },
    close: () => Promise.resolve(),
  };
}

// Mutants: slow pairs given up; ranked by the draws that the quickest pair has in the same time.
Deno.test("an audit refutes a program that leaks where it is slow, and soon", async () => {
  const report = await audit(slowWhereItLeaks(), {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    domain: { rows: { type: "integer", min: 0, max: 9 }, size: { min: 1, max: 2 } },
    maxSeconds: 10,
    shrink: false,
    seed: 9,
  });
  assertEquals(report.verdict, "refuted");
  assert(report.draws <= 20_000, `${report.draws}`);
});

// Mutants: as above; each leaves no time for the pair that leaks.
Deno.test("an audit of a program that is slow on most pairs refutes it on another", async () => {
  const program = new URL("../../../fixtures/subjects/slow_on_two_rows.js", import.meta.url);
  const slow = processSubject(`${quoteWord(Deno.execPath())} run ${quoteWord(program.pathname)}`);
  try {
    const report = await audit(slow, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 3 } },
      maxSeconds: 5,
      shrink: false,
      seed: 6,
    });
    assertEquals(report.verdict, "refuted");
    assertEquals((report.pair!.left as number[]).length, 1);
  } finally {
    await slow.close();
  }
});
