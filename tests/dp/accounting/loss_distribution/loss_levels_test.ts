import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { focusedCurve } from "../../../../lib/dp/accounting/loss_distribution/adaptive_composition.ts";
import {
  capAll,
  infiniteBelow,
  levelsOf,
} from "../../../../lib/dp/accounting/loss_distribution/loss_levels.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  type LossLaw,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { normalTail } from "../../../../lib/core/numeric/normal_tail.ts";
import { bigNumber as big } from "../../../core/numeric/big_number.ts";

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

// Mutants: either side rounded to nearest or the wrong way; the infinite losses of one part, or of one run, forgotten.
Deno.test("capAll() and infiniteBelow() enclose the probability of an infinite loss, in 80 digits", () => {
  const rare = fc.double({ min: -45, max: -0.01, noNaN: true }).map(Math.exp);
  const count = fc.integer({ min: 1, max: 1000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(rare, count), { minLength: 1, maxLength: 3 }), (pairs) => {
      const laws = pairs.map(([infinite, count]) => ({
        law: { ...finiteLoss({ p: [1], q: [1] }).forward, infinite, relativeError: 0 },
        count,
      }));
      const kept = pairs.reduce(
        (product, [infinite, count]) => product.times(big(1).minus(big(infinite)).pow(count)),
        big(1),
      );
      const exact = big(1).minus(kept), below = infiniteBelow(laws);
      const { infinite, cap } = capAll(laws, 1e-6);
      assert(exact.lte(infinite) && exact.times(1 + 1e-11).gte(infinite), `${infinite}`);
      assert(exact.gte(below) && exact.times(1 - 1e-11).lte(below), `${below}`);
      assertEquals(cap, 0);
    }),
    { seed: 221, numRuns: 200 },
  );
});

// Mutants: no margin for probabilities that are too small by what they may be off; a law that gives all away.
Deno.test("capAll() counts what infinite losses may be off by", () => {
  const { forward } = approximateLoss({ epsilon: 1, delta: 0.1 });
  const off: LossLaw = { ...forward, infinite: 0.1 * Math.exp(-1e-3), relativeError: 1e-3 };
  const { infinite } = capAll([{ law: off, count: 3 }], 1e-6);
  assert(infinite >= 1 - 0.9 ** 3 && infinite <= (1 - 0.9 ** 3) * 1.003, `${infinite}`);
  const all = capAll([{ law: { ...forward, infinite: 1 }, count: 1 }], 1e-6);
  assert(all.infinite >= 1 && all.infinite < 1 + 1e-11);
});

// Mutants: a cap below an atom, which then counts as absent; a cap at which more is above than may be.
Deno.test("capAll() has every atom below its cap, and no more above it than is rare", () => {
  const far = approximateLoss({ epsilon: 40 }).forward;
  assertEquals(capAll([{ law, count: 1 }, { law: far, count: 1 }], 1e-6).cap, 40);
  for (const rare of [1e-3, 1e-12]) {
    const { cap } = capAll([{ law, count: 10 }], rare);
    assert(10 * normalTail(cap - 0.5) <= rare * (1 + 1e-9));
    assert(10 * normalTail(cap - 0.5 - 1e-6) > rare);
  }
  assertEquals(capAll([{ law, count: 1 }], 1).cap, law.lowest);
});
