import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  cutLaw,
  dominatedLosses,
  dominatingLosses,
  type FiniteLosses,
  lossCell,
} from "../../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import {
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";

function deltaOf(sides: readonly FiniteLosses[], epsilon: number): number {
  let delta = 0;
  for (const { losses, masses } of sides) {
    losses.forEach((loss, i) => {
      if (loss > epsilon) delta -= masses[i]! * Math.expm1(epsilon - loss);
    });
  }
  return delta;
}

const sampled = poissonSubsampledLoss(gaussianLoss({ mu: 1.25 }), { rate: 1e-4 });
const laws: [string, LossLaw, (epsilon: number) => number][] = [
  ["gaussian", gaussianLoss({ mu: 0.5 }).forward, (epsilon) => gaussianDelta(0.5, epsilon)],
  ["laplace", laplaceLoss({ epsilon: 1 }).forward, (epsilon) => -Math.expm1(0.5 * (epsilon - 1))],
  [
    "sampled",
    sampled.forward,
    (epsilon) => 1e-4 * gaussianDelta(1.25, Math.log1p(Math.expm1(epsilon) / 1e-4)),
  ],
];

// Mutants: low and high swapped; a merger moved up; atoms above `to` kept; the tail below dropped from the
// dominating losses.
for (const [name, law, exact] of laws) {
  Deno.test(`dominatingLosses() and dominatedLosses() enclose δ when the loss is ${name}`, () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        fc.integer({ min: 0, max: 12 }),
        (epsilon, share, halvings) => {
          const edge = share * law.highest;
          const cut = cutLaw(law, { edge, to: law.highest });
          let cells = [...cut.cells];
          for (let i = 0; i < halvings; i++) {
            cells = cells.flatMap(({ from, to }) =>
              to < -1 || from > 2 ? [lossCell(law, { from, to })] : [
                lossCell(law, { from, to: 0.5 * (from + to) }),
                lossCell(law, { from: 0.5 * (from + to), to }),
              ]
            );
          }
          const high = dominatingLosses({ ...cut, cells }, { edge });
          const low = dominatedLosses({ ...cut, cells }, { edge });
          const most = deltaOf([high.below, high.above], epsilon);
          const least = deltaOf([low.below, low.above], epsilon), truth = exact(epsilon);
          // What is above the law's range is 12 deviations out.
          assert(most >= truth * (1 - 1e-12) - 1e-30, `${most} < ${truth}`);
          assert(least <= truth * (1 + 1e-12) + 1e-30, `${least} > ${truth}`);
        },
      ),
      { seed: 191, numRuns: 40 },
    );
  });
}

// Mutant: what is below the range lost.
Deno.test("dominatingLosses() keep all of the probability when the range is short", () => {
  const law: LossLaw = { ...gaussianLoss({ mu: 1 }).forward, lowest: -0.5 };
  const { below, above } = dominatingLosses(cutLaw(law, { edge: 1, to: law.highest }), { edge: 1 });
  const sum = [...below.masses, ...above.masses].reduce((total, mass) => total + mass, 0);
  assert(sum >= 1 && sum < 1 + 1e-9, `${sum}`);
});

// A million runs turn what one subtraction loses into a shift of ε. Mutant: p − q·e^from by subtraction.
Deno.test("lossCell() keeps the digits of losses of 1e-7", () => {
  const { forward } = poissonSubsampledLoss(gaussianLoss({ mu: 0.02 }), { rate: 1e-5 });
  const from = 1e-8, to = 2e-8;
  const { low, high, merged, middle } = lossCell(forward, { from, to });
  // The loss is 1e-5·(e^(0.02x − 0.0002) − 1) for an output x: the density within the cell is nearly even.
  assert(Math.abs((from * low + to * high) / (low + high) - middle) < 1e-3 * (to - from));
  assert(Math.abs(middle - 0.5 * (from + to)) < 0.01 * (to - from), `${middle}`);
  assert(Math.abs(low + high - merged) <= 1e-11 * merged);
});

// Too rare to divide. Mutants: its probability forgotten in the upper bound, or counted in the lower one; at the lower end.
Deno.test("lossCell() counts what is too rare to divide at its upper end, and not at all below", () => {
  const of = (p: number, q: number): LossLaw =>
    ({ relativeError: 0, intervalMass: () => ({ p, q }) }) as unknown as LossLaw;
  for (const p of [0.5, 1e-300, 0]) {
    const { low, high, merged, middle } = lossCell(of(p, 0), { from: 1, to: 2 });
    assertEquals([low, merged, middle], [0, 0, 1]);
    // 16 + 8·2 roundings.
    assertEquals(high, p * (1 + 32 * 2 ** -53) + Number.MIN_VALUE);
  }
  const none = lossCell(of(0, 0.5), { from: 1, to: 2 });
  assertEquals([none.low, none.high, none.merged, none.middle], [0, Number.MIN_VALUE, 0, 1]);
});
