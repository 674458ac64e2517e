import type { Highs } from "highs";
import type { Source } from "../../../core/mechanism/source.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { type Affine, constant, hasNoise, isNoise, substitute } from "./affine.ts";
import type { FunctionsOfData } from "./function_of_data.ts";
import type { Constraint } from "./constraint.ts";
import { ExactProgram } from "./exact_program.ts";

/** Values of data and noise. */
export type Point = ReadonlyMap<string, number>;

/** Variables within a path: how far each may be moved by itself while all stay within. */
interface Centre {
  readonly values: Point;
  readonly radius: number;
  /** Whether data stay as they are. */
  readonly isFixed: boolean;
}

/** How many numbers after the point, in binary, of data at which a comparison of data is an equality: these are computed without rounding. */
const SHORT_BITS = [0, 10, 20];
/** Share of the radius by which points are moved from the centre. */
const MOST_MOVED = 0.9;
/** Points that are tried for each one that is wanted. */
const TRIES = 8;
/** The same where functions of data are among the variables: more of them are at data by chance. */
const TRIES_OF_DATA = 64;

/**
 * Yields points within a path, each of data and noise that satisfy its constraints in exact arithmetic: a centre, as far from all constraints
 * as can be, and others near it. There are none where none was found.
 *
 * @param constraints what comparisons of noise, of data and the laws of noise say.
 * @param free variables that no constraint need name.
 */
export function* pointsWithin(
  constraints: readonly Constraint[],
  { free, highs, source, functions, dataByChance }: {
    readonly free: Iterable<string>;
    readonly highs: Highs;
    readonly source: Source;
    /** Functions of data among the variables. */
    readonly functions: FunctionsOfData;
    /** Returns data of the case, which need not be on the path. */
    dataByChance(): Point | undefined;
  },
): Generator<Point> {
  // Functions have no room to move beside their arguments: what they are is computed.
  const asked = functions.without(constraints), isBent = functions.all.length > 0;
  const found = centreOf(asked, highs) ?? centreOfEquality(asked, highs);
  if (found === undefined && !isBent) return;
  const centre: Centre = found ?? { values: new Map(), radius: 0, isFixed: true };
  for (let i = 0; i < (isBent ? TRIES_OF_DATA : TRIES); i++) {
    const values = new Map<string, number>();
    for (const [name, value] of centre.values) {
      const by = i === 0 ? 0 : MOST_MOVED * centre.radius * (2 * source.uniform() - 1);
      values.set(name, value + (centre.isFixed && !isNoise(name) ? 0 : by));
    }
    for (const name of free) if (!values.has(name)) values.set(name, 4 * source.uniform() - 2);
    const data = i < TRIES ? values : dataByChance();
    const point = isBent ? data && atData(data, asked, { functions, highs, values }) : values;
    if (point !== undefined && asked.every((each) => isSatisfied(each, point))) yield point;
  }
}

/** Returns a point with these data, what functions of data are there, and noise in the middle of what they leave to it. */
function atData(
  data: Point,
  constraints: readonly Constraint[],
  { functions, highs, values }: {
    readonly functions: FunctionsOfData;
    readonly highs: Highs;
    readonly values: Point;
  },
): Point | undefined {
  const known = functions.valued(new Map([...data].filter(([name]) => !isNoise(name))));
  // Data of another branch, on which a function is none.
  if (![...known.values()].every(Number.isFinite)) return undefined;
  const at = new Map([...known].map(([name, value]) => [name, constant(rational(value))]));
  const left = constraints.filter(({ form }) => hasNoise(form))
    .map((each) => ({ ...each, form: substitute(each.form, at) }));
  const noise = left.length === 0 ? undefined : centreOf(left, highs)?.values;
  return left.length > 0 && noise === undefined
    ? undefined
    : new Map([...values, ...known, ...noise ?? []]);
}

/** Returns true if doubles satisfy a constraint, exactly. */
function isSatisfied({ form, strict }: Constraint, values: Point): boolean {
  let sum = rational(0);
  for (const [name, factor] of form) {
    sum = add(sum, name === "" ? factor : multiply(factor, rational(values.get(name) ?? 0)));
  }
  return strict ? sum.numerator > 0n : sum.numerator >= 0n;
}

function namesIn(constraints: readonly Constraint[]): string[] {
  return [
    ...new Set(constraints.flatMap(({ form }) => [...form.keys()].filter((name) => name !== ""))),
  ];
}

/** Returns Σ |coefficient|, the constant included. */
function sizeOf(form: Affine): number {
  let sum = 0;
  for (const [name, factor] of form) if (name !== "") sum += Math.abs(toNumber(factor));
  return sum;
}

/** Returns a radius that is large enough beside the constants. */
function mostRadius(constraints: readonly Constraint[]): number {
  return Math.max(
    1,
    ...constraints.map(({ form }) => 1e-3 * Math.abs(toNumber(form.get("") ?? rational(0)))),
  );
}

/** Returns the centre of a cube within all constraints, as large as can be; `undefined` where there is none with room. */
function centreOf(constraints: readonly Constraint[], highs: Highs): Centre | undefined {
  const names = namesIn(constraints), places = new Map(names.map((name, i) => [name, i]));
  const lines = ["Maximize", " obj: r", "Subject To"];
  for (const [row, { form }] of constraints.entries()) {
    const size = sizeOf(form);
    if (size === 0) continue;
    // Rows are scaled, so that the radius is one of the variables.
    const terms = [...form].filter(([name]) => name !== "").map(([name, factor]) => {
      const value = toNumber(factor) / size;
      return `${value < 0 ? "-" : "+"} ${Math.abs(value)} c${places.get(name)!}`;
    });
    lines.push(
      ` r${row}: ${terms.join(" ")} - r >= ${-toNumber(form.get("") ?? rational(0)) / size}`,
    );
  }
  lines.push("Bounds", ` 0 <= r <= ${mostRadius(constraints)}`);
  names.forEach((_, i) => lines.push(` c${i} free`));
  lines.push("End", "");
  let found: ReturnType<Highs["solve"]>;
  try {
    found = highs.solve(lines.join("\n"), { output_flag: false });
  } catch {
    return undefined;
  }
  if (found.Status !== "Optimal") return undefined;
  const valueOf = (column: string): number => {
    const each = found.Columns[column];
    return each !== undefined && "Primal" in each ? each.Primal : 0;
  };
  const radius = valueOf("r");
  if (!(radius > 1e-9)) return undefined;
  return {
    radius,
    isFixed: false,
    values: new Map(names.map((name, i) => [name, valueOf(`c${i}`)])),
  };
}

/** Returns the same where comparisons of data leave no room: the data are chosen first, such that they are computed with exactly. */
function centreOfEquality(constraints: readonly Constraint[], highs: Highs): Centre | undefined {
  const names = namesIn(constraints), data = names.filter((name) => !isNoise(name));
  const chosen = new Map<string, Rational>();
  const within = (more: readonly (readonly [string, Rational])[] = []): Solution | undefined =>
    solved(constraints, { names, chosen: new Map([...chosen, ...more]), highs });
  let solution = within();
  for (const name of data) {
    if (solution === undefined) return undefined;
    const near = toNumber(solution.values.get(name)!);
    const candidates = [
      ...SHORT_BITS.map((bits) => Math.round(near * 2 ** bits) / 2 ** bits),
      near,
    ];
    solution = undefined;
    for (const value of new Set(candidates)) {
      solution = within([[name, rational(value)]]);
      if (solution === undefined) continue;
      chosen.set(name, rational(value));
      break;
    }
  }
  if (solution === undefined) return undefined;
  return {
    radius: toNumber(solution.radius),
    isFixed: true,
    values: new Map([...solution.values].map(([name, value]) => [name, toNumber(value)])),
  };
}

/** Values in fractions, and by how much strict constraints are satisfied. */
interface Solution {
  readonly values: ReadonlyMap<string, Rational>;
  readonly radius: Rational;
}

/** Returns values with all strict constraints satisfied by as much as can be, and some chosen beforehand. */
function solved(
  constraints: readonly Constraint[],
  { names, chosen, highs }: {
    readonly names: readonly string[];
    readonly chosen: ReadonlyMap<string, Rational>;
    readonly highs: Highs;
  },
): Solution | undefined {
  const program = new ExactProgram();
  const columns = new Map(names.map((name) => [name, program.column({ free: true })]));
  const radius = program.column({ cost: -1 }), rest = program.column();
  program.equation(
    new Map([[radius, rational(1)], [rest, rational(1)]]),
    rational(mostRadius(constraints)),
  );
  for (const [name, value] of chosen) {
    program.equation(new Map([[columns.get(name)!, rational(1)]]), value);
  }
  for (const { form, strict } of constraints) {
    const terms = new Map<number, Rational>();
    for (const [name, factor] of form) if (name !== "") terms.set(columns.get(name)!, factor);
    terms.set(program.column(), rational(-1));
    if (strict) terms.set(radius, rational(-sizeOf(form)));
    const value = form.get("") ?? rational(0);
    program.equation(terms, { ...value, numerator: -value.numerator });
  }
  const found = program.solve(highs);
  if (found === undefined) return undefined;
  if (constraints.some(({ strict }) => strict) && found[radius]!.numerator <= 0n) return undefined;
  return {
    radius: found[radius]!,
    values: new Map(names.map((name) => [name, found[columns.get(name)!]!])),
  };
}
