import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Affine, formKey, normalised } from "../../../../lib/judge/exact/alignment/affine.ts";
import type { Alignment } from "../../../../lib/judge/exact/alignment/align_classes.ts";
import type { Constraint } from "../../../../lib/judge/exact/alignment/constraint.ts";
import { solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";
import { type NoiseLaw, NoiseLaws } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import type { Shift } from "../../../../lib/judge/exact/alignment/shift.ts";
import { splittingForm } from "../../../../lib/judge/exact/alignment/split_by_sign.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { formFrom } from "./form_from.ts";

const highs = await solver();
type Numbers = readonly [constant: number, first: number, other: number];

function formOf([constant, first, other]: Numbers): Affine {
  return formFrom({ "": constant, c0: first, c1: other });
}

/** The data lie between these ends, one pair for each variable. */
type Ends = readonly (readonly [low: number, high: number])[];

const premisesOf = (ends: Ends): Constraint[] =>
  ends.flatMap(([low, high], i) =>
    [
      [-low, i === 0 ? 1 : 0, i === 1 ? 1 : 0],
      [high, i === 0 ? -1 : 0, i === 1 ? -1 : 0],
    ].map((form) => ({ form: formOf(form as unknown as Numbers), strict: false }))
  );

/** The shift of one draw in a class. */
interface Draw {
  readonly kind: NoiseLaw["kind"];
  readonly rate: number;
  readonly form: Numbers;
  /** A bound on its size, and whether each side of it needs premises. */
  readonly bound?: { readonly form: Numbers; readonly above: boolean; readonly below: boolean };
}

interface Class {
  readonly draws: readonly Draw[];
  readonly epsilon: number;
}

function alignmentOf(
  classes: readonly Class[],
  { isOpen }: { isOpen: boolean },
): { alignment: Alignment; laws: NoiseLaws } {
  const laws = new NoiseLaws(), why = [[0, rational(1)] as const];
  const shifts = classes.map(({ draws, epsilon }): { shift: Shift } => {
    const named = draws.map((draw, place) => {
      const size = rational(draw.rate);
      const law: NoiseLaw = draw.kind === "gaussian"
        ? { kind: "gaussian", variance: size }
        : { kind: draw.kind, rate: size };
      return { ...draw, name: laws.nameOf(place, law) };
    });
    return {
      shift: {
        shift: new Map(named.map(({ name, form }) => [name, formOf(form)])),
        mapped: [],
        supported: [],
        bounds: named.flatMap(({ name, bound }) =>
          bound === undefined ? [] : [{
            noise: name,
            bound: formOf(bound.form),
            above: bound.above ? why : [],
            below: bound.below ? why : [],
          }]
        ),
        epsilon: rational(epsilon),
        total: [],
      },
    };
  });
  const alignment = {
    classes: shifts,
    open: isOpen ? [{}] : [],
    epsilon: rational(0),
    muSquared: rational(0),
  } as unknown as Alignment;
  return { alignment, laws };
}

/** What a class costs on the data where it costs most, by choices of signs; `undefined` where signs are known, or too many. */
function costOf({ draws }: Class, ends: Ends): number | undefined {
  const isSigned = ({ kind, bound }: Draw): boolean =>
    kind === "laplace" && bound !== undefined && bound.above && bound.below;
  const signed = draws.filter(isSigned);
  if (signed.length < 2 || signed.length > 6) return undefined;
  let most = -Infinity;
  for (let signs = 0; signs < 2 ** signed.length; signs++) {
    const sum = [0, 0, 0];
    const add = (form: Numbers, factor: number): void =>
      form.forEach((x, i) => sum[i]! += factor * x);
    signed.forEach(({ form, rate }, i) => add(form, (signs >> i) % 2 === 1 ? rate : -rate));
    for (const draw of draws) {
      if (draw.kind === "gaussian" || isSigned(draw)) continue;
      add(draw.bound?.form ?? draw.form, draw.rate);
    }
    const value = ends.reduce(
      (total, [low, high], i) => total + Math.max(sum[i + 1]! * low, sum[i + 1]! * high),
      sum[0]!,
    );
    most = Math.max(most, value);
  }
  return most;
}

const quarter = fc.integer({ min: -8, max: 8 }).map((n) => n / 4);
const form: fc.Arbitrary<Numbers> = fc.tuple(quarter, quarter, quarter);
const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(...Array<"laplace">(5).fill("laplace"), "exponential", "gaussian"),
  rate: fc.integer({ min: 1, max: 6 }).map((n) => n / 2),
  form,
  bound: fc.record({
    form,
    above: fc.constantFrom(true, true, true, true, true, false),
    below: fc.constantFrom(true, true, true, true, true, false),
  }),
});
const end = fc.tuple(fc.integer({ min: -4, max: 0 }), fc.integer({ min: 1, max: 4 }));

// Mutants: another class than the dearest; signs that are not tried, or of the wrong draws; parts of the cost left out or at another rate; the
// least value for the largest.
Deno.test("splittingForm() splits where the signs of two to six shifts make the dearest class cost less, and nowhere else", () => {
  let split = 0, kept = 0;
  fc.assert(
    fc.property(
      fc.array(draw, { minLength: 1, maxLength: 8 }),
      fc.array(draw, { minLength: 2, maxLength: 4 }),
      fc.tuple(end, end),
      fc.constantFrom(-0.5, 0.5, 0.5, 2),
      fc.constantFrom("first", "last", "alone"),
      fc.constantFrom(-1, -1, -1, -1, -1, -1, 0, 1),
      fc.nat({ max: 15 }),
      (draws, others, ends, more, where, over, open) => {
        const cost = costOf({ draws, epsilon: 0 }, ends);
        const epsilon = (cost ?? 5) + more;
        const dearest = { draws, epsilon }, other = { draws: others, epsilon: epsilon - 0.25 };
        // Of equal ones the first counts.
        const same = { draws: others, epsilon };
        const classes = where === "first"
          ? [dearest, other, same]
          : where === "last"
          ? [other, dearest]
          : [dearest];
        const { alignment, laws } = alignmentOf(classes, { isOpen: open === 0 });
        const found = splittingForm(alignment, {
          premises: premisesOf(ends),
          laws,
          highs,
          enough: rational(epsilon + over),
        });
        const isSplit = open !== 0 && over < 0 && cost !== undefined && cost < epsilon;
        if (!isSplit) {
          kept++;
          return assertEquals(found, undefined);
        }
        split++;
        const first = draws.find(({ kind, bound }) =>
          kind === "laplace" && bound?.above && bound.below
        );
        assertEquals(formKey(found!), formKey(normalised(formOf(first!.form))));
      },
    ),
    { seed: 2616, numRuns: 250 },
  );
  assert(split > 60 && kept > 60, `${split} split, ${kept} kept`);
});

Deno.test("splittingForm() looks at six shifts of either sign, not at seven, and at no class where there is none", () => {
  const draws = Array.from({ length: 7 }, (): Draw => ({
    kind: "laplace",
    rate: 1,
    form: [0, 1, 0],
    bound: { form: [3, 0, 0], above: true, below: true },
  }));
  const ends: Ends = [[-1, 1], [-1, 1]];
  for (const count of [1, 2, 6, 7]) {
    const { alignment, laws } = alignmentOf(
      [{ draws: draws.slice(0, count), epsilon: 3 * count }],
      { isOpen: false },
    );
    const options = { premises: premisesOf(ends), laws, highs, enough: rational(1) };
    assertEquals(splittingForm(alignment, options) !== undefined, count === 2 || count === 6);
  }
  const { alignment, laws } = alignmentOf([], { isOpen: false });
  const options = { premises: premisesOf(ends), laws, highs, enough: rational(0) };
  assertEquals(splittingForm(alignment, options), undefined);
});
