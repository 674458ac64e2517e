import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  functionSubject,
  laplace,
  type Mechanism,
  pairOf,
  pure,
  replaceOne,
  SeededSource,
  type Source,
} from "../../../mod.ts";
import { AssertionError, assertPrivate } from "../../../lib/judge/testing/mod.ts";
import type { ProgramSource } from "../../../lib/core/mechanism/continuous_draws.ts";

const domain = { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 4 } } as const;
const pair = pairOf(replaceOne, { left: [false], right: [true] });

/** Tells the truth with this probability: ε = ln(truth / (1 − truth)). */
function coin(truth: number): (data: boolean[], source: Source) => boolean {
  return (data, source) => source.uniform() < truth ? data[0]! : !data[0];
}

/** The sum of numbers in [0, 1] with the noise that a claim of ε = 1 asks for, times `share`. */
function noisySum(share: number): Mechanism<number, number> {
  const sum = laplace<number>({
    query: (rows) => rows.reduce((total, row) => total + row, 0),
    epsilon: 1 / share,
    sensitivity: 1,
    granularity: 2 ** -10,
    relation: replaceOne,
    domain,
  });
  return { ...sum, claim: pure({ epsilon: 1, relation: replaceOne }) };
}

Deno.test("assertPrivate() returns the report when a function keeps its claim", async () => {
  const report = await assertPrivate(coin(0.7), { epsilon: 1, relation: replaceOne, pair });
  assertEquals(report.verdict, "not-refuted");
  assertEquals(report.alpha, 0.001);
  assert(report.epsilonLowerBound > 0.8 && report.epsilonLowerBound <= Math.log(7 / 3));
});

Deno.test("assertPrivate() throws verdict, pair, event and replay when a function breaks its claim", async () => {
  const error = await assertRejects(
    () => assertPrivate(coin(0.8), { epsilon: 1, relation: replaceOne, pair }),
    AssertionError,
  );
  assertStringIncludes(error.message, "REFUTED");
  assertStringIncludes(error.message, "left   [");
  assertStringIncludes(error.message, "event  output");
  assertStringIncludes(
    error.message,
    'Replay: assertPrivate(…, {"epsilon":1,"relation":"replace-one","pair":{',
  );
  assertEquals((error.report as { verdict: string }).verdict, "refuted");
});

Deno.test("assertPrivate() comes to the same verdict when it is run again", async () => {
  // Not the event: the clock decides how many draws describe it.
  const run = async (): Promise<unknown[]> => {
    const { verdict, eValue, epsilonLowerBound, draws, seed } = await assertPrivate(coin(0.7), {
      epsilon: 1,
      relation: replaceOne,
      pair,
      maxDraws: 5000,
    });
    return [verdict, eValue, epsilonLowerBound, draws, seed];
  };
  assertEquals(await run(), await run());
});

Deno.test("assertPrivate() searches the domain of a mechanism for its own claim", async () => {
  const report = await assertPrivate(noisySum(1), { maxDraws: 50_000 });
  assertEquals(report.verdict, "not-refuted");
  await assertRejects(
    () => assertPrivate(noisySum(0.5), { maxDraws: 50_000 }),
    AssertionError,
    "does not keep its claim of 1-DP",
  );
});

Deno.test("assertPrivate() takes a subject, ends it, and throws when it fails", async () => {
  let closed = 0;
  const source = new SeededSource(5);
  const inner = functionSubject(coin(0.7), { name: "coin", source });
  const subject = { ...inner, close: () => Promise.resolve(void closed++) };
  await assertPrivate(subject, { epsilon: 1, relation: replaceOne, pair, maxDraws: 1000 });
  assertEquals(closed, 1);

  const hung = functionSubject(() => new Promise(() => {}), {
    name: "sleeper",
    source,
    timeoutSeconds: 0.01,
  });
  await assertRejects(
    () => assertPrivate(hung, { epsilon: 1, relation: replaceOne, pair, maxDraws: 1000 }),
    AssertionError,
    "sleeper hung",
  );
});

Deno.test("assertPrivate() throws when there is nothing but errors", async () => {
  const broken = (): never => {
    throw new Error("no such column");
  };
  await assertRejects(
    () => assertPrivate(broken, { epsilon: 1, relation: replaceOne, pair, maxDraws: 1000 }),
    AssertionError,
    'every output was an error, as in "no such column"',
  );
});

Deno.test("assertPrivate() refuses when relation or claim is missing", async () => {
  await assertRejects(() => assertPrivate(coin(0.7), { epsilon: 1 }), RangeError, "relation must");
  await assertRejects(() => assertPrivate(coin(0.7), { pair }), RangeError, "claim must");
});

// What a test without type checks lets through.
Deno.test("assertPrivate() refuses unknown options, relations, rows, and sizes without neighbours", async () => {
  const size = { min: 1, max: 2 }, rows = { type: "boolean" };
  const cases: [Record<string, unknown>, string][] = [
    [{ epsilonn: 1 }, "epsilonn"],
    [{ rows }, "current value is rows"],
    [{ relation: "replace one" }, "replace one"],
    [{ domain: { rows: { type: "bool" }, size } }, "domain.rows.type must be one of"],
    [{ domain: { size } }, "domain.rows.type"],
    [{ domain: { rows, size: { min: 2, max: 1 } } }, "domain.size"],
    [{ domain: { rows, size: { min: 0, max: 0 } } }, "no neighbour"],
    [{ domain: { rows, size: 2 } }, "domain.size"],
    [{ pair: { left: [0], right: [1, 2] } }, "same number of rows"],
  ];
  for (const [options, part] of cases) {
    const error = await assertRejects(() =>
      assertPrivate(coin(0.7), { epsilon: 1, relation: "replace-one", ...options } as never)
    );
    assert(error instanceof Error && error.message.includes(part), `${part}: ${error}`);
  }
});

Deno.test("assertPrivate() takes a relation by its name and two datasets, and its replay line can be pasted", async () => {
  const sides = { left: [false], right: [true] };
  const words = { epsilon: 1, relation: "replace-one", pair: sides } as const;
  const error = await assertRejects(() => assertPrivate(coin(0.8), words), AssertionError);
  const pasted = /assertPrivate\(…, (\{.*\})\)$/m.exec(error.message)![1]!;
  const again = await assertRejects(() => assertPrivate(coin(0.8), JSON.parse(pasted)));
  assertStringIncludes(String(again), "does not keep its claim of 1-DP (replace-one)");
  assertEquals((await assertPrivate(coin(0.7), words)).verdict, "not-refuted");
});

Deno.test("assertPrivate() throws where nothing could have been seen", async () => {
  const words = { epsilon: 1, relation: "replace-one", pair } as const;
  for (const [subject, part] of [[() => undefined, "null"], [() => 3, "the same"]] as const) {
    await assertRejects(() => assertPrivate(subject, words), AssertionError, part);
  }
  await assertRejects(
    () => assertPrivate(coin(0.7), { ...words, maxDraws: 20 }),
    AssertionError,
    "90% power",
  );
});

// Programs without noise, whose second parameter is a threshold: a source in its place makes them constant. Mutants: the source for
// a parameter that has a default, or that is computed with.
Deno.test("assertPrivate() hands its source only to a function that declares it, and says how it called it", async () => {
  const options = {
    epsilon: 1,
    relation: "replace-one",
    domain: { rows: { type: "number", min: -2, max: 2 }, size: { min: 1, max: 3 } },
    maxDraws: 2000,
    seed: 1,
  } as const;
  const above = (rows: number[], threshold = 0): boolean[] => rows.map((x) => x >= threshold);
  await assertRejects(
    () => assertPrivate(above as never, options),
    AssertionError,
    "called as f(data)",
  );
  const other = (rows: number[], at: number): boolean[] => rows.map((x) => x >= at);
  const named = ((rows: number[], limit: number) => other(rows, limit)) as never;
  await assertRejects(() => assertPrivate(named, options), TypeError, "named limit");
  const short = ((rows: number[], t: number) => other(rows, t)) as never;
  await assertRejects(() => assertPrivate(short, options), AssertionError, "computes with it");
  const mechanism = {
    name: "above",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: above,
  };
  await assertRejects(
    () => assertPrivate(mechanism as never, options),
    TypeError,
    "sample must have no default",
  );
  const noisy = (rows: number[], source: ProgramSource): number =>
    Math.min(rows.length, 0) + (source.laplace({ scale: 1 }) as number);
  assertEquals((await assertPrivate(noisy, options)).calledWith, "data and source");
});
