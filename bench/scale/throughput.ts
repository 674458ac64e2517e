/**
 * Draws a second of whole audits that spend a budget of draws, as a user runs them: the start of the program, the search for a pair and all. The
 * rows are mechanisms of the DP-Sniper suite, given as a module, and `laplace` that dpcheck ships. With `--before` another checkout takes
 * turns with this one, so that what else the machine does hits both alike.
 *
 * Usage: `deno task bench throughput [--rows NAME,…] [--draws 300000000] [--workers 1] [--rounds 1] [--seed 1] [--before CHECKOUT]`
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { suite } from "../../fixtures/judge/mutants/all.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";

const SHIPPED = "laplace";
const rows = option("rows")?.split(",") ??
  [SHIPPED, "NoisyHist1", "SVT1", "RAPPOR", "LaplaceParallel", "PrefixSum", "NumericalSVT"];
const draws = option("draws") ?? "300000000", workers = option("workers") ?? "1";
const rounds = Number(option("rounds") ?? "1"), seed = option("seed") ?? "1";
const before = option("before");
const here = fileURLToPath(new URL("../..", import.meta.url));
const checkouts = [...(before === undefined ? [] : [before]), here];

/** Cost and bound of an audit. */
interface Shown {
  readonly seconds: number;
  readonly draws: number;
  readonly bound: number;
}

/** The options that give a subject of this name, whose module is written to `folder`. */
async function subjectOptions(name: string, checkout: string, folder: string): Promise<string[]> {
  if (name === SHIPPED) return ["--mechanism", SHIPPED, "--epsilon", "1"];
  if (!suite.some(({ mechanism }) => mechanism.name === name)) {
    throw new RangeError(`--rows must be names of the suite, or ${SHIPPED}: one is ${name}`);
  }
  const module = `${folder}/row.ts`;
  const all = pathToFileURL(`${checkout}/fixtures/mutants/all.ts`).href;
  await Deno.writeTextFile(
    module,
    `import { suite } from "${all}";\n` +
      `export const row = suite.find(({ mechanism }) => mechanism.name === "${name}").mechanism;\n`,
  );
  return ["--module", `${module}#row`];
}

async function run(name: string, checkout: string): Promise<Shown> {
  const folder = await Deno.makeTempDir();
  try {
    const subject = await subjectOptions(name, checkout, folder), begun = performance.now();
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--allow-read", "--allow-write", "--allow-env", "--allow-sys", "cli/main.ts"],
        ...["audit", ...subject, "--alpha", "0.05", "--full-budget", "--no-shrink"],
        ...["--max-draws", draws, "--workers", workers, "--seed", seed],
        ...["--json", `${folder}/report.json`],
      ],
      cwd: checkout,
      stdout: "null",
    }).output();
    // 0 is not refuted, 1 refuted.
    if (code > 1) throw new Error(new TextDecoder().decode(stderr));
    const seconds = (performance.now() - begun) / 1000;
    const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    return { seconds, draws: report.draws, bound: report.epsilonLowerBound };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const columns = ["bound", "draws", "seconds", "draws a second"];
const heads = before === undefined
  ? columns
  : [...columns.map((name) => `${name}, before`), ...columns, "times"];
console.log(`| mechanism | ${heads.join(" | ")} |\n| --- |${" --: |".repeat(heads.length)}`);
for (const name of rows) {
  const shown = checkouts.map((): Shown[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, checkout] of checkouts.entries()) shown[at]!.push(await run(name, checkout));
  }
  const rates = shown.map((own) => median(own.map(({ draws, seconds }) => draws / seconds)));
  const cells = shown.flatMap((own, at) => [
    (Math.floor(own[0]!.bound * 1e4) / 1e4).toFixed(4),
    `${(own[0]!.draws / 1e6).toFixed(1)} M`,
    median(own.map(({ seconds }) => seconds)).toFixed(2),
    `${(rates[at]! / 1e6).toFixed(2)} M`,
  ]);
  if (before !== undefined) cells.push((rates[1]! / rates[0]!).toFixed(2));
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
console.log(
  `\nSeed ${seed}, ${workers} worker(s), ${rounds} round(s), load ${
    Deno.loadavg()[0]!.toFixed(1)
  } at the end.`,
);
