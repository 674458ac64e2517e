import { Command } from "commander";
import { prepareRows } from "../../lib/learners/erm/prepare_rows.ts";
import { selectRows } from "../../lib/learners/erm/rows.ts";
import { withIntercept } from "../../lib/learners/erm/with_intercept.ts";
import { adultTargets } from "./adult_targets.ts";
import { crossValidate, foldsOf, type Labelled } from "./cross_validate.ts";
import { figureSvg } from "./figure_svg.ts";
import { loadAdult, loadKdd, WHERE_TO_GET_DATA } from "./load_data.ts";
import { PRINTED_ADULT, PRINTED_KDD, type PrintedTable } from "./printed.ts";
import { denseCopy, generatedRows, timeMinimise, timeScikitLearn, type Timing } from "./speed.ts";
import { type Cell, computeFigure, computeTable, type Point } from "./tables.ts";

/** `deno run … bench/erm/main.ts --data DIR`: tables, figures, targets and speed, as CSV and SVG. */

interface Options {
  readonly data?: string;
  readonly out: string;
  readonly repeats: number;
  readonly folds: number;
  readonly parts: string;
  readonly python: string;
}

const program = new Command("bench/erm")
  .option("--data <dir>", "directory of the data sets")
  .option("--out <dir>", "where CSV and SVG are written", "out/erm")
  .option("--repeats <n>", "draws of noise a fold (the paper: 50)", Number, 2)
  .option("--folds <n>", "folds (the paper: 10)", Number, 10)
  .option("--parts <list>", "of targets,speed,large,adult,kdd", "targets,speed,adult,kdd")
  .option("--python <program>", "a Python with scikit-learn, for part speed", "python3");
const options = program.parse().opts<Options>();
await Deno.mkdir(options.out, { recursive: true });
if (options.data === undefined || !await exists(`${options.data}/adult/adult.data.gz`)) {
  console.log(WHERE_TO_GET_DATA);
  console.log("\nWithout them, a small table on generated rows:\n");
  await onGenerated(options);
} else await onData(options.data, options);

async function onData(data: string, { parts, ...rest }: Options): Promise<void> {
  const wanted = parts.split(",");
  if (wanted.includes("targets")) await targets(data, rest.out);
  if (wanted.includes("speed")) await speed(data, rest);
  if (wanted.includes("large")) await large(rest.out);
  if (wanted.includes("adult")) {
    const { rows, signs } = await loadAdult(data, { part: "both" });
    const prepared = { rows: asInPaper(rows), signs };
    await study(prepared, { ...rest, name: "adult", title: "Adult", table: PRINTED_ADULT });
    await tightSlack(prepared, { ...rest, name: "adult", table: PRINTED_ADULT });
  }
  if (wanted.includes("kdd")) {
    const { rows, signs } = await loadKdd(data);
    const prepared = { rows: asInPaper(rows), signs };
    await study(prepared, { ...rest, name: "kddcup99", title: "KDDCup99", table: PRINTED_KDD });
    await tightSlack(prepared, { ...rest, name: "kddcup99", table: PRINTED_KDD });
  }
}

/** Section 7.1: columns at most 1 (they are), a constant column, rows scaled to norm 1. */
function asInPaper(rows: Labelled["rows"]): Labelled["rows"] {
  return prepareRows(withIntercept(rows, { value: 1 }), { normBound: 1 });
}

async function study(
  data: Labelled,
  { name, title, table, out, repeats, folds }: Pick<Options, "out" | "repeats" | "folds"> & {
    name: string;
    title: string;
    table: PrintedTable;
  },
): Promise<void> {
  const start = performance.now();
  const pairs = foldsOf(data, { count: folds, seed: 20111 });
  console.log(`${title}: ${data.rows.rowCount} rows, ${data.rows.columnCount} columns`);
  const cells = computeTable(pairs, { table, repeats, seed: 20112, onCell: printCell });
  await writeCsv(`${out}/${name}_table.csv`, cells);
  const agreeing = cells.filter(({ agrees }) => agrees).length;
  if (!cells.some(({ printed }) => Number.isNaN(printed))) {
    console.log(`${agreeing} of ${cells.length} cells agree with the printed table`);
  }
  const points = computeFigure(pairs, { cells, repeats, seed: 20113, onPoint: printPoint });
  await writeCsv(`${out}/${name}_figure.csv`, points);
  await Deno.writeTextFile(`${out}/${name}_figure.svg`, figureSvg(points, { title }));
  console.log(`${title}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
}

/** The Huber column of objective perturbation once more, with the tight slack and its noise share. */
async function tightSlack(
  data: Labelled,
  { name, table, out, repeats, folds }: Pick<Options, "out" | "repeats" | "folds"> & {
    name: string;
    table: PrintedTable;
  },
): Promise<void> {
  const pairs = foldsOf(data, { count: folds, seed: 20111 });
  const lines = table.exponents.map((exponent) => {
    const ours = crossValidate(pairs, {
      loss: "huber",
      method: "objective",
      lambda: 10 ** exponent,
      epsilon: 0.1,
      repeats,
      seed: 20114,
      slack: "tight",
    });
    console.log(
      `  ${name}, tight slack, Λ=1e${exponent}: ${ours.error.toFixed(4)} ± ` +
        ours.standardError.toFixed(4),
    );
    return { exponent, ...ours };
  });
  await writeCsv(`${out}/${name}_tight_slack.csv`, lines);
}

async function targets(data: string, out: string): Promise<void> {
  const lines = await adultTargets(data, { seeds: 10 });
  console.log("Adult, 30,162 training and 15,060 test rows, mean of 10 seeds");
  for (const { epsilon, error, standardError, target, diffprivlib } of lines) {
    console.log(
      `  ε=${epsilon}: ${error.toFixed(4)} ± ${standardError.toFixed(4)}, ` +
        `target ${target}, diffprivlib ${diffprivlib}: ${error <= target ? "reached" : "MISSED"}`,
    );
  }
  await writeCsv(`${out}/adult_targets.csv`, lines);
}

/** The first 32,561 complete rows of Adult: here, and in scikit-learn on the same core if it is there. */
async function speed(
  data: string,
  { out, python }: Pick<Options, "out" | "python">,
): Promise<void> {
  const { rows, signs } = await loadAdult(data, { part: "both" });
  const rowCount = 32_561, lambda = 1 / rowCount, runs = 5;
  const first = Int32Array.from({ length: rowCount }, (_, i) => i);
  const sparse = selectRows(asInPaper(rows), first);
  const shared = { signs: signs.slice(0, rowCount), lambda, runs };
  await report(`${out}/speed.csv`, [
    timeMinimise("Adult, given sparse", { rows: sparse, ...shared }),
    timeMinimise("Adult, given dense", { rows: denseCopy(sparse), ...shared }),
  ]);
  const theirs = await timeScikitLearn({ rows: sparse, ...shared, python, directory: out });
  console.log("  scikit-learn, lbfgs:", JSON.stringify(theirs));
}

/** Growth with n and d on dense rows: up to 840 MB of them. */
async function large(out: string): Promise<void> {
  const sizes = [[32_561, 105], [32_561, 500], [32_561, 1000], [250_000, 105], [1_000_000, 105]];
  const timings = sizes.map(([rowCount, columnCount]) => {
    const generated = generatedRows({ rowCount: rowCount!, columnCount: columnCount!, seed: 1 });
    return timeMinimise(`dense ${rowCount} by ${columnCount}`, {
      ...generated,
      lambda: 1 / rowCount!,
      runs: 1,
    });
  });
  await report(`${out}/large.csv`, timings);
}

async function report(path: string, timings: readonly Timing[]): Promise<void> {
  for (const { name, seconds, iterations, gradientNorm } of timings) {
    console.log(
      `  ${name}: ${seconds.toFixed(3)} s, ${iterations} steps to ${gradientNorm.toExponential(1)}`,
    );
  }
  await writeCsv(path, timings);
}

async function onGenerated({ out, repeats, folds }: Options): Promise<void> {
  const { rows, signs } = generatedRows({ rowCount: 4000, columnCount: 10, seed: 2 });
  const data = { rows: prepareRows(rows, { normBound: 1 }), signs };
  const unknown = new Array(3).fill(NaN);
  const columns = { "non-private": unknown, output: unknown, objective: unknown };
  const table = { exponents: [-4, -3, -2], errors: { logistic: columns, huber: columns } };
  await study(data, { name: "generated", title: "Generated rows", table, out, repeats, folds });
}

function printCell({ loss, method, exponent, error, standardError, printed, agrees }: Cell): void {
  console.log(
    `  ${loss.padEnd(8)} ${method.padEnd(11)} Λ=1e${exponent}: ${error.toFixed(4)} ± ` +
      `${standardError.toFixed(4)}` +
      (Number.isNaN(printed) ? "" : `, printed ${printed.toFixed(4)}${agrees ? "" : "  DIFFERS"}`),
  );
}

function printPoint({ loss, method, epsilon, exponent, error, standardError }: Point): void {
  console.log(
    `  ${loss.padEnd(8)} ${method.padEnd(11)} ε=${epsilon} (Λ=1e${exponent}): ` +
      `${error.toFixed(4)} ± ${standardError.toFixed(4)}`,
  );
}

async function writeCsv<Line extends object>(path: string, lines: readonly Line[]): Promise<void> {
  const names = Object.keys(lines[0]!);
  const text = lines.map((line) => names.map((name) => String(line[name as keyof Line])).join(","));
  await Deno.writeTextFile(path, [names.join(","), ...text, ""].join("\n"));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
