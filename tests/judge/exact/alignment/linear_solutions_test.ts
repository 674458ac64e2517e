import { ExactProgram, solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";
import { type Equation, solveSparse } from "../../../../lib/judge/exact/alignment/solve_sparse.ts";
import {
  add,
  compare,
  multiply,
  type Rational,
  rational,
} from "../../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { requireEqual, requireThat } from "../../../../proofs/engine/requirement.ts";

Deno.test("equations are solved in fractions", async () => {
  const source = new SeededSource(2811);
  const small = (): number => source.uint32() % 7 - 3;
  let open = 0;
  for (let k = 0; k < 150; k++) {
    const count = 1 + source.uint32() % 4, rows = 1 + source.uint32() % 5;
    const answer = Array.from({ length: count }, () => rational(BigInt(small()), 3n));
    const terms = Array.from(
      { length: rows },
      () => new Map(answer.map((_, i) => [i, rational(BigInt(small()), 2n)])),
    );
    // A column that is not asked for counts as 0.
    for (const each of terms) each.set(count, rational(5));
    const value = (each: ReadonlyMap<number, Rational>, at: readonly Rational[]): Rational =>
      at.reduce<Rational>((sum, x, i) => add(sum, multiply(each.get(i)!, x)), rational(0));
    const equations: Equation[] = terms.map((each) => ({
      terms: each,
      value: value(each, answer),
    }));
    const columns = new Set(answer.keys()), guess = rational(1, 7);
    const found = solveSparse(equations, { columns, guess: () => guess });
    requireThat(found !== undefined, "equations with an answer");
    const all = answer.map((_, i) => found!.get(i) ?? guess);
    for (const each of equations) {
      requireThat(compare(value(each.terms, all), each.value) === 0, "an equation is not met");
    }
    if (all.some((x) => compare(x, guess) === 0)) open++;
    // The sum of all equations with another value contradicts them.
    const sum = new Map(
      [...columns].map((i) => [
        i,
        terms.reduce<Rational>((total, each) => add(total, each.get(i)!), rational(0)),
      ]),
    );
    const other = equations.reduce<Rational>((total, each) => add(total, each.value), rational(1));
    requireEqual(
      solveSparse([...equations, { terms: sum, value: other }], { columns, guess: () => guess }),
      undefined,
      "what contradicts itself",
    );
  }
  requireThat(open > 20, `${open} were left open`);
  const highs = await solver();
  // Least x with 3x − s = 1 and s ≥ 0, and y free with 7y = x.
  const corner = new ExactProgram();
  const [x, s, y] = [corner.column({ cost: 1 }), corner.column(), corner.column({ free: true })];
  requireEqual([x, s, y], [0, 1, 2]);
  corner.equation(new Map([[x, rational(3)], [s, rational(-1)]]), rational(1));
  corner.equation(new Map([[y, rational(7)], [x, rational(-1)]]));
  requireEqual(corner.solve(highs), [rational(1, 3), rational(0), rational(1, 21)]);
  const below = new ExactProgram(), free = below.column({ free: true, cost: 1 });
  below.equation(new Map([[free, rational(2)]]), rational(-3));
  requireEqual(below.solve(highs), [rational(-3, 2)], "a free column");
  for (const missing of [rational(-1), rational(-1n, 10n ** 30n)]) {
    const none = new ExactProgram(), only = none.column();
    none.equation(new Map([[only, rational(1)]]), missing);
    requireEqual(none.solve(highs), undefined, "below 0 by little");
  }
  const empty = new ExactProgram();
  requireEqual(empty.solve(highs), []);
  empty.equation(new Map(), rational(1));
  requireEqual(empty.solve(highs), undefined);
  const vacuous = new ExactProgram();
  vacuous.column();
  vacuous.equation(new Map(), rational(0));
  requireEqual(vacuous.solve(highs), [rational(0)], "0 = 0");
  vacuous.column({ cost: 1 });
  vacuous.column();
  vacuous.column({ free: true });
  requireEqual(vacuous.solve(highs), [0, 0, 0, 0].map((value) => rational(value)), "no equations");
  vacuous.equation(new Map(), rational(1));
  requireEqual(vacuous.solve(highs), undefined, "0 = 1");
  // 3 = a + b, a²/9 + b²/16 least: a = 27/25.
  const round = new ExactProgram(), [a, b] = [round.column(), round.column()];
  round.square(a, 1 / 9);
  round.square(b, 1 / 16);
  round.equation(new Map([[a, rational(1)], [b, rational(1)]]), rational(3));
  requireEqual(round.solve(highs), [rational(27, 25), rational(48, 25)]);
  // Costs of all signs: least 2u − 3v with u + v + w = 4 and v + z = 2.
  const costs = new ExactProgram();
  const [u, v, w, z] = [2, -3, 0, 0].map((cost) => costs.column({ cost }));
  const one = rational(1);
  costs.equation(new Map([[u!, one], [v!, one], [w!, one]]), rational(4));
  costs.equation(new Map([[v!, one], [z!, one]]), rational(2));
  requireEqual(costs.solve(highs), [0, 2, 2, 0].map((value) => rational(value)));
});
