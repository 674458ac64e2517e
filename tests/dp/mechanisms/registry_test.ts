import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import {
  answers,
  bits,
  chosen,
  disc,
  fewSteps,
  only,
  units,
} from "../../../lib/dp/mechanisms/audit_inputs.ts";
import { mechanismNamed, mechanismNames } from "../../../lib/dp/mechanisms/registry.ts";

/** Its ε is fixed. */
const OWN_EPSILON = "two-coin-survey";

// Mutants: chances of another ε; a ρ from which more, or less, follows.
Deno.test("registered mechanisms claim the ε, and the δ, that they are asked for", () => {
  for (const name of mechanismNames) {
    if (name === OWN_EPSILON) continue;
    for (const [epsilon, delta] of [[0.3, 1e-3], [0.9, 1e-9]] as const) {
      const { claim } = mechanismNamed(name, { epsilon, delta });
      const follows = claim.kind === "zcdp"
        // Bun, Steinke 2016, Proposition 1.3.
        ? claim.rho + 2 * Math.sqrt(claim.rho * Math.log(1 / delta))
        : claim.kind === "pure" || claim.kind === "approximate"
        ? claim.epsilon
        : NaN;
      assertAlmostEquals(follows, epsilon, 1e-12, name);
      if (claim.kind === "approximate") assertEquals(claim.delta, delta);
    }
  }
});

Deno.test("the registered truncated mechanism releases its domain and no more", () => {
  const { distribution } = mechanismNamed("truncated-geometric", { epsilon: 1 });
  assertEquals(distribution!([2]).map(({ output }) => output), [0, 1, 2, 3, 4, 5]);
});

// Mutants: an empty dataset that is missing; sizes that the mechanism refuses.
Deno.test("registered domains have the sizes of their relation: none to four rows, one to four, or one", () => {
  for (const name of mechanismNames) {
    const { domain: { size, rows }, claim, check } = mechanismNamed(name, {
      epsilon: 0.5,
      delta: 1e-3,
    });
    assert(size.max <= 4, name);
    const isAnswers = rows.type === "integer" && rows.min < 0;
    const least = claim.relation === addRemoveOne ? 0 : isAnswers ? size.max : 1;
    assertEquals(size.min, least, name);
    if (rows.type !== "number" && rows.type !== "integer") continue;
    for (let count = size.min; count <= size.max; count++) {
      for (const row of [rows.min, rows.max]) check?.(Array(count).fill(row));
    }
  }
  // Numbers fill [0, 1], points the disc, answers both signs alike, events all steps from the first on.
  assert(units.rows.type === "number" && answers.rows.type === "integer");
  assertEquals([units.rows.min, units.rows.max], [0, 1]);
  assertEquals(answers.rows.min, -answers.rows.max);
  assert(disc.rows.type === "vector" && disc.rows.of.type === "number");
  assertEquals([disc.rows.of.min, disc.rows.of.max], [-disc.rows.norm!, disc.rows.norm]);
  assert(fewSteps.rows.type === "integer");
  assertEquals(fewSteps.rows.min, 1);
  assertEquals(bits.size.min, 1);
  assertEquals(chosen.candidates, Array.from({ length: answers.size.max }, (_, i) => i));
  assertEquals(only([7]), 7);
  for (const rows of [[], [1, 2]]) assertThrows(() => only(rows), RangeError, "one row");
});

Deno.test("mechanismNamed() refuses unknown names and Gaussians without delta", () => {
  assertThrows(() => mechanismNamed("magic", { epsilon: 1 }), RangeError, "name must be one of");
  assertThrows(() => mechanismNamed("toString", { epsilon: 1 }), RangeError);
  assertThrows(() => mechanismNamed("gaussian", { epsilon: 1 }), RangeError, "delta must be given");
});
