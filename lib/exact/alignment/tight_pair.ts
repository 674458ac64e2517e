import type { Highs } from "highs";
import { add, multiply, type Rational, rational, toNumber } from "../../numeric/rational.ts";
import { type Affine, coefficient } from "./affine.ts";
import type { AlignedClass } from "./align_classes.ts";
import type { Combination } from "./combination.ts";
import { ExactProgram } from "./exact_program.ts";
import { dataOf, type NeighbourCase } from "./neighbour_cases.ts";
import type { CaseLeaf } from "./prove_case.ts";

/** A pair of datasets that an auditor should try. */
export interface TightPair {
  /** One dataset. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
}

/**
 * The pair at which the premises hold with equality that the bound of a class needs: where no smaller loss can be shown this way.
 * Numbers that do not matter are in the middle of their ranges. Without a class, all changes are as large as they can be.
 */
export function tightPair(
  each: NeighbourCase,
  { leaf, aligned, highs }: {
    readonly leaf: CaseLeaf;
    readonly aligned: AlignedClass | undefined;
    readonly highs: Highs;
  },
): TightPair | undefined {
  const { premises } = leaf;
  const weights = aligned === undefined ? undefined : weightsOf(aligned, { leaf });
  const program = new ExactProgram();
  const columns = new Map<string, number>();
  for (const name of new Set(premises.flatMap(({ form }) => [...form.keys()]))) {
    if (name === "") continue;
    const isChange = name.startsWith("c");
    const column = program.column({ free: true, cost: weights === undefined && isChange ? -1 : 0 });
    columns.set(name, column);
    if (isChange) continue;
    // Near the middle of its range: |x − middle| is up + down.
    const [up, down] = [program.column({ cost: 1e-3 }), program.column({ cost: 1e-3 })];
    program.equation(
      new Map([[column, rational(1)], [up, rational(-1)], [down, rational(1)]]),
      middleOf(name, premises.map(({ form }) => form)),
    );
  }
  premises.forEach(({ form }, i) => {
    const slack = program.column({ cost: weights === undefined ? 0 : toNumber(weights[i]!) });
    const terms = new Map(
      [...form].filter(([name]) => name !== "")
        .map(([name, value]) => [columns.get(name)!, value] as const),
    );
    const { numerator, denominator } = coefficient(form, "");
    program.equation(terms.set(slack, rational(-1)), { numerator: -numerator, denominator });
  });
  const solution = program.solve(highs);
  if (solution === undefined) return undefined;
  const at = (form: Affine): number => {
    let sum = 0;
    for (const [name, value] of form) {
      sum += toNumber(value) * (name === "" ? 1 : toNumber(solution[columns.get(name)!]!));
    }
    return sum;
  };
  return { left: dataOf(each.left, at), right: dataOf(each.right, at) };
}

/** How much each premise was needed. */
function weightsOf(
  { outer, shift }: AlignedClass,
  { leaf }: { readonly leaf: CaseLeaf },
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
  for (const { above, below } of shift.bounds) if (below.length > 0) count(above, 0);
  count(shift.total, 0);
  return weights;
}

/** The middle between the bounds on one variable alone. */
function middleOf(name: string, forms: readonly Affine[]): Rational {
  const ends = forms.filter((form) =>
    form.has(name) && [...form.keys()].every((key) => key === name || key === "")
  )
    .map((form) => {
      const slope = coefficient(form, name), rest = coefficient(form, "");
      return multiply(
        { numerator: -rest.numerator, denominator: rest.denominator },
        slope.numerator < 0n
          ? { numerator: -slope.denominator, denominator: -slope.numerator }
          : { numerator: slope.denominator, denominator: slope.numerator },
      );
    });
  const sum = ends.reduce<Rational>((total, end) => add(total, end), rational(0));
  return ends.length === 0 ? sum : multiply(sum, rational(1n, BigInt(ends.length)));
}
