import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { AUDITS } from "../../../cli/queue/audit_messages.ts";
import { LONG } from "../../long.ts";
import { end, start, startWorker, withRedis } from "./queue_processes.ts";
import { hasRedis, pause } from "./redis_server.ts";

// Suites through a real Redis and real workers: large audits in shards, others whole.

const ignore = !hasRedis;

Deno.test({
  name: "a suite has its large audits drawn through the queue, and the others run whole by workers",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const claim = { mechanism: "laplace", epsilon: 1, left: [0], right: [1], requirePower: 1e6 };
      const outputs = { samples: ["left.csv", "right.csv"], epsilon: 1, requirePower: 1e6 };
      const audits = [
        { ...claim, name: "large", maxDraws: 3_000_000, fullBudget: true },
        { ...claim, name: "small", epsilon: 2, maxDraws: 1000 },
        // What was recorded lies here.
        { ...outputs, name: "recorded", relation: "replace-one" },
      ];
      for (const side of ["left", "right"]) {
        await Deno.writeTextFile(`${folder}/${side}.csv`, "1\n2\n".repeat(50));
      }
      await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify({ audits }));
      // Where the machine is busy no shard is taken from it, and drawn again.
      const worker = startWorker(redis, { concurrency: 2, lockSeconds: 60 });
      const suite = ["suite", `${folder}/dpcheck.json`, "--queue", redis.url, "--json", "-"];
      const { out, err } = await start(suite).output;
      // A hundred outputs that were recorded say nothing.
      const statuses = [...out.matchAll(/"status": (\d)/g)].map(([, status]) => status);
      assertEquals(statuses, ["0", "0", "4"], err + out);
      assertMatch(await end(worker), /\b8 shards drawn, 1 audits run/);
    }),
});

// Mutants: an audit that was begun is begun again by another worker; the files of the subject are not compared.
Deno.test({
  name:
    "an audit of a module whose worker is killed has failed, and is run by no worker with another module",
  ignore: !LONG || ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      await Deno.writeTextFile(
        `${folder}/answer.js`,
        "export default ([bit], s) => s.uniform() < 0.7 ? bit : 1 - bit;",
      );
      const own = { module: "answer.js", left: [0], right: [1], relation: "replace-one" };
      const audits = [{ ...own, name: "answer", epsilon: 1, maxDraws: 20_000_000 }];
      await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify({ audits }));
      const suite = start([
        ...["suite", `${folder}/dpcheck.json`, "--queue", redis.url, "--json", "-"],
      ]);
      const waiting = new Queue(AUDITS, { connection: new Redis(redis.url) });
      const until = async (isSo: () => Promise<boolean>): Promise<void> => {
        for (let i = 0; i < 1500 && !await isSo(); i++) await pause(20);
      };
      await until(async () => await waiting.getWaitingCount() === 1);
      await suite.untilSaid("waiting: no worker listens");
      const [job] = await waiting.getWaiting();
      await waiting.add("audit", { ...job!.data, key: "another" }, { jobId: "changed" });
      const first = startWorker(redis);
      await until(async () => await waiting.getActiveCount() === 1);
      first.child.kill("SIGKILL");
      await first.output;
      const second = startWorker(redis);
      const { code, out, err } = await suite.output;
      assertEquals(code, 3, out);
      assertMatch(err, /waiting: no worker listens at redis:\/\/127/);
      assertStringIncludes(out, "a worker began this audit and did not end it");
      await until(async () => (await waiting.getJob("changed"))!.failedReason !== undefined);
      assertMatch(await end(second), /answer is of another program here[^]*, 0 audits run/);
      await waiting.close();
    }),
});
