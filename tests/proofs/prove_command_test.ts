import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runMain } from "../cli/run_main.ts";

/** Runs `dpcheck prove` in this process: its exit status, and what it printed. */
async function prove(...words: string[]): Promise<{ status: number; output: string }> {
  const { code, out, err } = await runMain(["prove", ...words]);
  return { status: code, output: out + err };
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
    assert(output.includes("1 hold, 1 refuted; 4 mutants"));
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
  const refusals: [words: string[], says: string][] = [
    [["nothing/of_the_kind"], "no theorem or folder"],
    [["--kind", "certain"], "must be one of"],
    [["mechanisms/laplace", "--seed", "-1"], "whole number"],
    [["mechanisms/laplace", "--json", "/nonexistent/r.json"], "cannot be written"],
  ];
  for (const [words, says] of refusals) {
    const { status, output } = await prove(...words);
    assertEquals(status, 2);
    assertStringIncludes(output, says);
  }
});

// Mutant: the table in the way of the JSON.
Deno.test("dpcheck prove --json - prints JSON alone, of the results or of the list", async () => {
  for (const more of [[], ["--list"]]) {
    const { code, out } = await runMain([
      "prove",
      "mechanisms/randomised_response",
      ...more,
      "--json",
      "-",
    ]);
    assertEquals(code, 0);
    const said = JSON.parse(out);
    assertEquals((said.results ?? said)[0].id, "mechanisms/randomised_response");
  }
});

Deno.test("dpcheck prove --list names the theorems of a folder and runs none", async () => {
  const { status, output } = await prove("bayes", "--list");
  assertEquals(status, 0);
  assert(output.includes("bayes/beta_sensitivity") && !output.includes("margin"));
});

// Mutants: results beside the book; lines of any width; the prose of all chapters for one.
Deno.test("dpcheck prove --book prints the chapters that are named, for 80 columns, and runs nothing", async () => {
  const { status, output } = await prove("bayes", "--book");
  assertEquals(status, 0);
  assert(output.startsWith("Posteriors as answers (bayes)"), output.slice(0, 80));
  assertStringIncludes(output, "  bayes/posterior_sampling\n");
  assertStringIncludes(output, "Remember: ");
  assert(!output.includes("mechanisms/laplace\n") && !output.includes("mutants;"));
  assertEquals(output.split("\n").filter((line) => [...line].length > 80), []);
  const whole = await prove("--book");
  assertStringIncludes(whole.output, "1.  Objective perturbation is private for every λ");
});
