import { assertEquals, assertNotEquals } from "@std/assert";
import { audit, functionSubject } from "../../../lib/judge/audit/mod.ts";
import { pure } from "../../../lib/core/claims/claim_of_amounts.ts";
import { asserted, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Row, table } from "../../../lib/dp/tables/mod.ts";

/** How many persons by sex, of each two rows at most, at ε = 3. */
const counts = async (rows: Row[]): Promise<number[]> => {
  const survey = table(rows, {
    columns: { sex: { type: "category", values: ["f", "m"] } },
    unit: { person: "name" },
    relation: replaceOne,
    budget: { epsilon: 3 },
  }).boundContributions({ groups: 1, rows: 2 });
  return (await survey.groupBy("sex").count({ epsilon: 3 })).rows.map(({ value }) => value);
};

const others = [{ name: "b", sex: "f" }, { name: "c", sex: "m" }];
const rowsOf = (sex: string): Row[] => new Array<Row>(5).fill({ name: "a", sex });

// From a secure source, so without a seed: the first refutes with a probability of at most 1e-6, and the second misses with far less.
Deno.test("audits do not refute what tables claim, and refute half of it", async () => {
  const relation = asserted;
  const subject = functionSubject(counts, { name: "counts by sex", source: new SeededSource(1) });
  const pair = pairOf(relation, {
    left: [...rowsOf("f"), ...others],
    right: [...others, ...rowsOf("m")],
  });
  const verdict = async (epsilon: number): Promise<string> =>
    (await audit(subject, {
      claim: pure({ epsilon, relation }),
      pair,
      alpha: 1e-6,
      maxDraws: 1500,
      seed: 1,
      shrink: false,
    })).verdict;
  assertNotEquals(await verdict(3), "refuted");
  assertEquals(await verdict(1.5), "refuted");
});
