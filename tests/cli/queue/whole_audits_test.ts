import { assertEquals } from "@std/assert";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { AUDITS, orderFrom, replyTo } from "../../../cli/queue/audit_messages.ts";
import { WholeAudits } from "../../../cli/queue/whole_audits.ts";
import { entryKey } from "../../../cli/entries/entry_words.ts";
import type { ChildResult } from "../../../cli/entries/run_child.ts";
import type { SuiteEntry } from "../../../cli/entries/suite_schema.ts";
import { withFolder } from "../../end_to_end/run_cli.ts";
import { LONG } from "../../long.ts";
import { hasRedis, RedisServer } from "./redis_server.ts";

// Audits of a suite as jobs, and workers that are lost, that poison, or have other files. Runs through the command line are in queue_test.ts.

const LOST = "a worker began this audit and did not end it, or gave back what no worker gives";

const report: ChildResult = {
  status: 0,
  message: "",
  report: {
    verdict: "not-refuted",
    epsilonLowerBound: 0.5,
    confidence: 0.99,
    eValue: 0.5,
    draws: 10,
    seconds: 1,
    replay: "dpcheck audit",
    claim: { kind: "pure" },
  },
};

/** Has an audit run where jobs are answered one after the other by `answers`; the last one stays. */
async function runWith(
  entry: SuiteEntry,
  answers: readonly ((data: unknown) => unknown)[],
): Promise<{ readonly result: ChildResult; readonly jobs: number }> {
  let result!: ChildResult, jobs = 0;
  await withFolder(async (folder) => {
    const redis = await RedisServer.start(folder);
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const audits = await WholeAudits.open(redis.url);
    const worker = new Worker(
      AUDITS,
      (job) => Promise.resolve(answers[Math.min(jobs++, answers.length - 1)]!(job.data)),
      { connection },
    );
    worker.on("error", () => {});
    try {
      const key = entryKey(entry, folder), { signal } = new AbortController();
      result = await audits.run(entry, { key, folder, more: ["--alpha=0.01"], signal });
    } finally {
      await audits.close();
      await worker.close();
      connection.disconnect();
      await redis.kill();
    }
  });
  return { result, jobs };
}

const mechanism: SuiteEntry = { name: "shipped", mechanism: "laplace", epsilon: 1 };
const program: SuiteEntry = { name: "program", exec: "cat", epsilon: 1 };
const good = (data: unknown): unknown => replyTo(orderFrom(data), report);

// Mutants: the key is not compared; a report needs no e-value; a program's audit is sent again.
Deno.test({
  name:
    "a poisoned result of a program's audit is a failure, and a shipped mechanism's audit is sent again",
  ignore: !LONG || !hasRedis,
  fn: async () => {
    const poison = [
      () => null,
      (data: unknown) => replyTo({ ...orderFrom(data), key: "another" }, report),
      (data: unknown) => ({ ...good(data) as object, dpcheck: "0.0.0" }),
      (data: unknown) =>
        replyTo(orderFrom(data), {
          ...report,
          report: { ...report.report!, eValue: -1 },
        }),
    ];
    const again = await runWith(mechanism, [...poison, good]);
    assertEquals([again.result, again.jobs], [report, 5]);
    const never = await runWith(mechanism, poison.slice(0, 1));
    assertEquals([never.result, never.jobs], [{ status: 3, message: LOST }, 5]);
    const once = await runWith(program, [...poison.slice(0, 1), good]);
    assertEquals([once.result, once.jobs], [{ status: 3, message: LOST }, 1]);
  },
});
