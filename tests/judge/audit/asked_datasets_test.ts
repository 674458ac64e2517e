import { assert, assertEquals, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Dataset, Domain, RowSpec } from "../../../lib/core/relations/dataset.ts";
import {
  addRemoveOne,
  changeEach,
  changeOne,
  type Relation,
  replaceOne,
  sameRow,
} from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../long.ts";
import { isRowOf, rowSpec } from "./row_specs.ts";

/** Answers, which relations of queries move, and rows of any kind, which are replaced or added. */
const space: fc.Arbitrary<{ relation: Relation; domain: Domain }> = fc.tuple(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(changeEach({ by: 1 }), changeOne({ by: 1 })),
      fc.constant<RowSpec>({ type: "number", min: -3, max: 2.5 }),
    ),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(replaceOne, addRemoveOne), rowSpec) },
  ),
  fc.nat(2),
  fc.integer({ min: 1, max: 5 }),
).map(([[relation, rows], min, more]) => ({
  relation,
  domain: { rows, size: { min, max: min + more } },
}));

const DRAWS = LONG ? 12_000 : 6000;

// Mutants: a start, a random pair, a mutation or a smaller pair that is outside the domain, or no pair of neighbours; a pair of one
// dataset; draws beyond the budget.
Deno.test("audit() asks about datasets of the domain alone, and shows a pair of neighbours", async () => {
  let shown = 0, datasets = 0;
  await fc.assert(
    fc.asyncProperty(space, fc.nat(1000), async ({ relation, domain }, seed) => {
      const asked = new Set<string>(), outside: string[] = [];
      /** Tells some datasets at every other draw, so that many pairs are tried, and one is found and made smaller. */
      const leak = (data: Dataset, source: { uniform(): number }): string => {
        const text = JSON.stringify(data);
        if (!asked.has(text)) {
          asked.add(text);
          const fits = data.length >= domain.size.min && data.length <= domain.size.max &&
            data.every((row) => isRowOf(domain.rows, row));
          if (!fits) outside.push(text);
        }
        return text.length % 4 > 0 || source.uniform() < 0.5 ? "nothing" : text;
      };
      const subject = functionSubject(leak as never, {
        name: "leak",
        source: new SeededSource(seed),
      });
      const options = { claim: pure({ epsilon: 0.5, relation }), domain, seed };
      const report = await audit(subject, { ...options, maxDraws: DRAWS }).catch(
        (error: Error) => {
          // Nothing is a neighbour in a domain of no rows, or of lists that no relation takes.
          assert(error.message.includes("neighbour"), error.message);
        },
      );
      datasets += asked.size;
      assertEquals(outside, [], `outside of ${JSON.stringify(domain)}`);
      if (report === undefined || report.pair === null) return;
      const { left, right } = report.pair as { left: Dataset; right: Dataset };
      assertEquals(relation.violation(left, right), undefined);
      assert(!sameRow(left, right), "a pair of one dataset");
      assert(report.draws <= DRAWS);
      shown++;
    }),
    { seed: 31, numRuns: LONG ? 25 : 5 },
  );
  assert(
    shown > (LONG ? 20 : 2) && datasets > (LONG ? 250 : 40),
    `${shown} pairs, ${datasets} datasets`,
  );
});

Deno.test("audit() says where a domain has no two neighbours", async () => {
  const subject = functionSubject(() => 0, { name: "f", source: new SeededSource(1) });
  await assertRejects(
    () =>
      audit(subject, {
        claim: pure({ epsilon: 1, relation: replaceOne }),
        domain: { rows: { type: "boolean" }, size: { min: 0, max: 0 } },
        maxDraws: 100,
      }),
    RangeError,
    "neighbour",
  );
});
