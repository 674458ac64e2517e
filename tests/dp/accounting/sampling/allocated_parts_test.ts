import { assert, assertEquals, assertThrows } from "@std/assert";
import { openAnnouncedBudget } from "../../../../lib/dp/accounting/budget/announced_budget.ts";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { allocatedClaim } from "../../../../lib/dp/accounting/sampling/sampled_claim.ts";
import { approximate, gaussian } from "../../../../lib/core/mod.ts";
import { addRemoveOne as relation } from "../../../../lib/core/relations/relation.ts";
import { allocatedParts } from "../../../../lib/dp/accounting/sampling/allocated_parts.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type PrivacyLoss,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  deltaBounds,
  epsilonBounds,
  type LossPart,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { longTest } from "../../../long.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";

/** The losses of a part in one direction alone. */
const oneWay = (parts: readonly LossPart[], way: "forward" | "backward"): LossPart[] =>
  parts.map(({ loss, count }) => ({ count, loss: { forward: loss[way], backward: loss[way] } }));

/** Bounds on δ in one direction, of rows that take part in one step. */
function boundsOf(
  loss: PrivacyLoss,
  { steps, epsilon, way }: { steps: number; epsilon: number; way: "forward" | "backward" },
): [number, number] {
  const { upper, lower } = allocatedParts(loss, { steps });
  return [
    deltaBounds(oneWay(lower!, way), { epsilon }).lower,
    deltaBounds(oneWay(upper, way), { epsilon }).upper,
  ];
}

/** δ of the mean of ratios with finitely many values, by the law of all their sums. */
function exactDelta(
  values: readonly { ratio: number; q: number }[],
  { steps, epsilon, way }: { steps: number; epsilon: number; way: "forward" | "backward" },
): number {
  let sums = new Map([[0, 1]]);
  for (let i = 0; i < steps; i++) {
    const next = new Map<number, number>();
    for (const [sum, mass] of sums) {
      for (const { ratio, q } of values) {
        const key = Math.round((sum + ratio) * 2 ** 40) / 2 ** 40;
        next.set(key, (next.get(key) ?? 0) + mass * q);
      }
    }
    sums = next;
  }
  const c = Math.exp(epsilon);
  return [...sums].reduce((delta, [sum, mass]) => {
    const mean = sum / steps;
    return delta + mass * Math.max(0, way === "forward" ? mean - c : 1 - c * mean);
  }, 0);
}

// References: E[(X₁/2 + X₂/2 − c)⁺] and E[(1 − c·(X₁ + X₂)/2)⁺] for lognormal X, with the formula of Black and Scholes for one and quadrature for the other (SciPy 1.15).
// Mutants: the share of the upper point taken for that of the lower one; ratios not divided by the steps; the grid's step of one summand used for both.
Deno.test("allocatedParts() encloses δ of Gaussian noise in one of two steps", () => {
  const cases = [
    [1, 0.0592065010856645, 0.0501976623694878],
    [2, 0.00474577763328192, 0.00205592453],
  ] as const;
  for (const [epsilon, forward, backward] of cases) {
    for (const [way, exact] of [["forward", forward], ["backward", backward]] as const) {
      const [lower, upper] = boundsOf(gaussianLoss({ mu: 1 }), { steps: 2, epsilon, way });
      assert(lower <= exact && exact <= upper, `${epsilon} ${way}: ${lower} ${exact} ${upper}`);
      assert(upper - lower < 2e-3 * exact, `${epsilon} ${way}`);
    }
  }
});

// Mutants: the zero of the larger law lost, or its mean at infinity; the smaller law merged without its means.
Deno.test("allocatedParts() encloses δ of finite pairs, also where outputs give a row away", () => {
  const response = approximateLoss({ epsilon: Math.log(3) });
  const answers = [{ ratio: 3, q: 0.25 }, { ratio: 1 / 3, q: 0.75 }];
  const telling = finiteLoss({ p: [0.5, 0.3, 0.2, 0], q: [0.25, 0.6, 0, 0.15] });
  const told = [{ ratio: 2, q: 0.25 }, { ratio: 0.5, q: 0.6 }, { ratio: 0, q: 0.15 }];
  for (const steps of [7]) {
    for (const epsilon of [0.2]) {
      for (const way of ["forward", "backward"] as const) {
        const asked = { steps, epsilon, way };
        for (
          const [loss, values, beside] of [[response, answers, 0], [telling, told, 0.2]] as const
        ) {
          const exact = exactDelta(values, asked) + (way === "forward" ? beside : 0);
          const [lower, upper] = boundsOf(loss, asked);
          assert(
            lower <= exact * (1 + 1e-9) + 1e-15,
            `${steps} ${epsilon} ${way}: ${lower} > ${exact}`,
          );
          assert(upper >= exact * (1 - 1e-9), `${steps} ${epsilon} ${way}: ${upper} < ${exact}`);
          assert(
            upper - lower <= 2e-3 * exact + 1e-6,
            `${steps} ${epsilon} ${way}: ${lower} ${upper}`,
          );
        }
      }
    }
  }
});

// The second step answers at random response of less ε after one output of the first: no such choice gives more away.
Deno.test("allocatedParts() bounds steps that depend on what earlier ones put out", () => {
  const { upper } = allocatedParts(approximateLoss({ epsilon: 1 }), { steps: 2 });
  const ratios = (epsilon: number): { ratio: number; q: number }[] => [
    { ratio: Math.exp(epsilon), q: 1 / (1 + Math.exp(epsilon)) },
    { ratio: Math.exp(-epsilon), q: 1 / (1 + Math.exp(-epsilon)) },
  ];
  for (const epsilon of [0, 0.5]) {
    const [most, mostBack] = (["forward", "backward"] as const).map((way) =>
      deltaBounds(oneWay(upper, way), { epsilon }).upper
    );
    for (let k = 0; k < 60; k++) {
      const next = [0, 1].map((side) => ((k * (side === 0 ? 7 : 11)) % 30) / 29);
      let [forward, backward] = [0, 0];
      ratios(1).forEach((first, i) =>
        ratios(next[i]!).forEach((second) => {
          const mean = (first.ratio + second.ratio) / 2, q = first.q * second.q;
          forward += q * Math.max(0, mean - Math.exp(epsilon));
          backward += q * Math.max(0, 1 - Math.exp(epsilon) * mean);
        })
      );
      assert(forward <= most! * (1 + 1e-9), `${k} ${epsilon}: ${forward} > ${most}`);
      assert(backward <= mostBack! * (1 + 1e-9), `${k} ${epsilon}: ${backward} > ${mostBack}`);
    }
  }
});

/** All k-subsets of t steps: the mean of the products of their ratios, by the law of all outputs. */
function exactChosen(
  ratio: number,
  { steps, chosen, epsilon }: { steps: number; chosen: number; epsilon: number },
): number {
  let delta = 0;
  for (let output = 0; output < 2 ** steps; output++) {
    const values = Array.from(
      { length: steps },
      (_, i) => (output >> i) % 2 === 1 ? ratio : 1 / ratio,
    );
    const q = values.reduce(
      (all, value) => all * (value > 1 ? 1 / (1 + ratio) : ratio / (1 + ratio)),
      1,
    );
    // Elementary symmetric polynomials.
    const sums = [1, ...new Array<number>(chosen).fill(0)];
    for (const value of values) for (let k = chosen; k > 0; k--) sums[k]! += value * sums[k - 1]!;
    const subsets = Array.from({ length: chosen }, (_, i) => (steps - i) / (i + 1)).reduce(
      (a, b) => a * b,
      1,
    );
    delta += q * Math.max(0, sums[chosen]! / subsets - Math.exp(epsilon));
  }
  return delta;
}

// Mutants: blocks of one step more; one block fewer; products of ratios of one sum alone; the number of subsets of one ratio more.
Deno.test("allocatedParts() encloses δ of rows in several of the steps", () => {
  for (const [steps, chosen] of [[6, 2], [7, 3], [3, 3]] as const) {
    const loss = approximateLoss({ epsilon: 0.8 });
    const { upper, lower } = allocatedParts(loss, { steps, chosen });
    for (const epsilon of [0, 0.5]) {
      const exact = exactChosen(Math.exp(0.8), { steps, chosen, epsilon });
      const least = deltaBounds(oneWay(lower!, "forward"), { epsilon }).lower;
      const most = deltaBounds(oneWay(upper, "forward"), { epsilon }).upper;
      const said = `${chosen} of ${steps}, ${epsilon}: ${least}, ${exact}, ${most}`;
      assert(exact <= most * (1 + 1e-9) + 1e-15 && least <= exact * (1 + 1e-9), said);
      assert(most <= 2.2 * exact + 0.02 && least >= 0.99 * exact - 1e-9, said);
    }
  }
});

/** δ of normal noise of μ = 1 in two of three steps, one way and the other, by the midpoint rule. */
function twoOfThree(epsilon: number): [number, number] {
  const step = 0.1, points: { ratio: number; q: number }[] = [];
  for (let x = -8 + step / 2; x < 11; x += step) {
    points.push({
      ratio: Math.exp(x - 0.5),
      q: Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * step,
    });
  }
  let [forward, backward] = [0, 0];
  for (const a of points) {
    for (const b of points) {
      for (const c of points) {
        const mean = (a.ratio * b.ratio + (a.ratio + b.ratio) * c.ratio) / 3;
        const q = a.q * b.q * c.q;
        forward += q * Math.max(0, mean - Math.exp(epsilon));
        backward += q * Math.max(0, 1 - Math.exp(epsilon) * mean);
      }
    }
  }
  return [forward, backward];
}

// Mutants: shares of two of the four points swapped; the products of a new ratio with the sum after it; lower bounds by the sum of ratios; intervals that are not those of the roots.
Deno.test("allocatedParts() is within 2% of δ of Gaussian noise in two of three steps", () => {
  const { upper, lower } = allocatedParts(gaussianLoss({ mu: 1 }), { steps: 3, chosen: 2 });
  for (const epsilon of [0.5, 3, 5]) {
    const exact = twoOfThree(epsilon);
    for (const [i, side] of (["forward", "backward"] as const).entries()) {
      const most = deltaBounds(oneWay(upper, side), { epsilon }).upper;
      const least = deltaBounds(oneWay(lower!, side), { epsilon }).lower;
      const said = `${side} ${epsilon}: ${least}, ${exact[i]}, ${most}`;
      assert(exact[i]! <= most * (1 + 1e-4) && most <= 1.03 * exact[i]!, said);
      assert(least <= exact[i]! * (1 + 1e-4) && (epsilon > 3 || least >= 0.8 * exact[i]!), said);
    }
  }
});

// Mutant: groups of one size.
Deno.test("allocatedParts() divides the steps into groups of sizes that differ by one", () => {
  const loss = approximateLoss({ epsilon: 0.5 });
  const countsOf = (steps: number, chosen: number): number[] =>
    allocatedParts(loss, { steps, chosen }).upper.map(({ count }) => count);
  // 31 and 32; 1 with one, 3 and 3 with two; 5 with one, 11 with two; 2 of 2, 3 and 3 with two.
  assertEquals(countsOf(63, 2), [1, 1]);
  assertEquals(countsOf(7, 5), [1, 2]);
  assertEquals(countsOf(16, 3), [1, 1]);
  assertEquals(countsOf(8, 6), [2, 2]);
});

longTest(
  "allocatedParts() gives less away than Poisson samples at small δ, and more at large ones, over epochs",
  () => {
    const loss = gaussianLoss({ mu: 1 });
    const sampled = (steps: number, count: number): LossPart[] => [
      { loss: poissonSubsampledLoss(loss, { rate: 1 / steps }), count: steps * count },
    ];
    const { upper, lower } = allocatedParts(loss, { steps: 200, count: 5 });
    const high = epsilonBounds(upper, { delta: 1e-8 }).upper;
    const low = epsilonBounds(lower!, { delta: 1e-8 }).lower;
    assert(low <= high && high - low < 1e-3 * high && high < 1.336, `${low} to ${high}`);
    assert(high < epsilonBounds(sampled(200, 5), { delta: 1e-8 }).lower);
    const several = allocatedParts(gaussianLoss({ mu: 1 / 3 }), { steps: 100, chosen: 5 });
    const most = epsilonBounds(several.upper, { delta: 1e-6 }).upper;
    const least = epsilonBounds(several.lower!, { delta: 1e-6 }).lower;
    assert(least <= most && most < 0.708 && least > 0.706, `${least} to ${most}`);
    const ten = allocatedParts(loss, { steps: 10 });
    assert(
      epsilonBounds(ten.lower!, { delta: 0.1 }).lower >
        epsilonBounds(sampled(10, 1), { delta: 0.1 }).upper,
    );
  },
);

// Mutants: one epoch charged for all; what all rows keep taken for less than that.
Deno.test("allocatedClaim() is charged by its losses where they are announced, and as all rows elsewhere", () => {
  const options = { steps: 4, chosen: 2, count: 3, delta: 1e-5 };
  const claim = allocatedClaim(gaussian({ mu: 0.5, relation }), options);
  const { upper } = allocatedParts(gaussianLoss({ mu: 0.5 }), options);
  assertEquals(claim.epsilon, epsilonBounds(upper, { delta: 1e-5 }).upper);
  const limit = (epsilon: number) => approximate({ epsilon, delta: 1e-5, relation });
  const twice = [{ claim, count: 2 }];
  const { upper: both } = epsilonBounds([...upper, ...upper], { delta: 1e-5 });
  openAnnouncedBudget(limit(both * 1.001), twice);
  assertThrows(() => openAnnouncedBudget(limit(both * 0.999), twice), RangeError, "must fit");
  const budget = openBudget(gaussian({ mu: 2, relation }));
  budget.spend(claim);
  const { remaining } = budget;
  assert(remaining?.kind === "gaussian" && Math.abs(remaining.mu ** 2 / (4 - 6 * 0.25) - 1) < 1e-9);
});

Deno.test("allocatedParts() takes one step as it is, and refuses what cannot be allocated", () => {
  const loss = laplaceLoss({ epsilon: 1 });
  assertEquals(allocatedParts(loss, { steps: 1, count: 3 }), {
    upper: [{ loss, count: 3 }],
    lower: [{ loss, count: 3 }],
  });
  assertEquals(allocatedParts(loss, { steps: 10, chosen: 9 }).lower, undefined);
  assertThrows(
    () => allocatedParts(gaussianLoss({ mu: 30 }), { steps: 2 }),
    RangeError,
    "at most 300",
  );
});
