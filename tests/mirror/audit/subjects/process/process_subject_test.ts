import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { outputValues } from "../../../../../lib/audit/subjects/outputs.ts";
import {
  processSubject,
  type ProcessSubjectOptions,
} from "../../../../../lib/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../../lib/audit/subjects/process/split_command.ts";
import { type Subject, SubjectFailure, Thrown } from "../../../../../lib/audit/subjects/subject.ts";

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

/** A subject whose program is a shell text: it starts at once. */
function shell(body: string, timeoutSeconds = 20): Subject {
  return processSubject(`sh -c ${quoteWord(body)}`, { name: "shell", timeoutSeconds });
}

/** Draws, expects a failure, and checks that no process of the program is left. */
async function failure(subject: Subject, count = 5): Promise<string> {
  const error = await assertRejects(async () => await subject.draw([1], count), SubjectFailure);
  await assertRejects(async () => await subject.draw([1], count), SubjectFailure);
  await subject.close();
  return error.message;
}

/** Whether a process runs whose command line has `text`; zombies have none. */
function alive(text: string): boolean {
  const { stdout } = new Deno.Command("sh", {
    args: ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null"],
  }).outputSync();
  return new TextDecoder().decode(stdout).replaceAll("\0", " ").includes(text);
}

/** Whether no process with `text` is left; the system needs a moment to end them. */
async function gone(text: string): Promise<boolean> {
  for (let i = 0; i < 50; i++) {
    if (!alive(text)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
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

Deno.test("processSubject() fails every request that waits when the program does", async () => {
  const subject = shell("read line; echo nonsense");
  const outcomes = await Promise.allSettled([subject.draw([1], 5), subject.draw([2], 5)]);
  assert(outcomes.every(({ status }) => status === "rejected"));
  await subject.close();
});

// Mutants: one copy however many are asked for; copies left running.
Deno.test("processSubject() starts as many copies as workers, and ends them all", async () => {
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

Deno.test("processSubject() refuses copies of a program with a fixed seed", async () => {
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

Deno.test("processSubject() fails with the reason when the program is at fault", async () => {
  const cases: [string, string, string[]][] = [
    ["crash", "echo 'out of luck' >&2; exit 3", [
      "crashed",
      "exit status 3",
      "sent nothing",
      "luck",
    ]],
    ["signal", "kill -SEGV $$", ["crashed", "SIGSEGV"]],
    ["closed", "exec 1>&-; sleep 30", ["closed its output"]],
    ["garbage", "echo Loading…; cat >/dev/null", ["invalid JSON", "Loading…"]],
    ["blank", "echo; cat >/dev/null", ["shell sent an empty line in answer to request 1, on"]],
    ["torn", `printf '{"id":1,"outp'; read -r x`, ["crashed", "exit status 0", "outp"]],
    ["array", "echo '[1]'; cat >/dev/null", ["no JSON object", "[1]"]],
    ["wrong id", `echo '{"id":7,"outputs":[1]}'; cat >/dev/null`, ["wrong id 7", "request 1"]],
    ["no id", `echo '{"outputs":[1]}'; cat >/dev/null`, ["no id"]],
    ["count", `echo '{"id":1,"outputs":[1,2]}'; cat >/dev/null`, ["wrong count", "2 instead of 1"]],
    [
      "order",
      `echo '{"dpcheck":1,"order":true}'; echo '{"id":1,"outputs":[1]}'; echo '{"id":2,"outputs":[1]}'; cat >/dev/null`,
      ["wrong count", "1 instead of 4"],
    ],
    ["empty", `echo '{"id":1}'; cat >/dev/null`, ["neither outputs nor error"]],
    ["version", `echo '{"dpcheck":2}'; cat >/dev/null`, ["version 2"]],
    ["offer", `echo '{"dpcheck":1,"order":"yes"}'; cat >/dev/null`, ['the order "yes"']],
    ["form", `echo '{"dpcheck":1,"binary":"f32","width":1}'; cat >/dev/null`, ['"f32"']],
    ["width", `echo '{"dpcheck":1,"binary":"f64","width":0}'; cat >/dev/null`, ["width 0"]],
    [
      "short",
      `echo '{"dpcheck":1,"binary":"f64","width":1}'; read -r x; printf 12345abc12345abc123`,
      ["crashed", "3 of 8 bytes"],
    ],
  ];
  for (const [what, body, expected] of cases) {
    const message = await failure(shell(body));
    for (const part of [...expected, ", on the dataset [1]"]) {
      assert(message.includes(part), `${what}: ${JSON.stringify(part)} is not in: ${message}`);
    }
    assert(!message.includes("\n"), message);
    // Mutant: an empty line called nothing.
    assert(what !== "blank" || !message.includes("nothing"), message);
  }
});

// Mutants: the dataset of the first request; the hint for whatever goes wrong, or never.
Deno.test("processSubject() names the dataset on which a program failed, and how errors can be outputs", async () => {
  const crash = shell(
    `read -r x; echo '{"id":1,"outputs":[1]}'; read -r x; printf 'one\n"two"\n  ^^^\n' >&2; exit 1`,
  );
  await crash.draw([1], 1);
  const long = Array.from({ length: 100 }, (_, i) => i);
  const crashed = await assertRejects(async () => await crash.draw(long, 1), SubjectFailure);
  await crash.close();
  assertEquals(
    crashed.message,
    "shell crashed: it ended with exit status 1 before it answered request 2, on the dataset " +
      `${JSON.stringify(long).slice(0, 80)}…; it sent nothing; ` +
      'where an error is a legitimate output, it may answer {"id":…,"error":"…"}; ' +
      'its standard error ends with "one ⏎ "two""',
  );
  const hung = await failure(shell("sleep 64.5", 0.2));
  assertEquals(
    hung,
    "shell hung: it did not answer request 1 in 0.2 s, on the dataset [1]; it sent nothing",
  );
});

Deno.test("processSubject() quotes at most 200 characters when the program sends much", async () => {
  const message = await failure(
    shell(
      `head -c 100000 /dev/zero | tr '\\0' z; echo; head -c 9999 /dev/zero | tr '\\0' e >&2; cat`,
    ),
  );
  assert(message.includes("z".repeat(200)) && !message.includes("z".repeat(201)), message);
  assert(message.includes("e".repeat(200)) && !message.includes("e".repeat(201)), message);
});

Deno.test("processSubject() fails when the program sends more than it was asked for", async () => {
  const subject = shell(
    `read -r x; printf '{"id":1,"outputs":[1]}\\n{"id":2,"outputs":[1]}\\n'; cat >/dev/null`,
  );
  await subject.draw([], 1);
  assert((await failure(subject)).includes("more than it was asked for"));
});

Deno.test("processSubject() fails in time when the program hangs, binary or not", async () => {
  const greeting = `echo '{"dpcheck":1,"binary":"f64","width":1}'`;
  for (
    const [body, part] of [
      ["sleep 61.5", "hung: it did not answer request 1 in 0.2 s"],
      [
        `${greeting}; printf 1234567; sleep 61.5`,
        "hung: it did not answer more than 7 of 8 bytes",
      ],
    ] as const
  ) {
    const message = await failure(shell(body, 0.2));
    assert(message.includes(part), message);
  }
  assert(await gone("sleep 61.5"));
});

Deno.test("processSubject() leaves no process when it is closed, whatever the program does", async () => {
  const bodies = [
    "cat >/dev/null; sleep 62.25", // goes on after the end of input
    "trap '' TERM INT; while :; do sleep 62.25; done", // ignores SIGTERM
    "sleep 62.25 & sleep 62.25 & cat >/dev/null", // leaves children behind
  ];
  for (const body of bodies) {
    const subject = shell(body);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert(alive("sleep 62.25"), body);
    await subject.close();
    await subject.close();
    assert(await gone("sleep 62.25"), body);
  }
});

Deno.test("processSubject() rejects a draw under way when it is closed", async () => {
  const subject = shell("sleep 63.5");
  const drawing = assertRejects(
    async () => await subject.draw([], 1),
    SubjectFailure,
    "was closed",
  );
  await subject.close();
  await drawing;
  assert(await gone("sleep 63.5"));
});

Deno.test("processSubject() throws when the program cannot be started", () => {
  assertThrows(() => processSubject("./no/such-program x"), RangeError, '"./no/such-program"');
  assertThrows(() => processSubject("'unclosed"), RangeError, "quote");
  assertThrows(() => processSubject("cat", { timeoutSeconds: 0 }), RangeError, "timeout");
  // Mutant: no most.
  for (const workers of [0, 1.5, 257]) {
    assertThrows(() => processSubject("cat", { workers }), RangeError, `value is ${workers}`);
  }
});

// Mutant: a timer of more milliseconds than it takes, which goes off at once.
Deno.test("processSubject() waits for an answer when the time-out is longer than any timer's", async () => {
  const subject = shell(`sleep 0.2; echo '{"id":1,"outputs":[7]}'; cat >/dev/null`, 1e10);
  assertEquals([...outputValues(await subject.draw([], 1))], [7]);
  await subject.close();
});
