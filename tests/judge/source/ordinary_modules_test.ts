import { assert, assertEquals } from "@std/assert";
import { longTest } from "../../long.ts";
import { callsOf, type Compared, comparedRewritten, copyModules } from "./ordinary_modules.ts";

/** Calls all that a module exports as it is written and rewritten, with plain and with followed numbers. */
async function called(name: string, from: string): Promise<Compared[]> {
  const all: Compared[] = [];
  for (const isFollowed of [false, true]) {
    const copy = await copyModules({ text: callsOf(name), from }, {
      marks: (file) => file.endsWith("$entry.mjs"),
    });
    try {
      all.push(await comparedRewritten(copy.entry, { isFollowed }));
    } finally {
      await copy.close();
    }
  }
  return all;
}

/** Modules as they are written every day. */
const MODULES: Readonly<Record<string, string>> = {
  statistics: `
    export const mean = (rows) => rows.reduce((sum, x) => sum + x, 0) / rows.length;
    export function variance(rows) { const m = mean(rows); let s = 0; for (const x of rows) s += (x - m) ** 2; return s / (rows.length - 1); }
    export const quantile = (rows, p = 0.5) => { const s = [...rows].sort((a, b) => a - b), i = (s.length - 1) * p, f = Math.floor(i); return s[f] + (i - f) * ((s[f + 1] ?? s[f]) - s[f]); };
    export const histogram = (rows, width = 1) => rows.reduce((all, x) => all.set(Math.floor(x / width), (all.get(Math.floor(x / width)) ?? 0) + 1), new Map());
    export const standardised = (rows) => { const m = mean(rows), d = Math.sqrt(variance(rows)); return rows.map((x) => ((x - m) / d).toFixed(3)); };`,
  builders: `
    // A function whose settings are its own members, as d3 writes them.
    export function scale() { let from = [0, 1], to = [0, 1]; function scaled(x) { return to[0] + (x - from[0]) / (from[1] - from[0]) * (to[1] - to[0]); }
      scaled.domain = (v) => v === undefined ? from : (from = Array.from(v, Number), scaled); scaled.range = (v) => v === undefined ? to : (to = v, scaled); return scaled; }
    export const scaled = (x) => scale().domain([0, x]).range(new Set([1, x * 2]))(1);
    const { from } = Array;
    export const pairs = (map) => from(map, ([key, value]) => key + value);`,
  classes: `
    const Symbol = globalThis.Symbol;
    export class Adder { #parts = [0]; static #made = 0; static { Adder.kinds = ["adder"]; } constructor(v = 0) { this.add(v); }
      add(v) { this.#parts.push(+v || 0); return this; } valueOf() { return this.#parts.reduce((a, b) => a + b); } get size() { return this.#parts.length; } *[Symbol.iterator]() { yield* this.#parts; } }
    export const running = (rows) => { const adder = new Adder(); return Float64Array.from(rows, (v) => adder.add(v)); };
    export class Matrix extends Array { static of(...rows) { return Matrix.from(rows); } times(x) { return this.map((row) => [row].flat().map((v) => v * x)); } }`,
  texts: `
    export const slug = (text) => String(text).trim().toLowerCase().replace(/[^a-z0-9]+/g, "-");
    export function parse(text) { const out = []; for (const [, sign, digits] of String(text).matchAll(/([+-]?)(\\d+(?:\\.\\d+)?)/g)) out.push(sign === "-" ? -digits : +digits); return out; }
    export const table = (records) => { const keys = [...new Set(records.flatMap(Object.keys))]; return [keys, ...records.map((r) => keys.map((k) => r[k] ?? ""))].map((c) => c.join("\\t")).join("\\n"); };
    export const copied = (value) => JSON.parse(JSON.stringify(value ?? null));`,
  structures: `
    export class Heap { items = []; push(x) { this.items.push(x); let i = this.items.length - 1; while (i > 0) { const p = (i - 1) >> 1; if (this.items[p] <= this.items[i]) break; [this.items[p], this.items[i]] = [this.items[i], this.items[p]]; i = p; } return this; } }
    export const omit = ({ a, ...rest }) => { rest.size = Object.keys(rest).length; return [a, rest]; };
    export const grouped = (rows, by = (x) => x > 1) => { const all = {}; for (const row of rows) (all[by(row)] ||= []).push(row); return all; };
    export function* chunks(rows, size = 2) { for (let i = 0; i < rows.length; i += size) yield rows.slice(i, i + size); }
    export const compose = (f, g = f) => (...args) => f(g(...args));`,
};

// Mutants: Array.from that needs its object; objects in typed arrays; a Symbol of the module.
Deno.test("ordinary modules return rewritten what they return as written", async () => {
  const folder = await Deno.makeTempDir();
  for (const [name, text] of Object.entries(MODULES)) {
    await Deno.writeTextFile(`${folder}/${name}.js`, text);
    for (const { differ, answers } of await called(`./${name}.js`, folder)) {
      assertEquals(differ, []);
      assert(answers > 10, name);
    }
  }
  await Deno.remove(folder, { recursive: true });
});

/** A folder whose `node_modules` has packages, for the long run. */
const PACKAGES = Deno.env.get("DPCHECK_PACKAGES");
/** ES packages that are called. */
const NAMES =
  "big.js bignumber.js camelcase complex.js d3-array d3-axis d3-chord d3-color d3-contour d3-delaunay d3-dispatch d3-dsv d3-ease d3-force d3-format d3-geo d3-hierarchy d3-interpolate d3-path d3-polygon d3-quadtree d3-random d3-sankey d3-scale d3-scale-chromatic d3-shape d3-time d3-time-format date-fns decimal.js delaunator dequal earcut fast-equals flatbush flatqueue fraction.js internmap jsbi just-range kdbush lib-r-math.js lodash-es ml-array-mean ml-distance-euclidean polynomial pretty-bytes pretty-ms quaternion quickselect rbush robust-predicates simple-statistics supercluster tinyqueue"
    .split(" ");

longTest("packages return rewritten what they return as written", async () => {
  const left: string[] = [];
  for (const name of NAMES) {
    const isThere = PACKAGES !== undefined &&
      await Deno.stat(`${PACKAGES}/node_modules/${name}`).then(() => true, () => false);
    if (!isThere) left.push(name);
    else {for (const { differ } of await called(name, PACKAGES)) {
        assertEquals([name, ...differ], [name]);
      }}
  }
  if (left.length > 0) console.log(`left out, for DPCHECK_PACKAGES has no ${left.join(", ")}`);
});
