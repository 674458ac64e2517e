import { assertEquals, assertRejects } from "@std/assert";
import { addRemoveOne } from "../../../../lib/core/relations/relation.ts";
import { openLedger } from "../../../../lib/dp/accounting/budget/ledger.ts";
import { pure } from "../../../../lib/core/claims/claim_of_amounts.ts";
import { csvRows, duckdb, type Engine, table } from "../../../../lib/dp/tables/mod.ts";
import { withFolder } from "../../../end_to_end/run_cli.ts";
import { checkPayments } from "./payments.ts";

const COLUMNS = {
  g: { type: "category", values: ["a", "b"] },
  x: { type: "number", lower: 0, upper: 1 },
} as const;

const totals = (...lists: (readonly number[])[]): unknown => [
  { kind: "totals", totals: lists.map((list) => Float64Array.from(list)) },
];

// Mutants: no check of what is found; a check behind the payment.
Deno.test("an engine that fails, or answers something else than whole numbers by key, has spent nothing", async () => {
  const answers: Readonly<Record<string, () => unknown>> = {
    "the engine is gone": () => Promise.reject(new Error("the engine is gone")),
    "an answer for each plan": () => [],
    "as was asked for": () => [{ kind: "units", units: new Map() }],
    "for each measure": () => totals([1, 2], [3, 4]),
    "for each group": () => totals([1]),
    "whole numbers": () => totals([1, 0.5]),
    "within 2^52": () => totals([1, 2 ** 53]),
    "whole numbers within": () => totals([NaN, 1]),
    "total for each group": () => [{ kind: "totals", totals: [[1, 2]] }],
  };
  for (const [words, answer] of Object.entries(answers)) {
    const engine = { engine: "hostile", run: async () => await answer() } as unknown as Engine;
    const asked = table(engine, {
      columns: COLUMNS,
      unit: "row",
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    });
    await assertRejects(() => asked.groupBy("g").count({ epsilon: 0.5 }), Error, words);
    assertEquals(asked.budget.ledger, []);
  }
});

Deno.test("an engine that never answers has spent nothing of a ledger, and another question is paid meanwhile", async () => {
  await withFolder(async (folder) => {
    const budget = (): ReturnType<typeof openLedger> =>
      openLedger(`${folder}/ledger.jsonl`, { limit: pure({ epsilon: 1, relation: addRemoveOne }) });
    const schema = { columns: COLUMNS, unit: "row", relation: addRemoveOne } as const;
    const { promise, reject } = Promise.withResolvers<never>();
    const hung = table({ engine: "hung", run: () => promise } as unknown as Engine, {
      ...schema,
      budget: budget(),
    }).count({ epsilon: 1 });
    const other = table([{ g: "a", x: 1 }], { ...schema, budget: budget() });
    await other.count({ epsilon: 1 });
    reject(new Error("the connection died"));
    await assertRejects(() => hung, Error, "the connection died");
    assertEquals(budget().ledger.length, 1);
  });
});

// Mutants: the engine asked behind the payment; a ledger that is written when the answer is there; one that does not say for what.
for (const [name, rowsOf] of Object.entries({ csvRows, duckdb })) {
  Deno.test(`${name}(): rows that are gone cost nothing, and what was paid before a crash stays paid, for its question`, async () => {
    await withFolder(async (folder) => {
      const file = `${folder}/rows.csv`;
      await checkPayments({
        rows: rowsOf(file),
        come: () => Deno.writeTextFile(file, "g,x\na,1\n"),
      });
    });
  });
}
