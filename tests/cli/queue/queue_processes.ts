import { cliCommand, withFolder } from "../../end_to_end/run_cli.ts";
import { pause, RedisServer } from "./redis_server.ts";

const NETWORK = ["--allow-net=127.0.0.1", "--allow-sys"];

/** A process that was started, with what it printed when it has ended. */
export interface Started {
  readonly child: Deno.ChildProcess;
  readonly output: Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
  /** Waits until it has said this on standard error, or has ended. */
  untilSaid(text: string): Promise<void>;
}

/** Starts the command line. */
export function start(words: readonly string[]): Started {
  const child = cliCommand(words, {}, NETWORK).spawn();
  let said = "", hasEnded = false;
  const readErrors = async (): Promise<string> => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) said += text;
    return said;
  };
  const output = Promise.all([child.status, new Response(child.stdout).text(), readErrors()])
    .then(([{ code }, out, err]) => ({ code, out, err })).finally(() => hasEnded = true);
  return {
    child,
    output,
    async untilSaid(text: string): Promise<void> {
      while (!said.includes(text) && !hasEnded) await pause(25);
    },
  };
}

/** Starts a worker of a Redis. A shard or an audit is taken from it after so many seconds without a sign of life. */
export function startWorker(
  redis: RedisServer,
  { concurrency = 1, lockSeconds = 1 }: {
    readonly concurrency?: number;
    readonly lockSeconds?: number;
  } = {},
): Started {
  const words = ["worker", "--queue", redis.url, "--lock-seconds", `${lockSeconds}`];
  return start([...words, "--concurrency", `${concurrency}`]);
}

/** Ends a worker, and returns what it has said. */
export async function end({ child, output }: Started): Promise<string> {
  child.kill("SIGTERM");
  return (await output).err;
}

/** With a Redis, and a folder of its own. */
export async function withRedis(
  body: (redis: RedisServer, folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const redis = await RedisServer.start(folder);
    try {
      await body(redis, folder);
    } finally {
      await redis.kill();
    }
  });
}
