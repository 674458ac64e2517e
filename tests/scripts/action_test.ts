import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
// @ts-types="./yaml.d.ts"
import { parse } from "deno-std/yaml/mod.js";
import { Command } from "commander";
import { defineSuite } from "../../cli/commands/suite.ts";
import { BUILDS } from "../../scripts/build.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { testsWith } from "../has_program.ts";

const testBash = await testsWith(["bash", "--version"], "the action of GitHub Actions");

// action.yml and deploy/gitlab-ci.yml: their shell steps run in a folder, with this command line for npx. No service is needed.

const ROOT = new URL("../../", import.meta.url).pathname;

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Job {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly cache: { readonly when: string; readonly paths: readonly string[] };
  readonly artifacts: { readonly reports: { readonly junit: string } };
}

const action = parse(await Deno.readTextFile(`${ROOT}action.yml`)) as Action;
const gitlab = parse(await Deno.readTextFile(`${ROOT}deploy/gitlab-ci.yml`)) as { dpcheck: Job };

/** A folder with a suite whose one claim is false, and with stand-ins for npm, npx and gh in `bin`. */
async function withSuite(body: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/leak.mjs`, "export default (rows) => rows.length;\n");
    const audit = {
      module: "leak.mjs",
      epsilon: 1,
      left: [1],
      right: [],
      maxDraws: 1000,
      oneAtATime: true,
    };
    const suite = { audits: [{ name: "leak", ...audit }] };
    await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify(suite));
    await Deno.mkdir(`${folder}/bin`);
    const command =
      `exec "${Deno.execPath()}" run -A --no-check --quiet --config "${ROOT}deno.json" "${ROOT}cli/main.ts"`;
    for (
      const [name, text] of [
        ["npm", 'echo "npm $*" >> calls; mkdir -p node_modules/@dpcheck/dpcheck'],
        ["npx", `echo "npx $*" >> calls; shift; ${command} "$@"`],
        ["gh", 'echo "gh $*" >> calls'],
      ]
    ) {
      const file = `${folder}/bin/${name}`;
      await Deno.writeTextFile(file, `#!/bin/sh\n${text}\n`);
      await Deno.chmod(file, 0o755);
    }
    await body(folder);
  });
}

async function shell(
  folder: string,
  { text, env, bash }: { text: string; env: Readonly<Record<string, string>>; bash: boolean },
): Promise<number> {
  const [program, words] = bash
    ? ["bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", text]] as const
    : ["sh", ["-ec", text]] as const;
  const { code } = await new Deno.Command(program, {
    args: [...words],
    cwd: folder,
    env: { ...env, PATH: `${folder}/bin:${Deno.env.get("PATH")}` },
    stdout: "null",
    stderr: "null",
  }).output();
  return code;
}

/** Runs the shell steps as a runner does, with these values of expressions; steps of other actions are left out. */
async function runAction(
  folder: string,
  given: Readonly<Record<string, string>>,
): Promise<readonly (readonly [string, number])[]> {
  const values = new Map(Object.entries({ "runner.temp": `${folder}/temp`, ...given }));
  for (const [name, { default: standard }] of Object.entries(action.inputs)) {
    if (!values.has(`inputs.${name}`)) values.set(`inputs.${name}`, standard);
  }
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, name: string) => {
      const value = values.get(name);
      assert(value !== undefined, `${name} has no value`);
      return value;
    });
  const ended: [string, number][] = [];
  for (const { id = "", run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const output = `${folder}/output`;
    await Deno.writeTextFile(output, "");
    const own = Object.entries(env).map(([name, text]) => [name, filled(text)]);
    const code = await shell(folder, {
      text: run,
      bash: true,
      env: {
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: `${folder}/summary.md`,
        ...Object.fromEntries(own),
      },
    });
    for (
      const line of (await Deno.readTextFile(output)).split("\n").filter((text) => text !== "")
    ) {
      const [name, value] = line.split(/=(.*)/s);
      values.set(`steps.${id}.outputs.${name}`, value!);
    }
    ended.push([id, code]);
  }
  return ended;
}

// Mutants: the status of the suite lost; the summary left out; evidence saved only where nothing was refuted.
testBash(
  "action.yml audits, writes the summary and what code scanning reads, and ends as the suite does",
  async () => {
    await withSuite(async (folder) => {
      const ended = await runAction(folder, {
        "inputs.changed": "true",
        "github.token": "t",
        "github.event.pull_request.number": "7",
      });
      assertEquals(ended.at(-1), ["", 1]);
      assert(ended.slice(0, -1).every(([, code]) => code === 0), JSON.stringify(ended));
      const summary = await Deno.readTextFile(`${folder}/summary.md`);
      assertStringIncludes(summary, "| leak | refuted | 1-DP | ε ≥ ");
      assertStringIncludes(summary, "new audit");
      const [run] =
        JSON.parse(await Deno.readTextFile(`${folder}/temp/dpcheck/dpcheck.sarif`)).runs;
      assertEquals(run.results.length, 1);
      const [{ physicalLocation }] = run.results[0].locations;
      assertEquals(physicalLocation.artifactLocation.uri, "leak.mjs");
      const calls = (await Deno.readTextFile(`${folder}/calls`)).trim().split("\n");
      assertEquals(calls[0], "npm install --no-save @dpcheck/dpcheck");
      assertMatch(calls[1]!, /^npx dpcheck suite dpcheck\.json .* --changed$/);
      assertMatch(calls[2]!, /^gh pr comment 7 .*--body-file .*dpcheck\.md$/);
      assertEquals(calls.length, 3);
      await Deno.stat(`${folder}/.dpcheck/evidence.json`);
    });
    const { steps } = action.runs;
    const save = steps.find(({ uses }) => uses?.startsWith("actions/cache/save@"))!;
    const restore = steps.find(({ uses }) => uses?.startsWith("actions/cache/restore@"))!;
    assertEquals([save.if, save.with!.path], ["always()", restore.with!.path!]);
    assertEquals(save.with!.key, restore.with!.key);
    assertEquals(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined)), []);
    // Conditions and settings read only what the suite's step says of itself.
    const said = steps.find(({ id }) => id === "suite")!.run!;
    for (const step of steps) {
      for (const [, name] of JSON.stringify(step).matchAll(/steps\.suite\.outputs\.(\w+)/g)) {
        assertStringIncludes(said, `echo "${name}=`);
      }
      assert(!step.if?.includes("hashFiles"), "hashFiles sees the workspace alone");
    }
    // Texts of inputs reach a shell through its environment alone.
    assertEquals(steps.filter(({ run }) => run?.includes("${{")), []);
  },
);

Deno.test("deploy/gitlab-ci.yml audits, and keeps the report and the evidence whatever was found", async () => {
  const { script, variables, cache, artifacts } = gitlab.dpcheck;
  await withSuite(async (folder) => {
    const env = { ...variables, CI_PIPELINE_SOURCE: "push" };
    assertEquals(await shell(folder, { text: script.join("\n"), env, bash: false }), 1);
    const junit = await Deno.readTextFile(`${folder}/${artifacts.reports.junit}`);
    assertStringIncludes(junit, 'failures="1"');
    for (const path of cache.paths) await Deno.stat(`${folder}/${path}`);
  });
  assertEquals(cache.when, "always");
});

Deno.test("action.yml and deploy/gitlab-ci.yml give options that dpcheck suite has", () => {
  const command = new Command("suite");
  defineSuite(command, () => {});
  const known = new Set(command.options.map(({ long }) => long));
  const texts = [
    action.runs.steps.find(({ id }) => id === "suite")!.run!,
    gitlab.dpcheck.script.filter((line) => line.includes("suite") || line.includes("changed="))
      .join(),
  ];
  for (const text of texts) {
    const options = text.match(/--[a-z]+/g)!;
    assert(options.length >= 3);
    assertEquals(options.filter((option) => !known.has(option)), []);
  }
});

interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string | readonly string[]; readonly steps: readonly Step[] }>
  >;
}

// Mutants: a job that waits for none; a task that is not there; a token in place of OpenID Connect.
Deno.test("workflows call tasks that exist, jobs that exist, and keep no secrets", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)) as {
    tasks: Readonly<Record<string, unknown>>;
  };
  for await (const { name } of Deno.readDir(`${ROOT}.github/workflows`)) {
    const text = await Deno.readTextFile(`${ROOT}.github/workflows/${name}`);
    const { on, permissions, jobs } = parse(text) as Workflow;
    assert(on !== undefined && permissions.contents === "read", name);
    for (const { needs = [], steps } of Object.values(jobs)) {
      assertEquals([needs].flat().filter((job) => !Object.hasOwn(jobs, job)), []);
      for (const { uses, run = "" } of steps) {
        assert(uses === undefined || /@[\w/.]+$/.test(uses), uses);
        for (const [, task, argument] of run.matchAll(/deno(?:@[\d.]+)? task (\S+)(?: (\w+))?/g)) {
          assert(Object.hasOwn(tasks, task!), `${name}: ${task}`);
          assert(task !== "build" || Object.hasOwn(BUILDS, argument!), `${name}: ${argument}`);
        }
      }
    }
    assert(!text.includes("secrets."), name);
  }
});
