import { assertEquals } from "@std/assert";
import { readSources } from "./import_graph.ts";
import { instrument } from "./instrument.ts";
import { MutationRun, type Result } from "./mutation_run.ts";

const root = new URL("../../", import.meta.url).pathname;

const LIBRARY = `
const table = [1, 2];
const halves = table.map((x) => x / 2);
const known = new Map();
/** Loops for ever when the step is dropped; remembers what it gave. */
export function sumTo(n) {
  if (known.has(n)) return known.get(n);
  let sum = 0;
  for (let k = 0; k < n;) {
    k += 2;
    sum += k;
  }
  known.set(n, sum);
  return sum;
}
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms > 5 ? 2500 : 1));
export function half(k) { return halves[k]; }
export function never(x) { return -x; }
export const bounded = (x, bound) => {
  if (x < 0) return 0;
  if (x > bound) throw new RangeError("x " + 1);
  return x;
};
`;

const TESTS = `
import { assertEquals, assertThrows } from "@std/assert";
import { bounded, half, pause, sumTo } from "../lib/a.ts";
Deno.test("sums", async (t) => {
  await t.step("small", () => assertEquals(sumTo(4), 6));
});
Deno.test({ name: "halves", fn: () => assertEquals([half(0), half(1)], [0.5, 1]) });
Deno.test("bounds", () => void assertThrows(() => bounded(3, 2), RangeError));
Deno.test("waits", async () => void await pause(5));
Deno.test({ name: "ignored", ignore: true, fn() { throw 1; } });
Deno.test("fails without mutants", () => { throw new Error("always"); });
`;

/** The file that loads the library first does not look at its constants. */
const LOADS_FIRST = `
import { bounded } from "../lib/a.ts";
Deno.test("nothing", () => void bounded(1, 2));
`;

/** A test that notices what the others do not, after some time. */
const SLOW = `
import { assertEquals } from "@std/assert";
import { bounded } from "../lib/a.ts";
Deno.test("slow", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assertEquals(bounded(2, 2), 2);
});
`;

const NEAR = ["tests/0_test.ts", "tests/a_test.ts"];

/** The results for a library of one file and its tests. */
async function run(
  { near = NEAR, far = [], seconds = Infinity, place }: {
    near?: readonly string[];
    far?: readonly string[];
    seconds?: number;
    place?: string;
  } = {},
): Promise<Result[]> {
  const copy = await Deno.makeTempDir({ prefix: "dpcheck-mutants-" });
  try {
    for (const folder of ["lib", "tests/mutation", "tests/shims/std_assert"]) {
      await Deno.mkdir(`${copy}/${folder}`, { recursive: true });
    }
    const files = ["collected_tests", "instrument", "messages", "mutant", "replacements", "runner"]
      .map((name) => `tests/mutation/${name}.ts`);
    const shim = ["deno.json", "mod.ts", "mod.d.ts"].map((name) =>
      `tests/shims/std_assert/${name}`
    );
    for (const path of [...files, ...shim]) await Deno.copyFile(root + path, `${copy}/${path}`);
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
    const config = { imports, links: ["./tests/shims/std_assert"], lock: false };
    await Deno.writeTextFile(`${copy}/deno.json`, JSON.stringify(config));
    await Deno.writeTextFile(`${copy}/lib/a.ts`, LIBRARY);
    await Deno.writeTextFile(`${copy}/tests/a_test.ts`, TESTS);
    await Deno.writeTextFile(`${copy}/tests/0_test.ts`, LOADS_FIRST);
    await Deno.writeTextFile(`${copy}/tests/slow_test.ts`, SLOW);
    const sources = readSources(copy, ["lib", ...NEAR, "tests/slow_test.ts"]);
    const { text, mutants } = instrument("lib/a.ts", LIBRARY, { firstId: 1 });
    await Deno.writeTextFile(`${copy}/lib/a.ts`, text);
    const mutation = new MutationRun({
      root: copy,
      mutants: mutants.filter((mutant) => place === undefined || mutant.in === place),
      sources,
      deadline: Date.now() + 1000 * seconds,
      testSeconds: 5,
      log: () => {},
    });
    return await mutation.run({ near, far, farSeconds: 60 });
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}

const results = await run();
const fates = new Map(results.map(({ mutant, fate }) => [mutant.change, fate]));

Deno.test("MutationRun.run() says which mutants are noticed, which loop and which are not reached", () => {
  const expected = {
    "k < n → k <= n": "killed",
    "removed: sum += k;": "killed",
    "removed: k += 2;": "by time",
    "x > bound → false": "killed",
    "x > bound → x >= bound": "survived",
    "-x → x": "not reached",
    // It is as late as under load, and does no more.
    "ms > 5 → true": "survived",
    // Nothing asks for the same sum twice.
    "removed: known.set(n, sum);": "survived",
  };
  for (const [change, fate] of Object.entries(expected)) {
    assertEquals(fates.get(change), fate, change);
  }
});

Deno.test("MutationRun.run() switches constants of a file on before the file is loaded", () => {
  assertEquals(fates.get("x / 2 → x"), "killed");
  assertEquals(fates.get("x / 2 → x * 2"), "killed");
});

Deno.test("MutationRun.run() is not misled by what an earlier mutant left behind in a cache", () => {
  // A wrong sum is remembered; mutants after it that change no sum survive all the same.
  assertEquals(fates.get("known.has(n) → false"), "survived");
});

// Mutants: tests that were not recorded are forgotten; so are mutants that met the tests near them only.
Deno.test("MutationRun.run() says which survivors did not meet all their tests when time ran out", async () => {
  const far = ["tests/slow_test.ts"], place = "bounded";
  const cutOff = [{ near: [...NEAR, ...far], seconds: 2.4 }, { far, seconds: 1 }, {
    far,
    seconds: 3,
  }];
  for (const results of await Promise.all(cutOff.map((limits) => run({ ...limits, place })))) {
    const found = results.find(({ mutant: { change } }) => change === "x > bound → x >= bound")!;
    assertEquals(["survived so far", "not run", "killed"].includes(found.fate), true, found.fate);
    assertEquals(results.some(({ fate }) => fate === "not reached"), false);
  }
});
