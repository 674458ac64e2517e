import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { TYPE_STRIPPER } from "../../lib/judge/source/strip_types.ts";
import { reasonOf } from "../options/reason_of.ts";

/** A program or package that dpcheck can use, as it is found on this machine. */
export interface Tool {
  /** Its name in JSON. */
  readonly name: string;
  /** Its name in text. */
  readonly title: string;
  /** `null` where it is not there, or does not say. */
  readonly version: string | null;
  /** The uses that it has. */
  readonly neededFor: string;
  /** Reason for which it cannot be used. */
  readonly problem?: string;
  /** The command that installs it, or the page that says how. There is none where nothing is to be done. */
  readonly install?: string;
}

/** The machine on which tools are looked for. Tests replace it. */
export interface Machine {
  readonly platform: string;
  /** Standard output of a program. Rejects where it cannot be run. */
  run(command: string, args: readonly string[]): Promise<string>;
  /** The version of an npm package that a program here would load. */
  packageVersion(name: string): string | undefined;
  /** This runtime takes types out of TypeScript. */
  readonly stripsTypes: boolean;
  /** The package manager of Debian is there. */
  readonly hasApt: boolean;
}

/** Looks for everything that dpcheck can use besides itself, at the same time. */
export async function installedTools(machine: Machine): Promise<Tool[]> {
  const found = await Promise.all([
    ...PROGRAMS.map((program) => programTool(machine, program)),
    pythonTools(machine),
    rTools(machine),
  ]);
  return [
    ...found.flat(),
    ...PACKAGES.map((each) => packageTool(machine, each)),
    ...typeStripper(machine),
  ];
}

/** Names of a program in package managers; `other` is for all other systems. */
interface Install {
  readonly apt?: string;
  readonly brew?: string;
  readonly winget?: string;
  readonly other: string;
}

function installLine({ platform, hasApt }: Machine, { apt, brew, winget, other }: Install): string {
  if (platform === "darwin" && brew !== undefined) return `brew install ${brew}`;
  if (platform === "win32" && winget !== undefined) return `winget install ${winget}`;
  return hasApt && apt !== undefined ? `sudo apt-get install ${apt}` : other;
}

/** A program that prints its version. */
interface ProgramEntry {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly neededFor: string;
  readonly least?: string;
  readonly install: Install;
}

const PROGRAMS: readonly ProgramEntry[] = [
  {
    name: "node",
    title: "Node",
    command: "node",
    neededFor: "programs and tests in JavaScript for Node",
    least: "20.11",
    install: { brew: "node", winget: "OpenJS.NodeJS.LTS", other: "https://nodejs.org/en/download" },
  },
  {
    name: "deno",
    title: "Deno",
    command: "deno",
    neededFor: "programs and tests for Deno, and work in a clone of dpcheck",
    least: "2.9",
    install: {
      brew: "deno",
      winget: "DenoLand.Deno",
      other: "curl -fsSL https://deno.land/install.sh | sh",
    },
  },
  {
    name: "redis",
    title: "Redis",
    command: "redis-server",
    neededFor: "--queue on this machine; a Redis elsewhere does as well",
    install: {
      apt: "redis-server",
      brew: "redis",
      other: "https://redis.io/docs/latest/operate/oss_and_stack/install/",
    },
  },
  {
    name: "z3",
    title: "Z3",
    command: "z3",
    neededFor: "checking what exact --smt writes, by a solver that is not ours",
    install: {
      apt: "z3",
      brew: "z3",
      other: "https://github.com/Z3Prover/z3/releases",
    },
  },
  {
    name: "cvc5",
    title: "cvc5",
    command: "cvc5",
    neededFor: "checking what exact --smt writes, by a second solver",
    install: {
      apt: "cvc5",
      brew: "cvc5/homebrew-cvc5/cvc5",
      other: "https://github.com/cvc5/cvc5/releases",
    },
  },
];

async function programTool(
  machine: Machine,
  { name, title, command, neededFor, least, install }: ProgramEntry,
): Promise<Tool> {
  const line = installLine(machine, install);
  try {
    const version = /\d+(\.\d+)+/.exec(await machine.run(command, ["--version"]))?.[0] ?? null;
    return judged({ name, title, version, neededFor }, { least, install: line });
  } catch (error) {
    return { name, title, version: null, neededFor, ...problemOf(error), install: line };
  }
}

/** The same tool, with what is wrong where its version is too old. */
function judged(
  tool: Tool,
  { least, install }: { readonly least: string | undefined; readonly install: string },
): Tool {
  const { version } = tool;
  if (version === null || least === undefined || !isBefore(version, least)) return tool;
  return { ...tool, problem: `must be ${least} or later`, install };
}

/** Tells if a version comes before another. */
export function isBefore(version: string, other: string): boolean {
  const parts = version.split(".").map(Number), others = other.split(".").map(Number);
  const place = others.findIndex((part, at) => (parts[at] ?? 0) !== part);
  return place >= 0 && (parts[place] ?? 0) < others[place]!;
}

/** The reason for which a program cannot be run; empty if there is none of that name. */
function problemOf(error: unknown): { readonly problem?: string } {
  const { code, killed } = error as { readonly code?: unknown; readonly killed?: boolean };
  if (code === "ENOENT") return {};
  return { problem: killed === true ? "does not answer" : `cannot be run: ${firstLine(error)}` };
}

function firstLine(error: unknown): string {
  return reasonOf(error).split("\n")[0]!;
}

/** Prints versions of Python and of packages, none of which is loaded. */
const ASK_PYTHON = `
import json, os, sys, sysconfig
from importlib import metadata
found = {"python": ".".join(map(str, sys.version_info[:3])), "at": sys.executable}
found["managed"] = sys.prefix == sys.base_prefix and os.path.exists(
    os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED"))
for name in sys.argv[1:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
`;

const PYTHON_PACKAGES = {
  numpy: "recording programs that draw with NumPy",
  scipy: "recording programs that draw with scipy.stats",
  torch: "recording programs that draw with PyTorch",
} as const;

async function pythonTools(machine: Machine): Promise<Tool[]> {
  const python = {
    name: "python",
    title: "Python",
    neededFor: "programs in Python, with the adapter that serves and records them",
  };
  const install = installLine(machine, {
    apt: "python3",
    brew: "python",
    winget: "Python.Python.3.12",
    other: "https://www.python.org/downloads/",
  });
  const packages = Object.entries(PYTHON_PACKAGES);
  try {
    const { found, command } = await asked(machine, packages.map(([name]) => name));
    const pip = found.managed === true
      ? `${command} -m venv .venv && .venv/bin/python -m pip install`
      : `${command} -m pip install`;
    return [
      judged({ ...python, title: `Python (${found.at})`, version: String(found.python) }, {
        least: "3.9",
        install,
      }),
      ...packages.map(([name, neededFor]) => {
        const tool = { name, title: `${name} of Python`, neededFor };
        const version = found[name];
        return typeof version === "string"
          ? { ...tool, version }
          : { ...tool, version: null, install: `${pip} ${name}` };
      }),
    ];
  } catch (error) {
    return [
      { ...python, version: null, ...problemOf(error), install },
      ...packages.map(([name, neededFor]) => (
        {
          name,
          title: `${name} of Python`,
          version: null,
          neededFor,
          install: `python3 -m pip install ${name}`,
        }
      )),
    ];
  }
}

/** Asks Python for versions, by the first of its names that can be run. */
async function asked(
  machine: Machine,
  packages: readonly string[],
): Promise<{ readonly found: Readonly<Record<string, unknown>>; readonly command: string }> {
  const run = async (command: string) => ({
    command,
    found: JSON.parse(await machine.run(command, ["-c", ASK_PYTHON, ...packages])),
  });
  return await run("python3").catch((error) =>
    run("python").catch(() => {
      throw error;
    })
  );
}

const ASK_R = "cat(as.character(getRversion()), " +
  'if (requireNamespace("jsonlite", quietly = TRUE)) as.character(packageVersion("jsonlite")))';

async function rTools(machine: Machine): Promise<Tool[]> {
  const r = {
    name: "r",
    title: "R",
    neededFor: "programs in R, with the adapter that serves and records them",
  };
  const jsonlite = { name: "jsonlite", title: "jsonlite of R", neededFor: "the adapter for R" };
  const install =
    `Rscript -e 'install.packages("jsonlite", repos = "https://cloud.r-project.org")'`;
  try {
    const printed = await machine.run("Rscript", ["--vanilla", "-e", ASK_R]);
    const [version = null, ofPackage] = printed.trim().split(/\s+/);
    return [
      { ...r, version },
      ofPackage === undefined
        ? { ...jsonlite, version: null, install }
        : { ...jsonlite, version: ofPackage },
    ];
  } catch (error) {
    const ofR = installLine(machine, {
      apt: "r-base",
      brew: "r",
      winget: "RProject.R",
      other: "https://cran.r-project.org/",
    });
    return [
      { ...r, version: null, ...problemOf(error), install: ofR },
      { ...jsonlite, version: null, install },
    ];
  }
}

const PACKAGES = [
  { name: "bullmq", neededFor: "--queue and dpcheck worker" },
  { name: "ioredis", neededFor: "--queue and dpcheck worker" },
  { name: "fast-check", neededFor: "tests with @dpcheck/dpcheck/arbitraries" },
  { name: "@duckdb/node-api", neededFor: "tables that DuckDB holds" },
  { name: "pg", neededFor: "tables of PostgreSQL" },
] as const;

function packageTool(
  machine: Machine,
  { name, neededFor }: { readonly name: string; readonly neededFor: string },
): Tool {
  const version = machine.packageVersion(name), title = `${name} (npm)`;
  return version === undefined
    ? { name, title, version: null, neededFor, install: `npm install ${name}` }
    : { name, title, version, neededFor };
}

/** The package that takes types out of TypeScript, where the runtime does not. */
function typeStripper(machine: Machine): Tool[] {
  if (machine.stripsTypes) return [];
  const [name, version] = TYPE_STRIPPER.split("@") as [string, string];
  const tool = packageTool(machine, { name, neededFor: "modules in TypeScript, under this Node" });
  return [
    tool.install === undefined ? tool : { ...tool, install: `npm install ${name}@${version}` },
  ];
}

/** Milliseconds that a program may take to say its version. */
const LONGEST_WAIT = 20_000;

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    stripsTypes: "stripTypeScriptTypes" in nodeModule,
    hasApt: process.platform === "linux" && isFile("/etc/debian_version"),
    run: (command, args) =>
      new Promise((resolve, reject) => {
        const file = fileOf(command);
        if (file === undefined) return reject(NOT_THERE);
        execFile(file, [...args], { timeout: LONGEST_WAIT }, (error, out) => {
          if (error === null) resolve(out);
          else reject(error);
        });
      }),
    packageVersion: (name) => versionIn(process.cwd(), name) ?? ownVersion(name),
  };
}

const NOT_THERE = Object.assign(new Error("there is no such program"), { code: "ENOENT" });

/** Folder in which Deno puts itself under the name `node`, for programs that it starts. */
const DENO_AS_NODE = "node_compat_bin";

/** The file that a command names. A process without PATH would look in folders of its own. */
function fileOf(command: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (process.env.PATH ?? "").split(delimiter).filter((folder) =>
    folder !== "" && basename(folder) !== DENO_AS_NODE
  )
    .flatMap((folder) => endings.map((ending) => join(folder, `${command}${ending}`)))
    .find(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The version of a package that dpcheck itself would load. */
function ownVersion(name: string): string | undefined {
  try {
    return versionAbove(fileURLToPath(import.meta.resolve(name)), name);
  } catch {
    return undefined;
  }
}

/** The version in the `package.json` of this name in a folder above a file. */
function versionAbove(file: string, name: string): string | undefined {
  const folder = dirname(file);
  const described = versionOf(join(folder, "package.json"), name);
  return described ?? (folder === file ? undefined : versionAbove(folder, name));
}

/** The version of a package in `node_modules` of a folder or of one above it. */
function versionIn(folder: string, name: string): string | undefined {
  const version = versionOf(join(folder, "node_modules", name, "package.json"), name);
  const above = dirname(folder);
  return version ?? (above === folder ? undefined : versionIn(above, name));
}

/** The version in a `package.json`; `undefined` where there is none, or it is that of another package. */
function versionOf(file: string, name: string): string | undefined {
  try {
    const found = JSON.parse(readFileSync(file, "utf8"));
    return found.name === name && typeof found.version === "string" ? found.version : undefined;
  } catch {
    return undefined;
  }
}
