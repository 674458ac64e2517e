import { assert, assertEquals, assertRejects } from "@std/assert";
import { Command } from "commander";
import { BadInput } from "../../cli/bad_input.ts";
import { registerProve } from "../../cli/prove.ts";

/** Runs `dpcheck prove` in this process: its exit status, and what it printed. */
async function prove(...words: string[]): Promise<{ status: number; output: string }> {
  const program = new Command("dpcheck").exitOverride();
  let status = -1;
  registerProve(program, (result) => status = result);
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string): void => void lines.push(line);
  try {
    await program.parseAsync(["prove", ...words], { from: "user" });
  } finally {
    console.log = log;
  }
  return { status, output: lines.join("\n") };
}

Deno.test("dpcheck prove prints a theorem, its margin and its mutants, and writes all files", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [json, markdown, html] = ["json", "md", "html"].map((end) => `${folder}/r.${end}`);
    const { status, output } = await prove(
      "mechanisms/randomised_response",
      "false_claims/sparse_vector_stoddard",
      ...["--json", json!, "--markdown", markdown!, "--html", html!],
    );
    assertEquals(status, 0);
    assert(output.includes("mechanisms/randomised_response"));
    assert(output.includes("1 hold, 1 refuted; 3 mutants"));
    const report = JSON.parse(await Deno.readTextFile(json!));
    assertEquals(report.results.map(({ result }: { result: string }) => result), [
      "holds",
      "refuted",
    ]);
    // JSON has no infinity.
    assertEquals(report.results[1].margin, "Infinity");
    const page = await Deno.readTextFile(markdown!);
    assert(page.includes("| `sparse_vector_stoddard` |"));
    assert(page.includes("1 hold, 1 are refuted, 0 are not as expected. Seed "));
    assert((await Deno.readTextFile(html!)).includes("ALL AS EXPECTED"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("dpcheck prove refuses names, kinds, seeds and files that it cannot use", async () => {
  await assertRejects(() => prove("nothing/of_the_kind"), BadInput, "no theorem or folder");
  await assertRejects(() => prove("--kind", "certain"), BadInput, "must be one of");
  await assertRejects(() => prove("mechanisms/laplace", "--seed", "-1"), BadInput, "whole number");
  await assertRejects(
    () => prove("mechanisms/laplace", "--json", "/nonexistent/r.json"),
    BadInput,
    "cannot be written",
  );
});

Deno.test("dpcheck prove --list names the theorems of a folder and runs none", async () => {
  const { status, output } = await prove("bayes", "--list");
  assertEquals(status, 0);
  assert(output.includes("bayes/beta_sensitivity") && !output.includes("margin"));
});
