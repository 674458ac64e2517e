import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { pure } from "../../../../lib/core/claims/claim_of_amounts.ts";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { openLedger } from "../../../../lib/dp/accounting/budget/ledger.ts";
import { type Engine, type RowSource, table } from "../../../../lib/dp/tables/mod.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";

/**
 * Rows that are gone cost nothing, and what was paid before a crash stays paid, for its question. Rows have the columns `g` and `x`, and are not there before `come` is called.
 */
export async function checkPayments(
  { rows, come }: { readonly rows: RowSource | Engine; readonly come: () => Promise<unknown> },
): Promise<void> {
  await withFolder(async (folder) => {
    const file = `${folder}/ledger.jsonl`, limit = pure({ epsilon: 1, relation: addRemoveOne });
    const ledger = openLedger(file, { limit });
    const asked = (budget: typeof ledger) =>
      table(rows, {
        columns: {
          g: { type: "category", values: ["a", "b"] },
          x: { type: "number", lower: 0, upper: 1 },
        },
        unit: "row",
        relation: addRemoveOne,
        budget,
      }).groupBy("g").sum("x", { epsilon: 0.5 });
    await assertRejects(() => asked(ledger));
    assertEquals(openLedger(file, { limit }).ledger, []);
    await come();
    const crashes: typeof ledger = {
      ...ledger,
      spend(...spent): void {
        ledger.spend(...spent);
        throw new Error("the process ends here");
      },
    };
    await assertRejects(() => asked(crashes), Error, "the process ends here");
    assertEquals(openLedger(file, { limit }).ledger.length, 1);
    assertStringIncludes(await Deno.readTextFile(file), '"for":"sum x by g"');
  });
}
