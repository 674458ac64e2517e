import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { pure } from "../../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import {
  comparesUniforms,
  requireSameWithNumbers,
} from "../../../../lib/judge/exact/enumeration/uniform_branches.ts";
import { checkExactly } from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../../../lib/judge/exact/enumeration/drawing_from.ts";
import { followedProgram } from "../../../../lib/judge/exact/followed_program.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { loadRewritten } from "../../../../lib/judge/source/mod.ts";

const { log } = Math;

/** Programs of one bit, and the least ε of each; `undefined` for those that do more than compare uniform numbers. */
const PROGRAMS: Readonly<Record<string, readonly [text: string, epsilon: number | undefined]>> = {
  rr: [`([x], s) => s.uniform() < 0.7 ? x : 1 - x`, log(7 / 3)],
  rrOwn: [`([x]) => Math.random() < 0.7 ? x : 1 - x`, log(7 / 3)],
  coin2: [`([x]) => Math.random() < 0.5 ? x : Math.random() < 0.5 ? 1 : 0`, log(3)],
  krr: [
    `([x]) => { if (Math.random() < 0.25) return x; return Math.floor(Math.random() * 2); }`,
    log(5 / 3),
  ],
  krrBits: [`([x]) => Math.random() < 0.25 ? x : (Math.random() * 2) | 0`, log(5 / 3)],
  krrIndex: [
    `([x]) => Math.random() < 0.25 ? x : [0, 1][Math.floor(2 * Math.random())]`,
    log(5 / 3),
  ],
  geo: [
    `(d) => d[0] + Math.floor(-Math.log(Math.random())) - Math.floor(-Math.log(1 - Math.random()))`,
    1,
  ],
  geoLog: [
    `(d, s) => { const g = () => Math.floor(Math.log(s.uniform()) / -1); return d.reduce((a, x) => a + x, 0) + g() - g(); }`,
    1,
  ],
  out: [`([x]) => { const truth = Math.random() < .7; return truth === (x === 1); }`, log(7 / 3)],
  fixed: [
    `([x]) => Object.defineProperty([(Math.random() < .7) === (x === 1)], "length", { writable: false })`,
    log(7 / 3),
  ],
  number: [`([x]) => x + 2 * (Math.random() < .5) - (Math.random() < .5 ? 0 : x)`, Infinity],
  chain: [`([x]) => { const u = Math.random(); return u < .5 ? x : u < .75 ? 0 : 1; }`, log(3)],
  roundedSign: [
    `([x]) => Object.is(Math.round(Math.random() - .25), -0) ? x : Math.random() < .5`,
    Infinity,
  ],
  geometricSign: [
    `([x]) => Object.is(Math.ceil(Math.log(Math.random())), -0) ? x : 1 - x`,
    log(Math.E - 1),
  ],
  bits: [`([x]) => (Math.random() * 2 + 2147483647 | 0) < 0 ? x : 0`, Infinity],
  badReuse: [
    `([x]) => { const u = Math.random(); return [u < .7 ? x : 1 - x, u < .7]; }`,
    Infinity,
  ],
  badData: [`([x]) => Math.random() < x`, Infinity],
  badKeep: [
    `([x]) => { const u = Math.random(); return (u < .6 ? x : 1 - x) * 2 + (u < .6 ? x : 0); }`,
    Infinity,
  ],
  badOut: [`([x]) => [Math.random() < .7 ? x : 1 - x, Math.random()]`, undefined],
  badTwo: [`([x]) => Math.random() < Math.random() ? x : 0`, undefined],
  badStr: [
    `([x]) => { const u = Math.random(); return (u < .7 ? x : 1 - x) + "," + u; }`,
    undefined,
  ],
  badZero: [`([x]) => Math.random() === 0 ? x : 0`, undefined],
  // One number alone, which has a chance of 2^−53.
  badEqual: [`([x]) => Math.random() === .5 ? x : 0`, undefined],
  badBetween: [
    `([x]) => { const u = Math.random(); return u <= .5 && u >= .5 ? x : 0; }`,
    Infinity,
  ],
  badBelow: [`([x]) => { const u = Math.random(); return u >= .5 && u <= .5 ? x : 0; }`, Infinity],
  badIncludes: [`([x]) => [.5].includes(Math.random()) ? x : 0`, undefined],
  badCeil: [`([x]) => Math.ceil(Math.random()) === 0 ? x : 0`, Infinity],
  badFloor: [`([x]) => Math.floor(1 - Math.random()) === 1 ? x : 0`, Infinity],
  badSign: [`([x]) => Math.ceil(-Math.random()) === 0 ? x : 0`, undefined],
  die: [`([x]) => Math.ceil(Math.random() * 6) <= 4 ? x : 1 - x`, log(2)],
  ceil: [`([x], s) => Math.ceil(4 * s.uniform()) > 1 ? x : 1 - x`, log(3)],
  twoBounds: [
    `([x]) => { const u = Math.random(); return u < .75 || u > .75 ? x : 1 - x; }`,
    log(2 ** 53 - 1),
  ],
  badGeo: [
    `([x]) => { const u = Math.random(); return [x + Math.floor(-Math.log(u)), u < .5]; }`,
    undefined,
  ],
  badSquare: [`([x]) => Math.random() ** 2 < .25 ? x : 1 - x`, undefined],
};

// Mutants: a number that is compared anew each time; a cell of another width; a rounded number of another sign; a copy of a list that can grow.
Deno.test("checkExactly() takes comparisons and rounded multiples of uniform numbers for draws, in modules that are followed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/uniforms.mjs`;
    await Deno.writeTextFile(
      file,
      Object.entries(PROGRAMS).map(([name, [text]]) => `export const ${name} = ${text};`).join(
        "\n",
      ),
    );
    const modules = await import(`file://${file}`) as Record<string, TracedProgram>;
    const { module, notes } = await loadRewritten(file);
    assertEquals(notes, []);
    for (const [name, [, epsilon]] of Object.entries(PROGRAMS)) {
      const program = followedProgram(module[name] as TracedProgram), datasets = [[0], [1]];
      assertEquals(
        datasets.every((data) => comparesUniforms(program, data)),
        epsilon !== undefined,
        name,
      );
      if (epsilon === undefined) continue;
      requireSameWithNumbers(program, { written: modules[name]!, datasets });
      const { report } = checkExactly({ name, run: drawingFrom(program) }, {
        claim: pure({ epsilon: 1, relation: replaceOne }),
        datasets,
        neighbours: [[0, 1]],
      });
      assert(report.comparesUniforms, name);
      if (epsilon === Infinity) assertEquals(report.epsilon.lower, Infinity, name);
      else assertAlmostEquals(report.epsilon.lower, epsilon, 1e-8, name);
      assertEquals(report.verdict, epsilon <= 1 ? "holds" : "refuted", name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
