import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type Claim,
  functionSubject,
  laplace,
  mechanismSubject,
  processSubject,
  pure,
  replaceOne,
  samplesPair,
  samplesSubject,
  SecureSource,
  SeededSource,
  type Subject,
  SubjectFailure,
  Thrown,
} from "../../../mod.ts";
import {
  type Coins,
  moduleSubject,
  type PairData,
  type PairOutputs,
} from "../../../lib/judge/audit/mod.ts";
import {
  AssertionError,
  checkSubject,
  type CheckSubjectOptions,
} from "../../../lib/judge/testing/mod.ts";
import { hasProgram } from "../../has_program.ts";

const hasPython = await hasProgram(["python3", "--version"], "the laws of subjects, for a program");

const BAD = [-1];
const pair = { left: [1, 2], right: [1] };
const options = { ...pair, throwsOn: BAD };

/** The number of rows, with noise. */
function noisyCount(rows: readonly number[], source: { uniform(): number }): number {
  if (rows.includes(-1)) throw new RangeError("no such row");
  return rows.length + source.uniform();
}

const counting = (): Subject =>
  functionSubject(noisyCount, { name: "noisy count", source: new SeededSource(1) });

/** That subject with parts of it changed. */
const changed = (change: (subject: Subject) => Partial<Subject>) => (): Subject => {
  const subject = counting();
  return { ...subject, ...change(subject) };
};

Deno.test("checkSubject() says which laws hold, and which were not checked", async () => {
  const { held, skipped } = await checkSubject(counting, options);
  assertEquals(held.length, 7);
  assertEquals(Object.values(skipped), ["no dataset is given on which the program fails"]);
});

Deno.test("checkSubject() holds of every kind of subject", async () => {
  const noise = laplace<number>({
    query: (rows) => rows.length,
    epsilon: 1,
    sensitivity: 1,
    granularity: 0.25,
    relation: replaceOne,
  });
  const source = (): SeededSource => new SeededSource(2);
  const recorded = samplesPair({ left: "left", right: "right" });
  const module = "fixtures/judge/subjects/modules/in_threads.ts#uniform";
  const python = `python3 -c 'import json, random, sys
for line in sys.stdin:
    r = json.loads(line)
    if r["data"] == [-1]: print(json.dumps({"id": r["id"], "error": "no such row"}), flush=True)
    elif r["data"] == [-2]: sys.exit(1)
    else: print(json.dumps({"id": r["id"], "outputs": [len(r["data"]) + random.random() for _ in range(r["count"])]}), flush=True)'`;
  const kinds: Record<
    string,
    readonly [() => Subject | Promise<Subject>, CheckSubjectOptions, skipped: number]
  > = {
    mechanism: [
      () => mechanismSubject(noise, { source: source() }),
      { ...pair, independent: true },
      3,
    ],
    function: [
      () =>
        functionSubject((rows: number[]) => Promise.resolve(noisyCount(rows, unrepeated)), {
          name: "own",
          source: source(),
        }),
      options,
      2,
    ],
    module: [() => moduleSubject(module, { source: source() }), { left: [0], right: [5] }, 2],
    "module in two threads": [
      () => moduleSubject(module, { source: source(), workers: 2 }),
      { left: [0], right: [5] },
      2,
    ],
    ...(hasPython
      ? { process: [() => processSubject(python), { ...options, failsOn: [-2] }, 1] }
      : {}),
    samples: [
      () => {
        const [left, right] = [0, 1].map((side) => ({
          kind: "block" as const,
          width: 1,
          values: Float64Array.from({ length: 1000 }, (_, i) => (i * 7919 % 1000) / 1000 + side),
        }));
        return samplesSubject({ left: left!, right: right!, pair: recorded, source: source() });
      },
      { left: recorded.left, right: recorded.right },
      3,
    ],
  };
  for (const [kind, [open, { left, right, ...rest }, count]] of Object.entries(kinds)) {
    const { held, skipped } = await checkSubject(open, { left, right, ...rest });
    assertEquals([kind, Object.keys(skipped).length], [kind, count], JSON.stringify(skipped));
    assertEquals(held.length, 8 - count);
  }
});

const secure = new SecureSource();
/** Randomness that is not repeated. */
const unrepeated = { uniform: () => secure.uniform() };

/** Gives no outputs while it is asked already, which is done only to one that draws elsewhere. */
const asked = (drawsElsewhere: boolean): () => Subject =>
  changed(({ drawInOrder }) => {
    let isBusy = false;
    return {
      drawsElsewhere,
      async drawInOrder(data: PairData, coins: Coins): Promise<PairOutputs> {
        if (isBusy) coins = coins.slice(0, 0);
        isBusy = true;
        await new Promise((resolve) => setTimeout(resolve));
        isBusy = false;
        return await drawInOrder!(data, coins);
      },
    };
  });

const timers: ReturnType<typeof setTimeout>[] = [];
/** Subjects that break one law, and words of the message. */
const BROKEN: Readonly<Record<string, readonly [() => Subject, ...words: string[]]>> = {
  "no name": [changed(() => ({ name: "" })), "The name is empty"],
  "a copied claim": [
    changed(() => ({ claim: { ...pure({ epsilon: 1, relation: replaceOne }) } as Claim })),
    "The claim was not made by a constructor",
  ],
  "draws that fail": [
    changed(() => ({ draw: () => Promise.reject(new SubjectFailure("it crashed")) })),
    "An error came in its place",
    "it crashed",
  ],
  "a missing output": [
    changed(({ draw }) => ({
      draw: async (data: unknown, count: number) => await draw(data, Math.max(1, count - 1)),
    })),
    "1 outputs came where 2 were asked for",
    "data: [1,2]",
  ],
  "an answer that is none": [
    changed(() => ({ draw: () => [1] as never })),
    "neither a block of doubles nor a list of values",
  ],
  "an output that is too deep": [
    changed(() => ({
      draw: (_: unknown, count: number) => ({
        kind: "values" as const,
        values: Array.from({ length: count }, () => JSON.parse("[".repeat(200) + "]".repeat(200))),
      }),
    })),
    "more than 100 levels",
  ],
  "data that are changed": [
    changed(({ draw }) => ({
      draw: (data: unknown, count: number) => ((data as number[]).push(7), draw(data, count)),
    })),
    "draw() changed the dataset",
  ],
  "coins without an output": [
    changed(({ drawInOrder }) => ({
      drawInOrder: (data: PairData, coins: Coins) =>
        drawInOrder!(data, coins.slice(1, coins.count)),
    })),
    "outputs of the",
    "coins",
  ],
  "sides that are exchanged": [
    changed(({ drawInOrder }) => ({
      drawInOrder: ({ left, right }: PairData, coins: Coins) =>
        drawInOrder!({ left: right, right: left }, coins),
    })),
    "Outputs of the left dataset have another law in an order than alone",
  ],
  "an output that knows coins to come": [
    changed(({ drawInOrder }) => ({
      async drawInOrder(data: PairData, coins: Coins): Promise<PairOutputs> {
        const outputs = await drawInOrder!(data, coins);
        return {
          ...outputs,
          left: {
            kind: "values",
            values: [...outputs.left.values].map((x) =>
              (x as unknown) instanceof Thrown ? x : Number(x) + coins.right / 1e9
            ),
          },
        };
      },
    })),
    "of the left dataset changes with coins that come after it",
  ],
  "an error that is thrown": [
    changed(({ draw }) => ({
      draw: async (data: unknown, count: number) => {
        const outputs = await draw(data, count);
        return {
          kind: "values" as const,
          values: [...outputs.values].map((x) => x as unknown instanceof Thrown ? "error" : x),
        };
      },
    })),
    "An error is no Thrown",
  ],
  "one error in place of several": [
    changed(({ draw }) => ({
      draw: async (data: unknown, count: number) =>
        data === BAD
          ? { kind: "values" as const, values: [new Thrown("no such row")] }
          : await draw(data, count),
    })),
    "An error is no Thrown",
  ],
  "outputs that are lost when two orders come at once": [asked(true), "outputs of the", "coins"],
  "an error that spreads": [
    changed(({ drawInOrder }) => ({
      async drawInOrder(data: PairData, coins: Coins): Promise<PairOutputs> {
        const outputs = await drawInOrder!(data, coins);
        const error = [...outputs.left.values].find((x) => (x as unknown) instanceof Thrown);
        if (error === undefined) return outputs;
        return {
          ...outputs,
          right: { kind: "values", values: [...outputs.right.values].map(() => error) },
        };
      },
    })),
    "An error on one dataset changes the output of the other",
  ],
  "a timer that is left": [
    changed(() => ({
      close: () => Promise.resolve(void timers.push(setTimeout(() => {}, 60_000))),
    })),
    "Something is still there after close()",
    '"Timeout"',
  ],
  "a timer that a draw leaves": [
    changed(({ draw }) => ({
      draw: (data: unknown, count: number) => {
        timers.push(setTimeout(() => {}, 60_000));
        return draw(data, count);
      },
    })),
    "Something is still there after close()",
  ],
};

for (const [what, [open, ...words]] of Object.entries(BROKEN)) {
  Deno.test(`checkSubject() refuses ${what}, and says what to do`, async () => {
    const own = { left: [1, 2], right: [1], throwsOn: BAD };
    const { message } = await assertRejects(() => checkSubject(open, own), AssertionError);
    timers.splice(0).forEach(clearTimeout);
    assertStringIncludes(message, "The subject breaks a law: ");
    assertStringIncludes(message, "What to do: ");
    for (const word of words) assertStringIncludes(message, word);
  });
}

Deno.test("checkSubject() takes a subject that says what it lost, one that is asked once at a time, and one that ends after close()", async () => {
  const losing = changed(({ drawInOrder }) => ({
    async drawInOrder(data: PairData, coins: Coins): Promise<PairOutputs> {
      const { left, ...outputs } = await drawInOrder!(data, coins);
      const values = [...left.values].slice(0, -1);
      return { ...outputs, left: { kind: "values", values }, lost: { left: 1, right: 0 } };
    },
  }));
  const ending = changed(() => ({ close: () => Promise.resolve(void setTimeout(() => {}, 100)) }));
  const lists = (): Subject =>
    functionSubject(
      (
        rows: readonly number[],
        source: { uniform(): number },
      ) => [rows.length, source.uniform() < 0.5 ? "a" : "b"],
      { name: "lists", source: new SeededSource(1) },
    );
  for (const open of [losing, asked(false), ending, lists]) await checkSubject(open, pair);
});

Deno.test("checkSubject() closes every subject that it opens", async () => {
  let opened = 0, closed = 0;
  const open = changed(() => {
    opened++;
    let isOpen = true;
    return {
      close(): Promise<void> {
        if (isOpen) closed++;
        isOpen = false;
        return Promise.resolve();
      },
    };
  });
  await checkSubject(open, options);
  assert(opened > 3);
  assertEquals(closed, opened);
});

Deno.test("checkSubject() refuses a failure that is no SubjectFailure, or an answer in its place", async () => {
  const failing = (error: Error | undefined) =>
    changed(({ draw }) => ({
      draw: (data: unknown, count: number) => {
        if ((data as number[])[0] === -2 && error !== undefined) throw error;
        return draw(data, count);
      },
    }));
  const given = { ...pair, failsOn: [-2] };
  const { held } = await checkSubject(failing(new SubjectFailure("it crashed")), given);
  assert(held.some((law) => law.includes("SubjectFailure")));
  for (
    const [error, words] of [[new Error("it crashed"), "another error"], [
      undefined,
      "An answer came",
    ]] as const
  ) {
    const { message } = await assertRejects(
      () => checkSubject(failing(error), given),
      AssertionError,
    );
    assertStringIncludes(message, words);
  }
});

Deno.test("checkSubject() refuses a second close() that throws", async () => {
  let closed = 0;
  const open = changed(() => ({
    close: () => closed++ % 2 === 1 ? Promise.reject(new Error("closed")) : Promise.resolve(),
  }));
  // Each law but the last closes once.
  const opened = (): Subject => (closed = 0, open());
  const { message } = await assertRejects(() => checkSubject(opened, pair), AssertionError);
  assertStringIncludes(message, "The second close() throws");
});

Deno.test("checkSubject() refuses options that it does not know", async () => {
  await assertRejects(
    () => checkSubject(counting, { ...pair, count: 5 } as CheckSubjectOptions),
    RangeError,
    "count",
  );
  await assertRejects(() => checkSubject(counting, { ...pair, draws: 1 }), RangeError, "draws");
});
