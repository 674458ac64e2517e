import { assert, assertEquals } from "@std/assert";
import { instrument, type Switches } from "./instrument.ts";
import type { Mutant } from "./mutant.ts";

const global = globalThis as unknown as { $mutation?: Switches };

/** The module of an instrumented text, its mutants by their change, and the switches that it reads. */
async function instrumented(text: string): Promise<{
  module: Record<string, (...args: number[]) => unknown>;
  mutants: readonly Mutant[];
  switches: Switches;
}> {
  const done = instrument("lib/a.ts", text, { firstId: 1 });
  const switches = { S: new Int32Array(2), H: new Uint8Array(done.mutants.length + 1) };
  global.$mutation = switches;
  const url = `data:application/typescript;charset=utf-8,${encodeURIComponent(done.text)}`;
  try {
    return { module: await import(url), mutants: done.mutants, switches };
  } finally {
    delete global.$mutation;
  }
}

function changes(text: string): string[] {
  return instrument("lib/a.ts", text, { firstId: 1 }).mutants.map(({ change }) => change);
}

Deno.test("instrument() leaves a file as it was while no mutant is on", async () => {
  const { module, switches } = await instrumented(
    "export function f(a: number, b = 2): number { let c = a; c += 3 * b - 1; return c > 5 ? c : -c; }",
  );
  for (const recording of [0, 1]) {
    switches.S[1] = recording;
    assertEquals([module.f!(1), module.f!(-1, 1), module.f!(7, 0)], [6, -1, 6]);
  }
});

Deno.test("instrument() gives a program that does what the change of the mutant says", async () => {
  const { module, mutants, switches } = await instrumented(
    "export function f(a: number, b: number) { if (a < 0) throw 1; return a + b * 2; }",
  );
  const results = mutants.map(({ id, change }) => {
    switches.S[0] = id;
    const run = (a: number, b: number): unknown => {
      try {
        return module.f!(a, b);
      } catch {
        return "throws";
      }
    };
    return [change, run(-1, 5), run(0, 5)];
  });
  assertEquals(results, [
    ["a < 0 → false", 9, 10],
    ["a < 0 → a <= 0", "throws", "throws"],
    ["0 → 1", "throws", "throws"],
    ["a + b * 2 → a", "throws", 0],
    ["a + b * 2 → b * 2", "throws", 10],
    ["b * 2 → b", "throws", 5],
    ["b * 2 → 2", "throws", 2],
  ]);
});

Deno.test("instrument() switches closures that are made while recording, and constants of the file", async () => {
  global.$mutation = undefined as never;
  const text =
    "const rate = 0.5; const make = () => (x: number) => x - rate; export const g = make();";
  const done = instrument("lib/a.ts", text, { firstId: 1 });
  const S = new Int32Array([0, 1]), H = new Uint8Array(9);
  global.$mutation = { S, H };
  const { g } = await import(
    `data:application/typescript,${encodeURIComponent(`${done.text}//1`)}`
  );
  assertEquals([...H], [0, 1, 0, 0, 0, 0, 0, 0, 0]);
  S[1] = 0;
  assertEquals(g(3), 2.5);
  assertEquals(H[2], 1);
  S[0] = done.mutants.find(({ change }) => change === "x - rate → x + rate")!.id;
  assertEquals(g(3), 3.5);
  delete global.$mutation;
});

Deno.test("instrument() leaves types, imports, messages and names alone", () => {
  assertEquals(
    changes(`
      import { a } from "./1.ts";
      type T = 1 | 2;
      interface I { readonly x: 3 }
      function f(x: 4): void {
        const y = { 5: x, z: \`\${6 + x}\` } as { 5: 4; z: string };
        if (y.z === "7") throw new RangeError("8" + 9);
        const text = "10" + x;
      }`),
    [`y.z === "7" → false`],
  );
});

Deno.test("instrument() drops every term and factor once, and moves constants that are neither", () => {
  assertEquals(
    changes("const x = (a, b, c, d) => Math.max(a + b - c, 1) ** 2 * d * room(1e-9) * 7n;"),
    [
      "Math.max(a + b - c, 1) ** 2 * d * room(1e-9) * 7n → Math.max(a + b - c, 1) ** 2 * d * room(1e-9)",
      "Math.max(a + b - c, 1) ** 2 * d * room(1e-9) → Math.max(a + b - c, 1) ** 2 * d",
      "Math.max(a + b - c, 1) ** 2 * d → Math.max(a + b - c, 1) ** 2",
      "Math.max(a + b - c, 1) ** 2 * d → d",
      "Math.max(a + b - c, 1) ** 2 → Math.max(a + b - c, 1)",
      "Math.max(a + b - c, 1) → Math.max(1)",
      "Math.max(a + b - c, 1) → Math.max(a + b - c)",
      "a + b - c → a + b",
      "a + b - c → a + b + c",
      "a + b → a",
      "a + b → b",
      "1 → 2",
      "2 → 3",
      "1e-9 → 0",
    ],
  );
});

Deno.test("instrument() removes guards and statements, and takes both sides of a branch always", () => {
  assertEquals(
    changes(`function f(x, y) {
      check(x);
      while (x !== y) x++;
      if (!x) return 0;
      if (x === y || !y) x *= 2; else return true;
    }`),
    [
      "removed: check(x);",
      "!x → false",
      "0 → 1",
      "x === y || !y → true",
      "x === y || !y → false",
      "x === y || !y → x === y",
      "x === y || !y → !y",
      "removed: x *= 2;",
      "2 → 3",
      "true → false",
    ],
  );
});

Deno.test("instrument() names the function of a mutant, and tells equal changes apart", () => {
  const { mutants } = instrument(
    "lib/a.ts",
    "class A { #m() { const c = [...x].map((y) => y + 1 && y + 1); } constructor() { this.n = 1; } }",
    { firstId: 5 },
  );
  assertEquals(mutants[0]!.id, 5);
  const named = mutants.map(({ in: place, change }) => `${place}: ${change}`);
  assert(named.includes("A.#m.c: y + 1 → y"));
  assert(named.includes("A.#m.c: y + 1 → y (2)"));
  assert(named.includes("A.constructor: 1 → 2"));
});
