import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SubjectFailure, Thrown } from "../../../../lib/judge/audit/kernel/subject.ts";
import { functionSubject } from "../../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { moduleSubject } from "../../../../lib/judge/audit/subjects/thread/module_subject.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const source = new SeededSource(1);

Deno.test("mechanismSubject() draws blocks when the mechanism has sampleMany", () => {
  const mechanism: Mechanism<number, number[]> = {
    name: "pair",
    claim,
    width: 2,
    sample: () => [0, 0],
    sampleMany: (data, count) => new Float64Array(2 * count).fill(data[0]!),
  };
  const subject = mechanismSubject(mechanism, { source });
  assertEquals(subject.claim, claim);
  assertEquals(subject.draw([7], 3), {
    kind: "block",
    width: 2,
    values: new Float64Array(6).fill(7),
  });
});

Deno.test("mechanismSubject() fails when sampleMany returns a wrong number of outputs", () => {
  const mechanism: Mechanism<number, number> = {
    name: "short",
    claim,
    width: 1,
    sample: () => 0,
    sampleMany: (_data, count) => new Float64Array(count - 1),
  };
  assertThrows(() => mechanismSubject(mechanism, { source }).draw([], 3), SubjectFailure, "2");
  const { width: _, ...without } = mechanism;
  assertThrows(() => mechanismSubject(without, { source }), TypeError, "width");
});

Deno.test("mechanismSubject() gives errors as outputs when sample throws", () => {
  let calls = 0;
  const mechanism: Mechanism<number, number> = {
    name: "thrower",
    claim,
    sample: () => {
      if (calls++ % 2 === 1) throw new Error("odd");
      return 1;
    },
  };
  assertEquals(mechanismSubject(mechanism, { source }).draw([], 3), {
    kind: "values",
    values: [1, new Thrown("odd"), 1],
  });
});

Deno.test("mechanismSubject() draws one by one when sampleMany throws", () => {
  const mechanism: Mechanism<number, number> = {
    name: "thrower",
    claim,
    width: 1,
    sample: () => 1,
    sampleMany: () => {
      throw new Error("no");
    },
  };
  assertEquals(mechanismSubject(mechanism, { source }).draw([], 2), {
    kind: "block",
    width: 1,
    values: Float64Array.of(1, 1),
  });
});

Deno.test("functionSubject() hands over source and data when the function is asynchronous", async () => {
  const same = new SeededSource(5);
  const subject = functionSubject(
    (data: number[], given: Source) => Promise.resolve(data[0]! + given.uint32()),
    { name: "plain", source: new SeededSource(5), claim },
  );
  assertEquals(subject.claim, claim);
  assertEquals(await subject.draw([4], 2), {
    kind: "block",
    width: 1,
    values: Float64Array.of(4 + same.uint32(), 4 + same.uint32()),
  });
});

Deno.test("functionSubject() keeps the data when the function edits them", async () => {
  const flat = functionSubject((data: number[]) => data.push(1), { name: "push", source });
  const deep = functionSubject((data: number[][]) => data[0]!.push(1), { name: "push", source });
  const one = [0], two = [[0]];
  assertEquals([...(await flat.draw(one, 2)).values], [2, 2]);
  assertEquals([...(await deep.draw(two, 2)).values], [2, 2]);
  assertEquals([one, two], [[0], [[0]]]);
});

Deno.test("functionSubject() gives errors as outputs when it throws or rejects", async () => {
  const thrower = functionSubject((): number => {
    throw new RangeError("bad");
  }, { name: "thrower", source });
  const bad = (await thrower.draw([], 1)).values[0] as unknown as Thrown;
  assertEquals([bad instanceof Thrown, bad.message, bad.seen?.form], [true, "bad", "RangeError"]);
  const rejecter = functionSubject(() => Promise.reject("text"), { name: "rejecter", source });
  const text = (await rejecter.draw([], 1)).values[0] as unknown as Thrown;
  assertEquals([text.message, text.seen?.form], ["text", "no error"]);
});

Deno.test("functionSubject() fails when a promise is never settled", async () => {
  const subject = functionSubject(() => new Promise(() => {}), {
    name: "sleeper",
    source,
    timeoutSeconds: 0.05,
  });
  await assertRejects(async () => await subject.draw([], 1), SubjectFailure, "sleeper hung");
});

// Mutant: a timer of more milliseconds than it takes, which goes off at once.
Deno.test("functionSubject() waits for a promise when the time-out is longer than any timer's", async () => {
  const late = (): Promise<number> => new Promise((resolve) => setTimeout(() => resolve(7), 100));
  const subject = functionSubject(late, { name: "late", source, timeoutSeconds: 1e10 });
  assertEquals([...(await subject.draw([], 1)).values], [7]);
});

Deno.test("moduleSubject() finds the export when it is named or the default", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/odd #name %41?.ts`;
    await Deno.writeTextFile(
      file,
      `export default (data: number[]) => data.length;
       export const named = { name: "five", claim: { kind: "pure", epsilon: 1 }, sample: () => 5 };
       export class Klass { name = "klass"; x = 6; sample() { return this.x; } }
       export const instance = new Klass();
       export const text = "text";`,
    );
    const plain = await moduleSubject(`${file}#`, { source });
    assertEquals([...(await plain.draw([1, 2], 1)).values], [2]);
    await plain.close();
    const named = await moduleSubject(`${file}#named`, { source });
    assertEquals(named.name, "five");
    assertEquals(named.claim?.kind, "pure");
    assertEquals([...(await named.draw([], 1)).values], [5]);
    await named.close();
    const instance = await moduleSubject(`${file}#instance`, { source });
    assertEquals([...(await instance.draw([], 1)).values], [6]);
    await instance.close();
    await assertRejects(
      () => moduleSubject(`${file}#absent`, { source }),
      RangeError,
      "must export absent: it exports",
    );
    await assertRejects(() => moduleSubject(`${file}#text`, { source }), TypeError, "string");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("moduleSubject() throws when the file is missing or does not load", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await assertRejects(
      () => moduleSubject("./no/such.ts", { source }),
      RangeError,
      "./no/such.ts",
    );
    await assertRejects(() => moduleSubject("", { source }), RangeError);
    await Deno.writeTextFile(`${folder}/broken.js`, "export default (;");
    const error = await assertRejects(
      () => moduleSubject(`${folder}/broken.js`, { source }),
      RangeError,
      "must load",
    );
    assert(!error.message.includes("\n"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

// Mutants: a failed block on each dataset is drawn anew; every failed block is.
Deno.test("mechanismSubject() draws one by one on all datasets when sampleMany has thrown on one", () => {
  const asked: unknown[] = [];
  const mechanism: Mechanism<number, number> = {
    name: "thrower",
    claim,
    width: 1,
    sample: (data) => data[0]!,
    sampleMany: (data, count) => {
      asked.push(data[0]);
      if (data[0] === 1) throw new Error("no");
      return new Float64Array(count).fill(-1);
    },
  };
  const subject = mechanismSubject(mechanism, { source });
  const draw = (row: number): unknown[] => {
    const outputs = subject.draw([row], 2);
    assert(!(outputs instanceof Promise));
    return [...outputs.values];
  };
  assertEquals([0, 1, 2, 0, 1].map(draw), [[-1, -1], [1, 1], [2, 2], [0, 0], [1, 1]]);
  assertEquals(asked, [0, 1]);
});

// Mutant: every failed block is drawn again, so that good blocks are kept and errors become too rare.
Deno.test("mechanismSubject() gives errors their probability when sampleMany throws them", () => {
  const failing = (random: Source): number => {
    if (random.uniform() < 0.01) throw new Error("no convergence");
    return 0;
  };
  const mechanism: Mechanism<number, number> = {
    name: "fails now and then",
    claim,
    width: 1,
    sample: (_data, random) => failing(random),
    sampleMany: (_data, count, random) => new Float64Array(count).map(() => failing(random)),
  };
  const subject = mechanismSubject(mechanism, { source: new SeededSource(3) });
  const data = [0];
  let errors = 0;
  for (let batch = 0; batch < 1000; batch++) {
    const outputs = subject.draw(data, 10);
    if (outputs instanceof Promise || outputs.kind === "block") continue;
    for (const output of outputs.values) if (output instanceof Thrown) errors++;
  }
  // 100 are expected, 60 or fewer have probability 1e-5.
  assert(errors > 60, `${errors} of 10000 outputs are errors, 100 expected`);
});

// Mutants: the data themselves handed to sample, or to sampleMany; rows shared.
Deno.test("mechanismSubject() hands every call a copy of the data, nested rows too", () => {
  const data: number[][] = [[0], [5]];
  const spoil = (rows: readonly (readonly number[])[]): number => {
    const before = rows[0]![0]! + rows.length;
    (rows[0] as number[])[0] = 100;
    (rows as number[][]).push([1]);
    return before;
  };
  const singly = mechanismSubject({ name: "spoils", claim, sample: spoil }, { source });
  const inBlocks = mechanismSubject({
    name: "spoils blocks",
    claim,
    width: 1,
    sample: spoil,
    sampleMany: (rows: readonly (readonly number[])[], count) =>
      new Float64Array(count).fill(spoil(rows)),
  }, { source });
  for (const subject of [singly, inBlocks, singly, inBlocks]) {
    const outputs = subject.draw(data, 3);
    assert(!(outputs instanceof Promise));
    assertEquals([...outputs.values], [2, 2, 2]);
  }
  assertEquals(data, [[0], [5]]);
});
