import {
  type Affine,
  coefficient,
  constant,
  formKey,
  hasNoise,
  isNoise,
  minus,
  normalised,
  part,
  plus,
  substitute,
  times,
  variable,
} from "../../lib/exact/alignment/affine.ts";
import {
  combined,
  contradiction,
  excludes,
  implication,
  shows,
} from "../../lib/exact/alignment/combination.ts";
import {
  branchingKey,
  type Constraint,
  constraintKey,
  constraintsOf,
  waysOf,
} from "../../lib/exact/alignment/constraint.ts";
import { type Equation, ExactProgram, solver } from "../../lib/exact/alignment/exact_program.ts";
import { solveSparse } from "../../lib/exact/alignment/solve_sparse.ts";
import {
  add,
  compare,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { type HalfPlane, meet } from "./linear_judge.ts";

/** The parts that a mutant may stand in for. */
export const linear = { shows, excludes, implication, contradiction, solveSparse };

/** Those parts. */
export type Linear = typeof linear;

const AT: Readonly<Record<string, number>> = { "": 1, n0: 3, x0: -5, c1: 7 };

const valueOf = (form: Affine): number =>
  [...form].reduce((sum, [name, value]) => sum + toNumber(value) * AT[name]!, 0);

/** Forms add, scale, and take each other in as their values do. */
export function requireForms(source: SeededSource): void {
  const generated = (): Affine =>
    new Map(
      Object.keys(AT).flatMap((name) => {
        const value = source.uint32() % 7 - 3;
        return value === 0 ? [] : [[name, rational(BigInt(value), 2n)] as const];
      }),
    );
  for (let k = 0; k < 200; k++) {
    const [f, g] = [generated(), generated()], factor = source.uint32() % 7 - 3;
    const by = rational(factor), shown = `${formKey(f)} and ${formKey(g)}`;
    requireEqual(valueOf(plus(f, g, by)), valueOf(f) + factor * valueOf(g) + 0, shown);
    requireEqual(valueOf(plus(f, g)), valueOf(f) + valueOf(g), shown);
    requireEqual(valueOf(minus(f, g)), valueOf(f) - valueOf(g), shown);
    requireEqual(minus(f, f).size, 0, shown);
    requireEqual(valueOf(times(by, f)), factor * valueOf(f) + 0, shown);
    const moved = substitute(f, new Map([["n0", plus(variable("n0"), g)]]));
    requireEqual(valueOf(moved), valueOf(f) + toNumber(coefficient(f, "n0")) * valueOf(g), shown);
    requireEqual(formKey(plus(part(f, true), part(f, false))), formKey(f), shown);
    requireEqual([...part(f, true).keys()], f.has("n0") ? ["n0"] : [], shown);
    requireEqual(hasNoise(f), f.has("n0"), shown);
    const [scaled, turned] = [2, -2].map((each) => times(rational(each), f)) as [Affine, Affine];
    const hasVariable = [...f.keys()].some((name) => name !== "");
    const key = (form: Affine): string => formKey(normalised(form));
    if (hasVariable) {
      requireEqual(key(scaled), key(f), shown);
      requireThat(key(turned) !== key(f), `${shown} turned`);
      const [first] = [...normalised(f)].filter(([name]) => name !== "")
        .sort(([a], [b]) => a < b ? -1 : 1);
      requireEqual(Math.abs(toNumber(first![1])), 1, `the first of ${shown}`);
    } else requireEqual(formKey(normalised(f)), formKey(f), shown);
    requireEqual(formKey(new Map([...f].toReversed())), formKey(f), shown);
    requireThat(formKey(f) !== formKey(g) || minus(f, g).size === 0, shown);
  }
  requireEqual([constant(rational(0)).size, toNumber(coefficient(constant(rational(2)), ""))], [
    0,
    2,
  ]);
  requireEqual([isNoise("n1"), isNoise("x1"), isNoise("c1"), isNoise("")], [
    true,
    false,
    false,
    false,
  ]);
  requireEqual(toNumber(coefficient(variable("x"), "y")), 0);
  const three = ["a", "b", "c"].map(variable);
  const largest = { kind: "largest", forms: three } as const;
  const less = { kind: "less", forms: [minus(three[0]!, three[1]!)] } as const;
  requireEqual([waysOf(largest), waysOf(less)], [3, 2]);
  requireEqual(
    constraintsOf(largest, 1).map(({ form, strict }) => [formKey(form), strict]),
    [["a:-1/1 b:1/1", true], ["b:1/1 c:-1/1", true]],
  );
  requireEqual(
    [0, 1].map((way) =>
      constraintsOf(less, way).map(({ form, strict }) => [formKey(form), strict])
    ),
    [[["a:1/1 b:-1/1", true]], [["a:-1/1 b:1/1", true]]],
  );
  requireThat(
    branchingKey(largest) !== branchingKey({ ...largest, forms: three.slice(1) }),
    "keys",
  );
  requireEqual(
    constraintKey({ form: times(rational(2), three[0]!), strict: true }),
    constraintKey({ form: three[0]!, strict: true }),
  );
}

function half({ a, b, c, strict }: HalfPlane): Constraint {
  const entries = [["x", a], ["y", b], ["", c]] as const;
  return {
    form: new Map(
      entries.flatMap(([name, value]) => value === 0 ? [] : [[name, rational(value)] as const]),
    ),
    strict,
  };
}

/** What follows from inequalities, and which exclude each other, as Fourier and Motzkin decide. */
export async function requireFarkas(
  { shows, excludes, implication, contradiction }: Linear,
  source: SeededSource,
): Promise<void> {
  const highs = await solver();
  const small = (): number => source.uint32() % 7 - 3;
  const plane = (): HalfPlane => ({
    a: small(),
    b: small(),
    c: small(),
    strict: source.uint32() % 2 === 0,
  });
  const seen = { implied: 0, open: 0, excluded: 0 };
  for (let k = 0; k < 150; k++) {
    const planes = Array.from({ length: 1 + source.uint32() % 5 }, plane), target = plane();
    const premises = planes.map(half), { form } = half(target), shown = JSON.stringify(planes);
    const nowhere = contradiction(premises, highs);
    requireEqual(nowhere === undefined, meet(planes), `that ${shown} meet`);
    if (nowhere !== undefined) {
      seen.excluded++;
      const sum = combined(premises, nowhere);
      requireThat(excludes(premises, nowhere), shown);
      requireThat([...sum.keys()].every((name) => name === ""), shown);
      const left = toNumber(coefficient(sum, ""));
      const strict = nowhere.some(([place]) => premises[place]!.strict);
      requireThat(left < 0 || (left === 0 && strict), shown);
      for (const broken of tampered(nowhere)) {
        const by = combined(premises, broken);
        const still = [...by].every(([name, { numerator }]) => name === "" && numerator < 0n) &&
          broken.every(([place, { numerator }]) => premises[place] && numerator > 0n) &&
          (by.size > 0 || broken.some(([place]) => premises[place]!.strict));
        requireEqual(excludes(premises, broken), still, `a broken sum of ${shown}`);
      }
      continue;
    }
    const why = implication(form, premises, highs);
    const { a, b, c } = target;
    const follows = !meet([...planes, { a: -a, b: -b, c: -c, strict: true }]);
    requireEqual(why !== undefined, follows, `${JSON.stringify(target)} of ${shown}`);
    seen[follows ? "implied" : "open"]++;
    if (why === undefined) continue;
    requireThat(shows(form, premises, why), shown);
    for (const broken of [why, ...tampered(why)]) {
      const rest = minus(form, combined(premises, broken.filter(([place]) => premises[place])));
      const still = [...rest].every(([name, { numerator }]) => name === "" && numerator > 0n) &&
        broken.every(([place, { numerator }]) => premises[place] && numerator > 0n);
      requireEqual(shows(form, premises, broken), still, `a broken sum of ${shown}`);
    }
  }
  // Where they touch, they meet, unless one of them is strict.
  const touching = (strict: boolean): Constraint[] =>
    [1, -1].map((a) => half({ a, b: 0, c: 0, strict: strict && a > 0 }));
  const both = [0, 1].map((place) => [place, rational(1)] as const);
  requireEqual(excludes(touching(false), both), false, "what touches");
  requireEqual(excludes(touching(true), both), true, "what touches from one side");
  requireEqual(excludes(touching(true), both.slice(0, 1)), false, "one alone");
  requireThat(
    seen.implied > 15 && seen.open > 25 && seen.excluded > 25,
    () => `too few of a kind: ${JSON.stringify(seen)}`,
  );
}

type Why = readonly (readonly [number, Rational])[];

function tampered(why: Why): Why[] {
  const [one, minusOne] = [rational(1), rational(-1)];
  return why.flatMap(([place, multiplier], i) => [
    why.with(i, [place, multiply(minusOne, multiplier)]),
    why.with(i, [place, add(multiplier, one)]),
    why.with(i, [place, rational(0)]),
    why.toSpliced(i, 1),
  ]).concat(why.length === 0 ? [] : [[...why, [99, one]]])
    // Sums over places that are not there are not computed.
    .filter((each) => each.every(([place]) => place < 99));
}

/** Equations and linear programs by the answers that they were made for. */
export async function requireSolutions(
  { solveSparse }: Linear,
  source: SeededSource,
): Promise<void> {
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
}
