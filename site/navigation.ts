/** A part of the navigation, and the sources of its pages by their paths in the repository, in the order in which they are read. */
export interface Chapter {
  readonly title: string;
  readonly pages: readonly string[];
}

/** Pages that are called otherwise in the navigation than they call themselves. */
export const CALLED: Readonly<Record<string, string>> = {
  "README.md": "Install and first audit",
  "out/reference/README.md": "Functions by task",
};

/** Short names of pages in the navigation, where a title is a sentence. */
export const IN_MENU: Readonly<Record<string, string>> = {
  "docs/tutorial.md": "Tutorial: ten minutes",
  "docs/choosing_a_claim.md": "Choosing a claim",
  "docs/questions.md": "Questions",
  "docs/reading_a_report.md": "Reading a report",
  "docs/verdicts.md": "Verdicts",
  "docs/recording.md": "Which line leaks",
  "docs/programs.md": "Programs, rows, neighbours",
  "docs/sessions.md": "Services",
  "docs/suites.md": "Suites",
  "docs/continuous_integration.md": "In a build",
  "docs/many_machines.md": "Many machines",
  "docs/one_run.md": "One training run",
  "docs/evidence.md": "Reports for machines",
  "docs/false_alarms.md": "False alarms",
  "docs/audits.md": "Audits of libraries",
  "docs/figures.md": "Figures",
  "docs/comparison.md": "Compared with others",
};

/**
 * Lists what stands beside every page. Other pages are those that these lead to.
 *
 * @param options.entries the pages of entry points.
 * @param options.chapters the pages of the chapters of proofs.
 */
export function chaptersOf(
  { entries, chapters }: {
    readonly entries: readonly string[];
    readonly chapters: readonly string[];
  },
): readonly Chapter[] {
  return [
    {
      title: "Begin",
      pages: [
        "README.md",
        "site/pages/playground.md",
        "docs/tutorial.md",
        "docs/choosing_a_claim.md",
        "site/pages/neighbours.md",
        "docs/questions.md",
      ],
    },
    {
      title: "When you have a report",
      pages: [
        "docs/reading_a_report.md",
        "docs/verdicts.md",
        "docs/recording.md",
        "docs/errors.md",
      ],
    },
    {
      title: "How to",
      pages: [
        "docs/how_to.md",
        "docs/commands.md",
        "docs/programs.md",
        "docs/sessions.md",
        "docs/suites.md",
        "docs/continuous_integration.md",
        "docs/many_machines.md",
        "docs/one_run.md",
        "docs/evidence.md",
        "docs/first_day.md",
        "docs/tables.md",
      ],
    },
    {
      title: "Explanation",
      pages: [
        "docs/auditor.md",
        "docs/false_alarms.md",
        "docs/limit_of_draws.md",
        "docs/exam.md",
        "docs/alignment.md",
        "site/pages/output_perturbation.md",
        "site/pages/breach.md",
        "site/pages/reusable_holdout.md",
        "docs/glossary.md",
      ],
    },
    {
      title: "What is known",
      pages: [
        "docs/audits.md",
        "docs/limits.md",
        "docs/figures.md",
        "docs/comparison.md",
      ],
    },
    { title: "The book", pages: ["out/reference/theorems.md", ...chapters] },
    { title: "Reference", pages: ["out/reference/README.md", ...entries] },
    {
      title: "Work on it",
      pages: [
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/decisions/README.md",
        "docs/dependencies.md",
        "CHANGELOG.md",
      ],
    },
  ];
}

/** The path on the site of the page that is made of a source. */
export function pathOf(source: string): string {
  if (source === "README.md") return "readme.html";
  return source.replace(/^(docs|site\/pages|out)\//, "").replace(/README\.md$/, "index.html")
    .replace(/\.md$/, ".html").toLowerCase();
}
