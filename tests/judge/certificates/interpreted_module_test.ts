import { assertEquals, assertThrows } from "@std/assert";
import { gaussian, pure } from "../../../lib/core/mod.ts";
import { relationNamed } from "../../../lib/core/relations/relation_named.ts";
import { NotDerived } from "../../../lib/judge/certificates/checked_program.ts";
import { interpretedModule } from "../../../lib/judge/certificates/interpreted_module.ts";
import { deriveAgain } from "../../../lib/judge/certificates/second_tracer.ts";
import { alignmentCertificate } from "../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../lib/judge/exact/alignment/prove_alignment.ts";
import { followedProgram } from "../../../lib/judge/exact/followed_program.ts";
import { loadRewritten } from "../../../lib/judge/source/mod.ts";

const relation = relationNamed("change-each-by-1")!;

/** The certificate of a program that is written with operators, made by its rewritten copy. */
async function certificateOf(text: string): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: ".mjs" });
  try {
    await Deno.writeTextFile(file, text);
    const { module } = await loadRewritten(file);
    const run = followedProgram(module.default as never);
    return alignmentCertificate(
      await proveAlignment({ name: "it", run }, {
        claim: text.includes("Math.sqrt")
          ? gaussian({ mu: 9, relation })
          : pure({ epsilon: 9, relation }),
        cases: neighbourCases(
          { rows: { type: "number", min: 0, max: 4 }, size: { min: 2, max: 2 } },
          relation,
        )!,
      }),
    );
  } finally {
    await Deno.remove(file);
  }
}

const derive = (certificate: string, text: string): number =>
  deriveAgain(certificate, interpretedModule(text, "default"));

/** Programs, each with a change of one place that must be seen. */
const PROGRAMS: readonly (readonly [program: string, from: string, to: string])[] = [
  [
    `const noisy = (s, x) => x + s.laplace({ scale: 2 });
     export default function largest(rows, source) {
       let best = -Infinity, at = -1;
       for (let i = 0; i < rows.length; i++) {
         const value = noisy(source, rows[i]);
         if (value > best) { best = value; at = i; }
       }
       return at;
     }`,
    "return at",
    "return best > 2 ? at : 0",
  ],
  [
    `export default (rows, source) => {
       const { scale = 3 } = {}, clipped = rows.map((x) => Math.min(Math.max(x, 1), 2));
       return clipped.reduce((sum, x) => sum + x, 0) / 2 + source.laplace({ scale });
     };`,
    "/ 2",
    "/ 4",
  ],
  [
    `export default ([x, ...others], s) => {
       const counts = [0, 0];
       for (const each of [x, ...others]) counts[each >= 2 ? 1 : 0]++;
       return { counts: counts.map((n) => n + s.laplace({ scale: 2 })), size: others.length + 1 };
     };`,
    "? 1 : 0",
    "? 0 : 1",
  ],
  [
    `export default (rows, s) => rows.map((x) => x + s.laplace({ scale: 1 })).sort((a, b) => b - a)[0] > 1;`,
    "b - a",
    "a - b",
  ],
  [
    `export default (rows, s) => {
       const t = s.laplace({ scale: 2 }), out = [];
       for (const x of rows) { if (x + s.laplace({ scale: 4 }) < t) { out.push("below"); continue; } out.push("above"); break; }
       return out;
     };`,
    "break;",
    "",
  ],
  [
    `export default ([x], s) => (x ? 1 : 0) + s.laplace({ scale: 1 });`,
    "? 1 : 0",
    "? 0 : 1",
  ],
  [
    `export default ([x], s) => Math.abs(Math.sign(x - 2 + s.laplace({ scale: 1 })));`,
    "Math.abs",
    "",
  ],
  [
    `export default ([x], s) => { const y = x + s.laplace({ scale: 1 }); switch (x === 2) { case true: return [y, true]; default: return [y, true]; } };`,
    "true]; default",
    "false]; default",
  ],
  // Compared in another order than the first tracer does, or not at all there.
  [
    `export default (rows, s) => { const [a, b] = rows.map((x) => x + s.laplace({ scale: 1 }) > 2); return [b, a]; };`,
    "> 2",
    "> 1",
  ],
  [
    `export default (rows, s) => { const [a, b] = rows.map((x) => x + s.laplace({ scale: 1 }) > 2); return b; };`,
    "return b",
    "return a",
  ],
  [
    `export default ([x], s) => { const y = Math.max(0, x + s.laplace({ scale: 1 })); return Math.round(y * 10) / 10; };`,
    "x + s",
    "2 * x + s",
  ],
  // Rounded data are whole numbers, and functions of noise are put out as such.
  [
    `export default ([x], s) => { const n = [0, 0, 0, 0, 0]; n[Math.floor(x)]++; return n.map((k) => k + s.laplace({ scale: 2 })); };`,
    "++",
    "+= 2",
  ],
  [
    `export default ([x], s) => (Math.ceil(x) - Math.floor(x) > 0 ? 2 : Math.ceil(x) > 1.5 ? 1 : 0) + s.laplace({ scale: 1 });`,
    "> 1.5",
    "< 1.5",
  ],
  [
    `export default ([x], s) => (Math.round(x + s.laplace({ scale: 1 })) > 3 ? 1 : 0) + Number((x + s.laplace({ scale: 1 })).toFixed(2)) ** 2;`,
    "> 3",
    "> 2",
  ],
  // Declared by var, kept in maps and objects of classes.
  [
    `const SCALES = new Map([["low", 2], ["high", 4]]), NAMES = new Set(["low"]);
     class Noisy {
       drawn = 0;
       constructor(s) { this.s = s; }
       static of(s) { return new Noisy(s); }
       get scale() { return SCALES.get(NAMES.has("low") ? "low" : "high"); }
       add(x) { this.drawn++; return x + this.s.laplace({ scale: this.scale }); }
     }
     export default function (rows, s) {
       var noisy = Noisy.of(s), i;
       for (i = 0; i < rows.length; i++) { var sum = (sum ?? 0) + rows[i]; }
       return [noisy.add(sum), noisy.drawn];
     }`,
    'has("low")',
    'has("high")',
  ],
  [
    `export default (rows, s) => {
       var groups = new Map([["a", 0], ["b", 0]]);
       for (var x of rows) { var k = x > 2 ? "a" : "b"; groups.set(k, groups.get(k) + 1); }
       return [...groups].map(([, n]) => n + s.laplace({ scale: 2 }));
     };`,
    "get(k) + 1",
    "get(k) + 2",
  ],
  // Noise made of uniform numbers.
  [
    `export default ([x], s) => { const u = s.uniform() - 0.5; return x - Math.sign(u) * Math.log(1 - 2 * Math.abs(u)); };`,
    "x - Math",
    "2 * x - Math",
  ],
  [
    `export default ([x]) => { const u = Math.random(); return u < 0.5 ? [x + Math.log(2 * u)] : [x - Math.log(2 - 2 * u)]; };`,
    "+ Math",
    "- Math",
  ],
  [
    `export default ([x]) => x + Math.log(Math.random() / Math.random()) + (Math.random() < 0.5 ? 1 : -1) * Math.log(1 - Math.random());`,
    "0.5 ? 1 : -1",
    "0.5 ? 1 : 2",
  ],
  [
    `export default (rows) => {
       let best = -Infinity, at = 0;
       rows.forEach((x, i) => { const y = x - 2 * Math.log(-Math.log(Math.random())); if (y > best) { best = y; at = i; } });
       return [at, rows.map((x) => x - Math.log(Math.random()) + Math.log(1 - Math.random()))];
     }`,
    "x - 2",
    "x - 1",
  ],
  [
    `export default ([x]) => { const r = Math.sqrt(-8 * Math.log(Math.random())), a = 2 * Math.PI * Math.random(); return [x + r * Math.sin(a), r * Math.cos(a)]; };`,
    "x + r",
    "2 * x + r",
  ],
];

// Mutants: a comparison that goes the other way; conditions that are always true; sums without a factor.
Deno.test("paths of programs with operators are derived from their syntax, and those of others rejected", async () => {
  for (const [text, from, to] of PROGRAMS) {
    const certificate = await certificateOf(text), other = text.replace(from, to);
    assertEquals([derive(certificate, text) > 0, other === text], [true, false], text);
    const error = assertThrows(() => derive(certificate, other), Error, "", other);
    assertEquals(error instanceof NotDerived, false, error.message);
  }
});

const LAPLACE =
  "export default ([x]) => { const u = Math.random(), v = u - 0.5; return x - Math.sign(v) * Math.log(1 - 2 * Math.abs(v)); };";
const SUM = "export default ([x], s) => x + s.laplace({ scale: 1 })";

// Mutant: what is not known is passed over.
Deno.test("nothing is said of programs that do what is not known", async () => {
  const certificate = await certificateOf(`${SUM};`);
  assertEquals(derive(certificate, `${SUM};`), 2);
  for (
    const text of [
      // State.
      "let n = 0; export default ([x], s) => { n++; return x + s.laplace({ scale: 1 }); };",
      "const seen = []; export default ([x], s) => { seen.push(x); return x + s.laplace({ scale: 1 }); };",
      "const seen = { of: {} }; export default ([x], s) => { seen.of.x = x; return x + s.laplace({ scale: 1 }); };",
      "class A { n = 0; } const a = new A(); export default ([x], s) => { a.n++; return x + s.laplace({ scale: 1 }); };",
      "class A {} export default ([x], s) => { A.n = x; return x + s.laplace({ scale: 1 }); };",
      "const seen = new Map(); export default ([x], s) => { seen.set(1, x); return x + s.laplace({ scale: 1 }); };",
      "const a = {}, seen = new Set([a]); export default ([x], s) => { a.x = x; return x + s.laplace({ scale: 1 }); };",
      "var n = 0; export default ([x], s) => { n = x; return x + s.laplace({ scale: 1 }); };",
      // Ways out of what is followed.
      "export default ([x], s) => { new Map([[x, 1]]); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { new Set().has(x); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { String(new Map([[1, x]])); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { ((a, b) => 1).length; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { JSON.stringify([x]); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { Number.isInteger(x) && [x].includes(3); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { const y = { [x]: 1 }; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { `${x}`; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { [1][Math.floor(x)]; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { Math.log(x) > 0; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { isFinite(Math.log(x)); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { x.toFixed(2) === '0.00'; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { x.toFixed(2) + 'a'; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { 'a'.localeCompare('b'); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { Array.prototype.seen = 1; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { (() => {}).constructor('return 1'); return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { s.laplace = () => 0; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { globalThis.y = x; return x + s.laplace({ scale: 1 }); };",
      "export default ([x], s) => { for (;;); };",
      "export default ([x], s) => { try { x.y; } catch {} return x + s.laplace({ scale: 1 }); };",
      // Parts of the language.
      "import fs from 'node:fs'; export default ([x], s) => x + s.laplace({ scale: 1 });",
      "class A extends Array {} export default ([x], s) => x + s.laplace({ scale: 1 });",
      "class A { #x = 1; } export default ([x], s) => x + s.laplace({ scale: 1 });",
      "export default async ([x], s) => x + s.laplace({ scale: 1 });",
      "export default 3;",
      "export default ([x], s) => {",
    ]
  ) assertThrows(() => derive(certificate, text), NotDerived, "", text);
  // A 0 that is −0 where the row is.
  const zeros =
    `export default ([x], s) => [Math.min(0, Math.max(x, 0)), x + s.laplace({ scale: 1 })];`;
  const ofZeros = await certificateOf(zeros);
  assertThrows(
    () => derive(ofZeros, zeros.replace("x, 0", "x, -0")),
    NotDerived,
    "the sign is not known",
  );
  // Uniform numbers that are used twice, or in ways that tell no law.
  const byHand = await certificateOf(LAPLACE);
  assertEquals(derive(byHand, LAPLACE), 2);
  for (
    const [from, to] of [
      ["return x", "if (u === 0.5) return 3; return x"],
      ["return x", "if (u > 0) return 3; return x"],
      ["return x", "if (u < 0.25) return 3; return x"],
      ["return x", "return [u < 0.5, x"],
      ["2 * Math.abs(v)", "Math.abs(v)"],
      ["Math.sign(v) *", ""],
      ["Math.sign(v) *", "Math.sign(v) * Math.sign(v) *"],
      ["- 0.5", "- 0.25"],
      ["Math.log(", "Math.log2("],
    ] as const
  ) {
    const text = LAPLACE.replace(from, to).replace(/(\[u.*); }/, "$1]; }");
    assertThrows(() => derive(byHand, text), Error, "", text);
  }
});
