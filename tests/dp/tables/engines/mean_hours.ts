import { runMain } from "../../../cli/run_main.ts";

/** Returns what asks by the command line for the mean of hours from 0 to 60 of a table, at a connection. Schema and ledger are files of a folder. */
export async function asksMeanHours(
  folder: string,
  { table, engine }: { readonly table: string; readonly engine: string },
): Promise<(connection: string) => ReturnType<typeof runMain>> {
  const schema = {
    columns: { hours: { type: "number", lower: 0, upper: 60 } },
    unit: "row",
    limit: { epsilon: 1 },
  };
  await Deno.writeTextFile(`${folder}/schema.json`, JSON.stringify(schema));
  return (connection) =>
    runMain([
      ...["ask", table, "mean hours", "--engine", engine, "--connection", connection],
      ...["--schema", `${folder}/schema.json`, "--ledger", `${folder}/budget.jsonl`],
      ...["--epsilon", ".5", "--json", "-"],
    ]);
}
