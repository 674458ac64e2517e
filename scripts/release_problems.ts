/** What the files of a release say. */
export interface ReleaseState {
  /** The version in deno.json. */
  readonly packageVersion: string;
  /** The version that reports name: lib/audit/version.ts. */
  readonly reportedVersion: string;
  /** The text of CITATION.cff. */
  readonly citation: string;
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
  /** The lines of `git status --porcelain`. */
  readonly uncommitted: readonly string[];
  /** What `deno publish --dry-run` printed when it failed. */
  readonly publishFailure?: string | undefined;
}

/** `## [1.2.3] - 2026-12-31`, or a word in place of the date. */
const SECTION = /^## \[([^\]]+)\] - (.+)$/m;

/** Why a release cannot be made of this state, one sentence each; none when it can. */
export function releaseProblems(
  { packageVersion, reportedVersion, citation, changelog, uncommitted, publishFailure }:
    ReleaseState,
): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  must(
    /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(packageVersion),
    `deno.json: version must have three numbers: current value is ${packageVersion}`,
  );
  must(
    reportedVersion === packageVersion,
    `lib/audit/version.ts: VERSION must be ${packageVersion}, as in deno.json: current value is ${reportedVersion}`,
  );
  const cited = /^version: (.+)$/m.exec(citation)?.[1];
  must(
    cited === packageVersion,
    `CITATION.cff: version must be ${packageVersion}, as in deno.json: current value is ${cited}`,
  );
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
  if (publishFailure !== undefined) {
    problems.push(`deno publish --dry-run fails: ${publishFailure}`);
  }
  return problems;
}
