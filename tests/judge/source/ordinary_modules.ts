// deno-lint-ignore-file no-explicit-any -- a syntax tree has some seventy shapes, and packages export anything.
import { parse } from "acorn";
import {
  begin,
  handToPrograms,
  loadRewritten,
  noteText,
  traced,
} from "../../../lib/judge/source/mod.ts";
import { resolveImport } from "../../../lib/judge/source/resolve_import.ts";
import { shownOutput } from "./followed.ts";

/** What a suite of tests finds in place of its runner and its assertions: all that they get is written down. */
const RUNNER = `
const said = globalThis.$said;
let path = "";
export const tests = [];
export const it = (name, f) => { tests.push([path + name, f]); };
it.skip = () => {};
export const test = it;
export const describe = (name, f) => { const before = path; path += name + ": "; f(); path = before; };
export const assert = (...values) => said("assert", ...values);
for (const name of ["ok", "equal", "notEqual", "deepEqual", "strictEqual", "notStrictEqual", "deepStrictEqual", "notDeepEqual", "fail", "match"]) {
  assert[name] = (...values) => said(name, ...values);
}
assert.throws = (f) => { try { said("returned", f()); } catch (e) { said("threw", e); } };
assert.doesNotThrow = assert.throws;
export const ok = assert.ok, equal = assert.equal;
export default assert;
`;
const RUNNER_NAMES = /^(node:)?(assert|test)(\/strict)?$/;

/** What is in place of numbers that stand in a text, and of what assertions get. */
const hooks = globalThis as unknown as {
  $number: (value: number) => unknown;
  $said: (...values: unknown[]) => void;
};
let said: string[] = [];
// The engine words its own errors by the text of the program, which is another one.
hooks.$said = (...values) =>
  void said.push(
    values.map((each) => each instanceof TypeError ? "TypeError" : shownOutput(each)).join(" "),
  );
handToPrograms(hooks.$said);

/** A copy of a tree of modules, in one folder. */
export interface CopiedModules {
  readonly entry: string;
  readonly close: () => Promise<void>;
}

/**
 * Copies modules with all that they import into a folder, where Deno loads them whatever packages they name.
 *
 * @param options.marks true for files in which a function gets each number that stands in the text: it may have it followed.
 */
export async function copyModules(
  entry: { readonly text: string; readonly from: string },
  { marks = () => false }: { readonly marks?: (file: string) => boolean } = {},
): Promise<CopiedModules> {
  const folder = await Deno.makeTempDir(), targets = new Map<string, string>();
  const first = `${entry.from}/$entry.mjs`, queue = [first];
  const targetOf = (file: string): string => {
    if (!targets.has(file)) {
      targets.set(file, `${targets.size}_${file.split("/").at(-1)!.replace(/\.\w+$/, "")}.mjs`);
      if (file !== first) queue.push(file);
    }
    return targets.get(file)!;
  };
  await Deno.writeTextFile(`${folder}/runner.mjs`, RUNNER);
  targetOf(first);
  for (const file of queue) {
    const text = file === first ? entry.text : await Deno.readTextFile(file);
    await Deno.writeTextFile(
      `${folder}/${targetOf(file)}`,
      copied(text, {
        marks: file !== first && marks(file),
        specifier: (name) => {
          if (RUNNER_NAMES.test(name)) return "./runner.mjs";
          const found = resolveImport(name, file);
          return "left" in found ? found.left : `./${targetOf(Deno.realPathSync(found.file))}`;
        },
      }),
    );
  }
  return {
    entry: `${folder}/${targetOf(first)}`,
    close: () => Deno.remove(folder, { recursive: true }),
  };
}

function copied(
  text: string,
  { marks, specifier }: {
    readonly marks: boolean;
    readonly specifier: (name: string) => string;
  },
): string {
  const tree: any = parse(text, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowHashBang: true,
  });
  const changes: [from: number, to: number, by: string][] = [];
  const visit = (n: any, isKey = false): void => {
    if (Array.isArray(n)) return n.forEach((each) => visit(each));
    if (n.source?.type === "Literal") {
      changes.push([n.source.start, n.source.end, JSON.stringify(specifier(n.source.value))]);
      if (!n.declaration) return;
    }
    if (marks && !isKey && n.type === "Literal" && typeof n.value === "number") {
      changes.push([n.start, n.end, `$number(${text.slice(n.start, n.end)})`]);
    }
    for (const [name, value] of Object.entries<any>(n)) {
      if (value === null || typeof value !== "object" || name === "regex" || name === "source") {
        continue;
      }
      if (typeof value.type === "string" || Array.isArray(value)) {
        visit(
          value.length === undefined ? value : value.filter(Boolean),
          name === "key" && !n.computed,
        );
      }
    }
  };
  visit(tree);
  changes.sort(([a], [b]) => b - a);
  for (const [from, to, by] of changes) text = text.slice(0, from) + by + text.slice(to);
  const isTest = /\bit\(/.test(text) && !/\bit\b.*from/.test(text);
  return `${isTest ? 'import { it } from "./runner.mjs"; ' : ""}${
    marks ? "const $number = globalThis.$number; " : ""
  }${text}`;
}

/** A test of a module: its name, and what runs it. */
type Test = readonly [name: string, run: () => unknown];

/** What a test made of what it was given, and what its run said that may make it another thing. */
interface Answers {
  readonly name: string;
  readonly said: readonly string[];
  readonly notes: readonly string[];
}

/** Notes after which what a program returns may differ: the text of a function, for one, is another one. */
const MAY_DIFFER: ReadonlySet<string> = new Set(["native", "bytes", "clock", "randomness", "code"]);

async function answersOf(tests: readonly Test[], maxSteps: number): Promise<Answers[]> {
  const all: Answers[] = [];
  for (const [name, test] of tests) {
    said = [];
    const run = begin({ maxSteps });
    try {
      await test();
    } catch (error) {
      hooks.$said("failed", error);
    }
    const notes = run.notes.filter(({ kind }) => MAY_DIFFER.has(kind)).map(noteText);
    all.push({ name, said, notes });
  }
  return all;
}

/** How the tests of a module went as they are written and rewritten. */
export interface Compared {
  /** Tests that gave other answers, although nothing was said of them. */
  readonly differ: readonly string[];
  /** Tests that gave other answers, and what was said. */
  readonly told: readonly string[];
  readonly tests: number;
  readonly answers: number;
}

/** Runs what a module exports as `tests` as it is written and rewritten. */
export async function comparedRewritten(
  entry: string,
  { isFollowed, maxSteps = 3e5 }: {
    /** True if numbers that stand in marked files are followed. */
    readonly isFollowed: boolean;
    /** Conditions after which a test is left out. */
    readonly maxSteps?: number;
  },
): Promise<Compared> {
  hooks.$number = (value) => value;
  const { tests } = await import(`file://${entry}`) as { tests: Test[] };
  said = [];
  const written = await answersOf(tests, maxSteps);
  hooks.$number = isFollowed
    ? (value) => traced(value, "row", { operands: [value] })
    : (value) => value;
  handToPrograms(hooks.$number);
  said = [];
  const loaded = await loadRewritten(entry, { root: entry.replace(/[^/]*$/, "") });
  const rewritten = await answersOf(loaded.module.tests as Test[], maxSteps);
  const differ: string[] = [], told: string[] = [];
  for (const [i, { name, said }] of written.entries()) {
    const other = rewritten[i]!;
    if (other.said.some((each) => each.includes("Cannot follow a run"))) continue;
    const at = Array.from({ length: Math.max(said.length, other.said.length) }, (_, k) => k)
      .find((k) => said[k] !== other.said[k]);
    if (at === undefined) continue;
    const notes = other.notes.join("; ");
    (notes === "" ? differ : told).push(
      `${name}\nas written ${said[at]}\nrewritten  ${other.said[at]}\n${notes}`,
    );
  }
  const answers = written.reduce((sum, { said }) => sum + said.length, 0);
  return { differ, told, tests: written.length, answers };
}

/** Functions whose results depend on the clock, the language or chance, or which go on for long. */
const NOT_CALLED =
  "^(delay|debounce|throttle|now|uniqueId|.*random.*|sample.*|shuffle|isPast|isFuture|.*Today|.*Yesterday|.*Tomorrow|.*ToNow.*|intl.*|timer|timeout|interval|permutationsHeap|defer|forceSimulation|isThis.*|runInContext|template|times|.*[tT]imezone.*|r[a-z]+(One)?)$";

/** Returns a module whose tests call all that a package exports, with arguments of many kinds, and what it returns. */
export function callsOf(name: string, rounds = 2): string {
  return `import * as all from ${JSON.stringify(name)};
const said = globalThis.$said;
let state = 7;
const next = (n) => { state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff; return (state >> 8) % n; };
const numbers = [0, 1, 2, 3, 5, 0.5, 0.25, -1, 7, 10];
const list = () => [3, 1, 2, 5, 4].slice(0, 2 + next(4));
const records = () => [{ a: 1, b: "x", c: [1, 2] }, { a: 3, b: "y", c: [2] }, { a: 2, b: "x", c: [] }];
const pool = [
  () => numbers[next(10)], () => numbers[next(10)], () => numbers[next(10)], list, list, records,
  () => [[1, 2], [3, 4], [0.5, 2]], () => (x) => x, () => (x, y) => x > y ? 1 : x < y ? -1 : 0, () => (x) => x * 2, () => (a, b) => a + b,
  () => (x) => x > 1, () => "a-b c", () => ({ a: 1, b: 2 }), () => true, () => "2", () => new Date(86400000 * 400), () => new Map([[1, 2], [3, 4]]), () => undefined,
  () => (x) => x.a, () => "a", () => Float64Array.from([1, 2.5, 3]), () => new Set([1, 2, 2]),
];
// What it returns is called in turn, and what it is by itself is looked at.
const used = (value, depth) => {
  said(value);
  if (depth > 0 && typeof value === "function" && !/^class/.test(Object.prototype.toString.call(value))) {
    for (let i = 0; i < 2; i++) {
      const args = [pool[next(pool.length)](), pool[next(pool.length)]()];
      try { used(value(...args.slice(0, 1 + next(2))), depth - 1); } catch (e) { said("threw", e); }
    }
  } else if (depth > 0 && value !== null && typeof value === "object" && typeof value.next === "function") {
    try { said([...value].slice(0, 5)); } catch (e) { said("threw", e); }
  }
};
export const tests = [];
for (const name of Object.keys(all).sort()) {
  const f = all[name];
  if (typeof f !== "function" || /${NOT_CALLED}/i.test(name)) continue;
  for (let round = 0; round < ${rounds}; round++) {
    tests.push([name + " " + round, () => {
      state = 31 * round + name.length * 1009 + (name.charCodeAt(0) + name.charCodeAt(name.length - 1)) * 77;
      const args = [];
      for (let i = 0, n = next(4); i < n; i++) args.push(pool[next(pool.length)]());
      let made;
      try { made = f(...args); } catch (e) {
        said("threw", e);
        try { made = new f(...args); } catch (e2) { said("threw", e2); }
      }
      used(made, 2);
      said(...args);
      if (made !== null && typeof made === "object" && !Array.isArray(made)) {
        for (const key of Object.getOwnPropertyNames(Object.getPrototypeOf(made) ?? {}).slice(0, 40)) {
          if (key === "constructor" || /random|Locale/.test(key)) continue;
          try { const m = made[key]; if (typeof m === "function") used(made[key](pool[next(pool.length)]()), 1); else said(m); } catch (e) { said("threw", e); }
        }
      }
    }]);
  }
}
`;
}
