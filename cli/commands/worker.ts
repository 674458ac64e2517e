import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { listenForInterruption } from "../output/interruption.ts";
import { loadQueue } from "../queue/load_queue.ts";
import { integerFrom, numberAbove, urlValue } from "../options/option_values.ts";
import type { Done } from "../output/exit_status.ts";
import { say } from "../options/say.ts";

/** Milliseconds between two looks whether shards come. */
const LOOK_EVERY = 250;

interface WorkerArguments {
  readonly queue: string;
  readonly concurrency?: number;
  readonly lockSeconds: number;
  readonly idleSeconds?: number;
}

/** Defines `dpcheck worker`. */
export function defineWorker(command: Command, done: Done): void {
  command
    .requiredOption(
      "--queue <URL>",
      "Redis, as redis://host:6379 or rediss://host:6379; env:NAME names a variable that holds the URL with its password",
      urlValue,
    )
    .option(
      "--concurrency <N>",
      "shards, and audits of suites, at the same time (default: the processor's cores)",
      integerFrom(1, 256),
    )
    .option(
      "--lock-seconds <S>",
      "seconds of silence after which a shard goes to another worker",
      numberAbove(0),
      30,
    )
    .option(
      "--idle-seconds <S>",
      "end when no shard has come for so many seconds (default: never)",
      numberAbove(0),
    )
    .addHelpText(
      "after",
      "\nIt runs the programs that the queue names: whoever can write to it can run programs here (docs/many_machines.md).\n" +
        "SIGINT or SIGTERM ends it; it gives back the counts of shards that it has begun.",
    )
    .action(async (options: WorkerArguments) => done(await work(options)));
}

async function work(
  { queue, concurrency, lockSeconds, idleSeconds = Infinity }: WorkerArguments,
): Promise<number> {
  // Loaded here, so that nothing else needs Redis.
  const [{ QueueWorker }, { AuditWorker }, { shownUrl }] = await loadQueue(() =>
    Promise.all([
      import("../queue/queue_worker.ts"),
      import("../queue/audit_worker.ts"),
      import("../queue/redis_connection.ts"),
    ])
  );
  const how = {
    url: queue,
    concurrency: concurrency ?? availableParallelism(),
    lockSeconds,
    say,
  };
  const shards = await QueueWorker.listen(how), audits = await AuditWorker.listen(how);
  say(`listening at ${shownUrl(queue)}`);
  const interruption = listenForInterruption(() => {});
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    await new Promise<void>((resolve) => {
      if (interruption.signal.aborted) resolve();
      else interruption.signal.addEventListener("abort", () => resolve(), { once: true });
      timer = setInterval(() => {
        if (Math.min(shards.idleSeconds, audits.idleSeconds) >= idleSeconds) resolve();
      }, LOOK_EVERY);
    });
    await Promise.all([shards.close(), audits.close()]);
    say(`${shards.drawn} shards drawn, ${audits.audits} audits run`);
    return 0;
  } finally {
    clearInterval(timer);
    interruption.release();
  }
}
