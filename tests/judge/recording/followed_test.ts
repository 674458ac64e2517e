import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gaussian, pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { inVariables } from "../../../lib/judge/recording/noise_variables.ts";
import { record, type RecordReport } from "../../../lib/judge/recording/record.ts";
import { recorderOfModule } from "../../../lib/judge/recording/recorder_of_module.ts";
import { recorderOfText } from "../../../lib/judge/recording/recorder_of_text.ts";
import type { Program } from "../../../lib/judge/recording/replay/replayed_program.ts";
import { functionOf, statementsOf } from "../../../site/browser/function_of.ts";
import { BESIDE, HAND_SAMPLERS, WRONG_HAND_SAMPLERS } from "../exact/alignment/hand_samplers.ts";

const FILE = new URL("../../../fixtures/judge/recorded/samplers.js", import.meta.url);
const lines = (await Deno.readTextFile(FILE)).split("\n");
const lineOf = (text: string): string =>
  `samplers.js:${lines.findIndex((line) => line.includes(text)) + 1}`;

/** The law and the scale of the noise of one run. */
async function lawOf(name: string): Promise<string> {
  const recorder = await recorderOfModule(`${FILE.pathname}#${name}`);
  const asked = { datasets: [[1, 0], [1]], seed: 3, meet: false, asReads: [] };
  const [run] = await recorder.record(asked);
  if (run!.notFollowed !== undefined) return `not followed: ${run!.notFollowed}`;
  const terms = run!.reads.flatMap(({ kind, forms }) =>
    kind === "value" ? forms.map(([, own]) => new Map(own)) : []
  );
  const { variables, terms: [own], isSampled } = inVariables(terms, run!.atoms);
  return [...own!].map(([variable, c]) => {
    const { law, p } = variables[variable]!;
    return `${law} ${(p === undefined ? Math.abs(c) : -1 / Math.log1p(-p)).toFixed(3)}`;
  }).join(" and ") + (isSampled ? " by samples" : "");
}

async function watched(name: string, epsilon: number): Promise<RecordReport> {
  const recorder = await recorderOfModule(`${FILE.pathname}#${name}`);
  const domain = { rows: { type: "integer" as const, min: 0, max: 1 }, size: { min: 0, max: 3 } };
  return await record(recorder, {
    claim: pure({ epsilon, relation: addRemoveOne }),
    space: { domain, relation: addRemoveOne },
    seed: 1,
    maxPairs: 12,
    maxRuns: 2000,
  });
}

/** Returns what records a function. */
const recorderOf = (code: string): ReturnType<typeof recorderOfText> =>
  recorderOfText(statementsOf(code), () => functionOf(code) as Program, {
    file: "mechanism.js",
    name: "mechanism",
  });

/** Records a function of rows under a claim of ε = 1. */
async function recordedText(code: string): Promise<RecordReport> {
  const pair = pairOf(addRemoveOne, { left: [1], right: [] });
  return await record(await recorderOf(code), {
    claim: pure({ epsilon: 1, relation: addRemoveOne }),
    pair,
    seed: 1,
  });
}

// Mutants: changes below 10⁻¹² that are none; a linear program in the unit of the data; small numbers that are rounded to whole ones.
Deno.test("a recording says the same in whatever unit data are, small or large", async () => {
  const shownIn = async (unit: number, result: string): Promise<unknown> => {
    const { verdict, cost, findings: [finding] } = await recordedText(
      `(rows, source) => {
        const sum = ${unit} * rows.length;
        const noise = () => source.laplace({ scale: ${unit} });
        const a = noise(), b = noise();
        return ${result};
      }`,
    );
    return [verdict, cost?.toPrecision(9), finding?.kind, finding?.cost?.toPrecision(9)];
  };
  for (
    const result of ["sum + a", "[sum + a + b, a]", "[sum, a]", "[sum + a + b, a > b, 2 * sum + a]"]
  ) {
    const shown = await shownIn(1, result);
    for (const unit of [1e-300, 1e-30, 1e-9, 1e30]) {
      assertEquals(await shownIn(unit, result), shown, `${result} in units of ${unit}`);
    }
  }
});

// Mutants: a factor that is lost where it is taken out of a function; a wrong half of a branch; a law that is fitted where it is known.
Deno.test("the noise of modules of JavaScript has its law and its scale by how it is computed", async () => {
  const laws: string[] = [];
  // One after the other: each takes the place of the randomness of this thread.
  for (const name of ["taken", "inverse", "ratio", "bits", "difference", "polar"]) {
    laws.push(await lawOf(name));
  }
  const known = [...Array(4).fill("laplace 2.000"), "discrete Laplace 2.000", "normal 2.000"];
  assertEquals(laws, known);
  // A fit, where no form is known.
  const [law, scale, ...rest] = (await lawOf("nearlyNormal")).split(" ");
  assertEquals([law, rest.join(" ")], ["normal", "by samples"]);
  assert(Math.abs(Number(scale) - 2) < 0.06, scale);
});

Deno.test("what samplers and comparisons of modules cost is found with the line, whatever branches the noise takes", async () => {
  const found: readonly [name: string, line: string][] = [
    ["inverse", "const u = source.uniform()"],
    ["branches", "const u = Math.random();"],
    ["ratio", "Math.log(Math.random() / Math.random())"],
    ["sign", "const exponential"],
    ["difference", "const geometric"],
  ];
  for (const [name, line] of found) {
    const kept = await watched(name, 0.5), wrong = await watched(name, 0.45);
    assertEquals([name, kept.verdict, kept.cost?.toFixed(6)], [name, "nothing found", "0.500000"]);
    const [finding] = wrong.findings;
    assertEquals([name, finding?.kind, wrong.verdict], [name, "too-little-noise", "suspected"]);
    assertEquals([name, finding!.place], [name, lineOf(line)]);
  }
  const compared = await watched("compared", 0.5);
  assertEquals(compared.verdict, "nothing found");
  assertEquals((await watched("compared", 0.1)).findings[0]?.place, lineOf("this.#noisy > 2"));
  assertEquals((await watched("sumOfFour", 0.5)).verdict, "not followed");
  const scale = (await watched("scaleOfData", 5)).findings[0];
  assertEquals(scale?.kind, "noise-depends-on-data");
});

// Mutants: a uniform number that is whole after its cell was read; cells of another width; comparisons of noise alone that cover outputs without noise.
Deno.test("noise that chooses by an index, a comparison or a loop is told from noise that covers nothing", async () => {
  const shown = async (code: string): Promise<string> => {
    const { verdict, cost, findings: [finding], notFollowed } = await recordedText(code);
    return [verdict, (finding?.cost ?? cost)?.toFixed(3), finding?.kind ?? notFollowed?.reason]
      .join();
  };
  const laplace = `const laplace = () => Math.log(Math.random() / Math.random());`;
  const expected: readonly [code: string, shown: string][] = [
    [
      "(d) => Math.random() < 0.5 ? [0, 2][d.length] : [0, 1, 2][Math.floor(Math.random() * 3)]",
      "suspected,1.386,all-outcomes",
    ],
    [
      "(d) => Math.random() < 0.3 ? d.length : Math.ceil(Math.random() * 2) - 1",
      "nothing found,0.619,",
    ],
    [
      `${laplace} const mechanism = (d) => laplace() > Math.LN2 ? 1 - d.length : d.length`,
      "not followed,,its noise decides",
    ],
    [
      `${laplace} const mechanism = (d) => { let k = 0; while (laplace() < 1) k++; return k + d.length; }`,
      "not followed,,its noise decides",
    ],
    [
      `${laplace} const mechanism = (d) => { while (laplace() < 1); return [d.length + laplace(), d.length > 0]; }`,
      "suspected,,uncovered-output",
    ],
    [
      "(d) => { const u = Math.random(); return [[1, 2][Math.floor(2 * u)], d.length + Math.log(u)]; }",
      "not followed",
    ],
    [
      "(d) => { const u = Math.random(); return [(d.length + Math.floor(3 * u)) % 3, u]; }",
      "not followed,,all that it draws are choices and uniform numbers",
    ],
    ["(d) => d.length + 1000 * ((Math.random() * 2 ** 32 | 0) % 7)", "not followed"],
  ];
  for (const [code, text] of expected) assertStringIncludes(await shown(code), text, code);
  const atLoad = await watched("drawnAtLoad", 1);
  assertEquals(atLoad.verdict, "not followed");
  assertStringIncludes(
    atLoad.notFollowed!.reason,
    "puts out something else than the program itself",
  );
});

// Mutants: a sampler of blocks that takes words where its source gives noise; a mechanism that is recorded as it was written.
Deno.test("mechanisms of modules are followed through the samplers of blocks that they call", async () => {
  const found: [verdict: string, kind: string | undefined][] = [];
  for (const name of ["laplace_mechanism", "sparse_vector_without_noise"]) {
    const file = new URL(`../../../fixtures/judge/subjects/modules/${name}.ts`, import.meta.url);
    const { claim, domain, ...recorder } = await recorderOfModule(file.pathname);
    const report = await record(recorder, {
      claim: claim!,
      space: { domain: domain!, relation: claim!.relation },
      seed: 1,
      maxPairs: 12,
    });
    found.push([report.verdict, report.findings[0]?.kind]);
  }
  assertEquals(found, [["nothing found", undefined], ["suspected", "too-little-noise"]]);
});

// Mutants: forms of other noise that are compared where other numbers were read; numbers put out of which one side alone has noise.
Deno.test("numbers that are put out before others are computed from them are followed", async () => {
  for (const name of ["countAndOrder", "countAndLeast"]) {
    const { verdict, cost } = await watched(name, 0.5);
    assertEquals([name, verdict, cost?.toFixed(6)], [name, "nothing found", "0.500000"]);
    assertEquals((await watched(name, 0.4)).verdict, "suspected", name);
  }
});

// Mutants: lines of the copy; noise that a text draws when its function is loaded; a text that is run after it was refused.
Deno.test("functions of texts are followed where there are no files, and none that changes what all programs share", async () => {
  const { log } = Math, { map } = Array.prototype;
  const recorded = async (code: string): Promise<string> => {
    const { findings: [finding], notFollowed } = await recordedText(code);
    return finding?.sentence ?? notFollowed?.reason ?? "nothing found";
  };
  const byHand =
    "const u = random() - 0.5;\n  return rows.length - 0.3 * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));\n}";
  const texts: readonly [code: string, said: string][] = [
    [
      `const { random } = Math;\nfunction mechanism(rows) {\n  ${byHand}`,
      "noise of scale 0.3 at mechanism.js:3 hides",
    ],
    [
      `const { random } = Math;\nfunction mechanism(rows) {\n  ${
        byHand.replace("Math.sign(u)", "(u < 0 ? -1 : 1)")
      }`,
      "noise of scale 0.3 at mechanism.js:3",
    ],
    [
      `const { random } = Math;\nfunction mechanism(rows) {\n  ${
        byHand.replace("Math.sign(u)", "(u < 0.1 ? -1 : 1)")
      }`,
      "choices and uniform numbers",
    ],
    [
      "async (rows, source) => {\n  await 0;\n  return rows.length + source.laplace({ scale: 0.5 });\n}",
      "noise of scale 0.5 at mechanism.js:3",
    ],
    [
      "class Count { of(rows) { return rows.length; } }\nconst mechanism = (rows, source) => new Count().of(rows) + source.laplace({ scale: 1 });",
      "nothing found",
    ],
    [
      "function f(rows) {\n  i = 3;\n  return rows.length + Math.random();\n}",
      "the global i at mechanism.js:2",
    ],
    [
      "(rows) => {\n  Math.log = () => 0;\n  return rows.length + Math.random();\n}",
      "property log of what all programs share at mechanism.js:2",
    ],
  ];
  for (const [code, said] of texts) assertStringIncludes(await recorded(code), said, code);
  const patching = "Array.prototype.map = () => [];\nconst mechanism = (rows) => rows.length;";
  await assertRejects(
    () => recorded(patching),
    TypeError,
    "property map of what all programs share",
  );
  await assertRejects(() => recorded('import "fs";\nconst mechanism = () => 0;'), SyntaxError);
  assert(Math.log === log && Array.prototype.map === map);
});

// Mutant: a program whose copy is not compared with the program as written.
Deno.test("a module that keeps state is not followed, and nothing is suspected", async () => {
  const { verdict, notFollowed } = await watched("stateful", 1);
  assertEquals([verdict, typeof notFollowed?.reason], ["not followed", "string"]);
});

// Mutants: a comparison that is a choice whatever was read of its number; a converted number that tells of noise which is put out.
Deno.test("noise is not followed where its number reaches the output in a second way, and is where each way has its own", async () => {
  const notFollowed = [
    "[total + laplace(u), u < 0.25]",
    "[total - Math.log(u) + Math.log(v), u < 0.25]",
    "[total + laplace(u), Math.max(u, 0.3) > 0.3]",
    "[total + laplace(u), 4 * u < total]",
    "[total + laplace(u), total - 2 * Math.log(u)]",
    "[total + laplace(u), Math.sign(u - 0.5)]",
    "[total + laplace(u), Math.log(1 - 2 * Math.abs(u - 0.5))]",
    "[total + laplace(word[0] / 2 ** 32), word[0] & 1]",
  ];
  const followed = [
    "[total + laplace(u), v < 0.25]",
    "Number.isFinite(u) ? total + laplace(u) : NaN",
    "total + (u < 0.5 ? Math.log(2 * u) : -Math.log(2 - 2 * u))",
  ];
  for (const result of [...notFollowed, ...followed]) {
    const { verdict } = await recordedText(`(rows) => {
      const laplace = (u) => -Math.sign(u - 0.5) * Math.log(1 - 2 * Math.abs(u - 0.5));
      const total = rows.length, u = Math.random(), v = Math.random();
      const word = crypto.getRandomValues(new Uint32Array(1));
      return ${result};
    }`);
    const known = followed.includes(result) ? "nothing found" : "not followed";
    assertEquals([result, verdict], [result, known]);
  }
});

// Mutants: a law of law_of_form of another scale; noise that is read in parts, and taken for noise of its law.
Deno.test("samplers whose law exact knows have it in recordings, too, and of wrong ones something is found or not followed", async () => {
  const [epsilon, mu] = [
    pure({ epsilon: 1, relation: replaceOne }),
    gaussian({ mu: 1, relation: replaceOne }),
  ];
  const verdictOf = async ([name, text]: readonly [string, string]): Promise<string> => {
    const isNormal = name.startsWith("gauss") && name !== "gaussAsPure";
    const { verdict } = await record(await recorderOf(`${BESIDE}const mechanism = ${text};`), {
      claim: isNormal ? mu : epsilon,
      space: {
        domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 2, max: 2 } },
        relation: replaceOne,
      },
      seed: 1,
      maxPairs: 8,
      maxRuns: 400,
    });
    return verdict;
  };
  for (const each of Object.entries(HAND_SAMPLERS)) {
    assertEquals([each[0], await verdictOf(each)], [each[0], "nothing found"]);
  }
  const passed: string[] = [];
  for (const each of Object.entries(WRONG_HAND_SAMPLERS)) {
    if (await verdictOf(each) === "nothing found") passed.push(each[0]);
  }
  // Half a turn has all cosines, and what happens once in 2⁵³ is not seen.
  assertEquals(passed, [
    "infinite",
    "finite",
    "notANumber",
    "exactlyHalf",
    "onNeitherSide",
    "atNoDistance",
    "gaussHalfTurn",
    "zeroLeak",
  ]);
});
