import { run } from "./run.ts";

/** One instruction of a Dockerfile. */
export interface Step {
  readonly instruction: string;
  readonly argument: string;
}

/** The instructions of a Dockerfile, without comments; continued lines are joined. */
export function dockerSteps(text: string): Step[] {
  return text.replaceAll(/\\\n/g, " ").split("\n").filter((line) => /^[A-Z]/.test(line))
    .map((line) => {
      const [, instruction, argument] = /^([A-Z]+)\s+(.*)$/.exec(line) as unknown as string[];
      return { instruction: instruction!, argument: argument! };
    });
}

/**
 * Does in folders what a build of the image does in containers: each stage is a folder, `RUN` a shell in its working folder, and
 * packages of npm are installed for the stage alone. Returns what the image would start, and where.
 *
 * @throws {Error} when an instruction is not known, or a command fails.
 */
export async function runSteps(
  steps: readonly Step[],
  { source, folder }: { readonly source: string; readonly folder: string },
): Promise<{ entry: string; workdir: string }> {
  const stages = new Map<string, string>();
  let stage = "", workdir = "", entry = "";
  const copy = async (from: string, to: string): Promise<void> => {
    const target = to.endsWith("/") || to === "." ? `${workdir}/${to}` : to;
    await shell(`mkdir -p ${target} && cp -r ${from} ${target}`, workdir, stage);
  };
  for (const { instruction, argument } of steps) {
    switch (instruction) {
      case "FROM": {
        const name = / AS (\w+)$/.exec(argument)?.[1] ?? "last";
        stage = workdir = `${folder}/${name}`;
        stages.set(name, stage);
        await Deno.mkdir(stage, { recursive: true });
        break;
      }
      case "WORKDIR":
        workdir = stage + argument;
        await Deno.mkdir(workdir, { recursive: true });
        break;
      case "COPY": {
        const [, name, from, to] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(argument)!;
        if (name !== undefined) await copy(stages.get(name)! + from, to!);
        else await shell(`git -C ${source} archive HEAD | tar -x -C ${workdir}`, workdir, stage);
        break;
      }
      case "RUN":
        await shell(argument, workdir, stage);
        break;
      case "ENTRYPOINT":
        entry = `${stage}/usr/bin/${(JSON.parse(argument) as string[])[0]}`;
        break;
      case "USER":
        break;
      default:
        throw new Error(`Cannot run a step of the Dockerfile: ${instruction} is not known`);
    }
  }
  return { entry, workdir };
}

async function shell(command: string, cwd: string, stage: string): Promise<void> {
  const env = { npm_config_prefix: `${stage}/usr`, npm_config_cache: `${stage}/cache` };
  const { code, stderr } = await run("sh", ["-ec", command], { cwd, env });
  if (code !== 0) throw new Error(`Cannot run ${command}: ${stderr}`);
}
