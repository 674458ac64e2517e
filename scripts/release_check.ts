import { releaseProblems, VERSIONS } from "./release_problems.ts";

// Says whether a release can be made of the work tree: exit status 0, or 1 and the reasons. It sends nothing, and writes to out/ alone.

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
const deno = Deno.execPath();
const failures: Record<string, string> = {};
for (
  const [name, command, args] of [
    ["deno task build jsr", deno, ["task", "build", "jsr"]],
    // A dirty tree is a problem of its own.
    ["deno publish --dry-run", deno, [
      "publish",
      "--config",
      "out/jsr/deno.json",
      "--dry-run",
      "--allow-dirty",
    ]],
    ["deno task build npm", deno, ["task", "build", "npm"]],
    ...["dp", "dpcheck"].map((name) =>
      [
        `npm publish --dry-run of ${name}`,
        "npm",
        ["publish", "--dry-run", "--access", "public", `./out/npm/${name}`],
      ] as const
    ),
    ["deno task build python", deno, ["task", "build", "python"]],
    ["deno task build r", deno, ["task", "build", "r"]],
  ] as const
) {
  const { failed, text } = await run(command, [...args]);
  if (failed) failures[name] = text.trim().split("\n").slice(-20).join("\n");
}
const { version } = JSON.parse(await read("deno.json")) as { version: string };
const texts = await Promise.all(
  Object.keys(VERSIONS).map(async (file) => [file, await read(file)] as const),
);
const problems = releaseProblems({
  packageVersion: version,
  texts: Object.fromEntries(texts),
  changelog: await read("CHANGELOG.md"),
  uncommitted: status.text.split("\n").filter((line) => line !== ""),
  failures,
});
for (const problem of problems) console.log(`- ${problem}`);
console.log(
  problems.length === 0 ? `${version} can be released.` : `${version} cannot be released yet.`,
);
Deno.exitCode = problems.length === 0 ? 0 : 1;
