import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { zcdp } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { compareRuns } from "../../../lib/judge/recording/comparison/compare_runs.ts";
import { parameterOf } from "../../../lib/judge/recording/loss.ts";
import type { Atom, Form, Read, Recording } from "../../../lib/judge/recording/recording.ts";

const at = "program.py:1";
const atom = (law: Atom["law"], rest: Partial<Atom> = {}): Atom => ({ law, at, ...rest });
const laplace = atom("laplace"), normal = atom("normal");

function read(kind: Read["kind"], forms: Form[], value: unknown, rest: Partial<Read> = {}): Read {
  return { at, kind, forms, shape: [], value, ...rest };
}

function run(atoms: Atom[], reads: Read[], rest: Partial<Recording> = {}): Recording {
  return { output: 0, atoms, reads, ...rest };
}

/** Compares the runs of reads that a value under the noise decides. */
function compare(
  atoms: Atom[],
  reads: (v: number) => Read[],
  [v, w]: [number, number] = [0, 1],
): ReturnType<typeof compareRuns> {
  return compareRuns(run(atoms, reads(v)), run(atoms, reads(w)));
}

const kinds = async (comparison: ReturnType<typeof compareRuns>): Promise<string[]> =>
  (await comparison).observations.map(({ kind }) => kind);

Deno.test("a value that moves costs its change over the scale of its own noise", async () => {
  const one = await compare([laplace], (v) => [read("value", [[v, [[0, 2]]]], [7])]);
  assertEquals(one.loss, { pure: [0.5], muSquared: 0, delta: 0 });
  const two = await compare([normal, normal], (v) => [read("value", [[v, [[0, 3], [1, 4]]]], [7])]);
  assertAlmostEquals(two.loss.muSquared, 1 / 25, 1e-15);
  const still = await compare([laplace], (v) => [read("value", [[v, [[0, 2]]]], [7])], [3, 3]);
  assertEquals(still.observations, []);
});

Deno.test("each value that moves adds its cost, and one that is read twice costs once", async () => {
  const both = await compare([laplace, laplace], (v) => [
    read("value", [[v, [[0, 1]]], [-v, [[1, 2]]]], [1, 2]),
    read("value", [[v, [[0, 1]]]], [1]),
  ]);
  assertEquals(both.loss.pure, [1, 0.5]);
});

Deno.test("noisy max costs half of its claim: the others need not move", async () => {
  const forms = (v: number): Form[] => [[v, [[0, 2]]], [1, [[1, 2]]], [1, [[2, 2]]]];
  const wins = await compare([laplace, laplace, laplace], (v) => [read("largest", forms(v), 0)], [
    1,
    0,
  ]);
  assertAlmostEquals(wins.loss.pure.reduce((a, b) => a + b, 0), 0.5);
  const up = await compare([laplace, laplace, laplace], (v) => [read("largest", forms(v), 0)], [
    0,
    1,
  ]);
  assertEquals(up.loss.pure.reduce((a, b) => a + b, 0), 0);
});

Deno.test("values that share their noise are covered together or not at all", async () => {
  const same = await compare([laplace], (v) => [
    read("value", [[v, [[0, 1]]]], [1]),
    read("value", [[v + 5, [[0, 1]]]], [6]),
  ]);
  assertEquals(same.loss.pure, [1]);
  const other = await compare([laplace], (v) => [
    read("value", [[v, [[0, 1]]]], [1]),
    read("value", [[2 * v, [[0, 1]]]], [6]),
  ]);
  assertEquals(other.observations.at(-1)!.kind, "uncovered-output");
});

Deno.test("a value whose noise others decide in part pays for the rest of its change alone", async () => {
  // Two steps: the second releases the first one's value again, with noise of its own.
  const { loss } = await compare([normal, normal], (v) => [
    read("value", [[v, [[0, 2]]]], [1]),
    read("value", [[3 * v, [[0, 2], [1, 4]]]], [5]),
  ]);
  assertAlmostEquals(loss.muSquared, 1 / 4 + 1 / 4, 1e-15);
});

Deno.test("noise that is compared with bounds alone has the largest loss of what each could show", async () => {
  // Randomised response: u < p on one side and u < 1 − p on the other.
  const p = Math.E / (1 + Math.E);
  const seen = await compare([atom("uniform")], (v) => [read("sign", [[v, [[0, -1]]]], [true])], [
    p,
    1 - p,
  ]);
  assertAlmostEquals(seen.loss.pure[0]!, 1, 1e-12);
  // Of what was seen it would be ln(0.99/0.9).
  const rare = await compare([atom("uniform")], (v) => [read("sign", [[v, [[0, -1]]]], [true])], [
    0.99,
    0.9,
  ]);
  assertAlmostEquals(rare.loss.pure[0]!, Math.log(10), 1e-12);
  const tail = await compare([laplace], (v) => [read("sign", [[v, [[0, 1]]]], [false])], [
    -60,
    -59,
  ]);
  assertAlmostEquals(tail.loss.pure[0]!, 1, 1e-9);
  const never = await compare([atom("uniform")], (v) => [read("sign", [[v, [[0, -1]]]], [true])], [
    0.5,
    0,
  ]);
  assertEquals(never.loss.pure, [Infinity]);
});

Deno.test("a program that chooses its output by chance alone is not suspected for another output", async () => {
  const flip = (output: number): Recording =>
    run([atom("uniform")], [read("sign", [[0.7, [[0, -1]]]], [true])], { output });
  assertEquals(await kinds(compareRuns(flip(0), flip(1))), ["not-followed"]);
  const bits = (output: number): Recording =>
    run([atom("uniform")], [read("value", [[0, [[0, 1]]]], [0.5])], { output });
  assertEquals(await kinds(compareRuns(bits(0), bits(1))), ["not-followed"]);
  const noisy = (output: number): Recording =>
    run([laplace], [read("sign", [[0.7, [[0, -1]]]], [true])], { output });
  assertEquals(await kinds(compareRuns(noisy(0), noisy(1))), ["uncovered-output"]);
  const none = (output: number): Recording => run([], [], { output });
  assertEquals(await kinds(compareRuns(none(0), none(1))), ["uncovered-output"]);
});

Deno.test("the largest of values with Gumbel noise is a draw by its chances", async () => {
  const gumbels = [0, 1, 2].map(() => atom("gumbel"));
  const forms = (v: number): Form[] => [[v, [[0, 2]]], [0, [[1, 2]]], [0, [[2, 2]]]];
  const { loss } = await compare(gumbels, (v) => [read("largest", forms(v), 0)]);
  const chance = Math.exp(0.5) / (Math.exp(0.5) + 2);
  assertAlmostEquals(loss.pure[0]!, Math.log(chance * 3), 1e-12);
});

Deno.test("one-sided and bounded noise pays in δ where it would have to leave its range", async () => {
  const sum = (v: number): Read[] => [read("value", [[v, [[0, 4]]]], [1])];
  const uniform = await compare([atom("uniform")], sum);
  assertEquals(uniform.loss.delta, 0.25);
  const falls = await compare([atom("exponential")], sum, [1, 0]);
  assertEquals(falls.loss, { pure: [0.25], muSquared: 0, delta: 0 });
  const rises = await compare([atom("exponential")], sum);
  assertAlmostEquals(rises.loss.delta, 1 - Math.exp(-0.25));
  assertEquals(rises.observations[0]!.kind, "bounded-noise");
});

Deno.test("the difference of two geometric variables is discrete Laplace noise", async () => {
  const p = 1 - Math.exp(-0.5), geometric = atom("geometric", { p });
  const terms: Form[1] = [[0, 1], [1, -1]];
  const whole = await compare([geometric, geometric], (v) => [read("value", [[v, terms]], [1])], [
    0,
    2,
  ]);
  assertAlmostEquals(whole.loss.pure[0]!, 1);
  const half = await compare([geometric, geometric], (v) => [read("value", [[v, terms]], [1])], [
    0,
    0.5,
  ]);
  assertEquals(half.loss.delta, 1);
});

Deno.test("what no shift covers is named", async () => {
  const value = (v: number, c: number): Read => read("value", [[v, [[0, c]]]], [1]);
  const scales = compareRuns(run([laplace], [value(0, 1)]), run([laplace], [value(0, 2)]));
  assertEquals(await kinds(scales), ["noise-depends-on-data"]);
  assertEquals((await scales).observations[0]!.ratio, 2);
  const outputs = compareRuns(
    run([laplace], [value(0, 1)], { output: 1 }),
    run([laplace], [value(0, 1)], { output: 2 }),
  );
  assertEquals(await kinds(outputs), ["uncovered-output"]);
  const error = compareRuns(run([], []), run([], [], { output: null, error: "no rows" }));
  assertEquals(await kinds(error), ["uncovered-output"]);
  const apart = compareRuns(
    run([laplace], [value(0, 1)]),
    run([laplace], [], { apart: { read: 0, expected: { at, kind: "value" }, met: null } }),
  );
  assertEquals(await kinds(apart), ["control-flow"]);
  const infinite = compareRuns(run([laplace], [value(0, 1)]), run([laplace], [value(NaN, 1)]));
  assertEquals((await infinite).loss.pure, [Infinity]);
  const none = compareRuns(run([laplace], [value(0, 0)]), run([laplace], [value(1, 0)]));
  assertEquals(await kinds(none), ["uncovered-output"]);
});

Deno.test("draws cost the largest loss over their outcomes, each of several", async () => {
  const draw = (rest: Partial<Read>): Read => read("draw", [], 0, rest);
  const both = (a: Partial<Read>, b: Partial<Read>) =>
    compareRuns(run([], [draw(a)]), run([], [draw(b)]));
  const chances = await both({ chances: [0.5, 0.5], shape: [2] }, {
    chances: [0.25, 0.75],
    shape: [2],
  });
  assertAlmostEquals(chances.loss.pure[0]!, Math.LN2);
  const ten = await both({ chances: [0.5, 0.5], shape: [10, 2] }, {
    chances: [0.25, 0.75],
    shape: [10, 2],
  });
  assertAlmostEquals(ten.loss.pure[0]!, 10 * Math.LN2);
  const binomial = await both({ binomial: [3, 0.5] }, { binomial: [3, 0.25] });
  assertAlmostEquals(binomial.loss.pure[0]!, 3 * Math.LN2);
  assertEquals(await kinds(both({ permutation: 3 }, { permutation: 4 })), [
    "noise-depends-on-data",
  ]);
  assertEquals(await kinds(both({ subset: [5, 2] }, { subset: [5, 2] })), []);
});

Deno.test("a declared sensitivity that two runs exceed is broken, and less costs a share", async () => {
  const declared = (given: number[]): Read =>
    read("primitive", [], 0, {
      declared: { name: "noisy_sum", given, sensitivity: 2, distance: "l1", epsilon: 0.5 },
    });
  const both = (a: number[], b: number[]) =>
    compareRuns(run([], [declared(a)]), run([], [declared(b)]));
  assertEquals(await kinds(both([0], [2.5])), ["declaration-broken"]);
  assertEquals(await kinds(both([0], [NaN])), ["declaration-broken"]);
  assertEquals((await both([0, 1], [1, 1])).loss.pure, [0.25]);
  assertEquals(await kinds(both([1], [1])), []);
  // Of the bins of a histogram one moves.
  const bins = await compareRuns(
    run([], [declared([3]), declared([5])]),
    run([], [declared([3]), declared([6])]),
  );
  assertEquals(bins.declared.map((own) => own.declared!.given), [[5]]);
});

Deno.test("utilities lose by how far apart they move, and categories are compared as texts", async () => {
  const declared = (given: unknown[], rest: object): Read =>
    read("primitive", [], 0, {
      declared: { name: "choice", given: given as number[], sensitivity: 1, epsilon: 1, ...rest },
    });
  const both = (a: unknown[], b: unknown[], rest: object, areNested = true) =>
    compareRuns(run([], [declared(a, rest)]), run([], [declared(b, rest)]), { areNested });
  const range = { distance: "range" }, monotonic = { ...range, monotonic: true };
  assertEquals(await kinds(both([2, 0], [4, 0], range)), ["declaration-broken"]);
  assertEquals((await both([2, 0], [1, 1], range)).loss.pure, [1]);
  assertEquals((await both([2, 0], [3, 0], range)).loss.pure, [0.5]);
  assertEquals((await both([2, 0, 1], [3, 1, 2], range)).loss.pure, []);
  assertEquals((await both([2, 0], [3, 0], monotonic)).loss.pure, [1]);
  assertEquals(await kinds(both([2, 0], [1, 1], monotonic)), ["declaration-broken"]);
  // A row that is replaced may raise some and lower others, which costs twice the claim.
  const replaced = await both([2, 0], [1, 1], monotonic, false);
  assertEquals(replaced.observations.map(({ kind, loss }) => [kind, loss.pure]), [["shift", [2]]]);
  assertEquals((await both(["a"], ["b"], { distance: "hamming" })).loss.pure, [1]);
});

// Mutant: ε²/2 of each choice, which is four times what choices of a bounded range lose.
Deno.test("towards a concentrated claim a choice loses what its chances do", async () => {
  const claim = zcdp({ rho: 1, relation: replaceOne });
  const softmax = (scores: number[]): number[] => {
    const weights = scores.map((score) => Math.exp(score));
    return weights.map((weight) => weight / weights.reduce((sum, one) => sum + one, 0));
  };
  const draw = (scores: number[]): Read =>
    read("draw", [], 0, { chances: softmax(scores), shape: [scores.length] });
  const { loss } = await compareRuns(run([], [draw([0, 0])]), run([], [draw([0.25, -0.25])]));
  // A range of 1/2.
  assert(parameterOf(loss, claim) <= 0.5 ** 2 / 8);
  assertAlmostEquals(parameterOf(loss, claim), 0.5 ** 2 / 8, 0.001);
  const declared = (given: number[]): Read =>
    read("primitive", [], 0, {
      declared: { name: "choice", given, sensitivity: 1, distance: "range", epsilon: 1 },
    });
  const half = await compareRuns(run([], [declared([0, 0])]), run([], [declared([1, 0])]));
  assertAlmostEquals(parameterOf(half.loss, claim), 0.5 ** 2 / 8, 1e-15);
});

Deno.test("a mechanism that tells its density costs what that changes by, and its output is not compared", async () => {
  const declared = (logDensity: number): Read =>
    read("primitive", [], 0, { declared: { name: "objective", given: [], logDensity } });
  const { loss, observations } = await compareRuns(
    run([], [declared(-1)], { output: 1 }),
    run([], [declared(-1.75)], { output: 2 }),
  );
  assertEquals([loss.pure, observations.map(({ kind }) => kind)], [[0.75], ["shift"]]);
});

Deno.test("noise that two reads see through different functions is not followed", async () => {
  const atoms: Atom[] = [
    atom("uniform"),
    atom("derived", { function: "log", of: [[0, [[0, 1]]]] }),
  ];
  const parts = compare(atoms, (v) => [
    read("sign", [[-0.5, [[0, 1]]]], [true]),
    read("value", [[v, [[1, 1]]]], [1]),
  ]);
  assertEquals(await kinds(parts).then((all) => all.includes("not-followed")), true);
});

Deno.test("a function of noise with other arguments on the neighbour must be a read", async () => {
  const atoms = (v: number, more: Partial<Atom> = {}): Atom[] => [
    laplace,
    atom("derived", { at: "program.py:9", ...more, function: "log", of: [[v, [[0, 1]]]] }),
  ];
  const { asReads } = await compareRuns(run(atoms(1), []), run(atoms(2), []));
  assertEquals(asReads, ["program.py:9"]);
  // A line of the program may stand for many of a library, as for those that draw the noise.
  const [own, other] = [1, 2].map((v) => run(atoms(v, { in: "lib.py:3" }), []));
  assertEquals((await compareRuns(own!, other!)).asReads, ["program.py:9 in lib.py:3"]);
});

// Mutants: a draw that was thrown away and one that was kept that are not told apart; each value for itself; other values than the one.
Deno.test("a loop that draws until a value fits is known as such, and answers that are all released are not", async () => {
  /** Draws of a count, as many as there are outcomes, each compared with 0; the last is put out. */
  const drawn = (outcomes: boolean[], counts = outcomes.map(() => 0)) => (v: number): Read[] => [
    ...outcomes.map((isAbove, i) => read("sign", [[v + counts[i]!, [[i, 1]]]], [isAbove])),
    read("value", [[v, [[outcomes.length - 1, 1]]]], [7]),
  ];
  const redrawnAt = async (reads: (v: number) => Read[]) =>
    (await compare([laplace, laplace, laplace], reads)).redrawnAt;
  assertEquals(await redrawnAt(drawn([false, false, true])), { at });
  assertEquals(await redrawnAt(drawn([true, false, true])), undefined);
  assertEquals(await redrawnAt(drawn([false, false, true], [1, 2, 3])), undefined);
  assertEquals(await redrawnAt(drawn([true])), undefined);
});

// Mutants: a scale of NaN; a sign that is taken for a scale; draws of one law that are taken for another noise.
Deno.test("noise of another scale is named with both, and one that may have the same law is not suspected", async () => {
  const shown = async (own: Form, other: Form, atoms = [laplace, laplace]) => {
    const value = (form: Form): Read[] => [read("value", [form], [7])];
    const { observations } = await compareRuns(run(atoms, value(own)), run(atoms, value(other)));
    return observations.map(({ kind, detail = "" }) => `${kind}: ${detail}`);
  };
  const one: Form = [0, [[0, 2]]], suspected = "noise-depends-on-data: ";
  assertEquals(await shown(one, [0, [[0, 3]]]), [
    `${suspected}its scale is 2 on one side and 3 on the other`,
  ]);
  assertEquals(await shown(one, [0, [[0, 0]]]), [
    `${suspected}its scale is 2 on one side and 0 on the other`,
  ]);
  assertEquals(await shown([0, [[0, 2], [1, 1]]], [0, [[0, 3], [1, 1]]]), [
    `${suspected}its parts have other scales on the other side`,
  ]);
  assertEquals(await shown(one, [0, [[1, 3]]]), [
    `${suspected}it is another sum of noise on the other side`,
  ]);
  assertEquals(await shown(one, [0, [[0, -2]]]), [
    "not-followed: the sign of its noise depends on the data",
  ]);
  assertEquals(await shown(one, [0, [[1, 2]]]), [
    "not-followed: which of its draws are used depends on the data",
  ]);
  // The order in which a sum is written says nothing.
  assertEquals(await shown([1, [[0, 2], [1, 1]]], [1, [[1, 1], [0, 2]]]), []);
});

// Mutant: a branch that was drawn, kept on the other side, beside noise that has bounds.
Deno.test("bounded noise beside a choice by chance is not followed", async () => {
  const uniform = atom("uniform"), value = (v: number): Read => read("value", [[v, [[1, 4]]]], [7]);
  const coin = (v: number): Read => read("sign", [[v - 0.5, [[0, 1]]]], [true]);
  assertEquals(await kinds(compare([uniform, uniform], (v) => [value(v)])), ["bounded-noise"]);
  assertEquals(await kinds(compare([uniform, uniform], (v) => [coin(0), value(v)])), [
    "not-followed",
  ]);
});

// Mutant: chances of 1.1e-16 and of 0, whose ratio is infinite.
Deno.test("what sums of probabilities round costs nothing", async () => {
  const bound = (u: number): Read[] => [read("sign", [[-u, [[0, 1]]]], [false])];
  const one = await compareRuns(
    run([atom("uniform")], bound(1 - 2 ** -53)),
    run([atom("uniform")], bound(1)),
  );
  assertEquals(one.observations, []);
  const draw = (chances: number[]): Read[] => [read("draw", [], 0, { chances, shape: [2] })];
  const two = await compareRuns(run([], draw([1, 0])), run([], draw([1 - 2 ** -53, 2 ** -53])));
  assertEquals(two.observations, []);
  const leak = await compareRuns(run([], draw([1, 0])), run([], draw([0.999, 0.001])));
  assertEquals(leak.loss.pure, [Infinity]);
});

// Mutant: "it moves by 0" of the comparison, for which the noise that covers a value leaves no room.
Deno.test("where no shift covers what changes, nothing is said of a value that does not move", async () => {
  const { observations } = await compare([laplace], (v) => [
    read("value", [[v, [[0, 1]]]], [7]),
    read("sign", [[0, [[0, 1]]]], [true]),
  ]);
  const own = observations.find(({ kind }) => kind === "uncovered-output")!;
  assertEquals([own.detail, own.change], ["no shift of the noise covers what changes", undefined]);
});
