import { assert, assertEquals } from "@std/assert";
import { csvRows } from "../../../../lib/dp/tables/mod.ts";
import { foundInMemory, memoryEngine } from "../../../../lib/dp/tables/engine/memory.ts";
import type { Row } from "../../../../lib/dp/schema/cells.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import type { Plan } from "../../../../lib/dp/tables/engine/plan.ts";
import { checkSensitivity, checkTotals } from "./conformance.ts";
import { COLUMNS } from "./generated_plans.ts";

Deno.test("memory moves by what noise is scaled to, at most", async () => {
  await checkSensitivity({
    name: "memory",
    found: (rows, plans) => Promise.resolve(plans.map((plan) => foundInMemory(plan, rows))),
  }, 300);
});

// Mutants: whole numbers of 64 bits that are one double taken for one key; −0 as another key than 0.
Deno.test("numbers in memory are the keys and persons that their texts are", () => {
  const cells = [0, -0, 7, 1023, 5000, 2 ** 22 - 1, 2 ** 22, 1.5, -1, 1e21, NaN, Infinity];
  const wide = [5n, -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n, 4_000_000n];
  const numbers: Row[] = [...cells, 2 ** 53, ...wide, ...cells, ...wide].map((g) => ({ g }));
  const texts = numbers.map(({ g }) => ({ g: String(g) }));
  const cell = { column: "g" }, listed = texts.map(({ g }) => g).slice(3, 17);
  for (const kind of ["units", "groups", "persons"]) {
    const plan: Plan = {
      where: [],
      parts: kind === "units"
        ? []
        : [{ kind: "values", cell, texts: [...new Set(listed)], missing: -1, unseen: -1 }],
      clipped: undefined,
      persons: kind === "persons"
        ? { column: "g", bounds: { groups: 1, rows: 1 }, key: 5 }
        : undefined,
      wanted: kind === "units"
        ? { kind: "units", cell }
        : { kind: "totals", measures: [{ steps: undefined }] },
    };
    assertEquals(foundInMemory(plan, numbers), foundInMemory(plan, texts), kind);
  }
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
});

// Mutant: bytes that are no UTF-8 all read as one letter, so that two persons fall together.
Deno.test("lines of CSV that are no UTF-8 are read as Windows-1252, and persons in them told apart", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/rows.csv`;
    const latin = (text: string): Uint8Array => Uint8Array.from(text, (each) => each.charCodeAt(0));
    await Deno.writeFile(
      file,
      Uint8Array.from([
        ...new TextEncoder().encode("größe,x\nJosé,1\n"),
        ...latin("José,2\nJosè,3\nPe\x80,4\n"),
      ]),
    );
    const rows = await Array.fromAsync(csvRows(file));
    assertEquals(rows.map((row) => row["größe"]), ["José", "José", "Josè", "Pe€"]);
    await Deno.writeFile(file, latin("größe,x\nz\u00fc,1\n"));
    assertEquals((await Array.fromAsync(csvRows(file)))[0], { größe: "zü", x: "1" });
  });
});
