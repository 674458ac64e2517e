import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { outputValues } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import {
  type Subject,
  SubjectFailure,
  Thrown,
} from "../../../../../lib/judge/audit/kernel/subject.ts";
import { moduleSubject } from "../../../../../lib/judge/audit/subjects/thread/module_subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const file = "fixtures/judge/subjects/modules/in_threads.ts";

/** The export of the fixture, in two threads. */
function inThreads(name: string, timeoutSeconds = 20): Promise<Subject> {
  const source = new SeededSource(1);
  return moduleSubject(`${file}#${name}`, { source, workers: 2, timeoutSeconds });
}

/** The export of the fixture, in the one thread that it gets unless told otherwise. */
function inThread(name: string, timeoutSeconds = 20): Promise<Subject> {
  return moduleSubject(`${file}#${name}`, { source: new SeededSource(1), timeoutSeconds });
}

/** Draws, expects a failure each time, and returns the messages. */
async function failure(subject: Subject): Promise<string> {
  const { message } = await assertRejects(
    async () => await subject.draw([1], 64),
    SubjectFailure,
  );
  await assertRejects(async () => await subject.draw([1], 64), SubjectFailure);
  await subject.close();
  return message;
}

// Mutants: one seed for all threads; a source that is not split from the one given.
Deno.test("moduleSubject() with workers draws by the source that it is given", async () => {
  const drawn: number[][] = [];
  for (let run = 0; run < 2; run++) {
    const subject = await inThreads("uniform");
    assertEquals(subject.drawsElsewhere, true);
    const values = [
      ...outputValues(await subject.draw([0], 1001)),
      ...outputValues(await subject.draw([5], 1001)),
    ];
    drawn.push(values as number[]);
    await subject.close();
  }
  assertEquals(drawn[0], drawn[1]);
  const values = drawn[0]!;
  assertEquals(values.length, 2002);
  assertEquals(new Set(values).size, 2002);
  assert(values.every((x, i) => i < 1001 ? x > 0 && x < 1 : x > 5 && x < 6));
});

Deno.test("moduleSubject() with workers keeps name, claim and domain", async () => {
  const specifier = "fixtures/judge/subjects/modules/laplace_mechanism.ts";
  const source = new SeededSource(1);
  const alone = await moduleSubject(specifier, { source });
  const subject = await moduleSubject(specifier, { source, workers: 3 });
  assertEquals(subject.name, alone.name);
  assertEquals(subject.claim, alone.claim);
  assertEquals(subject.domain, alone.domain);
  const outputs = await subject.draw([0.5], 100);
  assert(outputs.kind === "block" && outputs.width === 1 && outputs.values.length === 100);
  await subject.close();
  await alone.close();
});

Deno.test("moduleSubject() with workers takes several requests at once", async () => {
  const subject = await inThreads("uniform");
  const rows = [0, 10, 20, 30];
  const drawn = await Promise.all(rows.map((row) => subject.draw([row], 50)));
  drawn.forEach((outputs, k) => {
    assert([...outputValues(outputs)].every((x) => Math.floor(x as number) === rows[k]));
  });
  await subject.close();
});

Deno.test("moduleSubject() with workers gives records and errors unchanged", async () => {
  const subject = await inThreads("recordOrError");
  assertEquals([...outputValues(await subject.draw([0], 3))], [
    { text: "zero", list: [1, 2] },
    { text: "zero", list: [1, 2] },
    { text: "zero", list: [1, 2] },
  ]);
  const errors = [...outputValues(await subject.draw([1], 2))];
  assert(errors.every((error) => error instanceof Thrown && error.message === "one is too much"));
  await subject.close();
});

// Mutant: a failed block is drawn once more as a block.
Deno.test("moduleSubject() with workers does not repeat a failed block on the same dataset", async () => {
  const subject = await inThreads("failingBlocks");
  const data = [3];
  for (let k = 0; k < 6; k++) {
    assertEquals([...outputValues(await subject.draw(data, 4))], [3, 3, 3, 3]);
  }
  await subject.close();
});

Deno.test("moduleSubject() with workers refuses a module with a seed of its own", async () => {
  for (const name of ["fixedSeed", "fixedSeedCoin"]) {
    const subject = await inThreads(name);
    const { message } = await assertRejects(async () => {
      for (let k = 0; k < 5; k++) await subject.draw([0], 64);
    }, SubjectFailure);
    assert(message.includes("same seed"), message);
    await subject.close();
  }
});

Deno.test("moduleSubject() with workers fails when a draw takes too long, even without a yield", async () => {
  const message = await failure(await inThreads("stuck", 0.5));
  assert(message.includes("hung: it drew nothing for 0.5 s, on the dataset [1]"), message);
});

// Mutants: the time of the first request only; the dataset of the last one.
Deno.test("moduleSubject() with workers gives each request that waits its time", async () => {
  const subject = await inThreads("stuck", 0.5);
  const [first, second] = await Promise.allSettled(
    [0, 1, 2].map((row) => subject.draw([row], 64)),
  );
  assertEquals(first?.status, "fulfilled");
  assert(second?.status === "rejected" && second.reason.message.includes("hung"));
  assert(second.reason.message.endsWith("on the dataset [1]"), second.reason.message);
  await subject.close();
});

Deno.test("moduleSubject() with workers fails when outputs cannot be copied", async () => {
  const message = await failure(await inThreads("returnsFunction"));
  assert(message.includes("cannot be drawn from in a thread"), message);
});

Deno.test("a subject in workers that was closed fails", async () => {
  const subject = await inThreads("uniform");
  const pending = subject.draw([0], 10);
  await subject.close();
  await assertRejects(async () => await pending, SubjectFailure, "closed");
  await assertRejects(async () => await subject.draw([0], 10), SubjectFailure, "closed");
});

// Mutants: drawn in this thread; draws that do not wait for each other; a new thread for every draw.
Deno.test("moduleSubject() draws in one thread that goes on, by the source that it is given", async () => {
  const counting = await inThread("counting");
  assertEquals(counting.drawsElsewhere, true);
  const drawn = await Promise.all([5, 3, 40].map((count) => counting.draw([0], count)));
  assertEquals(drawn.flatMap((outputs) => [...outputValues(outputs)]), [...Array(48).keys()]);
  await counting.close();
  const twice: unknown[][] = [];
  for (let run = 0; run < 2; run++) {
    const subject = await inThread("uniform");
    twice.push([...outputValues(await subject.draw([0], 100))]);
    await subject.close();
  }
  assertEquals(twice[0], twice[1]);
  assertEquals(new Set(twice[0]).size, 100);
});

// Mutants: loaded here always; never; the claim or the domain is lost on the way.
Deno.test("moduleSubject() loads a module into its thread alone, unless only it knows the relation", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const loads = `${folder}/loads`;
    await Deno.writeTextFile(
      `${folder}/module.ts`,
      `Deno.writeTextFileSync(${JSON.stringify(loads)}, "x", { append: true });
       export const plain = () => 1;
       const claim = (relation) => ({ kind: "pure", epsilon: 1, relation });
       const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };
       export const near = { name: "near", domain, sample: () => 2,
         claim: claim({ name: "change-one-by-0.5" }) };
       export const own = { name: "own", sample: () => 2,
         claim: claim({ name: "never", violation: () => "they are not" }) };`,
    );
    const open = (name: string): Promise<Subject> =>
      moduleSubject(`${folder}/module.ts#${name}`, { source: new SeededSource(1) });
    const subjects = [await open("plain"), await open("near")];
    const [plain, near] = subjects;
    assertEquals(await Deno.readTextFile(loads), "xx");
    assertEquals([plain!.name, plain!.claim], [`${folder}/module.ts#plain`, undefined]);
    assertEquals([near!.name, near!.domain?.size], ["near", { min: 1, max: 2 }]);
    assertEquals([near!.claim?.kind, near!.claim?.relation.name], ["pure", "change-one-by-0.5"]);
    assertMatch(near!.claim!.relation.violation([0], [1])!, /by at most 0.5/);
    subjects.push(await open("own"));
    assertEquals(await Deno.readTextFile(loads), "xxxx");
    assertEquals(subjects[2]!.claim?.relation.violation([], []), "they are not");
    for (const subject of subjects) await subject.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

// Mutant: the time of a whole draw.
Deno.test("moduleSubject() does not fail a slow module: the time-out is for one output", async () => {
  const subject = await inThread("slow", 0.5);
  const outputs = await subject.draw([7], 10);
  assertEquals([...outputValues(outputs)], Array(10).fill(7));
  await subject.close();
});

// Mutant: a watch that does not begin again after a pause.
Deno.test("moduleSubject() does not count the time in which nothing is asked for", async () => {
  const subject = await inThread("uniform", 2);
  await subject.draw([0], 10);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assertEquals((await subject.draw([0], 10)).values.length, 10);
  await subject.close();
});

Deno.test("moduleSubject() fails when a module that is alone never returns", async () => {
  assert(
    (await failure(await inThread("stuck", 2))).includes("hung: it drew nothing for 2 s"),
  );
});

Deno.test("moduleSubject() fails, and this process goes on, when a module ends the process", async () => {
  assert((await failure(await inThread("leaving"))).includes("ended its thread"));
});

// Mutants: no limit for loading; loaded here first.
Deno.test("moduleSubject() throws when a module is not loaded in time", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const loop = "const start = Date.now(); while (Date.now() - start < 3000);";
    await Deno.writeTextFile(file, `export default () => 1; ${loop}`);
    await assertRejects(
      () => moduleSubject(file, { source: new SeededSource(1), timeoutSeconds: 0.5 }),
      SubjectFailure,
      "hung: it was not loaded in 0.5 s",
    );
  } finally {
    await Deno.remove(file);
  }
});
