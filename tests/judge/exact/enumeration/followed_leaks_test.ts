import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { pure } from "../../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { NotEnumerable } from "../../../../lib/judge/exact/enumeration/branching_source.ts";
import { checkExactly } from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../../../lib/judge/exact/enumeration/drawing_from.ts";
import {
  followedProgram,
  requireNothingLate,
} from "../../../../lib/judge/exact/followed_program.ts";
import { ChangesLanguage, loadRewritten } from "../../../../lib/judge/source/mod.ts";

const COIN = "s.bernoulli({ probability: 0.5 })";
const later = (work: string): string => `(d, s) => { const out = [${COIN}]; ${work} return out; }`;
const THENABLE = "{ then() { out.push(d[0]); } }";
const shared = (of: string): string =>
  `(d, s) => { const P = Object.getPrototypeOf(${of}), b = P.seen ?? 0; P.seen = b + (d[0] ? 1 : 0); return [${COIN}, b > 2000]; }`;
const hidden = (of: string): string =>
  `(d, s) => [Object.setPrototypeOf(${of}, Object.prototype), ${COIN}]`;
const STAMP =
  "class Base { constructor(o) { return o; } } class Stamp extends Base { #row; constructor(o, row) { super(o); this.#row = row; } }";

/** Programs that put work off by what JavaScript calls itself, keep state where no name leads, or hide a row in what they put out. */
const REFUSED: Readonly<Record<string, string>> = {
  "Promise.resolve of a thenable": later(`Promise.resolve(${THENABLE});`),
  "a promise settled with one": later(`new Promise((r) => r(${THENABLE}));`),
  "Promise.all": later(`Promise.all([${THENABLE}]);`),
  "Promise.try": later(`(Promise.try ?? Promise.all)(() => (${THENABLE}));`),
  "Array.fromAsync": later("Array.fromAsync([1], () => { out.push(d[0]); });"),
  "an import": later(`import("data:text/javascript,");`),
  "state on the prototype of iterators of lists": shared("[][Symbol.iterator]()"),
  "state on that of iterators of maps": shared("new Map().keys()"),
  "state on that of helpers of iterators": shared("[].values().map((x) => x)"),
  "state on that of asynchronous functions": shared("async () => {}"),
  "state on the source":
    `(d, s) => { s.seen = (s.seen ?? 0) + 1; return s.seen > 5 ? d[0] : ${COIN}; }`,
  "a map that does not look like one": hidden("new Map([[1, d[0]]])"),
  "a boxed number that does not look like one": hidden("Object(d[0] ? 1 : 2)"),
  "a generator that does not look like one": hidden("(function* () { yield d[0]; })()"),
  "an iterator that does not look like one": hidden("[d[0]].values()"),
  "private members behind another prototype":
    `(() => { class A { #row; constructor(row) { this.#row = row; } } return ${
      hidden("new A(d[0])")
    }; })()`,
  "private members of a plain record":
    `(() => { ${STAMP} return (d, s) => { const o = { c: ${COIN} }; new Stamp(o, d[0]); return o; }; })()`,
  "the text of a function":
    `(d, s) => String(() => 1 + 1).includes("1 + 1") ? [${COIN}, d[0]] : ${COIN}`,
};

/** Programs that put out rows in what a list of elements does not show. */
const REFUTED: Readonly<Record<string, string>> = {
  "a view that follows its bytes":
    `(d, s) => { const b = new ArrayBuffer(4, { maxByteLength: 8 }); return [${COIN}, d[0] ? new Uint8Array(b) : new Uint8Array(b, 0, 4)]; }`,
  "one that follows all that there may be":
    `(d, s) => { const b = new ArrayBuffer(8, { maxByteLength: 8 }); return [${COIN}, d[0] ? new DataView(b) : new DataView(b, 0, 8)]; }`,
  "two views of the same bytes":
    `(d, s) => { const b = new ArrayBuffer(4), c = new ArrayBuffer(4); return [${COIN}, new Uint8Array(b), new Uint8Array(d[0] ? b : c)]; }`,
  "a stack that was written":
    `(d, s) => { const e = new Error("x"); e.stack = d[0] ? "a" : "b"; return [e, ${COIN}]; }`,
  "what only looks like an error":
    `(d, s) => { const o = { value: "x", writable: true, configurable: true }; return [d[0] ? new Error("x") : Object.create(Error.prototype, { message: o, stack: o }), ${COIN}]; }`,
};

/** Ordinary programs that use the same. */
const HOLD: Readonly<Record<string, string>> = {
  "an error of its own":
    `(() => { class Bad extends Error { constructor(m) { super(m); Object.setPrototypeOf(this, Bad.prototype); } } return (d, s) => { if (${COIN}) throw new Bad("none"); return 0; }; })()`,
  "a class with private members":
    `(() => { class Sum { #t = 0; add(x) { this.#t += x; return this; } get total() { return this.#t; } } return (d, s) => new Sum().add(Number(${COIN})).total; })()`,
  "a promise that is not put out": `(d, s) => { Promise.resolve(1); return ${COIN}; }`,
  "typed arrays": `(d, s) => new Float64Array([Number(${COIN})])`,
};

async function withModule<Result>(
  text: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/program.mjs`, text);
    return await use(`${folder}/program.mjs`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function decided(program: unknown): string {
  const datasets = [[false], [true]];
  const run = drawingFrom(followedProgram(program as TracedProgram));
  return checkExactly({ name: "it", run }, {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    datasets,
    neighbours: [[0, 1], [1, 0]],
  }).report.verdict;
}

// Mutants: objects of the language by name alone; thenables that are not told; prototypes that change what is seen; views by their elements.
Deno.test("checkExactly() says of no rewritten module that it holds where it works later, keeps state where no name leads, or hides rows in an output", async () => {
  const all = Object.entries({ ...REFUSED, ...REFUTED, ...HOLD });
  await withModule(
    all.map(([, text], i) => `export const p${i} = ${text};`).join("\n"),
    async (file) => {
      const { module, notes } = await loadRewritten(file, { keepsLanguage: true });
      assertEquals(notes, []);
      for (const [i, [name]] of all.entries()) {
        const program = module[`p${i}`];
        if (name in REFUSED) assertThrows(() => decided(program), NotEnumerable, undefined, name);
        else assertEquals(decided(program), name in HOLD ? "holds" : "refuted", name);
      }
      // What was put off has run by now, and was seen.
      await assertRejects(() => requireNothingLate(), NotEnumerable, "works after it returns");
    },
  );
});

// Mutant: a change of the language that is told after it was made.
Deno.test("loadRewritten() keeps the language as it is where it is asked to", async () => {
  const { next } = Object.getPrototypeOf([][Symbol.iterator]());
  for (
    const text of [
      "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true });",
      "Array.prototype[Symbol.iterator] = function* () {};",
      "Object.prototype.hasOwnProperty.call = () => true;",
      "Object.defineProperty(Map.prototype, 'get', { value: () => 1 });",
      "delete Array.prototype.map;",
      "String = () => 'x';",
    ]
  ) {
    await withModule(`${text}\nexport default 1;`, async (file) => {
      await assertRejects(() => loadRewritten(file, { keepsLanguage: true }), ChangesLanguage);
    });
  }
  assert(Object.getPrototypeOf([][Symbol.iterator]()).next === next);
  assert([1].map((x) => x)[0] === 1 && String(1) === "1");
});
