import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import {
  inParallel,
  requireWorkers,
} from "../../../../../lib/judge/audit/kernel/copies/in_parallel.ts";
import {
  countOf,
  type Outputs,
  outputValues,
} from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { type Subject, SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";
import type { Source } from "../../../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

interface Copy extends Subject {
  readonly counts: number[];
  closed: number;
}

/** A subject that draws elsewhere; its outputs are those of `output`, as a block or as values. */
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

/** One output in so many differs from the rest. */
const oneIn = (many: number) => (seed: string): () => number => {
  const source = new SeededSource(seed);
  return () => Number(source.uniform() < 1 / many);
};
const drawnBy = (copies: readonly Copy[]): number[] =>
  copies.map(({ counts }) => counts.reduce((sum, n) => sum + n, 0));

// Mutants: copies that differ asked for more than their share; comparing goes on when all differ.
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
      const drawn = drawnBy(copies);
      assert(Math.max(...drawn) - Math.min(...drawn) <= counts.length);
      // All differ in the first output, which is the first copy's.
      const wanted = counts.reduce((sum, n) => sum + n, 0);
      const inVain = wanted === 0 ? 0 : workers - 1;
      assertEquals(drawn.reduce((sum, n) => sum + n, 0), wanted + inVain);
    },
  ));
});

// Mutant: what is drawn while copies are compared is handed out of all of them.
Deno.test("inParallel() gives outputs once, in the copies' order, while they are compared of the first alone", async () => {
  const places = [0, 1, 2].map((k) => {
    let n = 0;
    return copyOf(() => 1000 * k + n++);
  });
  const subject = inParallel(places);
  assertEquals([...outputValues(await subject.draw([0], 6))], [0, 1, 2, 1001, 1002, 2001]);
  // They have shown that they differ: no more is drawn than is asked for.
  assertEquals([...outputValues(await subject.draw([0], 4))], [3, 4, 1003, 2002]);
  assertEquals([...outputValues(await subject.draw([0], 2))], [5, 1004]);
});

Deno.test("inParallel() is the copy itself when there is one", () => {
  const copy = copyOf(uniforms("one"));
  assertEquals(inParallel([copy]), copy);
  for (const workers of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(() => requireWorkers(workers), RangeError, `current value is ${workers}`);
  }
  requireWorkers(1);
});

// Mutants: agreement not checked; a hundred times more nats needed; only the second copy compared; all compared
// with the first alone.
Deno.test("inParallel() refuses copies of one seed, whatever they draw", async () => {
  for (const kind of [uniforms, coins, oneIn(50)]) {
    for (const seeds of [["a", "a"], ["b", "a", "a", "b"], ["a", "b", "b"]]) {
      const subject = inParallel(seeds.map((seed) => copyOf(kind(seed))));
      const { message } = await assertRejects(async () => {
        for (let k = 0; k < 60; k++) await subject.draw([0], 101);
      }, SubjectFailure);
      assert(message.includes("same seed"), message);
    }
  }
});

Deno.test("inParallel() accepts copies that draw independently, whatever they draw", async () => {
  for (let seed = 0; seed < 200; seed++) {
    for (const kind of [coins, oneIn(50)]) {
      const subject = inParallel([copyOf(kind(`${seed} a`)), copyOf(kind(`${seed} b`))]);
      for (let k = 0; k < 30; k++) await subject.draw([0], 40);
    }
  }
});

// Mutant: a tenth of the nats needed, for two coins agree on two different sides with probability 1/8.
Deno.test("inParallel() accepts copies that agree on a few outputs", async () => {
  for (let seed = 0; seed < 2000; seed++) {
    const subject = inParallel([copyOf(coins(`${seed} a`)), copyOf(coins(`${seed} b`))]);
    for (let k = 0; k < 10; k++) await subject.draw([0], 4);
  }
});

// Mutants: copies that were never seen to differ share the draws; comparing has no end.
Deno.test("inParallel() uses one copy of a program without randomness, and stops comparing", async () => {
  const copies = [copyOf(() => "always"), copyOf(() => "always")];
  const subject = inParallel(copies);
  assertEquals(countOf(await subject.draw([0], 40_001)), 40_001);
  const compared = new Array(8192).fill(1);
  assertEquals(copies.map(({ counts }) => counts), [[...compared, 40_001 - 8192], compared]);
  assertEquals(countOf(await subject.draw([0], 3)), 3);
  assertEquals(drawnBy(copies), [40_004, 8192]);
});

// Mutants: as above; the copies that differ from the first alone share the draws.
Deno.test("inParallel() goes on with one copy of each seed when too little is drawn to refuse them", async () => {
  const copies = ["a", "b", "b", "a", "c", "c"].map((seed) => copyOf(oneIn(2500)(seed)));
  const subject = inParallel(copies);
  await subject.draw([0], 8192);
  assertEquals(drawnBy(copies), copies.map(() => 8192));
  await subject.draw([0], 3000);
  assertEquals(drawnBy(copies).map((n) => n - 8192), [1000, 1000, 0, 0, 1000, 0]);
});

// Mutant: several outputs at a time while copies are compared.
Deno.test("inParallel() refuses copies of one seed that are given their requests in different parts", async () => {
  /** Answers in parts, each of which takes all its first numbers before its second ones. */
  const inParts = (parts: Source): Subject => {
    const source = new SeededSource("the same");
    return {
      ...copyOf(() => 0),
      draw(_data, count): Outputs {
        const values: boolean[] = [];
        while (values.length < count) {
          const part = 1 + Math.floor(parts.uniform() * (count - values.length));
          const first = Array.from({ length: part }, () => source.uniform() < 0.5);
          values.push(...first.map((coin) => coin === source.uniform() < 0.7));
        }
        return { kind: "values", values };
      },
    };
  };
  for (let seed = 0; seed < 20; seed++) {
    const subject = inParallel(
      ["a", "b", "c"].map((copy) => inParts(new SeededSource(`${seed} ${copy}`))),
    );
    const { message } = await assertRejects(async () => {
      for (let k = 0; k < 10; k++) await subject.draw([0], 32);
    }, SubjectFailure);
    assert(message.includes("same seed"), message);
  }
});

// Mutants: draws that do not wait for their turn; that wait until the last one is drawn.
Deno.test("inParallel() asks all copies in the order of the calls, however fast they are", async () => {
  const draw = async (waits: (k: number) => number): Promise<unknown> => {
    const asked: unknown[][] = [[], [], []];
    let atOnce = 0, most = 0;
    const copies = asked.map((log, k): Subject => {
      const coin = coins(`copy ${k}`);
      return {
        ...copyOf(coin),
        async draw(data, count): Promise<Outputs> {
          log.push([data, count]);
          const values = Array.from({ length: count }, coin);
          most = Math.max(most, ++atOnce);
          await new Promise((resolve) => setTimeout(resolve, waits(k)));
          atOnce--;
          return { kind: "values", values };
        },
      };
    });
    const subject = inParallel(copies);
    const rows = [0, 1, 2, 3, 4, 5];
    const outputs = await Promise.all(rows.map((row) => subject.draw([row], 3 + row)));
    // Shares are as large or smaller by one: the order of the copies is compared.
    const about = asked.map((log) => log.map((request) => (request as unknown[])[0]));
    assertEquals(about, about.map(() => about[0]!));
    assert(most > copies.length, "no draw was asked for before the last one was drawn");
    return { outputs, asked };
  };
  const random = new SeededSource("waits");
  const alike = await draw(() => 1);
  assertEquals(await draw((k) => 5 * k), alike);
  assertEquals(await draw(() => 5 * random.uniform()), alike);
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
