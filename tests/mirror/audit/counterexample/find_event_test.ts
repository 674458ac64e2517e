import { assert, assertEquals } from "@std/assert";
import { findEvent } from "../../../../lib/audit/counterexample/find_event.ts";
import { countEvent } from "../../../../lib/audit/counterexample/count_event.ts";
import type { TwoSides } from "../../../../lib/audit/counterexample/event.ts";
import { type Outputs, packOutputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });

/** `count` outputs a side. */
function sides(
  seed: number,
  count: number,
  { left, right }: Record<"left" | "right", (source: SeededSource) => unknown>,
): TwoSides {
  const source = new SeededSource(seed);
  const draw = (of: (source: SeededSource) => unknown): Outputs =>
    packOutputs(Array.from({ length: count }, () => of(source)));
  return { left: draw(left), right: draw(right) };
}

/** Above 3 with probability 0.3 on one side, 0.01 on the other; another column is noise. */
const threshold = {
  left: (source: SeededSource) => [
    source.uniform() < 0.01 ? 3 + source.uniform() : 3 * source.uniform(),
    source.uniform(),
  ],
  right: (source: SeededSource) => [
    source.uniform() < 0.3 ? 3 + source.uniform() : 3 * source.uniform(),
    source.uniform(),
  ],
};

Deno.test("findEvent() finds a planted threshold and reports it as one condition", () => {
  const event = findEvent(claim, { sides: sides(1, 5000, threshold) })!;
  const report = countEvent(event, sides(2, 5000, threshold));
  assertEquals(report.conditions.length, 1, report.description);
  const [{ feature, operator, value }] = report.conditions as [typeof report.conditions[0]];
  assertEquals(feature, "output[0]");
  assert(operator === ">" && Math.abs(Number(value) - 3) < 0.1, report.description);
  assertEquals(report.description, `${feature} ${operator} ${value}`);
});

Deno.test("countEvent() counts on the outputs that it is given, by the rule that it reports", () => {
  const event = findEvent(claim, { sides: sides(1, 5000, threshold) })!;
  const fresh = sides(3, 4000, threshold);
  const report = countEvent(event, fresh);
  const { value } = report.conditions[0]!;
  for (const side of ["left", "right"] as const) {
    const outputs = fresh[side];
    assert(outputs.kind === "block");
    let hits = 0;
    for (let at = 0; at < outputs.values.length; at += 2) {
      if (outputs.values[at]! > Number(value)) hits++;
    }
    assertEquals(report[side], { hits, draws: 4000 });
  }
  assert(report.right.hits > 1000 && report.left.hits < 100);
});

Deno.test("findEvent() names a word, and a missing key", () => {
  const word = {
    left: (source: SeededSource) => (source.uniform() < 0.2 ? "none" : "many"),
    right: () => "many",
  };
  const report = countEvent(
    findEvent(claim, { sides: sides(4, 2000, word) })!,
    sides(5, 2000, word),
  );
  assert(/^output (=|!=) (none|many)$/.test(report.description), report.description);
  const keys = {
    left: (source: SeededSource) => ({ a: source.uniform() }),
    right: (source: SeededSource) => ({ a: source.uniform(), b: 1 }),
  };
  const found = findEvent(claim, { sides: sides(6, 2000, keys) })!;
  const { left, right } = countEvent(found, sides(7, 2000, keys));
  assertEquals(Math.abs(left.hits - right.hits), 2000);
});

Deno.test("findEvent() joins two conditions where one is not enough", () => {
  const both = {
    left: (source: SeededSource) => [source.uniform(), source.uniform()],
    right: (source: SeededSource) => {
      const [x, y] = [source.uniform(), source.uniform()];
      // Mass is moved into one corner without a trace in either column's lower half.
      return x > 0.5 && source.uniform() < 0.9 ? [x, 0.9 + 0.1 * y] : [x, y];
    },
  };
  const event = findEvent(claim, { sides: sides(8, 8000, both) })!;
  const { left, right } = countEvent(event, sides(9, 8000, both));
  const [less, more] = [left.hits, right.hits].toSorted((a, b) => a - b);
  assert(more! > 8 * less! && more! > 3000, `${left.hits} and ${right.hits}`);
});

Deno.test("findEvent() gives undefined where the sides agree", () => {
  const noise = { left: (s: SeededSource) => s.uniform(), right: (s: SeededSource) => s.uniform() };
  assertEquals(findEvent(claim, { sides: sides(10, 3000, noise) }), undefined);
});

Deno.test("findEvent() reads the bits of doubles when given centres", () => {
  const odd = (x: number) => (source: SeededSource) => Math.floor(source.uniform() * 2 ** 20) + x;
  const coarse = { left: odd(0), right: odd(2 ** -30) };
  const event = findEvent(claim, { sides: sides(11, 3000, coarse), centres: [0] })!;
  const report = countEvent(event, sides(12, 3000, coarse));
  assert(Math.abs(report.left.hits - report.right.hits) === 3000, report.description);
  assert(report.description.startsWith("lowestBit("), report.description);
});

/** Eight letters, a text of its own for each draw. */
function letters(source: SeededSource): string {
  return Array.from(
    { length: 8 },
    () => String.fromCharCode(97 + Math.floor(26 * source.uniform())),
  ).join("");
}

// Mutants: codes for the first texts, with splits by which texts have a code; no numbers in texts.
Deno.test("findEvent() reads the numbers in texts that are all different", () => {
  for (const before of ["", "total "]) {
    const text = (shift: number) => (source: SeededSource) =>
      `${before}${(shift + source.uniform()).toFixed(12)}`;
    const different = { left: text(1), right: text(1.5) };
    const event = findEvent(claim, { sides: sides(13, 5000, different) })!;
    const report = countEvent(event, sides(14, 5000, different));
    assertEquals(
      report.conditions.map(({ feature }) => feature),
      ["number 1 in output"],
      report.description,
    );
    assert(Math.abs(report.left.hits - report.right.hits) > 2000, report.description);
  }
});

// Mutants: codes for the first texts, which are all of one side; splits by which texts have a code.
Deno.test("findEvent() names a frequent text among texts that are all different", () => {
  const rarely = {
    left: letters,
    right: (s: SeededSource) => s.uniform() < 0.3 ? "stopping" : letters(s),
  };
  for (const swapped of [false, true]) {
    const both = swapped ? { left: rarely.right, right: rarely.left } : rarely;
    const event = findEvent(claim, { sides: sides(15, 6000, both) })!;
    const report = countEvent(event, sides(16, 6000, both));
    assertEquals(report.description, "output = stopping");
    assert(Math.abs(report.left.hits - report.right.hits) > 1500);
  }
});

// Mutant: a text that did not occur when the rule was found is taken for a missing value.
Deno.test("countEvent() counts a new text as different from the texts of the rule", () => {
  const often = (chance: number) => (source: SeededSource) =>
    source.uniform() < chance ? "stopping" : letters(source);
  const seldomer = { left: often(0.3), right: often(0.95) };
  const event = findEvent(claim, { sides: sides(17, 3000, seldomer) })!;
  const report = countEvent(event, sides(18, 1000, seldomer));
  assertEquals(report.description, "output != stopping");
  assert(report.left.hits > 600 && report.right.hits < 100);
});

// Mutants: frequent values of one side only; the interval around a value, which other features split.
Deno.test("findEvent() names a frequent value rather than the interval around it", () => {
  const noise = (source: SeededSource) => source.uniform() - 0.5;
  const grid = (source: SeededSource) => Math.floor(50 * source.uniform()) / 50 - 0.49;
  const often = (source: SeededSource) => source.uniform() < 0.4 ? 0 : noise(source);
  for (const both of [{ left: () => 0, right: noise }, { left: grid, right: often }]) {
    const event = findEvent(claim, { sides: sides(19, 3000, both) })!;
    const report = countEvent(event, sides(20, 3000, both));
    assertEquals(report.description, "output = 0");
    assert(Math.abs(report.left.hits - report.right.hits) > 1000);
  }
});

// Mutant: the excess in standard errors, which is largest where the ratio is 10.
Deno.test("findEvent() goes out into tails as far as the counts are certain", () => {
  const laplace = (scale: number) => (source: SeededSource) =>
    scale * Math.log(source.uniform() / source.uniform());
  const both = { left: laplace(1), right: laplace(0.5) };
  const event = findEvent(claim, { sides: sides(21, 100_000, both) })!;
  const { left, right } = countEvent(event, sides(22, 50_000, both));
  assert(left.hits / left.draws > 20 * right.hits / right.draws && left.hits > 200);
});
