import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ProgramSource, Real } from "../../lib/core/mechanism/continuous_draws.ts";
import { replaceOne } from "../../lib/core/relations/relation.ts";
import { assertExactlyPrivate } from "../../lib/judge/testing/assert_exactly_private.ts";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { dailyOf, longTest } from "../long.ts";
import { runMain } from "./run_main.ts";

/** A coin that says nothing, and one that is the truth with probability e/(1 + e). */
const COIN = "s.bernoulli({ probability: 0.5 })";
const BESIDE = `export const memory = {};`;

/** Programs that keep something from one call to the next, or answer by what no dataset has. */
const STATE: Record<string, string> = {
  "the first data decide":
    `let p; export default (d, s) => { p ??= d[0] ? 0.9 : 0.5; return s.bernoulli({ probability: p }); };`,
  "bins of the first data":
    `let bins; export default (d, s) => { bins ??= d[0] ? [0, 1] : [0, 2]; return bins[s.integer({ below: 2 })]; };`,
  "a running maximum on the function":
    `export default function f(d, s) { f.max = Math.max(f.max ?? 0, ...d.map(Number)); return s.bernoulli({ probability: f.max ? 0.9 : 0.5 }); }`,
  "a leak from the 100th call on":
    `let calls = 0; export default (d, s) => { const coin = ${COIN}; return ++calls > 100 ? d[0] : coin; };`,
  "a leak from the 1,000th call on":
    `let calls = 0; export default (d, s) => { const coin = ${COIN}; return ++calls > 1000 ? d[0] : coin; };`,
  "a leak in the third call":
    `let calls = 0; export default (d, s) => { const coin = ${COIN}; return ++calls === 3 ? d[0] : coin; };`,
  "a global variable":
    `export default (d, s) => { globalThis.firstRow ??= d[0] ? 0.9 : 0.5; return s.bernoulli({ probability: globalThis.firstRow }); };`,
  "memory of an imported module":
    `import { memory } from "./beside.mjs"; export default (d, s) => { memory.p ??= d[0] ? 0.9 : 0.5; return s.bernoulli({ probability: memory.p }); };`,
  "a cache by length":
    `const cache = new Map(); export default (d, s) => { if (!cache.has(d.length)) cache.set(d.length, d[0] ? 0.9 : 0.5); return s.bernoulli({ probability: cache.get(d.length) }); };`,
  "a static field":
    `class Model { static p; } export default (d, s) => { Model.p ??= d[0] ? 0.9 : 0.5; return s.bernoulli({ probability: Model.p }); };`,
  "a closure": `const make = () => { let p; return (d) => p ??= d[0] ? 0.9 : 0.5; };
    const p = make(); export default (d, s) => s.bernoulli({ probability: p(d) });`,
  "the data of the call before":
    `let last = false; export default (d, s) => { const before = last; last = d[0]; return [before, ${COIN}]; };`,
  "the number of rows so far":
    `let rows = 0; export default (d, s) => { rows += Number(d[0]); return [rows > 5, ${COIN}]; };`,
  "a random number of the module":
    `const secret = crypto.getRandomValues(new Uint32Array(1))[0]; export default (d, s) => [secret, ${COIN}];`,
  "a rare identifier":
    `export default (d, s) => { const coin = ${COIN}; return crypto.randomUUID() < "00000000" ? d[0] : coin; };`,
  "memory of an imported module behind many paths":
    `import { memory } from "./beside.mjs"; export default (d, s) => { memory.p ??= d[0] ? 0.99 : 0.5; let sum = 0; for (let i = 0; i < 18; i++) sum += s.bernoulli({ probability: memory.p }); return sum; };`,
  "a clock": `export default (d, s) => [performance.now(), ${COIN}];`,
};

const HALF = `if (${COIN}) return 0;`;

/** Programs whose outputs differ in what JSON, or a message, does not show. */
const OUTPUTS: Record<string, string> = {
  "a thrown record": `(d, s) => { ${HALF} throw { row: d[0] }; }`,
  "a thrown text": `(d, s) => { ${HALF} throw d[0] ? "x" : new Error("x"); }`,
  "a cause": `(d, s) => { ${HALF} throw new Error("x", { cause: d[0] }); }`,
  "a class": `(d, s) => { ${HALF} throw d[0] ? new TypeError("x") : new RangeError("x"); }`,
  "a class of its own":
    `(d, s) => { ${HALF} throw d[0] ? new (class A extends Error {})("x") : new Error("x"); }`,
  "a field of an error":
    `(d, s) => { ${HALF} throw Object.assign(new Error("x"), { row: d[0] }); }`,
  "a stack": `(d, s) => { ${HALF} throw Object.assign(new Error("x"), { stack: d[0] }); }`,
  "a stack in a way of its own":
    `(d, s) => { ${HALF} const error = new Error("x"), own = Error.prepareStackTrace; Error.prepareStackTrace = () => d[0]; void error.stack; Error.prepareStackTrace = own; throw error; }`,
  "a field that is not enumerable":
    `(d, s) => { ${HALF} throw Object.defineProperty(new Error("x"), "row", { value: d[0] }); }`,
  "a private field":
    `(d, s) => { ${HALF} throw new (class A extends Error { #row = d[0]; get row() { return this.#row; } })("x"); }`,
  "a getter of a class":
    `(d, s) => { ${HALF} throw new (class A extends Error { get row() { return d[0]; } })("x"); }`,
  "a method of a class":
    `(d, s) => { ${HALF} throw new (class A extends Error { row() { return d[0]; } })("x"); }`,
  "a static field of a class":
    `(d, s) => { ${HALF} throw new (class A extends Error { static row = d[0]; })("x"); }`,
  "a private field that was compiled":
    `(d, s) => { ${HALF} const rows = new WeakMap(); class A extends Error { constructor() { super("x"); rows.set(this, d[0]); } get row() { return rows.get(this); } } throw new A(); }`,
  "the name of an exception":
    `(d, s) => { ${HALF} throw new DOMException("x", d[0] ? "DataError" : "AbortError"); }`,
  "thrown or returned":
    `(d, s) => { ${HALF} const x = new Error("x"); if (d[0]) throw x; return x; }`,
  "a hole": `(d, s) => [${COIN}, d[0] ? [,] : [undefined]]`,
  "lengths of holes": `(d, s) => [${COIN}, new Array(Number(d[0]))]`,
  "a property of a list": `(d, s) => Object.assign([${COIN}], d[0] ? { row: 1 } : {})`,
  "a symbol": `(d, s) => ({ coin: ${COIN}, ...(d[0] ? { [Symbol("row")]: 1 } : {}) })`,
  "a hidden property": `(d, s) => Object.defineProperty({ coin: ${COIN} }, "row", { value: d[0] })`,
  "a frozen list": `(d, s) => d[0] ? Object.freeze([${COIN}]) : [${COIN}]`,
  "the order of keys":
    `(d, s) => { const coin = ${COIN}; return d[0] ? { a: coin, b: 1 } : { b: 1, a: coin }; }`,
  "a prototype":
    `(d, s) => Object.setPrototypeOf({ coin: ${COIN} }, d[0] ? null : Object.prototype)`,
  "an object of a class": `(d, s) => new (d[0] ? class A {} : class B {})()`,
  "the sign of zero": `(d, s) => ${COIN} ? 1 : d[0] ? -0 : 0`,
  "the kind of a typed array": `(d, s) => d[0] ? Int8Array.of(${COIN}) : Uint8Array.of(${COIN})`,
  "bytes behind a view": `(d, s) => Uint8Array.of(${COIN}, Number(d[0])).subarray(0, 1)`,
  "a map": `(d, s) => new Map([[${COIN}, d[0]]])`,
  "a set": `(d, s) => new Set([${COIN}, d[0]])`,
  "a date": `(d, s) => new Date(${COIN} ? 0 : Number(d[0]))`,
  "a bigint": `(d, s) => ${COIN} ? 2 : d[0] ? 1n : 1`,
  "a getter": `(d, s) => ({ coin: ${COIN}, get row() { return d[0]; } })`,
  "a proxy": `(d, s) => new Proxy({}, { get: () => d[0] })`,
  "a function": `(d, s) => ({ coin: ${COIN}, toJSON: () => d[0] })`,
  "two of one": `(d, s) => { const x = [${COIN}]; return [x, d[0] ? x : [...x]]; }`,
};

/** The program of a module with this text. */
async function programOf(
  text: string,
): Promise<(data: Real[], source: ProgramSource) => unknown> {
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

// Mutant: a law from a program that was run on other datasets before.
Deno.test("dpcheck exact says of no program that keeps state that it holds, and of none that puts out what JSON does not show", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/beside.mjs`, BESIDE);
    const programs = [
      ...dailyOf(Object.entries(STATE), (_, place) => place % 3 === 0),
      ["a thrown record", `export default ${OUTPUTS["a thrown record"]};`] as const,
    ];
    let number = 0;
    for (const [name, code] of programs) {
      const file = `${folder}/${number++}.mjs`;
      await Deno.writeTextFile(file, code);
      const { code: status, out, err } = await runMain(
        ["exact", "--module", file, "--epsilon", "1", "--rows", '{"type":"boolean"}']
          .concat("--size", "1", "--relation", "replace-one"),
      );
      assertEquals(status, name in STATE ? 2 : 1, `${name}: ${out}${err}`);
    }
  });
});

// Mutants: keys of messages, of JSON, of classes' names alone.
Deno.test("assertExactlyPrivate() passes no program that puts out what JSON, or a message, does not show", async () => {
  const domain = { rows: { type: "boolean" }, size: { min: 1, max: 1 } } as const;
  const options = { epsilon: 1, relation: replaceOne, domain };
  for (const [name, code] of dailyOf(Object.entries(OUTPUTS), (_, place) => place % 3 === 0)) {
    const program = await programOf(`export default ${code};`);
    await assertRejects(() => assertExactlyPrivate(program, options), Error, undefined, name);
  }
  await assertExactlyPrivate(
    await programOf(`export default (d, s) => ${COIN} ? [1, d.length] : new Error("x");`),
    options,
  );
});

const ENDS: Record<string, string> = {
  "process.exit() in a call":
    `import process from "node:process"; export default (d, s) => { if (d[0]) process.exit(0); return ${COIN}; };`,
  "Deno.exit() in a call": `export default (d, s) => { if (d[0]) Deno.exit(0); return ${COIN}; };`,
  "a promise that fails":
    `export default (d, s) => { Promise.reject(new Error("later")); return ${COIN}; };`,
  "a timer that fails":
    `export default (d, s) => { setTimeout(() => { throw new Error("later"); }, 0); return ${COIN}; };`,
  "process.exit() at the end of a script":
    `import process from "node:process"; export default (d, s) => d[0]; process.exit(0);`,
};

Deno.test("a program that ends the process, or fails outside of its call, has failed", async () => {
  await withFolder(async (folder) => {
    let number = 0;
    const daily = ["process.exit() in a call", "a promise that fails", "a timer that fails"];
    for (const [name, code] of dailyOf(Object.entries(ENDS), ([name]) => daily.includes(name))) {
      const file = `${folder}/${number++}.mjs`;
      await Deno.writeTextFile(file, code);
      const { code: status, stderr } = await runCli(
        ["exact", "--module", file, "--epsilon", "1", "--rows", '{"type":"boolean"}']
          .concat("--size", "1", "--relation", "replace-one"),
      );
      // What the program imports may already be refused.
      assert(status === 3 || status === 2, `${name}: ${status}`);
      assert(
        /nothing was decided|cannot be\s+(decided|enumerated)/.test(stderr),
        `${name}: ${stderr}`,
      );
    }
  });
});

longTest("what all rows alone fix for good in an imported module is seen", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/beside.mjs`, BESIDE);
    await Deno.writeTextFile(
      `${folder}/all.mjs`,
      `import { memory } from "./beside.mjs"; export default (d, s) => { memory.p ??= d.every(Boolean) ? 0.99 : 0.5; return s.bernoulli({ probability: memory.p }); };`,
    );
    const { code } = await runMain(
      ["exact", "--module", `${folder}/all.mjs`, "--epsilon", "1", "--rows", '{"type":"boolean"}']
        .concat("--size", "6", "--relation", "replace-one"),
    );
    assertEquals(code, 2);
  });
});

const AGES = '{"type":"integer","min":0,"max":120}', SHARES = '{"type":"number","min":0,"max":1}';
const SMALL = '{"type":"integer","min":-5,"max":5}';

/** Beginnings of programs with continuous noise that treat some numbers apart; and their rows. */
const LITERALS: Record<string, readonly [words: string, rows: string]> = {
  "99": [`if (d[0] === 99) return "special"`, AGES],
  "18": [`if (d.some((x) => x === 18)) return "special"`, AGES],
  "-1": [`if (d[0] === -1) return "special"`, SMALL],
  "0": [`if (d.includes(0)) return "special"`, SMALL],
  ".5": [`if (d[1] === .5) return "special"`, SHARES],
  "1/8": [`if (d[0] === 1 / 8) return "special"`, SHARES],
  "a map": [
    `const names = new Map([[42, "special"]]); if (names.has(d[0])) return names.get(d[0])`,
    AGES,
  ],
  "computed": [`if (d[0] === 3 ** 4) return "special"`, AGES],
  "hexadecimal": [`if (d[0] === 0x3F) return "special"`, AGES],
  "a named constant": [`if (d[0] === Math.PI / 4) return "special"`, SHARES],
  "a power": [`if (d[0] === 2 ** -9) return "special"`, SHARES],
  "all rows": [`if (d.every((x) => x === 0.75)) return "special"`, SHARES],
  "one of many": [
    `const all = [${
      Array.from({ length: 400 }, (_, i) => i / 1000)
    }]; if (d[0] === 0.98765) return "special"; void all`,
    SHARES,
  ],
  "two at once": [`if (d[0] === 0.25 && d[1] === 0.75) return "special"`, SHARES],
};

/** Those that tell by their module, or keep state. */
const MODULES: typeof LITERALS = {
  "18": [`if (d.some((x) => x === 18)) return "special"`, AGES],
  "of another file": [`if (d[0] === memory.sentinel) return "special"`, SHARES],
  "a random number of its own": [`if (Math.random() < 1e-9) return "special"`, SHARES],
  "a sum": [`if (s.sum(...d) === 1.5) return "special"`, SHARES],
  "the first data decide": [`p ??= s.less(0.5, d[0]); if (p) return "special"`, SHARES],
  "memory of an imported module": [
    `memory.p ??= s.less(0.5, d[0]); if (memory.p) return "special"`,
    SHARES,
  ],
};

/** A program with continuous noise, but for these words at its start. */
const noisy = (words: string): string =>
  `let p; void p;
  export default (d, s) => { ${words}; return s.sum(...d, s.laplace({ rate: 1 / 128 })); };`;

// Mutants: runs on data by chance alone; literals of one base.
Deno.test("assertExactlyPrivate() passes no program with continuous noise that treats a number of its text apart", async () => {
  const size = { min: 2, max: 2 };
  const run = async (words: string, rows: string): Promise<unknown> =>
    await assertExactlyPrivate(await programOf(noisy(words)), {
      epsilon: 1,
      relation: replaceOne,
      domain: { rows: JSON.parse(rows), size },
    });
  await run("", AGES);
  const daily = ["99", "1/8", "a map", "one of many", "two at once"];
  for (
    const [name, [words, rows]] of dailyOf(
      Object.entries(LITERALS),
      ([name]) => daily.includes(name),
    )
  ) {
    await assertRejects(() => run(words, rows), Error, undefined, name);
  }
});

// Mutants: numbers of the module's own text alone; runs by an instance that was traced.
Deno.test("dpcheck exact proves no program with continuous noise that treats a number apart, or keeps state", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/beside.mjs`,
      "export const memory = { sentinel: 0.3125 };",
    );
    let number = 0;
    const run = async (words: string, rows: string): Promise<number> => {
      const file = `${folder}/${number++}.mjs`;
      await Deno.writeTextFile(
        file,
        `import { memory } from "./beside.mjs"; void memory; ${noisy(words)}`,
      );
      const { code: status } = await runMain(
        ["exact", "--module", file, "--epsilon", "1", "--rows", rows, "--size", "2"]
          .concat("--relation", "replace-one"),
      );
      return status;
    };
    assertEquals(await run("", AGES), 0);
    const daily = ["of another file", "a random number of its own", "memory of an imported module"];
    for (
      const [name, [words, rows]] of dailyOf(
        Object.entries(MODULES),
        ([name]) => daily.includes(name),
      )
    ) {
      const status = await run(words, rows);
      assert(status === 1 || status === 2, `${name}: ${status}`);
    }
  });
});
