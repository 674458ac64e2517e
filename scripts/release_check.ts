import { VERSION } from "../lib/audit/version.ts";
import { releaseProblems } from "./release_problems.ts";

// Says whether a release can be made of the work tree: exit status 0, or 1 and the reasons. It changes and sends nothing.

const root = new URL("../", import.meta.url);
const read = (file: string): Promise<string> => Deno.readTextFile(new URL(file, root));

async function run(command: string, args: string[]): Promise<{ failed: boolean; text: string }> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { failed: !success, text: success ? out! : errors! };
}

const status = await run("git", ["status", "--porcelain"]);
if (status.failed) throw new Error(`Cannot check a release: git says ${status.text}`);
// A dirty tree is a problem of its own.
const publish = await run(Deno.execPath(), ["publish", "--dry-run", "--allow-dirty"]);
const { version } = JSON.parse(await read("deno.json")) as { version: string };
const problems = releaseProblems({
  packageVersion: version,
  reportedVersion: VERSION,
  citation: await read("CITATION.cff"),
  changelog: await read("CHANGELOG.md"),
  uncommitted: status.text.split("\n").filter((line) => line !== ""),
  publishFailure: publish.failed
    ? publish.text.trim().split("\n").slice(-20).join("\n")
    : undefined,
});
for (const problem of problems) console.log(`- ${problem}`);
console.log(
  problems.length === 0 ? `${version} can be released.` : `${version} cannot be released yet.`,
);
Deno.exitCode = problems.length === 0 ? 0 : 1;
