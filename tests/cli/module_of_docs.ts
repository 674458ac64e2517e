import { assertEquals, assertStringIncludes } from "@std/assert";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { runMain } from "./run_main.ts";

const root = new URL("../../", import.meta.url);

/** The first block of each language after a heading of a page, of the first three blocks. */
export async function blocks(page: string, heading: string): Promise<Map<string, string>> {
  const text = await Deno.readTextFile(new URL(page, root));
  const section = text.slice(text.indexOf(heading));
  return new Map(
    [...section.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)].slice(0, 3).reverse()
      .map(([, language, body]) => [language!, body!]),
  );
}

/** `dpcheck exact` says of a module of docs/programs.md what stands there, and `dpcheck audit` does not refute it. */
export async function assertModuleOfDocs(module: string, heading: string): Promise<void> {
  const shown = await blocks("docs/programs.md", heading);
  await withFolder(async (folder) => {
    const file = `${folder}/${module}`;
    await Deno.writeTextFile(file, shown.get("js")!);
    const words = splitCommand(shown.get("sh")!.replace("deno task dpcheck ", "").trim())
      .map((word) => word === module ? file : word);
    const { code, out } = await runMain(words);
    assertEquals(code, 0);
    assertStringIncludes(out.replace(file, module), shown.get("text")!);
    const budget = ["--max-draws", "2000", "--seed", "1"];
    const audited = await runMain(["audit", ...words.slice(1), ...budget]);
    assertEquals(audited.code, 0);
    assertStringIncludes(audited.out, "NOT REFUTED");
  });
}
