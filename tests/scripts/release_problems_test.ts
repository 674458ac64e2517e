import { assert, assertEquals } from "@std/assert";
import { releaseProblems, type ReleaseState, VERSIONS } from "../../scripts/release_problems.ts";

const ready: ReleaseState = {
  packageVersion: "1.2.0",
  texts: {
    "lib/judge/audit/version.ts": '/** Said. */\nexport const VERSION: string = "1.2.0";\n',
    "CITATION.cff": "title: x\nversion: 1.2.0\nlicense: MIT\n",
    "adapters/python/wheel_backend.py": 'NAME, VERSION = "dpcheck", "1.2.0"\n',
    "adapters/r/package/DESCRIPTION": "Package: dpcheck\nVersion: 1.2.0\n",
  },
  changelog: "# Changelog\n\n## [1.2.0] - 2026-12-31\n\n### Added\n\n- A thing.\n\n" +
    "## [1.1.0] - 2026-11-01\n\n- Another.\n",
  uncommitted: [],
  failures: {},
};

// Mutants: each of the checks left out.
Deno.test("releaseProblems() finds none in a release that is ready, and each that is not", () => {
  assertEquals(releaseProblems(ready), []);
  const broken: readonly [Partial<ReleaseState>, string][] = [
    ...Object.entries(ready.texts).map(([file, text]): [Partial<ReleaseState>, string] => [
      { texts: { ...ready.texts, [file]: text.replace("1.2.0", "1.1.0") } },
      file,
    ]),
    [{ texts: { ...ready.texts, "CITATION.cff": "title: x\n" } }, "CITATION.cff"],
    [{ changelog: ready.changelog.replace("2026-12-31", "unreleased") }, "must have a date"],
    [{ changelog: ready.changelog.replace("2026-12-31", "2026-13-31") }, "must have a date"],
    [{ changelog: ready.changelog.replace("[1.2.0]", "[1.3.0]") }, "newest section must be 1.2.0"],
    [{ changelog: ready.changelog.replace("- A thing.", "") }, "must have an entry"],
    [{ changelog: "# Changelog\n" }, "must be a section"],
    [{ uncommitted: ["?? notes.txt"] }, "work tree must be clean: 1 files"],
    [{ failures: { "deno publish": "error: slow types" } }, "slow types"],
  ];
  for (const [change, words] of broken) {
    const problems = releaseProblems({ ...ready, ...change });
    assertEquals(problems.length, 1, words);
    assert(problems[0]!.includes(words), problems[0]);
  }
  assertEquals(releaseProblems({ ...ready, packageVersion: "next" }).length, 6);
});

const read = (file: string): Promise<string> =>
  Deno.readTextFile(new URL(`../../${file}`, import.meta.url));

Deno.test("deno.json, reports, packages, CITATION.cff and CHANGELOG.md name one version", async () => {
  const { version } = JSON.parse(await read("deno.json")) as { version: string };
  const changelog = await read("CHANGELOG.md");
  const problems = releaseProblems({
    packageVersion: version,
    texts: Object.fromEntries(
      await Promise.all(Object.keys(VERSIONS).map(async (file) => [file, await read(file)])),
    ),
    changelog,
    uncommitted: [],
    failures: {},
  });
  // Before the release its section has no date.
  assertEquals(problems.filter((problem) => !problem.includes("must have a date")), []);
});
