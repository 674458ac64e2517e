import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runHere, withFolder } from "../end_to_end/run_cli.ts";

/** Names with all that a shell reads in its own way. */
const NAMES = ["it's", 'b $HOME `c` \\ "d"', "e é\t"];
/** It keeps nothing between sessions: it has no start. */
const SERVICE = `
const questions = ${JSON.stringify({ count: { name: { type: "category", values: NAMES } } })};
const open = (rows, source) => ({
  ask: ({ name }) => rows.filter((row) => row === name).length + source.laplace({ scale: 0.2 }),
});
export default { questions, open };
`;

// The bet is refuted again: its chance of missing a loss of 5 in 400 transcripts is below 10⁻⁹. Mutant: words that are not quoted.
Deno.test("audit --interactive prints a replay that a shell runs as it stands, and the same pair and questions are bet on", async () => {
  await withFolder(async (folder) => {
    const module = `${folder}/it's a service.mjs`;
    await Deno.writeTextFile(module, SERVICE);
    const run = await runHere([
      ...["audit", "--interactive", "--module", module, "--epsilon", "1"],
      ...["--rows", JSON.stringify({ type: "category", values: NAMES }), "--size", "1..2"],
      ...["--relation", "replace-one", "--seed", "3", "--max-draws", "400"],
    ]);
    assertEquals(run.code, 1, run.stderr);
    const replay = /^Replay: (.+)$/m.exec(run.stdout)![1]!;
    const { stdout } = await new Deno.Command("sh", {
      args: ["-c", `words() { for word; do printf '%s\\0' "$word"; done; }; words ${replay}`],
    }).output();
    const words = new TextDecoder().decode(stdout).split("\0").slice(0, -1);
    const again = await runHere(words.slice(words.indexOf("audit")));
    assertEquals(again.code, 1, again.stdout + again.stderr);
    const shown = (text: string): string =>
      /^ {2}left {3}.+\n {2}right .+\n {2}session .+$/m.exec(text)![0];
    assertEquals(shown(again.stdout), shown(run.stdout));
    assertStringIncludes(again.stdout, "one strategy that was given");
    assert(again.stdout.endsWith(run.stdout.slice(run.stdout.indexOf("Replay: "))));
  });
});
