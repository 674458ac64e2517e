import { chapters, opening, theorems } from "../book.ts";
import { chapterFolder, theoremFile } from "./theorem_file.ts";

/** The page of proofs, as `deno task build proofs` writes it: what the book begins with, its chapters, and how it is made. */
export function proofsReadme(): string {
  return `<!-- Written by deno task build proofs. deno-fmt-ignore-file -->

# A book of statements

\`\`\`sh
deno task prove --book                # read it, or the part that names say
deno task prove                       # check all of it
deno task prove erm/lemma_7 queries   # a theorem, a chapter
deno task prove --list                # statements, and cases that are checked
deno task prove --trusted             # the files that audits rest on
deno task prove --markdown FILE       # a page of margins, witnesses, documents
\`\`\`

${withLinks(opening())}

## Chapters

${
    chapters.map(({ folder, title, theorems }, at) =>
      `${at + 1}. [${title}](${
        chapterFolder(folder).slice("proofs/".length)
      }/chapter.ts): ${theorems.length} ${
        theorems.length === 1 ? "statement" : "statements"
      } in \`${folder}\``
    ).join("\n")
  }

## How it is made

What somebody said, in one of the five documents or in the field, is a theorem or a false claim, with its check on the code that is shipped and the
broken variants, its mutants, that the same check must reject. What only our own code says is a test, below \`tests\`. \`book.ts\` is the order of the
chapters and what the book begins with; \`chapter.ts\` in a folder is the prose of that chapter and the order of its theorems. \`engine/theorem_file.ts\` has the member of each chapter. Terminal, site and
this page are made of these.

\`documents\` are the tables of the five documents: place, statement, and what checks or refutes it. \`engine\` runs theorems and writes pages; \`tools\`
are certified maxima, quadrature and searches; \`checks\` beside a chapter are what several of its theorems share.
`;
}

/** Prose with a link to the file of each theorem that it names. */
function withLinks(prose: string): string {
  const files = new Map(
    theorems.map((each) => [each.id, theoremFile(each).slice("proofs/".length)]),
  );
  return prose.replaceAll(
    /`([a-z_]+\/[a-z0-9_]+)`/g,
    (whole, id) => files.has(id) ? `[${id}](${files.get(id)})` : whole,
  );
}
