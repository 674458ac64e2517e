import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Claim, pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, changeEach, pairOf } from "../../../lib/core/relations/relation.ts";
import type { Domain } from "../../../lib/core/relations/dataset.ts";
import { functionRecorder } from "../../../lib/judge/recording/function_recorder.ts";
import { record, type RecordReport } from "../../../lib/judge/recording/record.ts";
import { shippedNamed, shippedNames } from "../../../lib/dp/tables/registry.ts";
import type { Program } from "../../../lib/judge/recording/replay/replayed_program.ts";
import { LONG } from "../../long.ts";
import { weakened } from "../../dp/mechanisms/weakened.ts";

const folder = new URL(".", import.meta.url).href;

function recorded(
  run: Program,
  { claim, domain, maxPairs = 40, maxRuns = 400_000 }: {
    readonly claim: Claim;
    readonly domain: Domain;
    readonly maxPairs?: number;
    readonly maxRuns?: number;
  },
): Promise<RecordReport> {
  return record(functionRecorder(run, { name: "program", folder, isAlone: true }), {
    claim,
    space: { domain, relation: claim.relation },
    seed: 1,
    maxPairs,
    maxRuns,
    maxSeconds: 60,
  });
}

/** Their noise is compared by an operator, made of random bits, has a sign by chance, or decides what else is drawn. */
const NOT_FOLLOWED = [
  ...["noisy-max", "sparse-vector", "numeric-sparse-vector", "staircase", "snapping"],
  "float-spherical-laplace",
  "table-quantiles",
];
/** Its theorem asks for more noise than its claim needs; and few pairs lose all of their claim. */
const WITH_MORE_NOISE = "classical-gaussian", SELDOM = "quantile";

// Mutants: losses of coins added up in both directions; one-sided noise with a random sign that is covered by a shift.
Deno.test("no shipped mechanism is suspected, and 15% less noise is found wherever noise is followed", async () => {
  const suspected: string[] = [], missed: string[] = [];
  // Every sixth of them, and all in the long run.
  const names = shippedNames.filter((_, k) => LONG || k % 6 === 0);
  for (const name of names) {
    const options = { epsilon: name === "two-coin-survey" ? Math.log(3) : 0.9, delta: 1e-3 };
    const { claim, domain, ...whole } = shippedNamed(name, options);
    const less = weakened(name, options);
    const right = await recorded((data, source) => whole.sample(data as [], source), {
      claim,
      domain,
      maxRuns: 36_000,
    });
    if (right.findings.length > 0) suspected.push(name);
    const wrong = await recorded((data, source) => less.sample(data as [], source), {
      claim,
      domain,
      maxRuns: 36_000,
    });
    if (wrong.findings.length === 0) missed.push(name);
  }
  assertEquals(suspected, []);
  const expected = [...NOT_FOLLOWED, WITH_MORE_NOISE, SELDOM];
  assertEquals(missed.toSorted(), expected.filter((name) => names.includes(name)).toSorted());
});

const claim = pure({ epsilon: 1, relation: addRemoveOne });
const domain = { rows: { type: "number", min: 0, max: 3 }, size: { min: 0, max: 4 } } as const;
const sum = (data: unknown): number => (data as number[]).reduce((total, x) => total + x, 0);

/** Laplace noise by the inverse of its distribution function. */
function byHand(): number {
  const u = Math.random() - 0.5;
  return Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
}

// Mutants: forms that are only checked near the noise of one run; a state that is taken for noise.
Deno.test("what is computed otherwise than by sums and multiples is not followed, and not suspected", async () => {
  let state = 0;
  const programs: Record<string, Program> = {
    "a comparison by an operator": (data, source) =>
      sum(data) + (source.laplace({ scale: 1 }) as number) > 5,
    "a product of noise": (data, source) =>
      sum(data) +
      (source.laplace({ scale: 1 }) as number) * (source.laplace({ scale: 1 }) as number),
    "random bits": (data, source) => sum(data) + source.uint32() % 7,
    "other bits": (data) => sum(data) + crypto.getRandomValues(new Uint8Array(1))[0]!,
    "a state": (data) => sum(data) + state++,
    "noise that decides what else is drawn": (data, source) => {
      const first = source.laplace({ scale: 1 }) as number;
      return first > 0 ? sum(data) + first + (source.laplace({ scale: 1 }) as number) : 0;
    },
    "a sampler by hand": (data) => sum(data) + byHand(),
    "a sign by chance": (data, source) => {
      const noise = source.exponential({ scale: 2 }) as number;
      return sum(data) + (source.bernoulli({ probability: 0.5 }) ? noise : -noise);
    },
  };
  for (const [what, program] of Object.entries(programs)) {
    const { verdict, notFollowed, pairs } = await recorded(program, {
      claim,
      domain,
      maxPairs: 2,
    });
    assertEquals([what, verdict, notFollowed!.pairs > 0], [what, "not followed", true]);
    // The line of its first draw is named.
    const place = what === "a state" ? "" : "function_recorder_test.ts:";
    assert((notFollowed!.place ?? "").startsWith(place), `${what}: ${notFollowed!.place}`);
    assert(pairs === 2);
  }
});

Deno.test("noise is followed through numbers, split sources, lists, functions of Math and awaits", async () => {
  const program: Program = async (data, source) => {
    const own = source.split("own"), noise = own.gaussian({ deviation: 1 }) as number;
    await Promise.resolve();
    const other = Math.floor(2 * sum(data) + (source.laplace({ scale: 4 }) as number));
    return { list: [sum(data) + noise, "text"], other: [{ other }] };
  };
  const pair = pairOf(addRemoveOne, { left: [3], right: [] });
  const { findings: [first] } = await record(
    functionRecorder(program, { name: "program", folder, isAlone: true }),
    {
      claim: { ...claim, kind: "zcdp", rho: 0.5 } as never,
      pair,
      seed: 1,
      maxSeconds: 60,
    },
  );
  const lines = (await Deno.readTextFile(new URL(import.meta.url))).split("\n");
  const line = lines.findIndex((text) => text.includes("own.gaussian({ deviation: 1 })")) + 1;
  // μ² of 9 of the normal noise, and (6/4)² of the other: half of their sum.
  assertEquals([first!.place, first!.change, first!.cost], [
    `function_recorder_test.ts:${line}`,
    3,
    5.625,
  ]);
});

// Mutant: the first outcome wherever none is given, with which this loop does not end.
Deno.test("choices in a loop are run for all that is not improbable", async () => {
  const geometric = (rate: number): Program => (data, source) => {
    let noise = 0;
    while (source.bernoulli({ probability: Math.exp(-rate) })) noise++;
    return (data as number[]).length + noise;
  };
  const integers = { rows: { type: "integer", min: 0, max: 1 }, size: { min: 0, max: 1 } } as const;
  const { findings } = await recorded(geometric(2), { claim, domain: integers });
  assertEquals(findings[0]?.kind, "all-outcomes");
});

// Mutants: an order that is read from the noise of the second run; a comparison of data alone that is kept.
Deno.test("comparisons by the source's methods cost what their order does", async () => {
  const answers = { rows: { type: "number", min: 0, max: 9 }, size: { min: 3, max: 3 } } as const;
  const each = pure({ epsilon: 1, relation: changeEach({ by: 1 }) });
  const noisyMax = (scale: number): Program => (data, source) => {
    const rows = (data as number[]).filter((x) => source.less(x, 20));
    return source.indexOfLargest(rows.map((x) => x + (source.laplace({ scale }) as number)));
  };
  assertEquals(
    (await recorded(noisyMax(2), { claim: each, domain: answers })).verdict,
    "nothing found",
  );
  assertEquals(
    (await recorded(noisyMax(1), { claim: each, domain: answers })).verdict,
    "suspected",
  );
});

// What runs beside it would get its noise: a wrong verdict of another audit, keys that can be guessed.
Deno.test("a function that answers by a promise is not watched beside other code, and randomness is given back", async () => {
  const { random, floor } = Math, { getRandomValues } = crypto;
  const options = { claim, space: { domain, relation: addRemoveOne }, seed: 1, maxPairs: 4 };
  const late = functionRecorder(async (data) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return sum(data) + Math.random();
  }, { name: "late", folder });
  await assertRejects(() => record(late, options), Error, "it answers by a promise");
  // Two at a time, of which the first ends first.
  const at = (name: string) =>
    functionRecorder((data, source) => sum(data) + (source.laplace({ scale: 1 }) as number), {
      name,
      folder,
    });
  const [first, second] = await Promise.all([
    record(at("first"), { ...options, maxPairs: 12 }),
    record(at("second"), { ...options, maxPairs: 24 }),
  ]);
  assertEquals([first.verdict, second.verdict], ["suspected", "suspected"]);
  assert(Math.random === random && Math.floor === floor);
  assert(crypto.getRandomValues === getRandomValues);
});
