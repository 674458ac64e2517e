import type { Chapter } from "./chapter.ts";
import type { Theorem } from "./theorem.ts";

/** What the assumptions of a theorem are called, and the cases in which a false claim is looked at. */
export const ASSUMPTIONS = { holds: "Holds under", refuted: "Looked at" } as const;

/**
 * Chapters as plain text for a terminal: the prose of each, then its theorems, each with statement, source, what is worth remembering, and its check.
 *
 * @param options.opening what stands before the first chapter
 */
export function bookText(
  chapters: readonly Chapter[],
  { opening }: { readonly opening: string },
): string {
  return [
    ...(opening === "" ? [] : [plain(opening), ""]),
    ...chapters.flatMap(({ title, folder, prose, theorems }) => [
      `${title} (${folder})`,
      "=".repeat(title.length + folder.length + 3),
      "",
      plain(prose()),
      "",
      ...theorems.flatMap((theorem) => [...section(theorem).map((line) => `  ${line}`), ""]),
    ]),
  ].join("\n");
}

function section(theorem: Theorem): string[] {
  const { id, statement, citation, source, expected, remember, assumptions } = theorem;
  return [
    id,
    "-".repeat(id.length),
    expected === "refuted" ? `False: ${statement}` : statement,
    ...(theorem.corrected === undefined ? [] : [`True in its place: ${theorem.corrected.name}.`]),
    `Source: ${citation}. Met in: ${source}.`,
    `Remember: ${remember()}`,
    ...(assumptions.length === 0 ? [] : [`${ASSUMPTIONS[expected]}: ${assumptions.join("; ")}.`]),
    `Check: ${checkOf(theorem)}`,
  ];
}

/** How a theorem is checked, in a sentence or two. */
function checkOf({ kind, checked, onPaper, mutants }: Theorem): string {
  return `${kind}${checked === undefined ? "" : `; ${checked}`}.${
    onPaper ? " Runs no shipped code." : ""
  } Rejected by it: ${mutants.map(({ name }) => name).join("; ")}.`;
}

/** Markdown without its marks of strength; items of a list are labels with their text beside them. */
function plain(markdown: string): string {
  return markdown.replaceAll("**", "").replaceAll(/^(\d+\.) /gm, "$1  ");
}
