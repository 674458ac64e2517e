/**
 * How many outputs a second dpcheck takes, drawn in the order of coins as in an audit: from programs in C and in Python
 * that take orders, over JSON Lines and the binary path; from those that are asked for one output at a time, or declared
 * independent; and from modules in a thread of their own. Needs a C compiler (`cc`) and `python3`.
 *
 * Usage: `deno task bench subjects [--record]`; with `--record` the rates are appended to `bench/history.jsonl`.
 */
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { Coins } from "../../lib/judge/audit/kernel/order/coins.ts";
import { moduleSubject } from "../../lib/judge/audit/subjects/thread/module_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { record } from "../history.ts";

/** Seconds measured for each program, after as long for warming up. */
const SECONDS = 2;
const FEW = 20_000;

/** A program that spends no time on its outputs: numbers of three digits, in the order of the coins. */
const RANDOM_NUMBERS = `
import json, random, sys
print(json.dumps({"dpcheck": 1, "order": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    first = [data[0] * 100 for data in request["datasets"]]
    noise = random.randbytes(len(request["order"]))
    outputs = [first[side] + byte for side, byte in zip(request["order"], noise)]
    print(json.dumps({"id": request["id"], "outputs": outputs}), flush=True)
`;
const PAIR = { left: [0, 1, 1], right: [1, 1, 1] };
const labels = new SeededSource("subjects");
const rates: Record<string, unknown>[] = [];

const folder = await Deno.makeTempDir();
try {
  const source = new URL("../../fixtures/judge/subjects/", import.meta.url).pathname;
  const laplace = `${folder}/laplace`;
  const { success } = await new Deno.Command("cc", {
    args: ["-O2", "-o", laplace, `${source}laplace.c`, "-lm"],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) {
    throw new Error("Cannot measure: cc must compile fixtures/judge/subjects/laplace.c");
  }
  const mean = `python3 ${quoteWord(`${source}laplace_mean.py`)}`;
  const numbers = `python3 -c ${quoteWord(RANDOM_NUMBERS)}`;
  const c = quoteWord(laplace);
  await measure("C, order, binary", processSubject(`${c} --order --binary`), 5_000_000);
  await measure("C, order, JSON Lines", processSubject(`${c} --order`));
  await measure("Python, order, JSON Lines", processSubject(numbers), 500_000);
  await measure("Python, Laplace, order, JSON", processSubject(`${mean} --order`));
  await measure("Python, one at a time", processSubject(mean));
  await measure("Python, declared independent", processSubject(mean, { independent: true }));
  await measure("C, one at a time", processSubject(c));
  await measure("C, one at a time, binary", processSubject(`${c} --binary`));
  await measure("C, independent, binary", processSubject(`${c} --binary`, { independent: true }));
  for (const module of ["laplace_mechanism", "plain_function", "sparse_vector_without_noise"]) {
    const specifier = `${source}modules/${module}.ts`;
    await measure(module, await moduleSubject(specifier, { source: new SeededSource(1) }));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
await record("subjects", rates);

async function measure(what: string, subject: Subject, atLeast?: number): Promise<void> {
  try {
    let outputs = 0;
    let start = performance.now();
    for (const phase of ["warm", "measured"]) {
      outputs = 0;
      start = performance.now();
      while (performance.now() - start < SECONDS * 1000) {
        const count = phase === "warm" ? FEW : 5 * FEW;
        await subject.drawInOrder!(PAIR, Coins.thrown(labels, count));
        outputs += count;
      }
    }
    const rate = Math.round(outputs / (performance.now() - start) * 1000);
    rates.push({ subject: what, perSecond: rate });
    const target = atLeast === undefined ? "" : `  (at least ${atLeast.toLocaleString("en-US")})`;
    console.log(
      `${what.padEnd(28)} ${rate.toLocaleString("en-US").padStart(12)} a second${target}`,
    );
  } finally {
    await subject.close();
  }
}
