import { assertEquals } from "@std/assert";
import { pure } from "../../../lib/core/claims/claim.ts";
import type { RowSpec } from "../../../lib/core/relations/dataset.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const field: RowSpec = { type: "integer", min: 0, max: 2 };

interface Row {
  readonly a: number;
  readonly b: number;
}

/** Randomised response on the last bit of a sum that loses `loss` beside the one dataset on which the second row says (2, 1), and 0.9 elsewhere. */
function verdictOn(loss: number, seed: number): Promise<string> {
  const run = (data: readonly Row[], source: { uniform(): number }): number => {
    const bit = data.reduce((sum, { a, b }) => sum + a + b, 0) % 2;
    const isOpen = data[0]!.a === 0 && data[0]!.b === 2 && data[1]!.a === 2 && data[1]!.b === 1;
    const truth = 1 / (1 + Math.exp(isOpen ? -loss : -0.9));
    return source.uniform() < truth ? bit : 1 - bit;
  };
  return audit(functionSubject(run as never, { source: new SeededSource(seed), name: "a sum" }), {
    claim,
    domain: { rows: { type: "record", fields: { a: field, b: field } }, size: { min: 2, max: 2 } },
    alpha: 0.01,
    seed,
    maxDraws: 100_000,
    shrink: false,
  }).then(({ verdict }) => verdict);
}

// Mutants: domains of more than 32 datasets not screened; the ranking of a screening reversed.
Deno.test("an audit of a domain of 81 datasets finds the one beside which a program loses more than it claims", async () => {
  for (const seed of [1, 2, 3]) assertEquals(await verdictOn(1.4, seed), "refuted");
  assertEquals(await verdictOn(0.9, 1), "not-refuted");
});
