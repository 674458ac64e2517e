import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { countOf } from "../../../lib/audit/encode.ts";
import { type Outputs, type Subject, SubjectFailure } from "../../../lib/audit/subject.ts";
import { inParallel, requireWorkers } from "../../../lib/audit/subjects/in_parallel.ts";
import { outputValues } from "../../../lib/audit/subjects/pack_outputs.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

interface Copy extends Subject {
  readonly counts: number[];
  closed: number;
}

/** A subject elsewhere that gives what `output` says, a block of it or values. */
function copyOf(output: () => unknown): Copy {
  const copy: Copy = {
    name: "copy",
    drawsElsewhere: true,
    counts: [],
    closed: 0,
    async draw(_data, count): Promise<Outputs> {
      copy.counts.push(count);
      await Promise.resolve();
      const values = Array.from({ length: count }, output);
      return values.every((value) => typeof value === "number")
        ? { kind: "block", width: 1, values: Float64Array.from(values as number[]) }
        : { kind: "values", values };
    },
    close: () => {
      copy.closed++;
      return Promise.resolve();
    },
  };
  return copy;
}

const uniforms = (seed: string): () => number => {
  const source = new SeededSource(seed);
  return () => source.uniform();
};
const coins = (seed: string): () => boolean => {
  const source = new SeededSource(seed);
  return () => source.uniform() < 0.5;
};

Deno.test("inParallel() draws what is asked for, each copy its share", async () => {
  await fc.assert(fc.asyncProperty(
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 }),
    async (workers, counts) => {
      const copies = Array.from({ length: workers }, (_, k) => copyOf(uniforms(`copy ${k}`)));
      const subject = inParallel(copies);
      for (const count of counts) {
        assertEquals(countOf(await subject.draw([0], count)), count);
      }
      const drawn = copies.map((copy) => copy.counts.reduce((sum, n) => sum + n, 0));
      assert(Math.max(...drawn) - Math.min(...drawn) <= counts.length);
    },
  ));
});

Deno.test("inParallel() gives every output of every copy once, in the copies' order", async () => {
  const places = [0, 1, 2].map((k) => {
    let n = 0;
    return copyOf(() => 1000 * k + n++);
  });
  const subject = inParallel(places);
  assertEquals([...outputValues(await subject.draw([0], 6))], [0, 1, 1000, 1001, 2000, 2001]);
  // They have shown that they differ: no more is drawn than is asked for.
  assertEquals([...outputValues(await subject.draw([0], 4))], [2, 3, 1002, 2002]);
  assertEquals([...outputValues(await subject.draw([0], 2))], [4, 1003]);
});

Deno.test("inParallel() is the copy itself when there is one", () => {
  const copy = copyOf(uniforms("one"));
  assertEquals(inParallel([copy]), copy);
  for (const workers of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(() => requireWorkers(workers), RangeError, `current value is ${workers}`);
  }
  requireWorkers(1);
});

// Mutants: agreement not looked for; a hundred times fewer nats wanted; only the second copy compared.
Deno.test("inParallel() refuses copies of one seed, whatever they draw", async () => {
  const kinds = [uniforms, coins, (seed: string) => {
    const source = new SeededSource(seed);
    // One output in fifty differs from the rest.
    return () => Number(source.uniform() < 0.02);
  }];
  for (const kind of kinds) {
    for (const seeds of [["a", "a"], ["b", "a", "a", "b"]]) {
      const subject = inParallel(seeds.map((seed) => copyOf(kind(seed))));
      const { message } = await assertRejects(async () => {
        for (let k = 0; k < 60; k++) await subject.draw([0], 101);
      }, SubjectFailure);
      assert(message.includes("same seed"), message);
    }
  }
});

Deno.test("inParallel() takes copies that draw by themselves, whatever they draw", async () => {
  const rare = (seed: string): () => number => {
    const source = new SeededSource(seed);
    return () => Number(source.uniform() < 0.02);
  };
  for (let seed = 0; seed < 200; seed++) {
    for (const kind of [coins, rare]) {
      const subject = inParallel([copyOf(kind(`${seed} a`)), copyOf(kind(`${seed} b`))]);
      for (let k = 0; k < 30; k++) await subject.draw([0], 40);
    }
  }
});

// Mutant: a tenth of the nats wanted, for two coins agree on two different sides with probability 1/8.
Deno.test("inParallel() is not hasty where copies agree on a few outputs", async () => {
  for (let seed = 0; seed < 2000; seed++) {
    const subject = inParallel([copyOf(coins(`${seed} a`)), copyOf(coins(`${seed} b`))]);
    for (let k = 0; k < 10; k++) await subject.draw([0], 4);
  }
});

Deno.test("inParallel() takes a program without randomness, and stops comparing", async () => {
  const copies = [copyOf(() => "always"), copyOf(() => "always")];
  const subject = inParallel(copies);
  await subject.draw([0], 40_001);
  assertEquals(copies.map(({ counts }) => counts[0]), [20_001, 20_001]);
  assertEquals(countOf(await subject.draw([0], 3)), 3);
  assertEquals(copies.map(({ counts }) => counts[1]), [2, 1]);
});

Deno.test("inParallel() fails when one copy does, and closes all", async () => {
  const good = copyOf(uniforms("good"));
  const bad: Subject = {
    name: "copy",
    draw: () => Promise.reject(new SubjectFailure("copy crashed")),
    close: () => Promise.reject(new Error("closed twice")),
  };
  await assertRejects(
    async () => await inParallel([good, bad]).draw([0], 10),
    SubjectFailure,
    "crashed",
  );
  const subject = inParallel([good, copyOf(uniforms("other"))]);
  await subject.close();
  assertEquals(good.closed, 1);
});
