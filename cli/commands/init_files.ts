import process from "node:process";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { changeNamed } from "../../lib/core/relations/relation_named.ts";
import type { RowSpec } from "../../lib/core/relations/dataset.ts";
import { BadInput } from "../options/bad_input.ts";
import type { Language } from "../options/init_arguments.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { ADAPTERS_VARIABLE } from "../output/offer_adapters.ts";

/** Choices with which a project begins. */
export interface FirstAudit {
  readonly language: Language;
  /** The file of a function, relative to the folder, and its name; `undefined` for an example. */
  readonly subject: { readonly file: string; readonly name: string } | undefined;
  readonly epsilon: number;
  /** δ of the claim; none where it is absent. */
  readonly delta?: number;
  readonly rows: RowSpec;
  readonly size: { readonly min: number; readonly max: number };
  /** The name of a relation. */
  readonly relation: string;
  /** Tests of JavaScript run under Vitest. */
  readonly vitest: boolean;
  /** Packages that the workflow installs for the function: words for pip, names for R. */
  readonly packages: readonly string[];
  /** Steps of the workflow that install dpcheck. */
  readonly install: readonly string[];
  /** The words that call dpcheck from the folder, wherever it is checked out. */
  readonly command: string;
}

/** Files to write, by their paths. */
export type Files = Readonly<Record<string, string>>;

/** Path of the npm package in a project. */
export const PACKAGE = "node_modules/@dpcheck/dpcheck";

/** The files that a project is begun with: `dpcheck.json`, a program, a test and a workflow. */
export function filesOf(first: FirstAudit): Files {
  const { program, command, test, steps } = LANGUAGE_FILES[first.language](first);
  const { epsilon, delta, rows, size, relation } = first;
  const suite = {
    $schema: `./${PACKAGE}/docs/dpcheck.schema.json`,
    alpha: 0.01,
    audits: [{
      name: first.subject?.name ?? "count",
      ...command,
      epsilon,
      ...(delta === undefined ? {} : { delta }),
      rows,
      size: `${size.min}..${size.max}`,
      relation,
      maxDraws: 20_000,
      expect: "not-refuted",
    }],
  };
  return {
    "dpcheck.json": `${JSON.stringify(suite, null, 2)}\n`,
    ...program,
    ...test,
    // Evidence is kept from build to build by a cache.
    ".gitignore": lines(
      "node_modules/",
      ".dpcheck/",
      ...(first.language === "python" ? ["__pycache__/"] : []),
    ),
    ".github/workflows/dpcheck.yml": workflow([...first.install, ...steps], first.language),
  };
}

/** The command that runs the test of a project in which dpcheck is installed. */
export function testCommand({ language, vitest }: Pick<FirstAudit, "language" | "vitest">): string {
  switch (language) {
    case "python":
      return "python3 -m pytest tests";
    case "node":
      return vitest ? "npx vitest run" : "node --test tests/";
    case "deno":
      return "deno test -A --node-modules-dir=manual tests/";
    case "r":
      return `Rscript -e 'testthat::test_dir("tests/testthat")'`;
  }
}

/** The command that runs the test of a project where dpcheck is only in a clone; Vitest needs it installed. */
export function testCommandFromClone(
  { language, vitest }: Pick<FirstAudit, "language" | "vitest">,
  { clone, command }: { readonly clone: string; readonly command: string },
): string {
  const config = quoteWord(`${clone}/deno.json`);
  const named = `DPCHECK=${quoteWord(command)}`;
  switch (language) {
    case "python":
      return `${named} PYTHONPATH=${quoteWord(`${clone}/adapters/python`)} ${
        testCommand({ language, vitest })
      }`;
    case "r":
      return `${named} ${testCommand({ language, vitest })}`;
    // Deno runs tests of node:test, too.
    case "node":
    case "deno":
      return vitest ? testCommand({ language, vitest }) : `deno test -A --config ${config} tests/`;
  }
}

interface LanguageFiles {
  readonly program: Files;
  /** The names of the program in the suite, and of the file of the function if that is another. */
  readonly command:
    | { readonly exec: string; readonly files: readonly string[] }
    | { readonly module: string };
  readonly test: Files;
  /** Steps of the workflow before the audits. */
  readonly steps: readonly string[];
}

const LANGUAGE_FILES: Readonly<Record<Language, (first: FirstAudit) => LanguageFiles>> = {
  python(first): LanguageFiles {
    const { subject, epsilon, delta, rows, size, relation } = first;
    const { file, name } = subject ?? { file: "noisy_count.py", name: "noisy_count" };
    const importing = `from ${pythonModule(file)} import ${identifier(name, "--function")}`;
    return {
      command: { exec: `python3 -m dpcheck ${file}:${name}`, files: [file] },
      program: subject === undefined ? { [file]: PYTHON_EXAMPLE } : {},
      test: {
        "tests/test_privacy.py": lines(
          "import sys",
          "from pathlib import Path",
          "",
          "ROOT = Path(__file__).resolve().parent.parent",
          `sys.path[:0] = [str(ROOT), str(ROOT / "${PACKAGE}/adapters/python")]`,
          "",
          "from dpcheck import assert_private",
          "",
          importing,
          "",
          "",
          `def test_${name}_keeps_its_claim():`,
          "    assert_private(",
          `        ${name},`,
          `        epsilon=${epsilon},`,
          ...(delta === undefined ? [] : [`        delta=${delta},`]),
          `        rows=${pythonLiteral(rows)},`,
          `        size="${size.min}..${size.max}",`,
          `        relation="${relation}",`,
          "    )",
        ),
      },
      steps: [
        "- uses: actions/setup-python@v5",
        "  with:",
        '    python-version: "3.x"',
        `- run: pip install ${[...first.packages, "pytest"].join(" ")}`,
        `- run: ${testCommand(first)}`,
      ],
    };
  },
  node: (first) => ({
    ...javascript(first, { ending: "mjs", typed: false }),
    steps: [`- run: ${testCommand(first)}`],
  }),
  deno: (first) => ({
    ...javascript(
      first,
      loadsTypeScript() ? { ending: "ts", typed: true } : { ending: "mjs", typed: false },
    ),
    steps: ["- uses: denoland/setup-deno@v2", `- run: ${testCommand(first)}`],
  }),
  r({ subject, command: dpcheck, packages }): LanguageFiles {
    const { file, name } = subject ?? { file: "noisy_count.R", name: "noisy_count" };
    const serving = `audits/${identifier(name, "--function")}.R`;
    return {
      command: { exec: `Rscript ${serving}`, files: [file] },
      program: {
        ...(subject === undefined ? { [file]: R_EXAMPLE } : {}),
        // Programs of a suite run in its folder, and dpcheck says where its adapters are.
        [serving]: lines(
          `source(file.path(Sys.getenv("${ADAPTERS_VARIABLE}"), "r", "dpcheck.R"))`,
          `source(${JSON.stringify(file)})`,
          "",
          `dpcheck_serve(${name})`,
        ),
      },
      test: {
        "tests/testthat/test-privacy.R": lines(
          `test_that("${name} keeps its claim", {`,
          `  root <- normalizePath(file.path(testthat::test_path(), "..", ".."))`,
          `  dpcheck <- Sys.getenv("DPCHECK", ${JSON.stringify(dpcheck)})`,
          `  status <- system(paste("cd", shQuote(root), "&&", dpcheck, "suite"))`,
          `  expect_equal(status, 0L)`,
          `})`,
        ),
      },
      steps: [
        "- uses: r-lib/actions/setup-r@v2",
        "  with:",
        "    use-public-rspm: true",
        `- run: Rscript -e 'install.packages(${namesInR(["jsonlite", ...packages])})'`,
      ],
    };
  },
};

function javascript(
  { subject, epsilon, delta, rows, size, relation, language, vitest }: FirstAudit,
  { ending, typed }: { readonly ending: string; readonly typed: boolean },
): Omit<LanguageFiles, "steps"> {
  const { file, name } = subject ?? { file: `noisy_count.${ending}`, name: "noisyCount" };
  identifier(name, "--function");
  const test = language === "deno" ? "Deno.test" : "test";
  const { imported, value } = relationInCode(relation);
  const searched = { rows, size };
  return {
    command: { module: `${file}#${name}` },
    program: subject === undefined ? { [file]: javascriptExample(typed) } : {},
    test: {
      [language === "deno" ? "tests/privacy_test.ts" : "tests/privacy.test.mjs"]: lines(
        ...(language === "deno"
          ? []
          : [vitest ? 'import { test } from "vitest";' : 'import { test } from "node:test";']),
        ...(imported === undefined ? [] : [`import { ${imported} } from "@dpcheck/dpcheck/core";`]),
        `import { assertPrivate } from "@dpcheck/dpcheck/testing";`,
        `import { ${name} } from ${JSON.stringify(`../${file}`)};`,
        "",
        `${test}("${name} keeps its claim", async () => {`,
        `  await assertPrivate(${name}, {`,
        `    epsilon: ${epsilon},`,
        ...(delta === undefined ? [] : [`    delta: ${delta},`]),
        `    relation: ${value},`,
        `    domain: ${JSON.stringify(searched)},`,
        "  });",
        `}${vitest ? ", 60_000" : ""});`,
      ),
    },
  };
}

/** Tells if this runtime loads modules in TypeScript: Deno, and Node from 22.18 on. */
export function loadsTypeScript(): boolean {
  const { typescript = false } = process.features as { readonly typescript?: string | false };
  return "Deno" in globalThis || typescript !== false;
}

/** The import that a program needs for a relation, if any, and the expression for it. */
function relationInCode(relation: string): { imported: string | undefined; value: string } {
  const change = changeNamed(relation);
  if (change === undefined) {
    const name = { [replaceOne.name]: "replaceOne", [addRemoveOne.name]: "addRemoveOne" }[relation];
    return { imported: name, value: name ?? JSON.stringify(relation) };
  }
  const { which, by } = change, imported = `change${which[0]!.toUpperCase()}${which.slice(1)}`;
  return { imported, value: `${imported}({ by: ${by} })` };
}

const PYTHON_EXAMPLE = lines(
  "import random",
  "",
  "EPSILON = 1",
  "",
  "",
  "def noisy_count(rows):",
  `    """How many rows are true. A row that comes or goes moves it by 1, which noise of scale 1 / EPSILON covers."""`,
  "    draw = random.SystemRandom().expovariate",
  "    return sum(rows) + (draw(1) - draw(1)) / EPSILON",
);

const R_EXAMPLE = lines(
  "EPSILON <- 1",
  "",
  "# How many rows are true. A row that comes or goes moves it by 1, which noise of scale 1 / EPSILON covers.",
  "noisy_count <- function(rows) sum(unlist(rows)) + (rexp(1) - rexp(1)) / EPSILON",
);

function javascriptExample(typed: boolean): string {
  const parameters = typed
    ? "(rows: readonly boolean[], source: { uniform(): number }): number"
    : "(rows, source)";
  return lines(
    "const EPSILON = 1;",
    "",
    "/** How many rows are true. A row that comes or goes moves it by 1, which noise of scale 1 / EPSILON covers. */",
    `export function noisyCount${parameters} {`,
    `  const draw = ()${typed ? ": number" : ""} => -Math.log(1 - source.uniform());`,
    "  return rows.filter(Boolean).length + (draw() - draw()) / EPSILON;",
    "}",
  );
}

function workflow(steps: readonly string[], language: Language): string {
  // Node before 22 loads no TypeScript: a build has the version that this was written with.
  const [major] = process.versions.node.split(".");
  return lines(
    "name: dpcheck",
    "on: [push, pull_request]",
    "jobs:",
    "  audit:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    ...[
      "- uses: actions/checkout@v4",
      "- uses: actions/setup-node@v4",
      "  with:",
      `    node-version: ${major}`,
      ...steps,
      "# Keeps the evidence from run to run, and writes the summary of the build.",
      `- uses: ./${PACKAGE}`,
      ...(language === "deno" ? ["  with:", "    command: deno x -A dpcheck"] : []),
    ].map((line) => `      ${line}`),
  );
}

/** The dotted name of a module of Python. */
function pythonModule(file: string): string {
  const parts = file.replace(/\.py$/, "").split("/");
  return parts.map((part) => identifier(part, `--function ${file}`)).join(".");
}

function identifier(name: string, option: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new BadInput(`${option}: "${name}" must be a name that a program can import`);
  }
  return name;
}

/** Names as R takes them: one text, or a vector of several. */
function namesInR(names: readonly string[]): string {
  const quoted = [...new Set(names)].map((name) => JSON.stringify(name));
  return quoted.length === 1 ? quoted[0]! : `c(${quoted.join(", ")})`;
}

/** A JSON value as Python writes it. */
function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, field]) =>
      `${JSON.stringify(key)}: ${pythonLiteral(field)}`
    );
    return `{${fields.join(", ")}}`;
  }
  return value === null
    ? "None"
    : value === true
    ? "True"
    : value === false
    ? "False"
    : JSON.stringify(value);
}

function lines(...all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
