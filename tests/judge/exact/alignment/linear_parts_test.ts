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
} from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  combined,
  contradiction,
  excludes,
  implication,
  shows,
} from "../../../../lib/judge/exact/alignment/combination.ts";
import {
  branchingKey,
  type Constraint,
  constraintKey,
  constraintsOf,
  waysOf,
} from "../../../../lib/judge/exact/alignment/constraint.ts";
import { solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { requireEqual, requireThat } from "../../../../proofs/engine/requirement.ts";
import { type HalfPlane, meet } from "./linear_judge.ts";
import { formFrom } from "./form_from.ts";

const source = new SeededSource(2811);

const AT: Readonly<Record<string, number>> = { "": 1, n0: 3, x0: -5, c1: 7 };

const valueOf = (form: Affine): number =>
  [...form].reduce((sum, [name, value]) => sum + toNumber(value) * AT[name]!, 0);

Deno.test("forms add, scale and substitute as numbers do", () => {
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
});

function half({ a, b, c, strict }: HalfPlane): Constraint {
  return { form: formFrom({ x: a, y: b, "": c }), strict };
}

Deno.test("linear inequalities follow or exclude each other as elimination says", async () => {
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
  // Sums that come out right by a multiplier of the wrong sign, or by a place that is not there, show nothing.
  const x = half({ a: 1, b: 0, c: 0, strict: false }),
    two = half({ a: 0, b: 0, c: 2, strict: true });
  for (const multiplier of [rational(-1), rational(-1, 3)]) {
    requireEqual(shows(times(multiplier, x.form), [x], [[0, multiplier]]), false, "−x of x");
    requireEqual(excludes([two], [[0, multiplier]]), false, "2 ≥ 0 taken for its opposite");
  }
  for (const place of [1, 7]) {
    requireEqual(shows(x.form, [x], [[place, rational(1)]]), false, "a place that is not there");
    requireEqual(excludes([two], [[place, rational(1)]]), false, "a place that is not there");
  }
  // Premises that are numbers: c ≥ 0, or more than 0.
  for (const [numbers, meets] of [[[1, 2], true], [[2, -1], false], [[-1, -2], false]] as const) {
    for (const strict of [true, false]) {
      const premises = numbers.map((c) => half({ a: 0, b: 0, c, strict }));
      requireEqual(contradiction(premises, highs) === undefined, meets, `that ${numbers} meet`);
      const more = [...premises, x];
      requireEqual(contradiction(more, highs) === undefined, meets, `that ${numbers} and x meet`);
    }
  }
  requireThat(
    seen.implied > 15 && seen.open > 25 && seen.excluded > 25,
    () => `too few of a kind: ${JSON.stringify(seen)}`,
  );
});

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
