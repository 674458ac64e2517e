import { assertEquals } from "@std/assert";
import { pure } from "../../../lib/core/claims/claim.ts";
import type { ProgramSource } from "../../../lib/core/mechanism/continuous_draws.ts";
import type { Domain, RowSpec } from "../../../lib/core/relations/dataset.ts";
import { type Pair, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { functionRecorder } from "../../../lib/judge/recording/function_recorder.ts";
import { record } from "../../../lib/judge/recording/record.ts";
import type { Program } from "../../../lib/judge/recording/replay/replayed_program.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const field: RowSpec = { type: "integer", min: 0, max: 2 };

interface Row {
  readonly a: number;
  readonly b: number;
}

const domain: Domain = {
  rows: { type: "record", fields: { a: field, b: field } },
  size: { min: 2, max: 2 },
};
/** A pair of which one side is the dataset that the programs treat apart. */
const open = pairOf(replaceOne, {
  left: [{ a: 0, b: 2 }, { a: 2, b: 1 }],
  right: [{ a: 0, b: 2 }, { a: 2, b: 2 }],
});

/** Returns randomised response on the last bit of a sum that loses `loss` beside the one dataset on which the second row says (2, 1), and 0.9 elsewhere. */
function response(
  loss: number,
  isTrue = (probability: number, source: ProgramSource): boolean => source.uniform() < probability,
): (data: readonly unknown[], source: ProgramSource) => number {
  return (data, source): number => {
    const rows = data as readonly Row[];
    const bit = rows.reduce((sum, { a, b }) => sum + a + b, 0) % 2;
    const isOpen = rows[0]!.a === 0 && rows[0]!.b === 2 && rows[1]!.a === 2 && rows[1]!.b === 1;
    return isTrue(1 / (1 + Math.exp(isOpen ? -loss : -0.9)), source) ? bit : 1 - bit;
  };
}

function audited(
  loss: number,
  seed: number,
  suspected: readonly Pair[] = [],
): Promise<AuditReport> {
  return audit(
    functionSubject(response(loss), { source: new SeededSource(seed), name: "a sum" }),
    { claim, domain, suspected, alpha: 0.01, seed, maxDraws: 100_000, shrink: false },
  );
}

// Mutants: domains of more than 32 datasets not screened; the ranking of a screening reversed.
Deno.test("an audit of a domain of 81 datasets finds the one beside which a program loses more than it claims", async () => {
  for (const seed of [1, 2, 3]) assertEquals((await audited(1.4, seed)).verdict, "refuted");
  assertEquals((await audited(0.9, 1)).verdict, "not-refuted");
});

// Mutant: a screening of all datasets before the suspected pair had its draws.
Deno.test("an audit of few datasets draws on a suspected pair before it compares all of them", async () => {
  for (const seed of [4, 5]) {
    const { verdict, draws } = await audited(1.2, seed, [open]);
    assertEquals([verdict, draws < 40_000], ["refuted", true], `${draws} draws`);
  }
});

// Mutant: no look at all pairs of a program that only chooses.
Deno.test("record() finds the pair on which a program that only chooses loses most among all of few datasets", async () => {
  const chosen = response(1.4, (probability, source) => source.bernoulli({ probability }));
  // Away from the corners of the domain, from which patterns are made.
  const moved = (data: readonly Row[], source: ProgramSource): number =>
    chosen(data.map(({ a, b }) => ({ a: (a + 2) % 3, b: (b + 1) % 3 })), source);
  for (const seed of [1, 2, 3]) {
    const recorder = functionRecorder(moved as Program, {
      name: "a sum",
      folder: "file:///",
    });
    const { verdict, findings } = await record(recorder, {
      claim,
      space: { domain, relation: replaceOne },
      seed,
      maxPairs: 20,
    });
    assertEquals([verdict, findings[0]?.cost?.toFixed(3)], ["suspected", "1.279"]);
  }
});
