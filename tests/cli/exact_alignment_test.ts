import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { rejection } from "../../lib/judge/certificates/check_alignment.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { assertModuleOfDocs } from "./module_of_docs.ts";
import { runMain } from "./run_main.ts";
import { dailyOf, longTest } from "../long.ts";

const ANSWERS = [
  "--rows",
  '{"type":"number","min":-10,"max":10}',
  "--size",
  "3",
  "--relation",
  "change-each-by-1",
];

const MODULE = `
const noisy = (list, source, scale) => list.map((x) => source.sum(x, source.laplace({ scale })));
export const max = (list, source) => source.indexOfLargest(noisy(list, source, 2));
export const half = (list, source) => source.indexOfLargest(noisy(list, source, 1));
export const gumbel = (list, source) => source.indexOfLargest(list.map((x) => source.sum(x, source.gumbel({ scale: 1 }))));
export const above = ([x], source) => source.less(0.3, source.sum(x, source.laplace({ scale: 1 })));
export const normal = (list, source) => list.map((x) => source.sum(x, source.gaussian({ deviation: 4 })));
export const flags = (rows, source) => source.sum(...rows.map((yes) => yes ? 1 : 0), source.laplace({ scale: 1 }));
export const mixed = ([x], source) => [source.sum(x, source.laplace({ scale: 1 })), source.bernoulli({ probability: 0.5 })];
export const floats = ([x], source) => [source.sum(x, source.laplace({ scale: 1 })), source.uniform()];
export const promised = async ([x], source) => source.sum(x, source.laplace({ scale: 1 }));
let noise;
export const cached = ([x], source) => source.sum(x, noise ??= source.laplace({ scale: 1 }));
export const fails = () => { throw new Error("no rows"); };
export const uniform = (list, source) => source.uniform();
export const some = (list, source) => list.length < 4 ? source.sum(...list, source.laplace({ scale: 20 })) : 0;
export const none = (list) => list.length;
export const endless = ([x], source) => {
  let rounds = 0;
  while (source.less(0, source.sum(x, source.laplace({ scale: 1 })))) rounds++;
  return rounds;
};
export const histogram = (rows, source) => [0, 1].map((k) =>
  source.sum(...rows.map((x) => source.less(x, k) || source.less(k + 1, x) ? 0 : 1), source.laplace({ scale: 1 })));
export const wider = ([x], source) => source.gaussian({ deviation: source.less(x, 1) ? 1 : 2 });
let calls = 0;
export const state = ([x], source) => source.less(source.sum(x, source.laplace({ scale: 1 })), calls++);
`;

// Mutants: one status for all verdicts; a refutation by likelihoods that is not told; an audit that is taken for a proof; a certificate of nothing.
Deno.test("dpcheck exact proves, refutes or leaves open a program with continuous noise", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`, json = `${folder}/r.json`, certificate = `${folder}/c.json`;
    await Deno.writeTextFile(file, MODULE);
    const exact = (name: string, ...words: string[]): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, ...words]);
    const holds = await exact(
      "max",
      ...ANSWERS,
      "--epsilon",
      "1",
      "--json",
      json,
      "--certificate",
      certificate,
    );
    assertEquals([holds.code, holds.err], [0, ""]);
    assertStringIncludes(
      holds.out,
      "keeps 1-DP on all pairs of this domain (change-each-by-1, lengths 3..3 only)",
    );
    const report = JSON.parse(await Deno.readTextFile(json));
    assertEquals(
      [report.verdict, report.kind, report.epsilon, report.mu, report.branches, report.audit],
      ["holds", "alignment", 1, 0, 6, null],
    );
    assertEquals(rejection(await Deno.readTextFile(certificate)), undefined);
    await Deno.remove(certificate);
    // Its least ε is nearly 2.
    const refuted = await exact(
      "half",
      ...ANSWERS,
      "--epsilon",
      "1",
      "--json",
      json,
      "--certificate",
      certificate,
    );
    assertEquals(refuted.code, 1);
    const said = JSON.parse(await Deno.readTextFile(json));
    assertEquals([said.verdict, said.epsilon, said.audit], ["refuted", 2, null]);
    const { likelihood: { left, right, densities }, epsilonLowerBound } = said;
    assertEquals(densities, 0);
    assert(Math.log(left.lower / right.upper) >= epsilonLowerBound && epsilonLowerBound > 1);
    assertStringIncludes(
      refuted.out,
      "One output refutes it: its likelihoods, computed, show ε ≥ 1",
    );
    // Of Gumbel noise there are no likelihoods here: seed 1 and 200,000 draws on the pair of the report.
    const audited = await exact("gumbel", ...ANSWERS, "--epsilon", "1", "--json", json);
    assertEquals(audited.code, 1);
    const drawn = JSON.parse(await Deno.readTextFile(json));
    assertEquals([drawn.verdict, drawn.likelihood, drawn.audit.verdict], [
      "refuted",
      null,
      "refuted",
    ]);
    assertStringIncludes(audited.out, "An audit refutes it: ε ≥ 1");
    assert(!await Deno.stat(certificate).then(() => true, () => false));
    // It loses ln((2 − e^−.3)/e^−.7), .9305, which no shift of the noise shows.
    const open = await exact(
      "above",
      ...["--left", "[0]", "--right", "[1]", "--epsilon", "0.94", "--relation", "change-each-by-1"],
    );
    assertEquals(open.code, 4);
    assertStringIncludes(open.out, "NOT PROVED");
    assertStringIncludes(open.out, "ε ≤ 1.");
  });
});

Deno.test("dpcheck exact proves claims about Gaussian noise, and rows that are no numbers pair by pair", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(file, MODULE);
    const exact = (name: string, ...words: string[]): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, ...words]);
    // μ = √3/4.
    const pair = ["--left", "[0,0,0]", "--right", "[1,1,1]"];
    for (
      const words of [
        [...ANSWERS, "--mu", "0.4331"],
        [...pair, "--rho", "0.09375"],
        [...pair, "--epsilon", "1", "--delta", "0.01"],
      ]
    ) {
      assertEquals((await exact("normal", ...words)).code, 0, words.join(" "));
    }
    const flags = await exact(
      "flags",
      ...["--rows", '{"type":"boolean"}', "--size", "0..2", "--relation", "add-remove-one"],
      ...["--epsilon", "1"],
    );
    assertEquals(flags.code, 0);
    assertStringIncludes(flags.out, "ε ≤ 1.");
  });
});

// Mutants: the first draw on one dataset alone.
longTest("dpcheck exact proves programs that draw on some datasets alone, or on none", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(file, MODULE);
    const rows = ["--rows", '{"type":"number","min":-10,"max":10}', "--size", "3..4"];
    for (const name of ["some", "none"]) {
      const { code, err } = await runMain(
        ["exact", "--module", `${file}#${name}`, "--epsilon", "1", "--relation", "replace-one"]
          .concat(rows),
      );
      assertEquals([code, err], [0, ""], name);
    }
  });
});

longTest("dpcheck exact has a verdict where the proof is tight at two equal datasets", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(file, MODULE);
    const exact = (name: string, ...words: string[]): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, ...words, "--relation", "replace-one"]);
    const rows = ["--rows", '{"type":"number","min":0,"max":2}', "--size"];
    assertEquals((await exact("histogram", ...rows, "2", "--epsilon", "1")).code, 1);
    assertEquals((await exact("wider", ...rows, "1", "--mu", "1")).code, 1);
  });
});

// Mutants: an operator on traced values that goes on; an object taken for a number; state; discrete draws that are not counted.
Deno.test("dpcheck exact refuses what it cannot trace", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(file, MODULE);
    const cases = [
      ["mixed", "it draws discrete noise (bernoulli) beside continuous noise"],
      [
        "floats",
        "it uses a number of uniform() or Math.random in a way that tells no law of noise",
      ],
      ["promised", "it is asynchronous: it must return its output at once"],
      ["cached", "state outlives the run: the variable noise"],
      ["fails", "every path fails: no rows"],
      [
        "uniform",
        "it uses a number of uniform() or Math.random in a way that tells no law of noise",
      ],
      ["endless", "one path compares noise more than 200 times"],
      ["state", "state outlives the run: the variable calls"],
    ] as const;
    for (const [name, words] of cases) {
      const { code, err } = await runMain([
        "exact",
        "--module",
        `${file}#${name}`,
        "--epsilon",
        "1",
        ...ANSWERS,
      ]);
      assertEquals(code, 2, name);
      assertStringIncludes(err, words);
    }
    const few = await runMain([
      "exact",
      "--module",
      `${file}#max`,
      "--epsilon",
      "1",
      ...ANSWERS,
      "--max-branches",
      "5",
    ]);
    assertEquals(few.code, 2);
    assertStringIncludes(few.err, "more than 5 paths: raise --max-branches");
  });
});

// Mutants: figures that are not those of the module; a module that only one of the two commands takes.
longTest(
  "the module of docs/programs.md with continuous noise is proved as shown, and audited",
  async () => {
    await assertModuleOfDocs("first_two_above.js", "### Continuous noise that can be proved");
  },
);

// Mutants: amounts that are not rounded; a refutation where draws do not show; a proof that needs ε²/2.
Deno.test("dpcheck exact decides ρ, μ and what cannot be certified by the law of the noise", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/m.js`;
    await Deno.writeTextFile(
      file,
      `
export const one = ([x], source) => source.sum(x, source.laplace({ scale: 1 }));
export const counts = (rows, source) => rows.map((x) => source.sum(x, source.laplace({ scale: 1 })));
export const both = ([x], source) => [source.sum(x, source.laplace({ scale: 1 })), source.sum(x, source.gaussian({ deviation: 2 }))];
`,
    );
    const exact = (name: string, ...words: string[]): ReturnType<typeof runMain> =>
      runMain(["exact", "--module", `${file}#${name}`, ...words]);
    const row = ["--rows", '{"type":"number","min":0,"max":1}', "--relation", "replace-one"];
    const pair = ["--left", "[0]", "--right", "[1]", "--relation", "replace-one"];
    // x + e^−x − 1 at 1 is 0.367879…; two counts of which each changes; 1/8 more for Gaussian noise.
    const amounts: [name: string, where: string[], rho: number, code: number][] = [
      ["one", pair, 0.36788, 0],
      ["one", [...row, "--size", "1"], 0.36787, 1],
      ["counts", [...row, "--size", "2"], 0.36788, 0],
      ["both", pair, 0.49288, 0],
      ["both", pair, 0.49287, 1],
    ];
    for (const [name, where, rho, code] of dailyOf(amounts, ([name]) => name !== "both")) {
      const { code: found } = await exact(name, ...where, "--rho", `${rho}`);
      assertEquals(found, code, `${name}, ${rho}`);
    }
    // ln((2e + e^−2)/3) at order 2.
    for (const [epsilon, code] of [["0.61913", 0], ["0.61912", 1]] as const) {
      const { code: found } = await exact("one", ...pair, "--order", "2", "--epsilon", epsilon);
      assertEquals(found, code, `order 2, ${epsilon}`);
    }
    const { code, out } = await exact("one", ...pair, "--mu", "1.03", "--json", "-");
    const { amount, amountLowerBound, verdict, pair: shown } = JSON.parse(out);
    assertEquals([code, verdict, shown.left.length], [1, "refuted", 1]);
    assert(amountLowerBound <= amount && amount - amountLowerBound < 1e-9);
    const certificate = `${folder}/c.json`;
    const { err } = await exact(
      "one",
      ...[...pair, "--rho", "0.4", "--certificate", certificate],
    );
    assertStringIncludes(err, "follows from the law of the noise");
    assert(!await Deno.stat(certificate).then(() => true, () => false));
  });
});
