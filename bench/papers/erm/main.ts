import { Command, Option } from "commander";
import { prepareRows } from "../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { additiveOnAdult } from "./additive_adult.ts";
import { adultTargets } from "./adult_targets.ts";
import { crossValidate, foldsOf, type Labelled } from "./cross_validate.ts";
import { agreementOf } from "./agreement.ts";
import { errorByEpsilon, errorByRowCount } from "./figure_svg.ts";
import { learningCurve } from "./learning_curve.ts";
import { loadAdult, loadKdd, WHERE_TO_GET_DATA } from "./load_data.ts";
import { PRINTED_ADULT, PRINTED_KDD, type PrintedTable } from "./printed.ts";
import { prepareAsRead, type Reading, READINGS } from "./readings.ts";
import { generatedRows } from "./generated_rows.ts";
import { type Cell, computeFigure, computeTable, type Point } from "./tables.ts";

/** `deno task bench erm --data DIR`: tables, figures and targets, as CSV and SVG. */

interface Options {
  readonly data?: string;
  readonly out: string;
  readonly repeats: number;
  readonly folds: number;
  readonly parts: string;
  readonly reading: string;
}

type StudyOptions = Omit<Options, "data" | "parts"> & {
  name: string;
  title: string;
  table: PrintedTable;
};

const program = new Command("bench/papers/erm")
  .option("--data <dir>", "directory of the data sets")
  .option("--out <dir>", "where CSV and SVG are written", "out/erm")
  .option("--repeats <n>", "draws of noise in the tables; a tenth of it elsewhere", Number, 50)
  .option("--folds <n>", "folds (the paper: 10)", Number, 10)
  .option(
    "--parts <list>",
    "of targets,additive,adult,kdd,curve",
    "targets,adult,kdd,curve",
  )
  .addOption(
    new Option("--reading <name>", "of the paper, see README; others than the first: tables only")
      .choices(Object.keys(READINGS)).default("paper"),
  );
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
  if (wanted.includes("additive")) await additive(data, rest.out);
  const reading = READINGS[rest.reading]!;
  if (wanted.includes("adult")) {
    const adult = asRead(await loadAdult(data, { part: "both" }), reading);
    await study(adult, { ...rest, name: "adult", title: "Adult", table: PRINTED_ADULT });
  }
  if (wanted.includes("kdd") || wanted.includes("curve")) {
    const kdd = asRead(await loadKdd(data), reading);
    if (wanted.includes("kdd")) {
      await study(kdd, { ...rest, name: "kddcup99", title: "KDDCup99", table: PRINTED_KDD });
    }
    if (wanted.includes("curve")) await curve(kdd, rest);
  }
}

function asRead({ rows, signs }: Labelled, reading: Reading): Labelled {
  return { rows: prepareAsRead(rows, reading), signs };
}

/** A table; with the reading adopted, also its figure and what the tight slack changes. */
async function study(
  data: Labelled,
  { name, title, table, out, repeats, folds, reading: readingName }: StudyOptions,
): Promise<void> {
  const start = performance.now();
  const reading = READINGS[readingName]!;
  const pairs = foldsOf(data, { count: folds, seed: 20111 });
  const suffix = readingName === "paper" ? "" : `_${readingName}`;
  console.log(`${title}: ${data.rows.rowCount} rows, ${data.rows.columnCount} columns`);
  const cells = computeTable(pairs, { table, reading, repeats, seed: 20112, onCell: printCell });
  await writeCsv(`${out}/${name}_table${suffix}.csv`, cells);
  if (!cells.some(({ printed }) => Number.isNaN(printed))) {
    const { cells: all, hundredth, standardErrors, both, sum } = agreementOf(cells);
    console.log(
      `of ${all} cells lie within .01 of the printed ones ${hundredth}, within 2 standard errors ` +
        `${standardErrors}, within both ${both}, within their sum ${sum}`,
    );
  }
  if (suffix === "") {
    const rest = { reading, repeats: Math.ceil(repeats / 10) };
    const points = computeFigure(pairs, { ...rest, cells, seed: 20113, onPoint: printPoint });
    await writeCsv(`${out}/${name}_figure.csv`, points);
    await Deno.writeTextFile(`${out}/${name}_figure.svg`, errorByEpsilon(points, { title }));
    const lines = tightSlack(pairs, { ...rest, name, table });
    await writeCsv(`${out}/${name}_tight_slack.csv`, lines);
  }
  console.log(`${title}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
}

/** The Huber column of objective perturbation once more, with the tight slack and its noise share. */
function tightSlack(
  pairs: ReturnType<typeof foldsOf>,
  { name, table, repeats, reading }: {
    name: string;
    table: PrintedTable;
    repeats: number;
    reading: Reading;
  },
): object[] {
  return table.exponents.map((exponent) => {
    const ours = crossValidate(pairs, {
      loss: "huber",
      method: "objective",
      lambda: 10 ** exponent,
      epsilon: 0.1,
      repeats,
      seed: 20114,
      slack: "tight",
      reading,
    });
    console.log(
      `  ${name}, tight slack, Λ=1e${exponent}: ${ours.error.toFixed(4)} ± ` +
        ours.standardError.toFixed(4),
    );
    return { exponent, ...ours };
  });
}

async function curve(
  data: Labelled,
  { out, repeats }: Pick<Options, "out" | "repeats">,
): Promise<void> {
  const points = learningCurve(data, {
    reading: READINGS.paper!,
    repeats: Math.ceil(repeats / 10),
    seed: 20115,
    onPoint: ({ loss, method, epsilon, rowCount, error, standardError }) =>
      console.log(
        `  ${loss.padEnd(8)} ${method.padEnd(15)} ε=${epsilon} n=${rowCount}: ` +
          `${error.toFixed(4)} ± ${standardError.toFixed(4)}`,
      ),
  });
  await writeCsv(`${out}/kddcup99_curve.csv`, points);
  for (const loss of ["logistic", "huber"] as const) {
    const ofLoss = points.filter((point) => point.loss === loss);
    await Deno.writeTextFile(
      `${out}/kddcup99_curve_${loss}.svg`,
      errorByRowCount(ofLoss, { title: "KDDCup99" }),
    );
  }
}

async function targets(data: string, out: string): Promise<void> {
  const lines = await adultTargets(data, { seeds: 10 });
  console.log("Adult, 30,162 training and 15,060 test rows, mean of 10 seeds");
  for (const { epsilon, delta, error, standardError, target, diffprivlib } of lines) {
    console.log(
      `  ε=${epsilon}, δ=${delta}: ${error.toFixed(4)} ± ${standardError.toFixed(4)}` +
        (target === undefined ? "" : `, target ${target}, diffprivlib ${diffprivlib}: ` +
          (error <= target ? "reached" : "MISSED")),
    );
  }
  await writeCsv(`${out}/adult_targets.csv`, lines);
}

async function additive(data: string, out: string): Promise<void> {
  console.log("Adult, 104 columns, median of seeds 101 to 110");
  const lines = await additiveOnAdult(data, {
    seeds: Array.from({ length: 10 }, (_, i) => 101 + i),
    onLine: ({ learner, relation, delta, errors }) => {
      const shown = Object.values(errors).map((error) => error.toFixed(4)).join(" ");
      console.log(`  ${learner}, ${relation}, δ=${delta}: ${shown}`);
    },
  });
  await writeCsv(
    `${out}/additive.csv`,
    lines.map(({ errors, ...line }) => ({ ...line, ...errors })),
  );
}

async function onGenerated(options: Options): Promise<void> {
  const { rows, signs } = generatedRows({ rowCount: 4000, columnCount: 10, seed: 2 });
  const data = { rows: prepareRows(rows, { normBound: 1 }), signs };
  const unknown = new Array(3).fill(NaN);
  const columns = { "non-private": unknown, output: unknown, objective: unknown };
  const table = { exponents: [-4, -3, -2], errors: { logistic: columns, huber: columns } };
  await study(data, { name: "generated", title: "Generated rows", table, ...options });
}

function printCell({ loss, method, exponent, error, standardError, printed, agrees }: Cell): void {
  console.log(
    `  ${loss.padEnd(8)} ${method.padEnd(15)} Λ=1e${exponent}: ${error.toFixed(4)} ± ` +
      `${standardError.toFixed(4)}` +
      (Number.isNaN(printed) ? "" : `, printed ${printed.toFixed(4)}${agrees ? "" : "  DIFFERS"}`),
  );
}

function printPoint({ loss, method, epsilon, exponent, error, standardError }: Point): void {
  console.log(
    `  ${loss.padEnd(8)} ${method.padEnd(15)} ε=${epsilon} (Λ=1e${exponent}): ` +
      `${error.toFixed(4)} ± ${standardError.toFixed(4)}`,
  );
}

async function writeCsv<Line extends object>(path: string, lines: readonly Line[]): Promise<void> {
  const names = Object.keys(lines[0]!);
  const text = lines.map((line) =>
    names.map((name) => String(line[name as keyof Line] ?? "")).join(",")
  );
  await Deno.writeTextFile(path, [names.join(","), ...text, ""].join("\n"));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
