import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { processSubject } from "../../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { alive, failure, gone, shell } from "./scripted_subjects.ts";

Deno.test("processSubject() fails every request that waits when the program does", async () => {
  const subject = shell("read line; echo nonsense");
  const outcomes = await Promise.allSettled([subject.draw([1], 5), subject.draw([2], 5)]);
  assert(outcomes.every(({ status }) => status === "rejected"));
  await subject.close();
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
