import process from "node:process";
import { chapters, opening, theorems } from "../../proofs/book.ts";
import { bookText } from "../../proofs/engine/book_text.ts";
import { documents } from "../../proofs/documents/all.ts";
import { proofHtml } from "../../proofs/engine/html.ts";
import { KINDS } from "../../proofs/engine/kinds.ts";
import { proofMarkdown, shortMargin } from "../../proofs/engine/markdown.ts";
import {
  PROOF_SEED,
  type ProofReport,
  type ProofResult,
  prove,
} from "../../proofs/engine/prove.ts";
import { tally } from "../../proofs/engine/tally.ts";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { BadInput } from "../options/bad_input.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { checkOutputFiles } from "../output/output_files.ts";
import type { ProveArguments } from "../options/prove_arguments.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";

/** Checks the theorems of these names, prints and writes the results, and returns the exit status. @throws {BadInput} when a name, the seed or a file cannot be used. */
export async function runProve(ids: readonly string[], options: ProveArguments): Promise<number> {
  const seed = options.seed === undefined ? PROOF_SEED : Number(options.seed);
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new BadInput(`--seed ${options.seed}: must be a whole number`);
  }
  const chosen = select(ids, options.kind);
  const { json, markdown, html } = options;
  checkOutputFiles({ ...(json && { json }), ...(markdown && { markdown }), ...(html && { html }) });
  const isTaken = [json, markdown, html].includes(STANDARD_OUTPUT);
  // Text goes to standard error where a report goes to standard output.
  const say = (text: string): void => isTaken ? console.error(text) : console.log(text);
  if (options.book === true) {
    const of = chapters.map((chapter) => ({
      ...chapter,
      theorems: chapter.theorems.filter((theorem) => chosen.includes(theorem)),
    })).filter((chapter) => chapter.theorems.length > 0);
    const whole = ids.length === 0 && options.kind === undefined;
    // This also serves pagers, which break lines within words.
    const columns = Math.min(process.stdout.columns ?? PAGE, PAGE);
    say(wrapLines(bookText(of, { opening: whole ? opening() : "" }), columns, { hanging: 0 }));
    return ExitStatus.notRefuted;
  }
  if (options.list === true) {
    write("--json", json, () =>
      JSON.stringify(
        chosen.map(({ id, kind, statement, checked, citation }) => ({
          id,
          kind,
          statement,
          checked,
          citation,
        })),
        undefined,
        2,
      ));
    for (const { id, kind, statement, checked } of chosen) {
      say(`${id}\n    ${statement}`);
      if (checked !== undefined) say(`    Checked (${kind}): ${checked}.`);
    }
    return ExitStatus.notRefuted;
  }
  const width = chosen.reduce((most, { id }) => Math.max(most, id.length), 0);
  const { columns = Infinity } = process.stdout;
  if (columns >= width + FIGURES) say(heading(width, columns));
  const report = await prove(chosen, {
    seed,
    onResult: (result) => say(wrapLines(line(result, { width, columns }), process.stdout.columns)),
  });
  say(wrapLines(summary(report), process.stdout.columns));
  write("--json", json, () => JSON.stringify(report, numbers, 2));
  write("--markdown", markdown, () => proofMarkdown(report, documents));
  write("--html", html, () => proofHtml(report, documents));
  return report.ok ? ExitStatus.notRefuted : ExitStatus.refuted;
}

function select(ids: readonly string[], kind: string | undefined): typeof theorems {
  if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
    const kinds = Object.keys(KINDS);
    throw new BadInput(
      `--kind ${kind}: must be one of ${kinds.join(", ")}${closestName(kind, kinds)}`,
    );
  }
  for (const id of ids) {
    if (!theorems.some((theorem) => matches(theorem.id, id))) {
      throw new BadInput(
        `${id}: no theorem or folder of that name${closestTheorem(id)}; --list shows them`,
      );
    }
  }
  return theorems.filter((theorem) =>
    (ids.length === 0 || ids.some((id) => matches(theorem.id, id))) &&
    (kind === undefined || theorem.kind === kind)
  );
}

/** The nearest of all theorems, by their names with and without folders, and of all folders. */
function closestTheorem(wanted: string): string {
  const ids = theorems.map(({ id }) => id);
  const folders = ids.map((id) => id.slice(0, id.lastIndexOf("/")));
  const near = closestName(wanted, [...new Set([...ids, ...folders])]);
  if (near !== "") return near.replace("?", "");
  const names = new Map(ids.map((id) => [id.slice(id.lastIndexOf("/") + 1), id]));
  const name = /mean (.*)\?/.exec(closestName(wanted, [...names.keys()]))?.[1];
  return name === undefined ? "" : `; did you mean ${names.get(name)}`;
}

function matches(id: string, wanted: string): boolean {
  return id === wanted || id.startsWith(`${wanted.replace(/\/$/, "")}/`);
}

function heading(width: number, columns: number): string {
  const source = columns === Infinity ? "  source" : "";
  return `   ${"theorem".padEnd(width)}  kind         result    margin   mutants  seconds${source}`;
}

/** Columns of a page of the book. */
const PAGE = 80;

/** Columns of the figures beside a theorem's name. */
const FIGURES = 56;

/** The row of a theorem; on a terminal too narrow for it its figures stand beneath its name, and on most its source does. */
function line(
  result: ProofResult,
  { width, columns }: { readonly width: number; readonly columns: number },
): string {
  const { id, kind, margin, mutants, corrected, seconds, ok, citation } = result;
  const rejected = mutants.filter(({ rejected }) => rejected).length;
  const mark = ok ? " " : "✗", ofMutants = `${rejected}/${mutants.length}`;
  const isNarrow = columns < width + FIGURES;
  const row = isNarrow ? `${mark}  ${id}` : [
    mark,
    id.padEnd(width),
    kind.padEnd(11),
    result.result.padEnd(8),
    shortMargin(margin).padStart(7),
    ofMutants.padStart(8),
    seconds.toFixed(2).padStart(8),
    ...(columns === Infinity ? [citation] : []),
  ].join("  ");
  const notes = [
    ...(isNarrow
      ? [
        `${kind}: ${result.result}; margin ${shortMargin(margin)}; mutants ${ofMutants}; ${
          seconds.toFixed(2)
        } s`,
      ]
      : []),
    ...(columns === Infinity ? [] : [citation]),
    ...(result.witness === undefined ? [] : [`witness: ${result.witness}`]),
    ...(corrected === undefined
      ? []
      : [`${corrected.name}: ${corrected.holds ? "holds" : "DOES NOT HOLD"}`]),
    ...mutants.filter(({ rejected }) => !rejected).map(({ name }) => `SURVIVES: ${name}`),
    ...(ok ? [] : [result.detail]),
  ];
  return [row, ...notes.map((note) => `       ${note}`)].join("\n");
}

function summary(report: ProofReport): string {
  const { holds, refuted, failed, mutants } = tally(report);
  const broken = failed === 0 ? "" : `, ${failed} failed`;
  return `\n${holds} hold, ${refuted} refuted${broken}; ${mutants} mutants; ` +
    `${report.seconds.toFixed(1)} s. ` +
    (report.ok
      ? "All as expected."
      : `NOT AS EXPECTED: ${
        report.results.filter(({ ok }) => !ok).map(({ id }) => id).join(", ")
      }`);
}

/** JSON has no infinities and no NaN. */
function numbers(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function write(option: string, file: string | undefined, text: () => string): void {
  if (file !== undefined) writeOutput(option, file, text());
}
