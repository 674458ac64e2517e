import { assert } from "@std/assert";
import { csvRows, parquetRows } from "../../../../lib/dp/tables/mod.ts";
import { foundInMemory, memoryEngine } from "../../../../lib/dp/tables/engine/memory.ts";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { checkSensitivity, checkTotals } from "./conformance.ts";
import { COLUMNS } from "./generated_plans.ts";

Deno.test("memory moves by what noise is scaled to, at most", async () => {
  await checkSensitivity({
    name: "memory",
    found: (rows, plans) => Promise.resolve(plans.map((plan) => foundInMemory(plan, rows))),
  }, 300);
});

/** A cell as CSV has it: what it is read as must be what it was. */
function csvCell(cell: unknown): string {
  const text = String(cell ?? "");
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as texts: cells are trimmed as files have them, and what is null is empty. */
function asTexts(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, String(row[name] ?? "").trim()]))
  );
}

// Mutants: cells cut at bytes that are no delimiter; numbers of 16 digits divided twice; keys of one batch forgotten in the next.
Deno.test("rows of CSV are found as texts in memory are", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/rows.csv`;
    await checkTotals({
      name: "csv",
      found: async (rows, plans) => {
        const lines = rows.map((row) =>
          Object.keys(COLUMNS).map((name) => csvCell(row[name])).join(",")
        );
        await Deno.writeTextFile(
          file,
          [Object.keys(COLUMNS).join(","), ...lines].join("\n") + "\n",
        );
        const found = await memoryEngine(csvRows(file)).run(plans);
        const texts = asTexts(rows);
        plans.forEach((plan, i) => {
          const wanted = foundInMemory(plan, texts);
          assert(Deno.inspect(found[i]) === Deno.inspect(wanted));
        });
        // What is compared next are rows with their types, of which only some are texts alike.
        return plans.map((plan) => foundInMemory(plan, rows));
      },
    }, 60);
  });
  assert(typeof parquetRows === "function");
});
