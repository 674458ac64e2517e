/**
 * Twenty programs that keep their claims and twenty that do not, in five languages, each audited by the command with default options:
 * the verdict, the bound, draws and seconds. The exit status is 1 where a claim that is kept was refuted.
 *
 * Usage: `deno task bench five-languages [--only NAME] [--seed N]`; needs python3, node, Rscript with jsonlite, gcc and go.
 */
import { option } from "../option.ts";
interface Program {
  readonly language: "python" | "node" | "r" | "c" | "go";
  /** The program that keeps its claim, and the one that does not. */
  readonly names: readonly [kept: string, broken: string];
  readonly claim: string;
  readonly rows: unknown;
  readonly size: string;
  readonly relation: "replace-one" | "add-remove-one";
  /** The relation of the broken one, where it is another. */
  readonly brokenRelation?: "replace-one" | "add-remove-one";
  /** Rows and claim of the broken one, where they are others. */
  readonly brokenClaim?: string;
}

const unit = { type: "number", min: 0, max: 1 };
const colour = { type: "category", values: ["red", "green", "blue"] };
const person = {
  type: "record",
  fields: {
    city: { type: "category", values: ["Rome", "Oslo"] },
    age: { type: "number", min: 0, max: 2 },
  },
};

function snake(
  language: Program["language"],
  name: string,
  more: Omit<Program, "language" | "names">,
): Program {
  return { language, names: [name, `${name}_broken`], ...more };
}

function camel(
  language: Program["language"],
  name: string,
  more: Omit<Program, "language" | "names">,
): Program {
  return { language, names: [name, `${name}Broken`], ...more };
}

const one = "--epsilon 1", addRemove = "add-remove-one", replace = "replace-one";

const programs: readonly Program[] = [
  snake("python", "mean", {
    claim: one,
    rows: unit,
    size: "2..5",
    relation: replace,
    brokenRelation: addRemove,
  }),
  snake("python", "responses", {
    claim: `--epsilon ${Math.log(3)}`,
    rows: { type: "boolean" },
    size: "4",
    relation: replace,
  }),
  snake("python", "best", {
    claim: one,
    rows: { type: "integer", min: 0, max: 4 },
    size: "1..6",
    relation: replace,
  }),
  snake("python", "count", { claim: one, rows: unit, size: "0..5", relation: addRemove }),
  camel("node", "histogram", { claim: one, rows: colour, size: "0..5", relation: addRemove }),
  camel("node", "aboveThreshold", { claim: one, rows: unit, size: "0..5", relation: addRemove }),
  camel("node", "clippedSum", {
    claim: one,
    rows: { type: "number", min: -2, max: 3 },
    size: "0..5",
    relation: addRemove,
  }),
  camel("node", "mostFrequent", {
    claim: one,
    brokenClaim: "--epsilon 0.2",
    rows: colour,
    size: "0..5",
    relation: addRemove,
  }),
  snake("r", "gaussian_sum", { claim: "--mu 1", rows: unit, size: "2..5", relation: replace }),
  snake("r", "proportions", { claim: one, rows: unit, size: "2..5", relation: replace }),
  snake("r", "median_of", { claim: one, rows: unit, size: "3..5", relation: replace }),
  snake("r", "table_of", {
    claim: one,
    rows: { type: "integer", min: 1, max: 3 },
    size: "1..5",
    relation: replace,
  }),
  snake("c", "sum", { claim: one, rows: unit, size: "0..5", relation: addRemove }),
  snake("c", "two_sums", {
    claim: one,
    rows: { type: "vector", length: 2, of: unit },
    size: "0..4",
    relation: addRemove,
  }),
  snake("c", "answer", {
    claim: one,
    rows: { type: "integer", min: 0, max: 3 },
    size: "1",
    relation: replace,
  }),
  snake("c", "mean_twice", { claim: one, rows: unit, size: "2..5", relation: replace }),
  camel("go", "counts", { claim: one, rows: person, size: "0..4", relation: addRemove }),
  camel("go", "ages", { claim: one, rows: person, size: "0..4", relation: addRemove }),
  camel("go", "prefixSums", { claim: one, rows: unit, size: "4", relation: replace }),
  camel("go", "maximum", { claim: one, rows: unit, size: "2..5", relation: replace }),
];

const root = new URL("../../", import.meta.url).pathname;
const folder = `${root}fixtures/judge/five_languages`;

async function built(): Promise<string> {
  const into = await Deno.makeTempDir();
  await Deno.mkdir(`${into}/dpcheck`);
  await Deno.copyFile(`${root}adapters/go/dpcheck.go`, `${into}/dpcheck/dpcheck.go`);
  await Deno.copyFile(`${folder}/programs.go`, `${into}/main.go`);
  await Deno.writeTextFile(`${into}/go.mod`, "module example.com/five\n\ngo 1.18\n");
  const c = ["-O2", "-I", `${root}adapters/c`, `${folder}/programs.c`, "-o", `${into}/c`, "-lm"];
  for (const [command, args] of [["gcc", c], ["go", ["build", "-o", "go", "."]]] as const) {
    const { success } = await new Deno.Command(command, { args: [...args], cwd: into }).output();
    if (!success) throw new Error(`${command} failed`);
  }
  return into;
}

const into = await built();
const commands: Readonly<Record<Program["language"], string>> = {
  python: `python3 ${folder}/programs.py`,
  node: `node ${folder}/programs.mjs`,
  r: `Rscript ${folder}/programs.R`,
  c: `${into}/c`,
  go: `${into}/go`,
};
const only = option("only"), seed = Number(option("seed") ?? 2601);
let falseRefutations = 0;
console.log(`Default options, α = 0.01, seeds from ${seed}\n`);
console.log(
  "| language | program | claim | relation | verdict | bound | detectable | draws | seconds |",
);
console.log("| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |");
for (const [index, program] of programs.entries()) {
  for (const [side, name] of program.names.entries()) {
    if (only !== undefined && !name.startsWith(only)) continue;
    const isBroken = side === 1;
    const claim = (isBroken ? program.brokenClaim : undefined) ?? program.claim;
    const relation = (isBroken ? program.brokenRelation : undefined) ?? program.relation;
    const begun = performance.now();
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-check", `${root}cli/main.ts`, "audit"],
        ...["--exec", `${commands[program.language]} ${name}`, ...claim.split(" ")],
        ...["--rows", JSON.stringify(program.rows), "--size", program.size, "--relation", relation],
        ...["--seed", String(seed + 2 * index + side), "--json=-", "--quiet"],
      ],
      cwd: root,
    }).output();
    const seconds = (performance.now() - begun) / 1000;
    const report = code <= 1 || code === 4
      ? JSON.parse(new TextDecoder().decode(stdout))
      : undefined;
    if (report === undefined) console.error(new TextDecoder().decode(stderr));
    if (!isBroken && code === 1) falseRefutations++;
    const bound = report?.epsilonLowerBound, detectable = report?.detectableEpsilon;
    console.log(
      `| ${program.language} | ${name} | ${claim.slice(2, 13)} | ${relation} | ${
        report?.verdict ?? "failed"
      } | ` +
        `${bound > 1e300 ? "∞" : bound?.toPrecision(4)} | ${
          detectable?.toPrecision?.(4) ?? "–"
        } | ${report?.draws} | ${seconds.toFixed(1)} |`,
    );
  }
}
await Deno.remove(into, { recursive: true });
Deno.exitCode = falseRefutations > 0 ? 1 : 0;
