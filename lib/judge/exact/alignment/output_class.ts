import type { Highs } from "highs";
import { rational } from "../../../core/numeric/rational.ts";
import { formKey, hasNoise, part, times } from "./affine.ts";
import { type Combination, contradiction, implication } from "./combination.ts";
import { type Constraint, constraintKey } from "./constraint.ts";
import { type NoiseLaws, supportConstraints } from "./noise_laws.ts";
import type { TracedOutput, TracedPath } from "./trace_program.ts";

/** Paths with one output: they differ in comparisons that the output does not tell. */
export interface OutputClass {
  readonly output: TracedOutput;
  /** Places among the paths of the tree. */
  readonly paths: readonly number[];
}

/** Constraints that hold on all paths of a class. */
export interface OuterRegion {
  readonly constraints: readonly Constraint[];
  /** Why: for each path a combination for each constraint. `undefined` where they are those of the only path. */
  readonly included: readonly (readonly Combination[])[] | undefined;
}

/** Constraints that hold on no other path than those of a class. */
export interface InnerRegion {
  readonly constraints: readonly Constraint[];
  /** Why: for each other path a combination. `undefined` where they are those of the only path. */
  readonly excluded: readonly (readonly [path: number, why: Combination])[] | undefined;
}

/** What regions are computed from. */
export interface RegionOptions {
  readonly paths: readonly TracedPath[];
  readonly premises: readonly Constraint[];
  readonly laws: NoiseLaws;
  readonly highs: Highs;
}

/** Returns classes of paths: those of one class have the same output, and the same forms for the numbers in it. */
export function classesOf(paths: readonly TracedPath[]): OutputClass[] {
  const classes = new Map<string, { output: TracedOutput; paths: number[] }>();
  paths.forEach(({ output }, place) => {
    const key = `${output.label} ${output.released.map(formKey).join(", ")}`;
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { output, paths: [place] });
    else known.paths.push(place);
  });
  return [...classes.values()];
}

/** Returns a text, the same for classes of two datasets that can be the same output: values may differ in what is data. */
export function outputForm({ label, released }: TracedOutput): string {
  return `${label} ${released.map((form) => formKey(part(form, true))).join(", ")}`;
}

/**
 * Returns the comparisons, or their opposites, that all paths of a class imply. For one path they are its own.
 */
export function outerRegion(
  { paths: places }: OutputClass,
  { paths, premises, laws, highs }: RegionOptions,
): OuterRegion {
  const own = places.map((place) => paths[place]!);
  if (own.length === 1) {
    return { constraints: own[0]!.constraints, included: undefined };
  }
  const support = supportConstraints(laws);
  const candidates = new Map<string, Constraint>();
  for (const constraint of own.flatMap((path) => path.constraints)) {
    if (!hasNoise(constraint.form)) continue;
    for (const form of [constraint.form, times(rational(-1), constraint.form)]) {
      const each = { form, strict: true };
      candidates.set(constraintKey(each), each);
    }
  }
  const constraints: Constraint[] = [], included: Combination[][] = own.map(() => []);
  for (const candidate of candidates.values()) {
    const whys: Combination[] = [];
    for (const path of own) {
      const why = implication(
        candidate.form,
        [...path.constraints, ...premises, ...support],
        highs,
      );
      if (why === undefined) break;
      whys.push(why);
    }
    if (whys.length < own.length) continue;
    constraints.push(candidate);
    whys.forEach((why, i) => included[i]!.push(why));
  }
  return { constraints, included };
}

/** Returns the region of a class that keeps all other paths out; `undefined` where comparisons do not tell them apart. */
export function innerRegion(own: OutputClass, options: RegionOptions): InnerRegion | undefined {
  const { constraints } = outerRegion(own, options);
  if (own.paths.length === 1) return { constraints, excluded: undefined };
  const { paths, premises, laws, highs } = options;
  const support = supportConstraints(laws);
  const excluded: [number, Combination][] = [];
  for (const [place, path] of paths.entries()) {
    if (own.paths.includes(place)) continue;
    const why = contradiction(
      [...constraints, ...path.constraints, ...premises, ...support],
      highs,
    );
    if (why === undefined) return undefined;
    excluded.push([place, why]);
  }
  return { constraints, excluded };
}
