import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { auditKey, auditText, QUEUE } from "../../../cli/queue/messages.ts";
import { refusedByRedis } from "../../../cli/queue/refused_by_redis.ts";
import { end, start, type Started, startWorker, withRedis } from "./queue_processes.ts";
import { runMain } from "../run_main.ts";
import { LONG } from "../../long.ts";
import { hasRedis, pause, type RedisServer } from "./redis_server.ts";

// Audits through a real Redis and real workers: killed, frozen, poisoned, full. Every audit must show what it shows without a
// queue. Where redis-server is not installed these tests are ignored: apt-get install redis-server.

const ignore = !hasRedis;
const AUDIT = [
  ...["audit", "--mechanism", "gaussian", "--epsilon", "1", "--delta", "1e-5", "--full-budget"],
  ...["--left", "[0]", "--right", "[1]", "--no-shrink", "--max-draws", "20000000", "--seed", "7"],
];
/** Its shards, at least; a worker draws one in some milliseconds. */
const SHARDS = 50;

interface Figures {
  readonly verdict: string;
  readonly epsilonLowerBound: number;
  readonly draws: number;
  readonly eValue: number;
}

function figuresOf(json: string): Figures {
  const { verdict, epsilonLowerBound, draws, eValue } = JSON.parse(json);
  return { verdict, epsilonLowerBound, draws, eValue };
}

/** An audit whose shards a Redis hands out. */
class QueuedAudit {
  readonly #checkpoint: string;
  readonly #started: Started;

  constructor(redis: RedisServer, folder: string) {
    this.#checkpoint = `${folder}/kept.jsonl`;
    const own = ["--queue", redis.url, "--checkpoint", this.#checkpoint, "--json", "-", "--quiet"];
    this.#started = start([...AUDIT, ...own]);
  }

  /** Waits until so many shards are counted. */
  async untilCounted(shards: number): Promise<number> {
    for (let i = 0;; i++) {
      const text = await Deno.readTextFile(this.#checkpoint).catch(() => "");
      const counted = text.split('"event":"counted"').length - 1;
      if (counted >= shards || i > 4000) return counted;
      await pause(10);
    }
  }

  /** Asserts that it shows what an audit without a queue shows. Returns what it has said. */
  async assertUnharmed(): Promise<string> {
    const { code, out, err } = await this.#started.output;
    assertEquals(code, 0, err);
    assertEquals(figuresOf(out), await withoutQueue());
    return err;
  }

  /** Waits until it has said this, or has ended. */
  async untilSaid(text: string): Promise<void> {
    await this.#started.untilSaid(text);
  }
}

/** Tests with a Redis of their own each, run all at once: most of their time is spent waiting. */
const TOGETHER: Deno.TestStepDefinition[] = [];

function together({ name, ignore, fn }: Deno.TestStepDefinition): void {
  const isLoose = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false };
  TOGETHER.push({ name, ignore: ignore ?? false, fn, ...isLoose });
}

let reference: Promise<Figures> | undefined;

function withoutQueue(): Promise<Figures> {
  return reference ??= (async () => {
    const folder = await Deno.makeTempDir();
    const own = ["--checkpoint", `${folder}/kept.jsonl`, "--json", "-", "--quiet"];
    const { out } = await start([...AUDIT, "--workers", "1", ...own]).output;
    await Deno.remove(folder, { recursive: true });
    return figuresOf(out);
  })();
}

// Mutants: a result that comes late is added; a shard that was lost is not drawn again.
Deno.test({
  name: "an audit through a queue loses nothing when a worker is killed and another one freezes",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const killed = startWorker(redis);
      const audit = new QueuedAudit(redis, folder);
      assert(await audit.untilCounted(2) < SHARDS / 2);
      killed.child.kill("SIGKILL");
      await killed.output;
      const frozen = startWorker(redis);
      assert(await audit.untilCounted(5) < SHARDS / 2);
      frozen.child.kill("SIGSTOP");
      const third = startWorker(redis);
      await audit.untilCounted(12);
      // What it drew comes late, if it drew something.
      frozen.child.kill("SIGCONT");
      await audit.assertUnharmed();
      await end(frozen);
      assertMatch(await end(third), /[1-9]\d* shards drawn/);
    }),
});

// Mutants: an answer of Redis that passes, taken for an error; a reason that is said again and again, or never.
together({
  name:
    "an audit through a queue says what it waits for, goes on, and goes on when Redis is killed and started again with its file",
  ignore: ignore || !LONG,
  fn: () =>
    withRedis(async (redis, folder) => {
      assertEquals(await redis.ask("DEBUG", "POPULATE", "4000"), "+OK");
      assertEquals(
        await redis.ask("BGREWRITEAOF"),
        "+Background append only file rewriting started",
      );
      for (let i = 0; i < 200 && !await hasRewritten(redis); i++) await pause(25);
      await redis.kill();
      // Ten milliseconds for each key, in which it answers, until the tests let it go on; then it is full.
      await redis.start({
        "key-load-delay": "10000",
        "loading-process-events-interval-bytes": "1024",
        maxmemory: "1",
      });
      assertMatch(await redis.ask("PING"), /^-LOADING/);
      const audit = new QueuedAudit(redis, folder), first = startWorker(redis);
      const loading = "waiting: Redis is still reading its file";
      await Promise.all([audit, first].map((each) => each.untilSaid(loading)));
      first.child.kill("SIGTERM");
      assertEquals(await redis.ask("CONFIG", "SET", "key-load-delay", "0"), "+OK");
      assertStringIncludes((await first.output).err, loading);

      await audit.untilSaid("waiting: Redis is full");
      assertEquals(await redis.ask("CONFIG", "SET", "maxmemory", "0"), "+OK");
      const none = `waiting: no worker listens at redis://${new URL(redis.url).host}`;
      await audit.untilSaid(none);
      assertEquals(await redis.ask("REPLICAOF", "127.0.0.1", "1"), "+OK");
      const replica = "waiting: Redis is a replica, which only reads";
      await audit.untilSaid(replica);
      assertEquals(await redis.ask("REPLICAOF", "NO", "ONE"), "+OK");
      // A snapshot that failed makes Redis refuse to write, until the next one succeeds.
      assertEquals(await redis.ask("CONFIG", "SET", "save", "3600 1"), "+OK");
      assertEquals(await redis.ask("CONFIG", "SET", "dir", "/proc"), "+OK");
      await redis.ask("BGSAVE");
      const disk = "waiting: Redis cannot write to its disk";
      await audit.untilSaid(disk);
      assertEquals(await audit.untilCounted(0), 0);
      assertEquals(await redis.ask("CONFIG", "SET", "dir", folder), "+OK");
      await redis.ask("BGSAVE");

      const worker = startWorker(redis, { concurrency: 2 });
      assert(await audit.untilCounted(3) < SHARDS / 2);
      await redis.kill();
      await pause(300);
      await redis.start();
      const lines = (await audit.assertUnharmed()).split("\n").filter((line) => line !== "");
      const kept = ` (what was counted is in ${folder}/kept.jsonl)`;
      assertEquals([...new Set(lines)].slice(0, 6), [
        `dpcheck: ${loading}${kept}`,
        `dpcheck: waiting: Redis is full${kept}`,
        `dpcheck: ${none}${kept}`,
        `dpcheck: ${replica}${kept}`,
        `dpcheck: ${disk}${kept}`,
        `dpcheck: shards are counted again${kept}`,
      ]);
      // Each is said once.
      assertEquals(lines.filter((line, i) => line === lines[i + 1]), []);
      await end(worker);
      assertEquals(await redis.ask("LLEN", `bull:${QUEUE}:wait`), ":0");
    }),
});

together({
  name:
    "an audit says why workers refuse it, and takes refused jobs back when it is interrupted: they are no attempts",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const module = `${folder}/answer.js`, checkpoint = `${folder}/kept.jsonl`;
      const program = "export default ([bit], s) => s.uniform() < 0.7 ? bit : 1 - bit;";
      await Deno.writeTextFile(module, program);
      const audit = start([
        ...["audit", "--module", module, "--epsilon", "1", "--left", "[0]", "--right", "[1]"],
        ...["--full-budget", "--max-draws", "60000", "--seed", "1", "--no-shrink", "--quiet"],
        ...["--queue", redis.url, "--checkpoint", checkpoint],
      ]);
      const wait = `bull:${QUEUE}:wait`, delayed = `bull:${QUEUE}:delayed`;
      for (let i = 0; i < 1000 && await redis.ask("LLEN", wait) !== ":8"; i++) await pause(20);
      await Deno.writeTextFile(module, `${program}\n`);
      const worker = startWorker(redis);
      for (let i = 0; i < 1000 && await redis.ask("ZCARD", delayed) === ":0"; i++) await pause(20);
      await audit.untilSaid("waiting: workers refuse this audit");
      await end(worker);
      audit.child.kill("SIGINT");
      const { code, err } = await audit.output;
      assertEquals(code, 130);
      assertMatch(err, /waiting: workers refuse this audit: .* is another program here/);
      assertEquals([await redis.ask("LLEN", wait), await redis.ask("ZCARD", delayed)], [
        ":0",
        ":0",
      ]);
      const text = await Deno.readTextFile(checkpoint);
      assertEquals(text.split('"event":"started"').length - 1, 8);
      assertEquals(text.split('"event":"withdrawn"').length - 1, 8);
    }),
});

async function hasRewritten(redis: RedisServer): Promise<boolean> {
  const connection = new Redis(redis.url);
  const text = await connection.info("persistence").finally(() => connection.disconnect());
  return /aof_rewrite_in_progress:0/.test(text) && /aof_last_bgrewrite_status:ok/.test(text);
}

// Mutants: each check of a reply left out; refused results that are not counted.
together({
  name: "an audit through a queue refuses poisoned results, and draws their shards again",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const audit = new QueuedAudit(redis, folder);
      const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
      let poisoned = 0;
      const poisoner = new Worker(QUEUE, async (job) => {
        const { audit, task } = job.data;
        const { dpcheck, hash, job: sent } = JSON.parse(
          await redisText(redis.url, auditKey(audit)),
        );
        const { shard, attempt, draws, goal } = task, nodes = countsOf(sent);
        const counts = Array.from({ length: nodes }, (_, at) => at === 0 ? draws : 0);
        const result = {
          ...{ shard, attempt, drawsAsked: draws, goal, draws, left: draws, right: 0 },
          ...{ made: 0, rightGuesses: 0, counts, ended: true },
        };
        const reply = { dpcheck, audit, hash, seed: 7, copy: "x", result };
        const poison: unknown[] = [
          null,
          "counted",
          { ...reply, dpcheck: "0.0.0" },
          { ...reply, hash: "0".repeat(64) },
          { ...reply, seed: 8 },
          { ...reply, audit: "another" },
          { ...reply, result: { ...result, shard: shard + 1 } },
          { ...reply, result: { ...result, attempt: 2 } },
          { ...reply, result: { ...result, draws: draws + 1, left: draws + 1 } },
          { ...reply, result: { ...result, counts: counts.with(0, draws + 1) } },
          { ...reply, result: { ...result, counts: counts.with(0, NaN) } },
          { ...reply, result: { ...result, counts: counts.slice(1) } },
          { ...reply, result: { ...result, left: -1, right: draws + 1 } },
          { ...reply, result: { ...result, ended: false } },
          { ...reply, result: { ...result, more: 1 } },
          { ...reply, signature: [{ outputs: 1, hash: "x" }] },
        ];
        if (poisoned >= poison.length) throw new Error("no more poison");
        return poison[poisoned++];
      }, { connection });
      poisoner.on("error", () => {});
      for (let i = 0; i < 2000 && poisoned < 16; i++) await pause(10);
      await poisoner.close();
      connection.disconnect();
      assertEquals(poisoned, 16);
      const worker = startWorker(redis, { concurrency: 2 });
      const said = await audit.assertUnharmed();
      await end(worker);
      // Said with the reason at the first one, and whenever they are twice as many: the last time more than half were.
      const counts = [
        ...said.matchAll(
          /(\d+) results? w(?:as|ere) refused: (?:no worker gives|its numbers are none)/g,
        ),
      ]
        .map(([, count]) => Number(count));
      assert(counts.length >= 1 && counts.at(-1)! > 8 && counts.at(-1)! <= 16, said);
      counts.slice(1).forEach((count, i) => assert(count >= 2 * counts[i]!, said));
    }),
});

async function redisText(url: string, key: string): Promise<string> {
  const connection = new Redis(url);
  try {
    return (await connection.get(key))!;
  } finally {
    connection.disconnect();
  }
}

/** The number of counts of a job as it is sent. */
function countsOf({ learned }: { learned: { counts: { bytes: string } } }): number {
  return atob(learned.counts.bytes).length / 8;
}

Deno.test({
  name:
    "a worker refuses an audit of another version or of another program, and one without the password listens to nobody",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const module = `${folder}/answer.js`;
      await Deno.writeTextFile(
        module,
        "export default ([bit], s) => s.uniform() < 0.7 ? bit : 1 - bit;",
      );
      const subject = {
        kind: "module",
        specifier: module,
        timeout: 30,
        withRows: [],
        except: [],
      } as const;
      const job = { seed: 1 } as never;
      const other = JSON.parse(auditText({ hash: "h", subject, name: "answer", job }));
      const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
      await connection.set(auditKey("old"), JSON.stringify({ ...other, dpcheck: "0.0.0" }));
      await connection.set(auditKey("changed"), JSON.stringify(other));
      const queue = new Queue(QUEUE, { connection });
      const task = { shard: 0, attempt: 1, draws: 9, goal: 9 };
      for (const audit of ["old", "changed", "gone"]) {
        await queue.add("shard", { audit, task }, { jobId: audit });
      }
      const worker = startWorker(redis);
      for (let i = 0; i < 1000 && await queue.getFailedCount() < 3; i++) await pause(20);
      const reasons = await Promise.all(
        ["old", "changed", "gone"].map(async (id) => (await queue.getJob(id))!.failedReason),
      );
      await queue.close();
      connection.disconnect();
      const said = await end(worker);
      for (const text of [said, reasons.join("\n")]) {
        assertMatch(text, /the audit is of dpcheck 0\.0\.0, and this worker is \d/);
        assertStringIncludes(
          text,
          "answer is another program here: its files differ from those of the audit",
        );
      }
      assertEquals(reasons[2], "the audit is not in Redis any more");
      assert(!said.includes("secret"), said);

      const stranger = await start(["worker", "--queue", redis.urlOfOthers]).output;
      assertEquals(stranger.code, 2);
      assertMatch(
        stranger.err,
        /^dpcheck: --queue redis:\/\/127\.0\.0\.1:\d+ cannot be used: .*WRONGPASS/,
      );
      assert(!stranger.err.includes("nothing@"), stranger.err);
    }),
});

Deno.test({
  name: "jobs that wait are taken back when an audit is interrupted: they are no attempts",
  ignore,
  fn: () =>
    withRedis(async (redis, folder) => {
      const module = `${folder}/answer.js`, checkpoint = `${folder}/kept.jsonl`;
      await Deno.writeTextFile(
        module,
        "export default ([bit], s) => s.uniform() < 0.7 ? bit : 1 - bit;",
      );
      const audit = start([
        ...["audit", "--module", module, "--epsilon", "1", "--left", "[0]", "--right", "[1]"],
        ...["--full-budget", "--max-draws", "60000", "--seed", "1", "--no-shrink", "--quiet"],
        ...["--queue", redis.url, "--checkpoint", checkpoint],
      ]);
      const wait = `bull:${QUEUE}:wait`;
      for (let i = 0; i < 1000 && await redis.ask("LLEN", wait) !== ":8"; i++) await pause(20);
      audit.child.kill("SIGINT");
      assertEquals((await audit.output).code, 130);
      assertEquals(await redis.ask("LLEN", wait), ":0");
      const text = await Deno.readTextFile(checkpoint);
      assertEquals(text.split('"event":"started"').length - 1, 8);
      assertEquals(text.split('"event":"withdrawn"').length - 1, 8);
    }),
});

/** The processes that a process has started, and that still run. */
async function childrenOf(pid: number): Promise<string[]> {
  // By a shell: Deno reads /proc with all permissions only.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `cat /proc/${pid}/task/*/children 2>/dev/null`],
  }).output();
  return new TextDecoder().decode(stdout).split(/\s+/).filter((child) => child !== "");
}

// Before: each of the shards that came at once read the audit, and what all but one of them had opened stayed for good.
together({
  name: "a worker with four shards at once keeps nothing of an audit that has ended",
  ignore: ignore || !LONG || Deno.build.os !== "linux",
  fn: () =>
    withRedis(async (redis, folder) => {
      const program = `${folder}/answer.py`;
      await Deno.writeTextFile(
        program,
        [
          "import json, random, sys",
          "for line in sys.stdin:",
          "    request = json.loads(line)",
          "    bit = request['data'][0]",
          "    outputs = [bit if random.random() < 0.7 else 1 - bit for _ in range(request['count'])]",
          "    print(json.dumps({'id': request['id'], 'outputs': outputs}), flush=True)",
        ].join("\n"),
      );
      const worker = startWorker(redis, { concurrency: 4 });
      let most = 0;
      const audit = start([
        ...["audit", "--exec", `python3 ${program}`, "--epsilon", "1", "--relation", "replace-one"],
        ...["--left", "[0]", "--right", "[1]", "--full-budget", "--max-draws", "8000"],
        ...["--seed", "1", "--no-shrink", "--quiet", "--queue", redis.url],
        ...["--checkpoint", `${folder}/kept.jsonl`],
      ]);
      let hasEnded = false;
      const output = audit.output.finally(() => hasEnded = true);
      while (!hasEnded) {
        most = Math.max(most, (await childrenOf(worker.child.pid)).length);
        await pause(25);
      }
      const { code, err } = await output;
      assertEquals(code, 0, err);
      assert(most >= 2, `${most} programs at once`);
      for (let i = 0; i < 400 && (await childrenOf(worker.child.pid)).length > 0; i++) {
        await pause(25);
      }
      assertEquals(await childrenOf(worker.child.pid), []);
      await end(worker);
    }),
});

/** Of the memory of a process, what is not on disk too, in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `grep VmRSS /proc/${pid}/status`],
  }).output();
  return Number(/(\d+) kB/.exec(new TextDecoder().decode(stdout))![1]) / 1024;
}

// Before: V8 handed the memory of threads that had ended to the first one, which kept it for minutes: 110 MiB at the start, 250 after.
Deno.test({
  name:
    "a worker with eight shards at once has the memory that it had before, once audits have ended",
  ignore: !LONG || ignore || Deno.build.os !== "linux",
  fn: () =>
    withRedis(async (redis, folder) => {
      // As deno.json starts it.
      const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
      const [, ...words] = tasks.worker.command.split(" ");
      const worker = new Deno.Command(Deno.execPath(), {
        args: [...words, "--queue", redis.url, "--concurrency", "8"],
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn();
      const reader = worker.stderr.getReader();
      assertStringIncludes(new TextDecoder().decode((await reader.read()).value), "listening");
      const before = await memoryOf(worker.pid);
      let most = 0, after = before;
      for (const seed of ["1", "2", "3"]) {
        const own = ["--queue", redis.url, "--checkpoint", `${folder}/${seed}.jsonl`, "--quiet"];
        const audit = start([...AUDIT.slice(0, -1), seed, ...own]);
        let hasEnded = false;
        const output = audit.output.finally(() => hasEnded = true);
        while (!hasEnded) {
          most = Math.max(most, await memoryOf(worker.pid));
          await pause(100);
        }
        const { code, err } = await output;
        assertEquals(code, 0, err);
      }
      for (let i = 0; i < 20; i++) {
        after = await memoryOf(worker.pid);
        if (after <= 1.2 * before) break;
        await pause(500);
      }
      worker.kill("SIGTERM");
      while (!(await reader.read()).done);
      await worker.status;
      assert(most > 2 * before, `${most} MiB at most, from ${before}`);
      assert(after <= 1.2 * before, `${after} MiB, from ${before}`);
    }),
});

Deno.test("refusedByRedis() knows answers that pass, and no others", () => {
  const answers = [
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
    "ReplyError: ERR Error running script: @user_script:7: OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "LOADING Redis is loading the dataset in memory",
  ];
  assertEquals(answers.map((answer) => refusedByRedis(new Error(answer))), [
    "Redis cannot write to its disk",
    "Redis is full",
    "Redis is a replica, which only reads",
    "Redis is still reading its file",
  ]);
  for (const other of ["ERR unknown command", "WRONGPASS invalid password", "NOPERM this user"]) {
    assertEquals(refusedByRedis(new Error(other)), undefined);
  }
});

Deno.test("what cannot be drawn through a queue is refused with a sentence", async () => {
  const cases: readonly (readonly [string[], string])[] = [
    [["worker", "--queue", "http://127.0.0.1"], "--queue must be a URL of Redis"],
    [
      ["audit", "--mechanism", "laplace", "--epsilon", "1", "--queue", "redis://127.0.0.1"],
      "--full-budget",
    ],
    [
      [
        "audit",
        "--mechanism",
        "laplace",
        "--epsilon",
        "1",
        "--queue",
        "redis://127.0.0.1",
        "--full-budget",
      ],
      "--max-draws",
    ],
  ];
  for (const [words, part] of cases) {
    const { code, err } = await runMain(words);
    assertEquals(code, 2, err);
    assertStringIncludes(err, part);
  }
});

Deno.test({
  name: "audits through a queue wait, are refused, and refuse",
  ignore,
  fn: async (t) => {
    await Promise.all(TOGETHER.map((step) => t.step(step)));
  },
});
