/** Texts of the files of a release. */
export interface ReleaseState {
  /** The version in deno.json. */
  readonly packageVersion: string;
  /** The texts of the files of {@linkcode VERSIONS}. */
  readonly texts: Readonly<Record<string, string>>;
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
  /** The lines of `git status --porcelain`. */
  readonly uncommitted: readonly string[];
  /** Output of failed dry runs of publishing, by command. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Files that repeat the version of deno.json. The npm package reads it from there. */
export const VERSIONS: Readonly<Record<string, RegExp>> = {
  "lib/judge/audit/version.ts": /^export const VERSION.* = "(.+)";$/m,
  "CITATION.cff": /^version: (.+)$/m,
  "adapters/python/wheel_backend.py": /^NAME, VERSION = "dpcheck", "(.+)"$/m,
  "adapters/r/package/DESCRIPTION": /^Version: (.+)$/m,
};

/** `## [1.2.3] - 2026-12-31`, or a word in place of the date. */
const SECTION = /^## \[([^\]]+)\] - (.+)$/m;

/** Lists the reasons against a release, one sentence each; empty if it can be made. */
export function releaseProblems(
  { packageVersion, texts, changelog, uncommitted, failures }: ReleaseState,
): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  must(
    /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(packageVersion),
    `deno.json: version must have three numbers: current value is ${packageVersion}`,
  );
  for (const [file, place] of Object.entries(VERSIONS)) {
    const version = place.exec(texts[file] ?? "")?.[1];
    must(
      version === packageVersion,
      `${file}: the version must be ${packageVersion}, as in deno.json: current value is ${version}`,
    );
  }
  const section = SECTION.exec(changelog);
  if (section === null) {
    problems.push("CHANGELOG.md: there must be a section “## [version] - date”");
  } else {
    const [heading, version, date] = section;
    must(
      version === packageVersion,
      `CHANGELOG.md: the newest section must be ${packageVersion}, as in deno.json: current value is ${version}`,
    );
    must(
      /^\d{4}-\d\d-\d\d$/.test(date!) && !Number.isNaN(Date.parse(date!)),
      `CHANGELOG.md: the newest section must have a date, as in 2026-12-31: current value is ${date}`,
    );
    const body = changelog.slice(section.index + heading.length).split(/^## /m)[0]!;
    must(/^- /m.test(body), "CHANGELOG.md: the newest section must have an entry");
  }
  must(
    uncommitted.length === 0,
    `the work tree must be clean: ${uncommitted.length} files are not committed`,
  );
  for (const [command, said] of Object.entries(failures)) {
    problems.push(`${command} fails: ${said}`);
  }
  return problems;
}
