import { assert, assertEquals } from "@std/assert";
import { Coins } from "../../../../../lib/judge/audit/kernel/order/coins.ts";
import { outputValues } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import {
  processSubject,
  type ProcessSubjectOptions,
} from "../../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../../lib/judge/audit/subjects/process/split_command.ts";
import { type Subject, Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { alive, failure, gone, shell } from "./scripted_subjects.ts";
import { testsWith } from "../../../../has_program.ts";

const testPython = await testsWith(["python3", "--version"], "copies of a program");

/** A subject whose program is a JavaScript text with `ask(handler)` to answer each request. */
function script(body: string, options: ProcessSubjectOptions = {}): Subject {
  const prelude = `
    const say = (value) => {
      let bytes = value instanceof Uint8Array ? value
        : new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value) + "\\n");
      while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
    };
    async function ask(handler) {
      let text = "";
      for await (const part of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
        text += part;
        const lines = text.split("\\n");
        text = lines.pop();
        for (const line of lines) await handler(JSON.parse(line));
      }
    }
  `;
  const command = [Deno.execPath(), "eval", "--no-config", prelude + body].map(quoteWord).join(" ");
  return processSubject(command, { name: "script", timeoutSeconds: 20, ...options });
}

// Mutant: requests that do not wait for each other.
Deno.test("processSubject() takes several requests at once, and answers each with its own", async () => {
  const subject = script(`
    await ask(({ id, data, count }) => say({ id, outputs: Array(count).fill(data[0]) }));
  `);
  const rows = [1, 2, 3];
  const drawn = await Promise.all(rows.map((row, k) => subject.draw([row], 500 + k)));
  drawn.forEach((outputs, k) => {
    assertEquals([...outputValues(outputs)], Array(500 + k).fill(rows[k]));
  });
  await subject.close();
});

// Mutants: datasets left out after others were named; sent each time; left out without the program's word.
Deno.test("a program that remembers datasets is sent those of a pair once", async () => {
  for (const references of [true, false]) {
    const subject = script(`
      say(${JSON.stringify({ dpcheck: 1, order: true, references })});
      let known, sent = 0, drawn = 0;
      await ask(({ id, datasets, order }) => {
        if (datasets !== undefined) [known, sent] = [datasets, sent + 1];
        say({ id, outputs: order.map((side) => [known[side][0], sent, drawn++]) });
      });
    `);
    const draws = [[1], [1], [2], [1], [1]].map(([row]) => [row]);
    const seen: number[][] = [];
    for (const data of draws) {
      for (const [row, sent] of outputValues(await subject.draw(data, 40)) as Iterable<number[]>) {
        assertEquals(row, data[0]);
        seen.push([sent!]);
      }
    }
    const last = seen.at(-1)![0]!;
    if (references) assertEquals(last, 3);
    else assert(last > draws.length, `${last}`);
    await subject.close();
  }
});

// Mutant: datasets left out where those of the last request had changed sides.
Deno.test("a program that remembers datasets is told when they change sides", async () => {
  const subject = script(`
    say({ dpcheck: 1, order: true, references: true });
    let known, drawn = 0;
    await ask(({ id, datasets = known, order }) => {
      known = datasets;
      say({ id, outputs: order.map((side) => [datasets[side][0], drawn++]) });
    });
  `);
  const order = Uint8Array.from({ length: 80 }, (_, k) => k * k % 3 === 1 ? 1 : 0);
  for (const [left, right] of [[1, 2], [2, 1], [1, 2]] as const) {
    const sides = await subject.drawInOrder!({ left: [left], right: [right] }, Coins.of(order));
    for (const [outputs, row] of [[sides.left, left], [sides.right, right]] as const) {
      const rows = [...outputValues(outputs)].map((output) => (output as number[])[0]);
      assertEquals(rows, rows.map(() => row));
    }
  }
  await subject.close();
});

// Mutants: one copy however many are asked for; copies left running.
testPython("processSubject() starts as many copies as workers, and ends them all", async () => {
  const mark = crypto.randomUUID();
  const body = `import random, json, os, sys
for line in sys.stdin:
    r = json.loads(line)
    print(json.dumps({"id": r["id"], "outputs": [[os.getpid(), random.random()]] * r["count"]}), flush=True)
# ${mark}`;
  const subject = processSubject(`python3 -c ${quoteWord(body)}`, { workers: 3 });
  const values = [...outputValues(await subject.draw([1], 3000))] as number[][];
  assertEquals(values.length, 3000);
  assertEquals(new Set(values.map(([id]) => id)).size, 3);
  assert(alive(mark));
  await subject.close();
  assert(await gone(mark));
});

testPython("processSubject() refuses copies of a program with a fixed seed", async () => {
  const body = `import random, json, sys
random.seed(7)
for line in sys.stdin:
    r = json.loads(line)
    print(json.dumps({"id": r["id"], "outputs": [random.random() for _ in range(r["count"])]}), flush=True)`;
  const subject = processSubject(`python3 -c ${quoteWord(body)}`, { workers: 2 });
  assert((await failure(subject, 32)).includes("same seed"));
});

Deno.test("processSubject() draws every output in order when the program speaks JSON Lines", async () => {
  const subject = script(`
    let next = 0;
    ask(({ id, data, count }) =>
      say({ id, outputs: Array.from({ length: count }, () => data.shift + next++) }));
  `);
  try {
    for (const [count, start] of [[1, 0], [5000, 1], [40000, 5001]] as const) {
      const outputs = await subject.draw({ shift: 0.5 }, count);
      assertEquals(outputs.kind, "block");
      const expected = Float64Array.from({ length: count }, (_, i) => start + i + 0.5);
      assertEquals(outputs.values, expected);
    }
  } finally {
    await subject.close();
  }
});

Deno.test("processSubject() draws blocks when the program greets with the binary form", async () => {
  const subject = script(`
    say({ dpcheck: 1, binary: "f64", width: 3 });
    let next = 0;
    ask(({ data, count }) => {
      const block = Float64Array.from({ length: count * 3 }, () => data[0] * next++);
      const bytes = new Uint8Array(block.buffer);
      say(bytes.subarray(0, 13)); // torn in the middle of a number
      say(bytes.subarray(13));
    });
  `);
  try {
    const first = await subject.draw([2], 10);
    const second = await subject.draw([2], 30000);
    const expected = Float64Array.from({ length: 90030 }, (_, i) => 2 * i);
    assertEquals(first, { kind: "block", width: 3, values: expected.slice(0, 30) });
    assertEquals(second, { kind: "block", width: 3, values: expected.slice(30) });
  } finally {
    await subject.close();
  }
});

Deno.test("processSubject() keeps any JSON value when outputs are not numbers", async () => {
  const subject = shell(
    `id=0; for value in 1 '"NaN"' null true '[1,[2]]' '{"a":-0}'; do
      read -r line; id=$((id+1)); echo "{\\"id\\":$id,\\"outputs\\":[$value]}"; done; cat >/dev/null`,
  );
  try {
    const outputs = await subject.draw('é\n"', 6);
    assertEquals([...outputValues(outputs)], [1, "NaN", null, true, [1, [2]], { a: -0 }]);
  } finally {
    await subject.close();
  }
});

Deno.test("processSubject() reads NaN and infinities when a program prints them bare", async () => {
  const subject = shell(
    `echo '{"dpcheck":1,"order":true}'; read -r x; echo '{"id":1,"outputs":[{"a":[NaN]}]}'; ` +
      `read -r x; echo '{"id":2,"outputs":[NaN,-Infinity,Infinity,1]}'; cat >/dev/null`,
  );
  try {
    assertEquals((await subject.draw([], 1)).values, [{ a: [NaN] }]);
    assertEquals((await subject.draw([], 4)).values, Float64Array.of(NaN, -Infinity, Infinity, 1));
  } finally {
    await subject.close();
  }
});

Deno.test("processSubject() makes each error one output when requests of several fail", async () => {
  // Every third request of one output fails, and every request of more.
  const subject = script(`
    say({ dpcheck: 1, order: true });
    let calls = 0;
    ask(({ id, order }) => say(
      order.length > 1 || ++calls % 3 === 0 ? { id, error: "boom " + calls } : { id, outputs: [calls] }));
  `);
  try {
    const values = [...outputValues(await subject.draw([], 600))];
    assertEquals(values.length, 600);
    assertEquals(values.slice(0, 4), [1, 2, new Thrown("boom 3"), 4]);
    assertEquals(values.filter((value) => value instanceof Thrown).length, 200);
  } finally {
    await subject.close();
  }
});

Deno.test("processSubject() does not deadlock when the program answers before it reads all", async () => {
  // 2 MB of data: the request does not fit a pipe, and neither does what the program sends meanwhile.
  const filler = "x".repeat(300_000);
  const subject = script(`
    ask(({ id, count }) => {
      say({ id, outputs: Array.from({ length: count }, () => "${"y".repeat(50_000)}") });
    });
  `);
  try {
    const data = Array.from({ length: 7 }, () => filler);
    assertEquals([...outputValues(await subject.draw(data, 20))].length, 20);
    assertEquals([...outputValues(await subject.draw(data, 20))].length, 20);
  } finally {
    await subject.close();
  }
});

// Mutant: a timer of more milliseconds than it takes, which goes off at once.
Deno.test("processSubject() waits for an answer when the time-out is longer than any timer's", async () => {
  const subject = shell(`sleep 0.2; echo '{"id":1,"outputs":[7]}'; cat >/dev/null`, 1e10);
  assertEquals([...outputValues(await subject.draw([], 1))], [7]);
  await subject.close();
});
