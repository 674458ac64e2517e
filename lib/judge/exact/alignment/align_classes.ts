import type { Highs } from "highs";
import { compare, type Rational, rational } from "../../../core/numeric/rational.ts";
import { formKey, isNoise } from "./affine.ts";
import type { Constraint } from "./constraint.ts";
import { findShifts } from "./find_shift.ts";
import { type ClassPair, muSquaredOf, type Shift } from "./shift.ts";
import type { NoiseLaws } from "./noise_laws.ts";
import {
  classesOf,
  type InnerRegion,
  innerRegion,
  type OuterRegion,
  outerRegion,
  type OutputClass,
  outputForm,
} from "./output_class.ts";
import type { TracedPath } from "./trace_program.ts";

/** One class of outputs on the left, that on the right, and the shift that takes one to the other. */
export interface AlignedClass {
  readonly left: OutputClass;
  readonly right: OutputClass;
  readonly outer: OuterRegion;
  readonly inner: InnerRegion;
  readonly shift: Shift;
}

/** What was found for the paths of two datasets. */
export interface Alignment {
  readonly classes: readonly AlignedClass[];
  /** Classes on the left for which no shift was found. */
  readonly open: readonly OutputClass[];
  /** The largest loss of all noise but Gaussian. */
  readonly epsilon: Rational;
  /** μ² of Gaussian noise. */
  readonly muSquared: Rational;
}

/** What an alignment is looked for among. */
export interface AlignmentOptions {
  readonly left: readonly TracedPath[];
  readonly right: readonly TracedPath[];
  readonly premises: readonly Constraint[];
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  /** A loss that is small enough: no smaller one is looked for. */
  readonly enough: Rational;
}

/** Two classes that may be aligned. */
type Candidate = Omit<AlignedClass, "shift"> & { readonly pair: ClassPair };

/** Looks for shifts of least cost from each class of outputs on the left to the same output on the right. */
export function alignClasses(options: AlignmentOptions): Alignment {
  return [...options.laws.entries()].some(([, { kind }]) => kind === "gaussian")
    ? alignTogether(options)
    : alignEach(options);
}

/** Returns one shift of Gaussian noise for all classes. */
function alignTogether(options: AlignmentOptions): Alignment {
  const merged = classesOf(options.left);
  const attempts = [
    merged.map((each) => mergedCandidate(each, options)),
    [
      ...options.left.keys(),
    ].map((place) => pathCandidate(place, options)),
  ];
  for (const candidates of attempts) {
    if (candidates.includes(undefined)) continue;
    const found = shiftsOf(candidates as Candidate[], options);
    if (found !== undefined) return alignmentOf(found, { open: [], laws: options.laws });
  }
  return alignmentOf([], { open: merged, laws: options.laws });
}

/** Returns a shift for each class: for all its paths together where that does, else for each path by itself. */
function alignEach(options: AlignmentOptions): Alignment {
  const classes: AlignedClass[] = [], open: OutputClass[] = [];
  for (const each of classesOf(options.left)) {
    const together = mergedCandidate(each, options);
    let best = together && shiftsOf([together], options);
    if (each.paths.length > 1 && !isEnough(best, options)) {
      const apart = each.paths.map((place) => {
        const candidate = pathCandidate(place, options);
        return candidate && shiftsOf([candidate], options)?.[0];
      });
      if (!apart.includes(undefined)) {
        best = better(best, apart as AlignedClass[]);
      }
    }
    if (best === undefined) open.push(each);
    else classes.push(...best);
  }
  return alignmentOf(classes, { open, laws: options.laws });
}

/** Returns the class on the right that can give the same output: the one that has a path of the same ways, where there are several. */
function mergedCandidate(left: OutputClass, options: AlignmentOptions): Candidate | undefined {
  const key = outputForm(left.output);
  const ways = new Set(left.paths.map((place) => options.left[place]!.ways));
  const sharing = ({ paths }: OutputClass): number =>
    paths.some((place) => ways.has(options.right[place]!.ways)) ? 0 : 1;
  const candidates = classesOf(options.right).filter(({ output }) => outputForm(output) === key);
  for (const right of candidates.toSorted((a, b) => sharing(a) - sharing(b))) {
    const inner = innerRegion(right, { ...options, paths: options.right });
    if (inner === undefined) continue;
    return candidateOf({
      left,
      right,
      outer: outerRegion(left, { ...options, paths: options.left }),
      inner,
    });
  }
  return undefined;
}

/** Returns a path on the left and the path of the same ways on the right. */
function pathCandidate(place: number, { left, right }: AlignmentOptions): Candidate | undefined {
  const from = left[place]!, other = right.findIndex(({ ways }) => ways === from.ways);
  if (other < 0) return undefined;
  const to = right[other]!;
  if (outputForm(from.output) !== outputForm(to.output)) return undefined;
  return candidateOf({
    left: { output: from.output, paths: [place] },
    right: { output: to.output, paths: [other] },
    outer: { constraints: from.constraints, included: undefined },
    inner: { constraints: to.constraints, excluded: undefined },
  });
}

function candidateOf(found: Omit<AlignedClass, "shift">): Candidate {
  const { left, right, outer, inner } = found;
  return {
    ...found,
    pair: {
      left: outer.constraints,
      right: inner.constraints,
      released: left.output.released.map((form, i) => [form, right.output.released[i]!] as const),
    },
  };
}

/** Shifts for some classes together, of the narrow search where they are enough. */
function shiftsOf(
  candidates: readonly Candidate[],
  options: AlignmentOptions,
): AlignedClass[] | undefined {
  const pairs = candidates.map(({ pair }) => pair);
  let best: AlignedClass[] | undefined;
  for (const narrow of [true, false]) {
    const shifts = findShifts(pairs, { ...options, narrow });
    if (shifts === undefined) continue;
    best = better(
      best,
      candidates.map(({ pair: _, ...candidate }, i) => ({ ...candidate, shift: shifts[i]! })),
    );
    if (isEnough(best, options)) break;
  }
  return best;
}

function isEnough(
  classes: readonly AlignedClass[] | undefined,
  { enough }: AlignmentOptions,
): boolean {
  return classes !== undefined && compare(largestEpsilon(classes), enough) <= 0;
}

function better(
  left: AlignedClass[] | undefined,
  right: AlignedClass[],
): AlignedClass[] {
  return left !== undefined && compare(largestEpsilon(left), largestEpsilon(right)) <= 0
    ? left
    : right;
}

function largestEpsilon(classes: readonly AlignedClass[]): Rational {
  return classes.reduce<Rational>(
    (most, { shift: { epsilon } }) => compare(epsilon, most) > 0 ? epsilon : most,
    rational(0),
  );
}

/**
 * Returns the alignment of the classes that were found, without those that go where another one goes: noise of both, shifted, could be the same, and would be counted
 * twice. Shifts are injective within a class, for they depend on the data alone.
 */
function alignmentOf(
  found: readonly AlignedClass[],
  { open: before, laws }: { readonly open: readonly OutputClass[]; readonly laws: NoiseLaws },
): Alignment {
  const used = new Set<number>();
  const classes: AlignedClass[] = [], open = [...before];
  for (const each of found) {
    const { paths } = each.right;
    if (paths.some((place) => used.has(place))) open.push(each.left);
    else classes.push(each);
    for (const place of paths) used.add(place);
  }
  const shifts = classes.map(({ shift }) => shift);
  if (!sameGaussianShifts(shifts, laws)) throw new Error("Gaussian noise has several shifts");
  return { classes, open, epsilon: largestEpsilon(classes), muSquared: muSquaredOf(shifts, laws) };
}

/** Returns true if each draw of Gaussian noise has one shift in all classes: without that, μ says nothing. */
function sameGaussianShifts(shifts: readonly Shift[], laws: NoiseLaws): boolean {
  const texts = shifts.map(({ shift }) =>
    [...shift].filter(([name]) => isNoise(name) && laws.of(name).kind === "gaussian")
      .map(([name, form]) => `${name} ${formKey(form)}`).sort().join("; ")
  );
  return new Set(texts).size <= 1;
}
