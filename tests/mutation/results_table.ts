import type { Comparison } from "./survivors.ts";
import type { Fate, Result } from "./mutation_run.ts";

const HEAD = `# Mutants by file

\`deno task mutate --write tests/mutation/RESULTS.md FILES\` renews the rows of the files that it runs.
*Equivalent* mutants and *survivors* have their reason in survivors.json; README.md says what is which.

| file | mutants | killed | by time | equivalent | survivors | not explained |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
`;

/** The table by file: rows of files that were run whole are renewed, others stay. */
export function resultsTable(
  before: string,
  { results, comparison, exists }: {
    results: readonly Result[];
    comparison: Comparison;
    exists: (file: string) => boolean;
  },
): string {
  const rows = new Map(
    [...before.matchAll(/^\| (lib\/\S+) +(\|.*\|)$/gm)].map(([, file, counts]) => [file!, counts!]),
  );
  for (const file of rows.keys()) if (!exists(file)) rows.delete(file);
  for (const [file, own] of Map.groupBy(results, ({ mutant }) => mutant.file)) {
    const count = (...fates: Fate[]): number =>
      own.filter(({ fate }) => fates.includes(fate)).length;
    if (count("not run") > 0) continue;
    const open = comparison.unexplained.filter(({ mutant }) => mutant.file === file).length;
    const equivalent = comparison.explained.filter((each) =>
      each.equivalent && each.result.mutant.file === file
    ).length;
    const listed = count("survived", "not reached") - open - equivalent;
    const counts = [own.length, count("killed"), count("by time"), equivalent, listed, open];
    rows.set(file, `| ${counts.join(" | ")} |`);
  }
  const sorted = [...rows].sort(([a], [b]) => a < b ? -1 : 1);
  const sums = sorted.map(([, counts]) => counts.split("|").slice(1, -1).map(Number))
    .reduce((sum, row) => sum.map((value, k) => value + row[k]!), [0, 0, 0, 0, 0, 0]);
  return HEAD + sorted.map(([file, counts]) => `| ${file} ${counts}\n`).join("") +
    `| all | ${sums.join(" | ")} |\n`;
}

/** The files of a table that have no survivors without a reason. */
export function rowsWithoutSurvivors(table: string): Set<string> {
  const rows = [...table.matchAll(/^\| (lib\/\S+) +\|.*\| +(\d+) \|$/gm)];
  return new Set(rows.filter(([, , open]) => open === "0").map(([, file]) => file!));
}
