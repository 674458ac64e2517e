import type { Highs } from "highs";
import { numberUp } from "../../../core/numeric/amount.ts";
import { compare, multiply, type Rational, rational } from "../../../core/numeric/rational.ts";
import { type Affine, coefficient, constant, formKey, minus } from "./affine.ts";
import type { AlignedClass } from "./align_classes.ts";
import { shows } from "./combination.ts";
import { combinationOf } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import { ExactProgram } from "./exact_program.ts";
import type { MovedNoise } from "./noise_divergence.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import { muSquaredOf } from "./shift.ts";

/**
 * Returns the noise of a program, where one shift of Laplace and Gaussian noise goes with all its outputs, by the most that each draw is moved on data that
 * satisfy the premises. Then an output is the same function of moved noise on one dataset as of noise on the other, so that it tells no
 * more than the noise would at two places. `undefined` where classes of outputs have different shifts, or other noise is moved.
 */
export function movedNoise(
  classes: readonly AlignedClass[],
  { premises, laws, highs }: {
    readonly premises: readonly Constraint[];
    readonly laws: NoiseLaws;
    readonly highs: Highs;
  },
): MovedNoise | undefined {
  const [first, ...others] = classes.map(({ shift }) => shift);
  if (first === undefined) return undefined;
  const text = (shift: ReadonlyMap<string, Affine>): string =>
    [...shift].filter(([, form]) => form.size > 0)
      .map(([name, form]) => `${name} ${formKey(form)}`).sort().join("; ");
  if (others.some(({ shift }) => text(shift) !== text(first.shift))) return undefined;
  const laplace: number[] = [];
  for (const [noise] of first.shift) {
    const law = laws.of(noise);
    if (law.kind === "gaussian") continue;
    const bound = first.bounds.find((each) => each.noise === noise)?.bound;
    if (law.kind !== "laplace" || bound === undefined) return undefined;
    const most = mostOf(bound, premises, highs);
    if (most === undefined) return undefined;
    laplace.push(numberUp(multiply(law.rate, most)));
  }
  return { laplace, muSquared: numberUp(muSquaredOf([first, ...others], laws)) };
}

/** Returns a number of at least 0 that a form of data nowhere exceeds, shown by a sum of premises; near the least one. */
function mostOf(
  form: Affine,
  premises: readonly Constraint[],
  highs: Highs,
): Rational | undefined {
  const program = new ExactProgram(), zero = rational(0);
  const most = program.column({ cost: 1 }), slack = program.column();
  const columns = premises.map(() => program.column());
  for (
    const name of new Set([
      "",
      ...form.keys(),
      ...premises.flatMap((each) => [...each.form.keys()]),
    ])
  ) {
    // most − form = Σ multiplier·premise + slack.
    const terms = new Map<number, Rational>();
    premises.forEach((each, i) => {
      const value = each.form.get(name);
      if (value !== undefined) terms.set(columns[i]!, value);
    });
    if (name === "") terms.set(slack, rational(1)).set(most, rational(-1));
    program.equation(terms, multiply(rational(-1), coefficient(form, name)));
  }
  const solution = program.solve(highs), why = combinationOf(solution, columns);
  if (solution === undefined || why === undefined) return undefined;
  const found = solution[most]!;
  return compare(found, zero) >= 0 && shows(minus(constant(found), form), premises, why)
    ? found
    : undefined;
}
