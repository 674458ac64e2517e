import { assert, assertEquals } from "@std/assert";
import { focusedCurve } from "../../../lib/accounting/adaptive_composition.ts";
import { capAll, infiniteBelow, levelsOf } from "../../../lib/accounting/loss_levels.ts";
import { gaussianLoss } from "../../../lib/accounting/privacy_loss.ts";
import { normalTail } from "../../../lib/numeric/normal_tail.ts";

const law = gaussianLoss({ mu: 1 }).forward;

// Mutant: what is above the cap forgotten, which upper bounds must count.
Deno.test("capAll() counts all losses above the cap, and they are rare", () => {
  const laws = [{ law, count: 7 }, { law: { ...law, infinite: 1e-3 }, count: 3 }];
  const { cap, infinite } = capAll(laws, 0.01);
  const above = normalTail(cap - 0.5);
  const truth = 1 - (1 - above) ** 7 * (1 - above - 1e-3) ** 3;
  assert(infinite >= truth && infinite <= truth * (1 + 1e-9), `${infinite} ${truth}`);
  assert(10 * above <= 0.01 && 10 * above > 0.0099);
});

Deno.test("infiniteBelow() is at most the probability of an infinite loss", () => {
  const found = infiniteBelow([{ law: { ...law, infinite: 1e-3 }, count: 3 }]);
  const truth = 1 - 0.999 ** 3;
  assert(found <= truth && found >= truth * (1 - 1e-9));
});

// Mutant: a last level that begins above the edge of the one before.
Deno.test("levelsOf() leave no loss out and none in two levels", () => {
  for (const cap of [0.1, 3, 50, 1e4]) {
    const levels = levelsOf([{ law, count: 1 }], { cap, epsilon: 0.01 });
    assertEquals(levels[0]!.to, cap);
    assertEquals(levels.at(-1)!.edge, -Infinity);
    for (let i = 1; i < levels.length; i++) assertEquals(levels[i]!.to, levels[i - 1]!.edge);
  }
});

// Mutant: losses that count as infinite in the upper bound counted in the lower one.
Deno.test("focusedCurve() has no rare losses in its lower bound", () => {
  const curve = focusedCurve([{ law, count: 1 }], { epsilon: 1, delta: 0.1, gap: 0.1 });
  // δ(20) is below 1e-80.
  assert(curve.lowerAt(20) < 1e-12 && curve.upperAt(20) >= 1e-8 * 0.5);
});
