import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { rational, toNumber } from "../../../../lib/core/numeric/rational.ts";
import { formFrom } from "./form_from.ts";
import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  contradiction,
  excludes,
  implication,
  shows,
} from "../../../../lib/judge/exact/alignment/combination.ts";
import type { Constraint } from "../../../../lib/judge/exact/alignment/constraint.ts";
import { solver } from "../../../../lib/judge/exact/alignment/exact_program.ts";

const highs = await solver();
const form = (x: number, y: number, more: number): Affine => formFrom({ x, y, "": more });
const at = (f: Affine, x: number, y: number): number =>
  toNumber(f.get("") ?? rational(0)) + x * toNumber(f.get("x") ?? rational(0)) +
  y * toNumber(f.get("y") ?? rational(0));

const numbers = fc.integer({ min: -3, max: 3 });
const forms = fc.tuple(numbers, numbers, numbers).map(([x, y, more]) => form(x, y, more));
const premises = fc.array(fc.record({ form: forms, strict: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

// The judge: points of a fine grid, and Farkas's lemma, by which one of both answers must come.
// Mutants: a strict constraint taken for any; the constant left out; a multiplier below 0.
Deno.test("implication() and contradiction() agree with points of a grid", () => {
  let implied = 0, excluded = 0, open = 0;
  const points = Array.from({ length: 41 }, (_, i) => (i - 20) / 2);
  for (const [target, known] of fc.sample(fc.tuple(forms, premises), { seed: 3, numRuns: 100 })) {
    const inside = points.flatMap((x) => points.map((y) => [x, y] as const))
      .filter(([x, y]) =>
        known.every(({ form, strict }) => strict ? at(form, x, y) > 0 : at(form, x, y) >= 0)
      );
    const nowhere = contradiction(known, highs), follows = implication(target, known, highs);
    if (nowhere !== undefined) {
      assert(excludes(known, nowhere) && inside.length === 0);
      excluded++;
    }
    if (follows !== undefined) {
      assert(shows(target, known, follows) && inside.every(([x, y]) => at(target, x, y) >= 0));
      implied++;
    }
    if (nowhere === undefined && follows === undefined) {
      open++;
    }
  }
  assert(implied > 20 && excluded > 10 && open > 10, `${implied} ${excluded} ${open}`);
});

Deno.test("contradiction() tells constraints that touch from those that are strict", () => {
  const touching = (strict: boolean): Constraint[] => [
    { form: form(1, 0, 0), strict },
    { form: form(-1, 0, 0), strict: false },
  ];
  assertEquals(contradiction(touching(false), highs), undefined);
  assert(contradiction(touching(true), highs) !== undefined);
  assert(!excludes(touching(true), [[0, rational(1)]]));
  assert(!excludes(touching(false), [[0, rational(1)], [1, rational(1)]]));
  assert(!shows(form(1, 0, 0), touching(true), [[1, rational(-1)]]));
  assert(!shows(form(1, 0, -1), touching(true), [[0, rational(1)]]));
  assert(!shows(form(1, 0, 0), touching(true), [[0, rational(1)], [1, rational(0)]]));
  assert(!excludes(touching(true), [[0, rational(0)]]));
});
