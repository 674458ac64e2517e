import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { compare, rational, toNumber } from "../../../../lib/core/numeric/rational.ts";
import { ExactProgram, solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";
import { type Equation, solveSparse } from "../../../../lib/judge/exact/alignment/solve_sparse.ts";

const highs = await solver();

// Mutants: the value of an equation that is not eliminated; a guess in place of what the equations say.
Deno.test("solveSparse() solves equations exactly, or says that there is no solution", () => {
  let solved = 0, impossible = 0;
  const number = fc.integer({ min: -3, max: 3 });
  const systems = fc.array(fc.array(number, { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
  });
  for (const rows of fc.sample(systems, { seed: 1, numRuns: 300 })) {
    const equations = rows.map(([value, ...terms]): Equation => ({
      terms: new Map(terms.map((term, i) => [i, rational(term, 3)])),
      value: rational(value!),
    }));
    const solution = solveSparse(equations, {
      columns: new Set([0, 1, 2]),
      guess: () => rational(1, 7),
    });
    if (solution === undefined) {
      impossible++;
      continue;
    }
    solved++;
    for (const [i, [value, ...terms]] of rows.entries()) {
      const sum = terms.slice(0, 3).reduce(
        (total, term, k) => total + term * toNumber(solution.get(k) ?? rational(1, 7)) / 3,
        0,
      );
      assertAlmostEquals(sum, value!, 1e-9, `${i}`);
    }
  }
  assert(solved > 50 && impossible > 50, `${solved} ${impossible}`);
});

Deno.test("solve() finds exact optima, corners that no double is among them", () => {
  // Least x with 3x − s = 1 and s ≥ 0, and y free with 7y = x.
  const program = new ExactProgram();
  const [x, s, y] = [program.column({ cost: 1 }), program.column(), program.column({ free: true })];
  program.equation(new Map([[x, rational(3)], [s, rational(-1)]]), rational(1));
  program.equation(new Map([[y, rational(7)], [x, rational(-1)]]));
  assertEquals(program.solve(highs), [rational(1, 3), rational(0), rational(1, 21)]);
});

Deno.test("solve() finds none where signs forbid it, by as little as doubles do not see", () => {
  for (const missing of [rational(1), rational(1n, 10n ** 30n)]) {
    const program = new ExactProgram();
    const x = program.column();
    program.equation(new Map([[x, rational(1)]]), { ...missing, numerator: -missing.numerator });
    assertEquals(program.solve(highs), undefined);
  }
  const empty = new ExactProgram();
  empty.equation(new Map(), rational(1));
  assertEquals(empty.solve(highs), undefined);
});

Deno.test("solve() minimises squares, with simple fractions where they are near", () => {
  // 3 = a + b, a²/9 + b²/16 least: a = 27/25.
  const program = new ExactProgram();
  const [a, b] = [program.column(), program.column()];
  program.square(a, 1 / 9);
  program.square(b, 1 / 16);
  program.equation(new Map([[a, rational(1)], [b, rational(1)]]), rational(3));
  const [first, second] = program.solve(highs)!;
  assertEquals(compare(first!, rational(27, 25)), 0);
  assertEquals(compare(second!, rational(48, 25)), 0);
});
