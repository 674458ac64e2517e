import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  begin,
  isTraced,
  loadRewritten,
  noteText,
  operationOf,
  recompute,
  type Traced,
  traced,
} from "../../../lib/judge/source/mod.ts";
import { resolveImport } from "../../../lib/judge/source/resolve_import.ts";
import { once, plain, type Program, shownOutput, withModule } from "./followed.ts";

/** A value as a text: operations over rows and draws. */
function form(value: unknown): string {
  if (!isTraced(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const { op, operands } = operationOf(value);
  if (op === "row") return `row${operands[0]}`;
  const all = operands.map(form);
  return /^\W+$/.test(op) && all.length === 2
    ? `(${all[0]} ${op} ${all[1]})`
    : `${op}(${all.join(", ")})`;
}

/** What a program returns of the rows 1, 0, 2 at seed 1, as a form. */
const formOf = (text: string): Promise<string> =>
  withModule(`export default (d, s) => { ${text} }`, async ({ module }) => {
    const { output } = await once(module.default as Program, {
      rows: [1, 0, 2],
      seed: 1,
      isFollowed: true,
    });
    return form(output);
  });

Deno.test("a rewritten program returns what was done to rows and draws", async () => {
  const forms: Record<string, string> = {
    "return d[0] + s.laplace() * 2;": "(row0 + (laplace(0) * 2))",
    "let t = 0; for (const x of d) t += x; return t;": "(((0 + row0) + row1) + row2)",
    "return d.reduce((a, b) => a + b);": "((row0 + row1) + row2)",
    "const { a: [x] } = { a: d }; return -x;": "unary -(row0)",
    "return Math.log(s.uniform());": "Math.log(uniform(0))",
    "class A { #v; constructor(v) { this.#v = v; } get v() { return this.#v; } } return new A(d[2]).v;":
      "row2",
    "function* g() { yield* d; } return [...g()][1];": "row1",
    "const t = new Float64Array(3); t.set(d); const [x] = t; return x;": "row0",
    "const t = new Float32Array([0.1 + d[0]]); return t[0];":
      "stored in Float32Array((0.1 + row0))",
    "return `n=${d[0]}`;": '(("n=" + row0) + "")',
    "return JSON.parse(JSON.stringify({ a: [d[1]] })).a[0];": "row1",
    "let n = d[0]; n++; return n;": "(row0 + 1)",
    "const m = new Map([['k', d[0]]]); return m.get('k');": "row0",
    "return d[0].toFixed(2);": "number.toFixed(row0, 2)",
    "return Object.assign({}, { v: d[0] }).v ?? 0;": "row0",
    "const f = Math.max.bind(null, 0); return f(d[0]);": "Math.max(0, row0)",
    "try { throw d[0]; } catch (e) { return e; }": "row0",
    "const o = { v: d[0], valueOf() { return this.v; } }; return o * 2;": "(row0 * 2)",
  };
  for (const [text, expected] of Object.entries(forms)) {
    assertEquals(await formOf(text), expected, text);
  }
});

/** Programs that ask something of a row or a draw, in ways that native code asks. */
const CONDITIONS = [
  "return d[0] > 0 ? 1 : 2;",
  "return d.filter((x) => x).length;",
  "return d.some((x) => x === 2);",
  "return d.findIndex((x) => x > 1);",
  "return d.includes(2);",
  "return [5, 6, 7][d[0]];",
  "return { 1: 'a' }[d[0]];",
  "return new Set(d).size;",
  "return new Map([[1, 'a']]).get(d[0]);",
  "switch (d[0]) { case 1: return 'a'; default: return 'b'; }",
  "return d.sort((a, b) => a - b) && 1;",
  "return d[0] && 'yes';",
  "return d[0] || 'no';",
  "while (d[0]) return 1; return 2;",
  "return new Array(d[0]).length;",
  "return 'abc'.slice(0).length > d[0];",
  "let i = 0; for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: d[0] < i++, value: 1 }) }) }) {} return i;",
  "return 3 instanceof ({ [Symbol.hasInstance]: () => d[0] > 0 }) ? 1 : 2;",
  "return ('x' in new Proxy({}, { has: () => d[0] > 0 })) ? 1 : 2;",
  "const o = Object.defineProperty({}, 'a', { value: 1, enumerable: d[0] > 0 }); return Object.keys(o).length;",
  "return Object.groupBy(d, (x) => x > 0).true.length;",
  "return /1/.test(String(d[0])) ? 1 : 2;",
  "return d[0] > 0;",
];

Deno.test("a condition on a row is seen wherever native code asks it", async () => {
  for (const text of CONDITIONS) {
    await withModule(`export default (d, s) => {\n${text} }`, async ({ module }, written) => {
      const options = { rows: [1, 0, 2], seed: 1 };
      const { output, run } = await once(module.default as Program, {
        ...options,
        isFollowed: true,
      });
      const expected = await once(written.default!, { ...options, isFollowed: false });
      assertEquals(plain(output), plain(expected.output), text);
      const isReleased = isTraced(output) && typeof plain(output) === "boolean";
      assert(run.conditions.length > 0 || isReleased, `no condition: ${text}`);
      assert(run.conditions.every(({ at }) => at === "program.mjs:2"), text);
      assertEquals(run.notes.map(noteText), [], text);
    });
  }
});

/** Programs that a run must not follow in silence, and what it says. */
const TOLD: Readonly<Record<string, string>> = {
  "export default (d) => Atomics.add(new Int32Array(1), 0, d[0]);": "not followed|asks for",
  "let last; export default (d) => { last = d[0]; return 1; };":
    "state outlives the run: the variable last",
  // However deep what native code made is.
  "const deep = JSON.parse('[[[[[[[[[1]]]]]]]]]'); export default () => deep[0][0][0][0][0][0][0].push(1);":
    "state outlives the run: Array.push",
  "const make = () => { let n = 0; return () => ++n; }; const next = make(); export default () => next();":
    "the variable n",
  "const cache = new WeakMap(); export default (d) => { cache.set(d, 1); return 1; };":
    "WeakMap.set",
  "const seen = []; export default (d) => { seen.push(1); return seen.length; };": "Array.push",
  "const memory = {}; export default (d) => { memory.p ??= 1; return 1; };": "property p",
  "export default function f() { f.calls = 1; return 1; }": "property calls",
  "class A { static #n = 0; static next() { return ++A.#n; } } export default () => A.next();":
    "a member",
  "const { ...kept } = {}; export default () => { kept.a = 1; return 1; };": "property a",
  "let out; ({ ...out } = {}); export default () => { out.b = 2; return 1; };": "property b",
  "let made; for (const { ...r } of [{}]) made = r; export default () => { made.a = 1; return 1; };":
    "property a",
  "let made; try { throw []; } catch ([...r]) { made = r; } export default () => made.push(1);":
    "Array.push",
  "const o = {}; ({ ...o.rest } = {}); export default () => { o.rest.a = 2; return 1; };":
    "property a",
  "function A() {} export default () => { A.prototype.n = 1; return 1; };": "property n",
  "class A {} const a = new A(); export default () => { Object.getPrototypeOf(a).n = 1; return 1; };":
    "property n",
  "const o = JSON.parse('{\"a\":{}}'); export default () => { o.a.n = 1; return 1; };":
    "property n",
  "const o = Object.entries({ a: 1 }); export default () => o[0].push(1);": "Array.push",
  "const make = () => { function f() {} f.n = 1; return f; }; const f = make(); export default () => ++f.n;":
    "property n",
  "let kept; export default () => { class A { static n = 0; } kept ??= A; return ++kept.n; };":
    "the variable kept",
  "const g = (function* () { let n = 0; for (;;) yield n++; })(); export default () => g.next().value;":
    "next",
  "const re = /a/g; export default () => { re.test('aa'); return re.lastIndex; };":
    "regular expression",
  "export default () => { globalThis.x = 1; return 1; };": "globalThis",
  "export default () => { Array.prototype.extra = 1; delete Array.prototype.extra; return 1; };":
    "property extra",
  "export default () => process.env.HOME ?? 1;": "process",
  "export default () => import.meta.url.includes('tmp');": "import.meta.url",
  "export default () => performance.now();": "reads a clock",
  "export default () => Date.now();": "reads a clock: Date.now",
  "export default () => new Date();": "reads a clock",
  "const now = Date.now; export default () => now();": "reads a clock",
  "const { random } = Math; export default () => random();": "randomness of its own",
  "export default () => crypto.randomUUID();": "randomness of its own",
  "export default () => [].concat.constructor('return 1')();": "code made of a text",
  "export default () => (0, eval)('1');": "code made of a text",
  "export default () => (() => 1).toString();": "the text of a function",
  "export default () => `${() => 1}`;": "the text of a function",
  "export default () => new Date((x) => x > 1).getTime();": "the text of a function",
  "export default () => String(() => 1) + ''.concat(() => 1);": "the text of a function",
  "export default () => Object.keys({ [() => 1]: 1 })[0];": "the text of a function",
  "export default () => { const o = {}; o[() => 1] = 1; return Object.keys(o)[0]; };":
    "the text of a function",
  "export default () => new Error('x').stack;": "Error.stack",
  "export default () => (1234.5).toLocaleString();": "toLocaleString",
  "export default () => new Date(2020, 1, 1).getHours();": "time zone",
  "export default () => { queueMicrotask(() => {}); return 1; };": "works after it returns",
  "export default () => { Promise.resolve(1).then(() => {}); return 1; };":
    "works after it returns",
  "export default () => { setTimeout(() => {}, 0); return 1; };": "works after it returns",
  "export default () => { console.log('x'); return 1; };": "writes beside its output",
  "export default () => { /(a)/.test('a'); return RegExp.$1; };": "RegExp.$1",
  "export default (d) => { const f = new Float64Array([d[0]]); return new BigInt64Array(f.buffer)[0]; };":
    "bytes",
  "export default (d) => String(d[0]).split('');": "not followed: String.split",
  "export default (d) => [...String(d[0])].length;": "spread into letters",
  "export default (d) => structuredClone(new Set([d]), {}).size;": "not followed",
  "import { tmpdir } from 'node:os'; export default () => tmpdir().length;": "node:os",
  "import mark from './old.cjs'; export default () => mark;": "old.cjs",
  "export default (d) => { class A { constructor() { return d[0]; } } return typeof new A(); };":
    "",
};

Deno.test("what is not followed is said, with its line", async () => {
  for (const [text, expected] of Object.entries(TOLD)) {
    await withModule(text, async ({ module, notes }, written) => {
      const options = { rows: [1, 0, 2], seed: 1 };
      const { output, run } = await once(module.default as Program, {
        ...options,
        isFollowed: true,
      });
      const said = [...notes, ...run.notes].map(noteText).join("; ");
      const isSaid = expected === ""
        ? said === ""
        : expected.split("|").some((each) => said.includes(each));
      assert(isSaid, `${text}: ${said}`);
      if (expected === "") {
        const other = await once(written.default!, { ...options, isFollowed: false });
        assertEquals(plain(output), plain(other.output), text);
      } else assert(/program\.mjs:1/.test(said), said);
    }, { files: { "old.cjs": "module.exports = 1;" } });
  }
});

/** Programs that change what they made in the same run, which is no state. */
const OF_THE_RUN = [
  "export default (d) => { const l = [Number]; l.push(Math.max); l.unshift(String); return [l.map((f) => [Number, Math.max, String].indexOf(f)), Array.of(Number)[0] === Number, l.concat(Boolean)[3] === Boolean, Object.getOwnPropertyNames(Math.max), [d[0]].reduce((a) => a, Number) === Number, ['4', d[0]].map(Number)]; };",
  "const Symbol = 1, globalThis = 2, Reflect = 3; export default (d) => [Symbol + globalThis, Reflect, d[0] > 0];",
  "export default (d) => JSON.parse(JSON.stringify([d[1] * -1, { a: d[0] }]));",
  "const f = ({ a, ...rest }) => { rest.x = 1; return rest; }; export default () => f({ a: 1, b: 2 });",
  "export default (d) => { class A { static x; static { A.x = 1; this.y = d[0]; } } A.prototype.z = 2; A.x++; return [A.x, A.y, new A().z]; };",
  "export default (d) => { function my() { return my.k; } my.k = d[0]; my.by = (k) => { my.k = k; return my; }; return my.by(3)(); };",
  "export default (d) => { const f = () => f.n; f.n = d[0]; Object.assign(f, { n: 2 }); return f(); };",
  "export default (d) => { let a, r; const v = ([a, ...r] = d); r.push(1); return [a, r, v]; };",
  "export default (d) => { let s = 0; for (let [x, ...y] = d; x < 5; x++) s += y.length; try { throw d; } catch ([, ...y]) { s += y[0]; } for (const { ...z } of [{ a: d[0] }]) s += z.a; return s; };",
  // Objects in typed arrays are the numbers that methods of the program make of them.
  "export default (d) => { class V { constructor(v) { this.v = v; } valueOf() { return this.v; } } const t = new Float64Array([new V(d[0]), 2]); t[1] = new V(d[2]); const z = new Uint8Array(3); z.set([new V(d[0]), 1]); return [t, z, Float64Array.from([1, 2], (v) => new V(d[2] * v)), new Int8Array(2).fill(new V(d[2])), t.map((v) => new V(v * 2)), new Float64Array(new Set([new V(d[2])]))]; };",
  "export default (d) => { const { from } = Array; return [from(new Map([[1, d[0]]]), ([, v]) => v), from.call({}, d)]; };",
];

Deno.test("what a run makes and changes itself is no state", async () => {
  for (const text of OF_THE_RUN) {
    await withModule(text, async ({ module, notes }, written) => {
      const options = { rows: [1, 0, 2], seed: 1 };
      const { output, run } = await once(module.default as Program, {
        ...options,
        isFollowed: true,
      });
      const other = await once(written.default!, { ...options, isFollowed: false });
      assertEquals(shownOutput(output), shownOutput(other.output), text);
      assertEquals([...notes, ...run.notes].map(noteText), [], text);
    });
  }
});

Deno.test("a form predicts the outputs of other draws on the same path", async () => {
  const text = `export default (d, s) => {
    const u = s.uniform() - 0.5, noise = -Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
    return JSON.stringify({ sum: d.reduce((a, b) => a + b, 0) + noise, text: (noise * 3).toFixed(3).padStart(9) });
  };`;
  await withModule(text, async ({ module }) => {
    const run = (seed: number): ReturnType<typeof once> =>
      once(module.default as Program, { rows: [1, 0, 2], seed, isFollowed: true });
    const first = await run(1);
    for (let seed = 2; seed < 20; seed++) {
      const { output } = await run(seed);
      const draws: unknown[] = [];
      collect(output, draws);
      const leafOf = (value: Traced): { value: unknown } | undefined => {
        const { op, operands, value: is } = operationOf(value);
        return op === "row"
          ? { value: is }
          : op === "uniform"
          ? { value: draws[operands[0] as number] }
          : undefined;
      };
      assertEquals(recompute(first.output, leafOf), plain(output));
    }
  });
});

/** The draws that a value was made of, by their places. */
function collect(value: unknown, draws: unknown[]): void {
  if (!isTraced(value)) return;
  const { op, operands, value: is } = operationOf(value);
  if (op === "uniform") draws[operands[0] as number] = is;
  else operands.forEach((each) => collect(each, draws));
}

Deno.test("imports are rewritten too: local files, ES packages and TypeScript", async () => {
  const files = {
    "beside.ts":
      "import { Shape } from './types.ts'; export const twice = (x: number, _: Shape = {}): number => x * 2;",
    "types.ts": "export interface Shape { readonly a?: number }",
    "node_modules/half/package.json":
      '{"name":"half","type":"module","exports":{".":{"import":"./main.js"},"./*":"./lib/*.js"}}',
    "node_modules/half/main.js":
      "import { two } from './lib/two.js'; export default (x) => x / two;",
    "node_modules/half/lib/two.js": "export const two = 2;",
    "settings.json": '{"one":1}',
  };
  const text =
    "import half from 'half'; import { two } from 'half/two'; import { twice } from './beside.ts'; " +
    "import settings from './settings.json' with { type: 'json' };\n" +
    "export default async (d) => twice(half(d[0])) + two + (await import('./late.mjs')).late(d[1], settings);";
  await withModule(text, async ({ module, files: rewritten, notes }) => {
    const { output } = await once(module.default as Program, {
      rows: [1, 0, 2],
      seed: 1,
      isFollowed: true,
    });
    assertEquals(form(output), "((((row0 / 2) * 2) + 2) + (row1 + 1))");
    assertEquals(rewritten.length, 5);
    assertEquals(notes, []);
  }, {
    name: "program.mjs",
    files: { ...files, "late.mjs": "export const late = (x, { one }) => x + one;" },
  });
});

Deno.test("a file that is written for require is left as it is, with the reason", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/half.js`, "'use strict';\nexports.half = (x) => x / 2;\n");
  await Deno.writeTextFile(`${folder}/effects.js`, "globalThis.exported = 1;\n");
  assertEquals(resolveImport("./half.js", `${folder}/a.mjs`), {
    left: "./half.js",
    why: "the CommonJS file ./half.js",
  });
  assertEquals(resolveImport("./effects.js", `${folder}/a.mjs`), { file: `${folder}/effects.js` });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("errors name the lines of the user's files", async () => {
  await withModule(
    "\n\n\nexport default () => {\n  throw new Error('x');\n};\n",
    async ({ module, placesIn }) => {
      const { output } = await once(module.default as Program, {
        rows: [],
        seed: 1,
        isFollowed: true,
      });
      assert(
        placesIn((output as Error).stack!).includes("program.mjs:5"),
        placesIn((output as Error).stack!),
      );
    },
  );
});

Deno.test("a text that is no module, or has types that cannot be left out, is refused", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/wrong.mjs`, "export default = 1;");
  await Deno.writeTextFile(`${folder}/enum.ts`, "export enum A { b }");
  await assertRejects(() => loadRewritten(`${folder}/wrong.mjs`), SyntaxError, "Cannot rewrite");
  await assertRejects(
    () => loadRewritten(`${folder}/enum.ts`),
    SyntaxError,
    "types must be such as can be left out",
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a program that patches the language changes nothing of what is seen", async () => {
  const text =
    `for (const k of ["map", "filter", "some", "forEach", "includes", "push"]) Array.prototype[k] = () => [];
    WeakMap.prototype.get = () => true; Map.prototype.get = () => undefined; Reflect.apply = () => 0;
    Function.prototype.toString = () => "$followed";
    export default (d) => d[0] > 0 ? "a" : "b";`;
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/patch.mjs`, text);
  // In a process of its own: this one goes on to need its methods.
  const main = `import { begin, loadRewritten, traced, noteText } from ${
    JSON.stringify(new URL("../../../lib/judge/source/mod.ts", import.meta.url).href)
  };
    const print = console.log, { stringify } = JSON;
    const { module, notes } = await loadRewritten(${JSON.stringify(`${folder}/patch.mjs`)});
    const run = begin(); module.default([traced(1, "row")]);
    print(run.conditions.length, notes.length > 0);`;
  await Deno.writeTextFile(`${folder}/main.ts`, main);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      new URL("../../../deno.json", import.meta.url).pathname,
      `${folder}/main.ts`,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  await Deno.remove(folder, { recursive: true });
  assertEquals(new TextDecoder().decode(stdout).trim(), "1 true", new TextDecoder().decode(stderr));
});

// Mutants: a run that keeps each condition though something else decides; operations that are not counted.
Deno.test("a followed run ends where it fills the memory", async () => {
  const file = await Deno.makeTempFile({ suffix: ".mjs" });
  try {
    await Deno.writeTextFile(
      file,
      "export const sum = (x) => { for (let i = 0; ; i++) x += i; }; export const asks = (x) => { for (let i = 0; ; i++) if (x < i) continue; };",
    );
    const { module } = await loadRewritten(file);
    for (const [name, text] of [["sum", "300 operations"], ["asks", "300 operations"]] as const) {
      const run = begin({ maxSteps: 1000, decide: () => true });
      assertThrows(
        () => (module[name] as (x: unknown) => unknown)(traced(1, "row")),
        RangeError,
        `it must end after ${text}`,
      );
      assertEquals([run.conditions.length, run.ended?.includes(text)], [0, true], name);
    }
  } finally {
    await Deno.remove(file);
  }
});
