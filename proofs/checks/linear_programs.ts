import type { Highs } from "highs";
import { ExactProgram, solver } from "../../lib/exact/alignment/exact_program.ts";
import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";

/** a·x + b·y ≤ most. */
type Limit = readonly [a: Rational, b: Rational, most: Rational];

type Point = readonly [Rational, Rational];

const zero = rational(0), one = rational(1);

const dot = ([a, b]: readonly Rational[], [x, y]: Point): Rational =>
  add(multiply(a!, x), multiply(b!, y));

/** Points that keep all limits and lie on two of them: corners, if there are any. */
function cornersOf(limits: readonly Limit[]): Point[] {
  const corners: Point[] = [];
  limits.forEach(([a, b, most], i) =>
    limits.slice(i + 1).forEach(([c, d, other]) => {
      const determinant = subtract(multiply(a, d), multiply(b, c));
      if (determinant.numerator === 0n) return;
      const at: Point = [
        divide(subtract(multiply(most, d), multiply(b, other)), determinant),
        divide(subtract(multiply(a, other), multiply(most, c)), determinant),
      ];
      if (limits.every((each) => compare(dot(each, at), each[2]) <= 0)) corners.push(at);
    })
  );
  return corners;
}

/** Generated linear programs in two columns: the least corner, exactly, or none where there is no corner. */
export async function requireLinearPrograms(source: SeededSource): Promise<void> {
  const highs = await solver(), small = (): Rational => rational(source.uint32() % 9 - 4, 3);
  let solved = 0, impossible = 0;
  for (let k = 0; k < 80; k++) {
    const isFree = k % 2 === 0, costs = [source.uint32() % 7 - 3, source.uint32() % 7 - 3];
    const limits: Limit[] = Array.from({ length: 3 }, () => [small(), small(), small()]);
    // All of it in a square around 0, or above 0.
    const own: Limit[] = [
      [one, zero, rational(5)],
      [zero, one, rational(5)],
      [rational(-1), zero, isFree ? rational(5) : zero],
      [zero, rational(-1), isFree ? rational(5) : zero],
    ];
    const program = new ExactProgram();
    const [x, y] = costs.map((cost) => program.column({ cost, free: isFree })) as [number, number];
    for (const [a, b, most] of [...limits, ...own]) {
      const slack = program.column();
      program.equation(new Map([[x, a], [y, b], [slack, one]]), most);
    }
    const found = program.solve(highs), corners = cornersOf([...limits, ...own]);
    if (corners.length === 0) {
      impossible++;
      requireEqual(found, undefined, `program ${k}`);
      continue;
    }
    solved++;
    const costOf = (at: Point): Rational => dot(costs.map((cost) => rational(cost)), at);
    const least = corners.map(costOf).reduce((a, b) => compare(a, b) < 0 ? a : b);
    requireThat(found !== undefined, `program ${k} has no solution`);
    const at: Point = [found[x]!, found[y]!];
    requireEqual(costOf(at), least, `the cost of program ${k}`);
    [...limits, ...own].forEach((each, i) => {
      const slack = subtract(each[2], dot(each, at));
      requireThat(slack.numerator >= 0n, `program ${k} breaks limit ${i}`);
      requireEqual(found[2 + i], slack, `the slack of limit ${i}`);
    });
  }
  requireThat(solved > 30 && impossible > 10, `${solved} solved, ${impossible} not`);
}

/** Least Σ weight·x² with Σ factor·x = value: x is factor/weight, times one number. What fails in a solver is tried once more. */
export async function requireQuadraticPrograms(source: SeededSource): Promise<void> {
  const highs = await solver();
  for (let k = 0; k < 40; k++) {
    const count = 1 + k % 4;
    const parts = Array.from({ length: count }, () => ({
      weight: (1 + source.uint32() % 8) / 4,
      factor: 1 + source.uint32() % 5,
    }));
    const value = rational(1 + source.uint32() % 9, 2);
    const program = new ExactProgram();
    const columns = parts.map(() => program.column({ free: k % 3 === 0 }));
    parts.forEach(({ weight }, i) => program.square(columns[i]!, weight));
    program.equation(
      new Map(parts.map(({ factor }, i) => [columns[i]!, rational(factor)])),
      value,
    );
    const failing = (times: number): Highs => {
      let calls = 0;
      return {
        solve: (...args: Parameters<Highs["solve"]>) => {
          if (++calls <= times) throw new Error("it failed");
          return highs.solve(...args);
        },
      } as unknown as Highs;
    };
    requireEqual(program.solve(failing(2)), undefined, "a solver that fails");
    const total = parts.reduce((sum, { weight, factor }) => sum + factor ** 2 / weight, 0);
    for (const times of [0, 1]) {
      const found = program.solve(failing(times));
      requireThat(found !== undefined, `squares ${k} have no solution`);
      const sum = parts.reduce(
        (all, { factor }, i) => add(all, multiply(rational(factor), found[columns[i]!]!)),
        zero,
      );
      requireEqual(sum, value, "what is demanded");
      parts.forEach(({ weight, factor }, i) =>
        requireNear(toNumber(found[columns[i]!]!), toNumber(value) * factor / weight / total, {
          relative: 1e-5,
          what: `column ${i} of squares ${k}`,
        })
      );
    }
  }
}

/** One square: x² + 0·y with x + y = value is least at x = 0, whichever column comes first. */
export async function requireOneSquare(): Promise<void> {
  const highs = await solver();
  for (const place of [0, 1]) {
    for (const weight of [0.25, 1, 3]) {
      const program = new ExactProgram(), columns = [program.column(), program.column()];
      program.square(columns[place]!, weight);
      program.equation(new Map(columns.map((column) => [column, one])), rational(3, 2));
      const [x, y] = program.solve(highs)!;
      requireEqual(add(x!, y!), rational(3, 2), "a sum");
      requireNear(toNumber(place === 0 ? x! : y!), 0, {
        absolute: 1e-5,
        what: `one square of weight ${weight}`,
      });
    }
  }
}
