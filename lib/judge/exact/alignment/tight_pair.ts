import type { Highs } from "highs";
import {
  add,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { type Affine, coefficient } from "./affine.ts";
import type { AlignedClass } from "./align_classes.ts";
import type { Combination } from "./combination.ts";
import { ExactProgram } from "./exact_program.ts";
import type { Constraint } from "./constraint.ts";
import { dataOf, type NeighbourCase } from "./neighbour_cases.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import type { CaseLeaf } from "./prove_case.ts";

/** A pair of datasets that an auditor should try. */
export interface TightPair {
  /** One dataset. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
}

/** What a pair is looked for with. */
interface TightOptions {
  readonly leaf: CaseLeaf;
  readonly aligned: AlignedClass | undefined;
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  /** Without a class: whether changes are as far below 0 as they can be. Default: as far above. */
  readonly isDown?: boolean;
}

/**
 * Returns the pair at which the premises hold with equality that the bound of a class needs: where no smaller loss can be shown this way.
 * Numbers that do not matter are in the middle of their ranges. Without a class, all changes are as large as they can be.
 *
 * A bound on |shift| is reached from one side: where both need premises, the side is taken at which the shift costs more.
 */
export function tightPair(
  { left, right }: NeighbourCase,
  options: TightOptions,
): TightPair | undefined {
  const at = tightValues(options);
  return at && { left: dataOf(left, at), right: dataOf(right, at) };
}

/** Returns the values of forms of data at that pair. */
export function tightValues(
  { leaf, aligned, laws, highs, isDown = false }: TightOptions,
): ((form: Affine) => number) | undefined {
  const { premises } = leaf;
  if (aligned === undefined) return valuesAt(premises, isDown ? 1 : -1, highs);
  const two = aligned.shift.bounds.filter(({ above, below }) =>
    above.length > 0 && below.length > 0
  );
  const reached = new Set<string>();
  const found = (): { readonly at: ValueAt | undefined; readonly cost: number } => {
    const at = valuesAt(premises, weightsOf(aligned, { leaf, reached }), highs);
    return { at, cost: at === undefined ? -Infinity : costAt(aligned, laws, at) };
  };
  let best = found();
  for (const { noise } of two) {
    reached.add(noise);
    const other = found();
    if (other.cost > best.cost + 1e-9) best = other;
    else reached.delete(noise);
  }
  return best.at;
}

/** What a form is worth at a pair. */
type ValueAt = (form: Affine) => number;

/** Returns the cost of the shift of a class at a pair. */
function costAt({ shift }: AlignedClass, laws: NoiseLaws, at: ValueAt): number {
  let cost = 0;
  for (const [noise, form] of shift.shift) {
    const law = laws.of(noise), by = at(form);
    if (law.kind === "gaussian") cost += by * by / toNumber(law.variance);
    else cost += toNumber(law.rate) * (law.kind === "laplace" ? Math.abs(by) : by);
  }
  return cost;
}

/** Returns values of the variables at which premises with weights are near equality; with a sign in place of them, at which all changes are far on the other side of 0. */
function valuesAt(
  premises: readonly Constraint[],
  weights: readonly Rational[] | 1 | -1,
  highs: Highs,
): ValueAt | undefined {
  const program = new ExactProgram();
  const columns = new Map<string, number>();
  for (const name of new Set(premises.flatMap(({ form }) => [...form.keys()]))) {
    if (name === "") continue;
    const isChange = name.startsWith("c");
    const column = program.column({
      free: true,
      cost: typeof weights === "number" && isChange ? weights : 0,
    });
    columns.set(name, column);
    // The value of a function of data is where its arguments are.
    if (isChange || name.startsWith("t")) continue;
    // Near the middle of its range: |x − middle| is up + down.
    const [up, down] = [program.column({ cost: 1e-3 }), program.column({ cost: 1e-3 })];
    program.equation(
      new Map([[column, rational(1)], [up, rational(-1)], [down, rational(1)]]),
      middleOf(name, premises.map(({ form }) => form)),
    );
  }
  premises.forEach(({ form }, i) => {
    const slack = program.column({ cost: typeof weights === "number" ? 0 : toNumber(weights[i]!) });
    const terms = new Map(
      [...form].filter(([name]) => name !== "")
        .map(([name, value]) => [columns.get(name)!, value] as const),
    );
    program.equation(terms.set(slack, rational(-1)), negated(coefficient(form, "")));
  });
  const solution = program.solve(highs);
  if (solution === undefined) return undefined;
  return (form) => {
    // Rounded once: a row that must be one number exactly is.
    let sum = rational(0);
    for (const [name, value] of form) {
      sum = add(sum, name === "" ? value : multiply(value, solution[columns.get(name)!]!));
    }
    return toNumber(sum);
  };
}

/** Returns the multiplier with which each premise was needed, for bounds that are reached from below for some noise and from above for other. */
function weightsOf(
  { outer, shift }: AlignedClass,
  { leaf, reached }: { readonly leaf: CaseLeaf; readonly reached: ReadonlySet<string> },
): Rational[] {
  const weights = leaf.premises.map(() => rational(0));
  const before = outer.constraints.length;
  const count = (combination: Combination, from: number): void => {
    for (const [place, multiplier] of combination) {
      if (weights[place - from] !== undefined) {
        weights[place - from] = add(weights[place - from]!, multiplier);
      }
    }
  };
  for (const why of shift.mapped) count(why, before);
  // A bound is reached from one side: the one where it is the shift itself, if there is one.
  for (const { noise, above, below } of shift.bounds) {
    if (reached.has(noise)) count(below, 0);
    else if (below.length > 0) count(above, 0);
  }
  count(shift.total, 0);
  return weights;
}

/** Returns the middle between the bounds on one variable alone. */
function middleOf(name: string, forms: readonly Affine[]): Rational {
  const ends = forms.filter((form) =>
    form.has(name) && [...form.keys()].every((key) => key === name || key === "")
  )
    .map((form) => divide(negated(coefficient(form, "")), coefficient(form, name)));
  const sum = ends.reduce<Rational>((total, end) => add(total, end), rational(0));
  return ends.length === 0 ? sum : divide(sum, rational(ends.length));
}
