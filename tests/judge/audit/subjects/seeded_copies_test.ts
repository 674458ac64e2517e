import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../../../lib/judge/audit/report.ts";
import { inParallel } from "../../../../lib/judge/audit/kernel/copies/in_parallel.ts";
import type { Outputs } from "../../../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { dailyOf, LONG } from "../../../long.ts";

/** A program with a seed of its own whose output is 1 with a chance that the row decides. */
interface Program extends Subject {
  drawn: number;
}

function program(seed: string, chances: readonly [number, number]): Program {
  const source = new SeededSource(seed);
  return {
    name: "program",
    drawsElsewhere: true,
    drawn: 0,
    draw(data, count): Promise<Outputs> {
      this.drawn += count;
      const chance = chances[(data as number[])[0]!]!;
      const values = Float64Array.from({ length: count }, () => Number(source.uniform() < chance));
      return Promise.resolve({ kind: "block", width: 1, values });
    },
    close: () => Promise.resolve(),
  };
}

/** Both keep ε = 1, and not a bit more. */
const randomisedResponse = [1 / (1 + Math.E), Math.E / (1 + Math.E)] as const;
const rareEvent = [2e-4 / Math.E, 2e-4] as const;

const run = (subject: Subject, options: AuditOptions): Promise<AuditReport> =>
  audit(subject, {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    pair: pairOf(replaceOne, { left: [1], right: [0] }),
    shrink: false,
    ...options,
  });

// Of true claims at most one in a hundred is refuted, here none of those with these seeds.
// Mutants: all copies' outputs handed out until they are refused (50 audits of the first 100 refute); copies compared
// with the first one alone (18 of the others do).
Deno.test("audit() never refutes a true claim for copies that start from one seed", async () => {
  for (const seeds of ["aaaaaaaa", "abbbbbbb"]) {
    for (let seed = 1; seed <= (LONG ? 100 : 20); seed++) {
      const copies = [...seeds].map((name) => program(`${seed} ${name}`, randomisedResponse));
      const report = await run(inParallel(copies), { maxDraws: 20_000, alpha: 0.01, seed });
      assertEquals(report.verdict, "failed");
      assert(report.failure?.includes("same seed"), report.failure);
    }
  }
});

// The copies agree for too few events to be refused. Mutant: they are trusted when enough has been compared.
Deno.test("audit() sees one copy where copies of one seed cannot be told from chance", async () => {
  // Its answers are nearly always equal: no violation in the others would be seen.
  const options = { maxDraws: 200_000, alpha: 0.05, requirePower: Infinity };
  for (let seed = 1; seed <= (LONG ? 10 : 1); seed++) {
    const copies = Array.from({ length: 8 }, () => program(`${seed}`, rareEvent));
    const report = await run(inParallel(copies), { ...options, seed });
    if (report.verdict === "failed") continue;
    const { verdict, eValue, draws } = await run(program(`${seed}`, rareEvent), {
      ...options,
      seed,
    });
    assertEquals([report.verdict, report.eValue, report.draws], [verdict, eValue, draws]);
    assertEquals(verdict, "not-refuted");
  }
});

// Mutants: one copy draws for all; comparing goes on when all differ.
Deno.test("audit() draws from all copies that start from seeds of their own", async () => {
  const options = { maxDraws: 200_000, seed: 1 };
  for (
    const chances of dailyOf(
      [randomisedResponse, [0.02 / Math.E, 0.02] as const],
      (_, k) => k === 1,
    )
  ) {
    const alone = program("a", chances);
    await run(alone, options);
    const copies = ["a", "b", "c", "d"].map((seed) => program(seed, chances));
    const report = await run(inParallel(copies), options);
    assertEquals([report.verdict, report.draws], ["not-refuted", 200_000]);
    // A quarter, and what was drawn while they were compared.
    const shares = copies.map(({ drawn }) => drawn / alone.drawn);
    assert(shares.every((share) => share > 0.247 && share < 0.253), `shares: ${shares}`);
  }
});
