import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { reasonOf } from "../options/reason_of.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { ownCommand } from "../output/own_process.ts";
import { STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";
import { installedTools, thisMachine, type Tool } from "./installed_tools.ts";

/** Looks for what dpcheck can use, and prints what is there, what is missing, and how to install that. Returns the exit status. */
export async function runDoctor({ json }: { readonly json?: string }): Promise<number> {
  const [problem, tools] = await Promise.all([ownProblem(), installedTools(thisMachine())]);
  const isTaken = json === STANDARD_OUTPUT, stream = isTaken ? process.stderr : process.stdout;
  stream.write(wrapLines(doctorText({ problem, tools }), stream.columns));
  if (json !== undefined) writeOutput("--json", json, doctorJson({ problem, tools }));
  return problem === undefined ? ExitStatus.notRefuted : ExitStatus.failed;
}

/** The state of this machine. */
export interface Found {
  /** The reason for which dpcheck itself cannot work. */
  readonly problem: string | undefined;
  readonly tools: readonly Tool[];
}

/** The reason for which dpcheck itself cannot work, if there is one: audits of modules, suites and exact checks write temporary files and start dpcheck again. */
async function ownProblem(): Promise<string | undefined> {
  try {
    const folder = mkdtempSync(join(tmpdir(), "dpcheck-"));
    writeFileSync(join(folder, "file"), "");
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    return `a temporary file cannot be written to ${tmpdir()}: ${reasonOf(error)}`;
  }
  try {
    const { command, args } = ownCommand(["--version"]);
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(command, [...args], (error, out) => error === null ? resolve(out) : reject(error));
    });
    if (printed.trim() === VERSION) return undefined;
    return `dpcheck started again says ${JSON.stringify(printed.trim())}, and not ${VERSION}`;
  } catch (error) {
    return `dpcheck cannot start itself again: ${reasonOf(error)}`;
  }
}

/** The runtime of this process. */
function runtime(): { readonly name: string; readonly version: string } {
  const { deno, node } = process.versions as { readonly deno?: string; readonly node: string };
  return deno === undefined ? { name: "Node", version: node } : { name: "Deno", version: deno };
}

/** The state of this machine as text. */
export function doctorText({ problem, tools }: Found): string {
  const { name, version } = runtime();
  const isThere = (tool: Tool): boolean => tool.install === undefined;
  const there = tools.filter(isThere).map(({ title, version, neededFor }) =>
    `  ${title} ${version ?? "of a version that it does not say"}: ${neededFor}`
  );
  const missing = tools.filter((tool) => !isThere(tool)).map((tool) => {
    const { title, version, neededFor, problem, install } = tool;
    const what = problem === undefined
      ? title
      : `${version === null ? title : `${title} ${version}`} ${problem}`;
    return `  ${what}: ${neededFor}\n    ${install}`;
  });
  return [
    `dpcheck ${VERSION} under ${name} ${version} ${
      problem === undefined ? "works" : `cannot work: ${problem.replace(/\.$/, "")}`
    }.`,
    "",
    "There, and what it is for:",
    ...(there.length === 0 ? ["  nothing besides"] : there),
    ...(missing.length === 0
      ? []
      : ["", "Missing, what it would be for, and how it is installed:"]),
    ...missing,
    "",
  ].join("\n");
}

/** The state of this machine as JSON. */
export function doctorJson({ problem, tools }: Found): string {
  const report = {
    dpcheck: VERSION,
    runtime: runtime(),
    works: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    tools: tools.map(({ title: _, ...tool }) => ({
      ...tool,
      isMissing: tool.install !== undefined,
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
