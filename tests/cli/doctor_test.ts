import { assert, assertEquals } from "@std/assert";
import { installedTools, isBefore, type Machine } from "../../cli/commands/installed_tools.ts";
import { doctorJson, doctorText } from "../../cli/commands/run_doctor.ts";

const absent = Object.assign(new Error("there is no such program"), { code: "ENOENT" });

/** A machine on which these programs print these texts, and on which there is nothing else. */
function machineWith(
  printed: Readonly<Record<string, string | Error>>,
  more: Partial<Machine> = {},
): Machine {
  return {
    platform: "linux",
    hasApt: true,
    stripsTypes: true,
    packageVersion: () => undefined,
    run: (command) => {
      const text = printed[command] ?? absent;
      return text instanceof Error ? Promise.reject(text) : Promise.resolve(text);
    },
    ...more,
  };
}

/** The parts of a tool that tests look at. */
type Shown = Record<"version" | "install" | "problem", string | null | undefined>;

async function found(machine: Machine): Promise<Map<string, Shown>> {
  const tools = await installedTools(machine);
  return new Map(tools.map(({ name, version, install, problem }) => [
    name,
    { version, install, problem },
  ]));
}

Deno.test("isBefore() compares versions by their numbers", () => {
  assert(isBefore("3.8.20", "3.9") && isBefore("18.19.0", "20.11") && isBefore("2", "2.9"));
  assert(!isBefore("3.10.1", "3.9") && !isBefore("20.11", "20.11") && !isBefore("3.9.0rc1", "3.9"));
});

Deno.test("on a bare machine every tool is missing, each with the line that installs it", async () => {
  for (const platform of ["linux", "darwin", "win32", "aix"]) {
    for (const hasApt of [false, true]) {
      const tools = await installedTools(machineWith({}, { platform, hasApt, stripsTypes: false }));
      for (const { name, version, install, neededFor } of tools) {
        assertEquals(version, null);
        assert(install !== undefined && neededFor !== "", name);
      }
      const text = doctorText({ problem: undefined, tools });
      assert(text.includes("nothing besides") && text.includes("npm install amaro@"), text);
    }
  }
});

// Mutants: a version that is too old counts as there; pip where Debian forbids it.
Deno.test("what is there, too old, broken or mute is told apart", async () => {
  const python = { python: "3.8.10", at: "/usr/bin/python3", managed: true, numpy: "1.24.2" };
  const tools = await found(machineWith({
    node: "v18.19.0\n",
    deno: "deno 2.9.6 (stable, release)\nv8 14.0\ntypescript 6.0\n",
    z3: "Z3 version 4.8.12 - 64 bit\n",
    cvc5: Object.assign(new Error("Command failed"), { killed: true }),
    "redis-server": Object.assign(new Error("no"), { code: "EACCES" }),
    python: JSON.stringify(python),
    Rscript: "4.2.2 ",
  }, { packageVersion: (name) => name === "bullmq" ? "6.7.0" : undefined }));
  assertEquals(tools.get("node")?.problem, "must be 20.11 or later");
  assertEquals(tools.get("deno"), { version: "2.9.6", install: undefined, problem: undefined });
  assertEquals(tools.get("z3")?.version, "4.8.12");
  assertEquals(tools.get("cvc5")?.problem, "does not answer");
  assert(tools.get("redis")?.problem?.startsWith("cannot be run"));
  assertEquals(tools.get("python")?.problem, "must be 3.9 or later");
  assertEquals(tools.get("numpy")?.version, "1.24.2");
  assertEquals(
    tools.get("scipy")?.install,
    "python -m venv .venv && .venv/bin/python -m pip install scipy",
  );
  assertEquals(tools.get("r"), { version: "4.2.2", install: undefined, problem: undefined });
  assert(tools.get("jsonlite")?.install?.includes("install.packages"));
  assertEquals(tools.get("bullmq")?.version, "6.7.0");
  assertEquals(tools.has("amaro"), false);
});

Deno.test("JSON says whether dpcheck works, and of each tool whether it is missing", async () => {
  const tools = await installedTools(machineWith({ node: "v20.11.0" }));
  const report = JSON.parse(doctorJson({ problem: "no room", tools }));
  assertEquals([report.works, report.problem], [false, "no room"]);
  assertEquals(report.tools[0].isMissing, false);
  assert(report.tools.slice(1).every(({ isMissing }: { isMissing: boolean }) => isMissing));
  assert(doctorText({ problem: "no room", tools }).includes("cannot work: no room"));
});

// Mutant: folders that a process without PATH looks in, and Deno's own node.
Deno.test("dpcheck doctor ends with status 0 where PATH is empty", () => {
  const { code, stdout } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "-A", "cli/main.ts", "doctor", "--json", "-"],
    cwd: new URL("../../", import.meta.url),
    env: { PATH: "" },
    stderr: "null",
  }).outputSync();
  assertEquals(code, 0);
  const report = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(report.works, true);
  for (const { name, version } of report.tools.slice(0, 10)) assertEquals(version, null, name);
});
