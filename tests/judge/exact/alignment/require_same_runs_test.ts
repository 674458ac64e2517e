import { assert, assertEquals } from "@std/assert";
import { pure } from "../../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import {
  changedAnswers,
  eachByOne as relation,
} from "../../../../proofs/judge/exact/checks/changed_answers.ts";

type Program = (data: readonly Real[], source: ProgramSource) => unknown;

const least = -3, most = 4;

const noisy = (x: Real, source: ProgramSource): Real => source.sum(x, source.laplace({ scale: 1 }));

/** The verdict on a program of some answers, or why it was refused. */
async function verdictOn(
  program: Program,
  answers: number,
  bounds: { readonly min: number; readonly max: number } = { min: least, max: most },
): Promise<string> {
  try {
    const { report } = await proveAlignment({
      name: "it",
      run: (data, source) => program(data as Real[], source),
    }, {
      claim: pure({ epsilon: answers, relation }),
      cases: changedAnswers(answers, bounds),
    });
    return report.verdict;
  } catch (error) {
    if (error instanceof NotTraceable) return error.message;
    throw error;
  }
}

async function assertSeen(what: string, program: Program, answers = 1): Promise<void> {
  const found = await verdictOn(program, answers);
  assert(found.includes("something else"), `${what}: ${found}`);
}

// Mutants of require_same_runs: one of the places where data are tried is left out; outputs compared by their numbers alone.
Deno.test("proveAlignment() refuses programs that do something else at some data where these are numbers", async () => {
  const isWithin = (x: number): boolean => x > least && x < most;
  const data: Record<string, (data: readonly number[]) => boolean> = {
    "all at the lower end": (values) => values.every((x) => x === least),
    "one at the lower end": (values) => values.includes(least),
    "one at the upper end": (values) => values.includes(most),
    "a 0": (values) => values.includes(0),
    "a whole number that is no end": (values) =>
      values.some((x) => Number.isInteger(x) && x !== 0 && isWithin(x)),
    "no whole number": (values) => values.some((x) => !Number.isInteger(x)),
    "one between the lower end and its next quarter": (values) =>
      values.some((x) => x > least && x < least + (most - least) / 4),
    "one between the upper end and its next quarter": (values) =>
      values.some((x) => x < most && x > most - (most - least) / 4),
    "two whole numbers": (values) => values.filter((x) => Number.isInteger(x)).length > 1,
  };
  for (const [what, isSpecial] of Object.entries(data)) {
    for (const answers of [1, 2, 5]) {
      if (answers === 1 && what.startsWith("two")) continue;
      await assertSeen(
        `${answers} answers with ${what}`,
        (values, source) =>
          typeof values[0] === "number" && isSpecial(values as number[])
            ? "other"
            : noisy(values[0]!, source),
        answers,
      );
    }
  }
  const wide = await verdictOn(
    ([x], source) => x === 0 ? "other" : noisy(x!, source),
    1,
    { min: -1e6, max: 1e6 },
  );
  assert(wide.includes("something else"), `a 0 of many numbers: ${wide}`);
});

Deno.test("proveAlignment() refuses programs that do something else on one side of a comparison", async () => {
  for (const by of [-1000, 0, 1000]) {
    for (const kind of ["less", "largest"] as const) {
      for (const other of [0, 1]) {
        const program = (isRight: boolean): Program => ([x], source) => {
          const values = [0, 1].map((k) => noisy(source.sum(k === 0 ? x! : 0, by), source));
          const way = kind === "less"
            ? source.less(values[0]!, values[1]!) ? 0 : 1
            : source.indexOfLargest(values);
          return typeof values[0] === "number" && way === other && !isRight ? "other" : way;
        };
        const what = `the ${kind} of values about ${by}, way ${other}`;
        assertEquals(await verdictOn(program(true), 1), "holds", what);
        await assertSeen(what, program(false));
      }
    }
  }
});

Deno.test("proveAlignment() refuses programs whose numbers differ in draws, values, names, order or shape", async () => {
  const more: Record<string, Program> = {
    "a draw more, first": ([x], source) => {
      if (typeof x === "number") source.laplace({ scale: 1 });
      return noisy(x!, source);
    },
    "a draw less": ([x], source) => [typeof x === "number" ? x : noisy(x!, source), 1],
    "noise of another sign": ([x], source) => {
      const noise = source.laplace({ scale: 1 });
      return typeof x === "number" ? source.difference(x, noise) : source.sum(x!, noise);
    },
    "two values in another order": ([x], source) => {
      const values = [noisy(x!, source), noisy(x!, source)];
      return typeof x === "number" ? values.toReversed() : values;
    },
    "values under other names": ([x], source) => {
      const [a, b] = [noisy(x!, source), noisy(x!, source)];
      return typeof x === "number" ? { a, b } : { b: a, a: b };
    },
    "a value below its own": ([x], source) => noisy(typeof x === "number" ? x - 1e-3 : x!, source),
    "a list with one more at its end": ([x], source) =>
      typeof x === "number" ? [noisy(x, source), 1] : [noisy(x!, source)],
    "a record for a list": ([x], source) =>
      typeof x === "number" ? { 0: noisy(x, source), length: 1 } : [noisy(x!, source)],
    "a record for a value": ([x], source) =>
      typeof x === "number" ? { a: noisy(x, source) } : noisy(x!, source),
    "a list for a text of two letters": ([x], source) =>
      typeof x === "number" ? ["a", noisy(x, source)] : "ab",
    "a list for a record": ([x], source) =>
      typeof x === "number" ? [noisy(x, source)] : { 0: noisy(x!, source) },
    "a tie of data": ([x], source) => {
      const value = noisy(x!, source);
      return !source.less(0, x!) && x === 0 ? "other" : value;
    },
    "a limit that moves": ([x], source) =>
      source.less(typeof x === "number" ? x + 0.5 : x!, source.laplace({ scale: 1 })),
  };
  for (const [what, program] of Object.entries(more)) await assertSeen(what, program);
});

Deno.test("proveAlignment() takes programs whose doubles are equal, or nearly", async () => {
  // Where doubles and fractions differ by rounding, or are equal, nothing is refused.
  const jump = (compared: (source: ProgramSource, x: Real, y: Real) => boolean): Program =>
  (
    [x, y],
    source,
  ) => {
    const noise = source.laplace({ scale: 2 });
    return compared(source, x!, y!) ? source.sum(x!, noise) : source.sum(x!, 0.25, noise);
  };
  const limits: Record<string, Parameters<typeof jump>[0]> = {
    "data that are equal but for rounding": (source, x, y) => source.less(source.sum(y, -1e-11), x),
    "equal data": (source, x) => source.less(0, x),
    "equal data, the other way": (source, x) => source.less(x, 0),
    "equal answers": (source, x, y) => source.less(x, y),
  };
  for (const [what, compared] of Object.entries(limits)) {
    for (const max of [3, 1e6]) {
      const found = await verdictOn(jump(compared), 2, { min: -max, max });
      assertEquals(found, "holds", `${what} of up to ${max}`);
    }
  }
});

// Mutants of path_points: no point besides the centre; constraints of the data left out; the equality left out.
Deno.test("proveAlignment() runs programs on each path, however rare it is, and proves nothing where it cannot", async () => {
  const rare: Record<string, (noise: Real, x: Real, source: ProgramSource) => boolean> = {
    "noise above 60": (noise, _, source) => source.less(60, noise),
    "noise within a millionth": (noise, _, source) =>
      source.less(1, noise) && source.less(noise, 1 + 1e-6),
    "a row within a thousandth, and noise above 60": (noise, x, source) =>
      source.less(1, x) && source.less(x, 1.001) && source.less(60, noise),
    "a row that is a number, by less() both ways": (noise, x, source) =>
      !source.less(0.375, x) && !source.less(x, 0.375) && source.less(60, noise),
  };
  for (const [what, isRare] of Object.entries(rare)) {
    const program = (isOther: boolean): Program => ([x], source) => {
      const noise = source.laplace({ scale: 1 }), value = source.laplace({ scale: 1 });
      if (!isRare(noise, x!, source)) return source.sum(x!, value);
      return source.sum(x!, value, isOther && typeof x === "number" ? 1 : 0);
    };
    assertEquals(await verdictOn(program(false), 1), "holds", what);
    await assertSeen(what, program(true));
  }
  const { report } = await proveAlignment({
    name: "it",
    run: (data, source) => {
      const [x] = data as Real[], noise = source.laplace({ scale: 1 });
      return source.less(1, noise) && source.less(noise, 1 + 2 ** -32)
        ? "within"
        : source.sum(x!, source.laplace({ scale: 1 }));
    },
  }, {
    claim: pure({ epsilon: 1, relation }),
    cases: changedAnswers(1, { min: least, max: most }),
  });
  assertEquals(report.verdict, "not proved");
  assertEquals(report.unrun[0]?.output, "within");
  assertEquals(report.unrun[0]?.conditions, ["n0 − 1 > 0", "1.0000000002328306 − n0 > 0"]);
});
