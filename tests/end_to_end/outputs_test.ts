import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { LINES } from "../../fixtures/judge/subjects/prints_everywhere.mjs";
import { cliCommand, commandWords, runCli, runHere, withFolder } from "./run_cli.ts";

const COIN = "export default ([x], source) => source.uniform() < 0.9 ? x : !x;\n";

/** The words that audit a module, written to `folder`, whose claim is false. */
async function auditIn(folder: string): Promise<string[]> {
  await Deno.writeTextFile(`${folder}/coin.mjs`, COIN);
  const pair = ["--left", "[true]", "--right", "[false]", "--relation", "replace-one"];
  // Without a deadline the bound takes few draws, and not five seconds.
  const run = ["--seed", "1", "--max-draws", "1000"];
  return ["audit", "--module", `${folder}/coin.mjs`, "--epsilon", "1", ...pair, ...run];
}

// Mutants: the report to read beside the one in JSON; a quiet run that prints; a verdict that a file takes away.
Deno.test("dpcheck audit writes to standard output what it is asked for, and nothing else", async () => {
  await withFolder(async (folder) => {
    const words = await auditIn(folder);
    const json = await runCli([...words, "--json", "-"]);
    assertEquals([json.code, JSON.parse(json.stdout).verdict], [1, "refuted"]);
    assertMatch(json.stderr, /^REFUTED/);

    // Every field has a line on the page of fields.
    const page = await Deno.readTextFile(new URL("../../docs/evidence.md", import.meta.url));
    const fields = Object.keys(JSON.parse(json.stdout));
    assert(fields.length > 15);
    assertEquals(fields.filter((field) => !page.includes(`\n| \`${field}\` `)), []);

    const quiet = await runHere([...words, "--quiet", "--sarif", "-"]);
    assertEquals([quiet.code, quiet.stderr], [1, ""]);
    assertEquals(JSON.parse(quiet.stdout).runs[0].results.length, 1);

    const two = await runHere([...words, "--json", "-", "--markdown", "-"]);
    assertEquals(two.code, 2);
    assertStringIncludes(two.stderr, "must be two files");

    const summary = `${folder}/summary.md`;
    await Deno.writeTextFile(summary, "before\n");
    const { code, stdout } = await cliCommand([...words, "--quiet", "--github"], {
      GITHUB_STEP_SUMMARY: summary,
    }).output();
    assertEquals(code, 1);
    assertMatch(new TextDecoder().decode(stdout), /^::error title=dpcheck%3A REFUTED::.*\n$/);
    assertMatch(await Deno.readTextFile(summary), /^before\n### REFUTED: /);
  });
});

// Mutants: a report and what the module prints on one stream.
Deno.test("what a module prints goes to standard error where a report has standard output", async () => {
  const module =
    new URL("../../fixtures/judge/subjects/prints_everywhere.mjs", import.meta.url).pathname;
  const audited = ["--module", module, "--epsilon", "1", "--left", "[0]", "--right", "[1]"];
  const run = ["--max-draws", "400", "--require-power", "infinity", "--seed", "1", "--json", "-"];
  const { code, stdout, stderr } = await runCli(["audit", ...audited, ...run]);
  assertEquals([code, JSON.parse(stdout).verdict], [0, "not-refuted"], stderr);
  for (const line of LINES) assert(stderr.split("\n").includes(line), stderr);
});

// Mutants: an annotation without its file; a stack of calls where the disk is full; a report lost to a file that cannot be written.
Deno.test({
  name: "dpcheck audit names the file of the subject, and says in a sentence that a disk is full",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      const words = await auditIn(folder);
      words[2] = "coin.mjs";
      const here = async (shell: string): Promise<{ code: number; out: string; err: string }> => {
        // Deno writes to a device with all permissions alone.
        const command = commandWords(words, ["--allow-all"]).map(quoteWord).join(" ");
        const { code, stdout, stderr } = await new Deno.Command("sh", {
          args: ["-c", shell.replace("dpcheck", command)],
          cwd: folder,
          env: { NO_COLOR: "1" },
        }).output();
        const decoder = new TextDecoder();
        return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
      };
      const annotated = await here("dpcheck --quiet --github");
      assertMatch(annotated.out, /^::error file=coin\.mjs,title=/);

      const reason = "cannot be written: no space is left on the device";
      const full = await here("dpcheck > /dev/full");
      assertEquals([full.code, full.err], [
        3,
        `dpcheck: standard output ${reason} [standard-output]\n`,
      ]);
      const file = await here("dpcheck --json /dev/full --junit r.xml");
      assertEquals([file.code, file.err], [
        2,
        `dpcheck: --json /dev/full ${reason} [file-not-written]\n`,
      ]);
      assertMatch(file.out, /^REFUTED/);
      assertStringIncludes(await Deno.readTextFile(`${folder}/r.xml`), 'failures="1"');
      // A file of which a part was written is removed.
      const part = await here("trap '' XFSZ; ulimit -f 1; exec dpcheck --json part.json");
      assertEquals(part.code, 2, part.err);
      assertMatch(part.err, /^dpcheck: --json part\.json cannot be written: /);
      assert(!(await Deno.stat(`${folder}/part.json`).then(() => true, () => false)));
    });
  },
});

/** Answers each request with its own number modulo 7, and makes a file in a folder at the hundredth. */
const ANSWER_AND_TELL = `n=0
while read -r line; do
  id="\${line#*:}"; id="\${id%%,*}"; n=$((n + 1))
  echo "{\\"id\\":$id,\\"outputs\\":[$((n % 7))]}"
  if [ $n -eq 100 ]; then : > "$1/told"; fi
done
`;

// Mutants: no report of what was drawn; a run that is green when it was cut short.
Deno.test("dpcheck audit writes its report so far when it is interrupted or terminated", async () => {
  for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    await withFolder(async (folder) => {
      // The audit is under way once the program has answered a hundred times, however slow the machine is.
      await Deno.writeTextFile(`${folder}/answer.sh`, ANSWER_AND_TELL);
      const words = ["audit", "--exec", `sh ${folder}/answer.sh ${folder}`, "--epsilon", "1"];
      const data = ["--left", "[0]", "--right", "[1]", "--max-seconds", "60", "--full-budget"];
      const started = performance.now();
      const child = cliCommand([...words, ...data, "--json", `${folder}/r.json`]).spawn();
      while (await Deno.stat(`${folder}/told`).then(() => false, () => true)) {
        assert(performance.now() - started < 60_000);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      child.kill(signal);
      const { code, stdout, stderr } = await child.output();
      assertEquals(code, status, new TextDecoder().decode(stderr));
      assert(performance.now() - started < 90_000);
      assertMatch(new TextDecoder().decode(stdout), /^INCONCLUSIVE/);
      const report = JSON.parse(await Deno.readTextFile(`${folder}/r.json`));
      assertEquals([report.verdict, report.interrupted], ["inconclusive", true]);
      assert(report.draws > 0);
    });
  }
});
