import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  cutLaw,
  dominatedLosses,
  dominatingLosses,
  type FiniteLosses,
  lossCell,
} from "../../../lib/accounting/loss_cells.ts";
import { gaussianLoss, laplaceLoss, type LossLaw } from "../../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../lib/accounting/subsampled_loss.ts";
import { gaussianDelta } from "../../../lib/numeric/gaussian_delta.ts";

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

// Upper bounds are chords of a convex function of e^ε, lower ones are lines below it: four inequalities decide.
// Mutants: no room for what probabilities and differences may be off, or too little of it, in any of the four numbers.
Deno.test("lossCell() keeps to its sides when every number is off by its relative error", () => {
  const error = 1e-4, mu = 0.5, law = gaussianLoss({ mu }).forward;
  const sign = fc.constantFrom(-1, 0, 1).map((way) => Math.exp(way * error));
  fc.assert(
    fc.property(
      fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      fc.double({ min: -7, max: 0, noNaN: true }).map((exponent) => 10 ** exponent),
      fc.tuple(sign, sign, sign, sign),
      fc.boolean(),
      (from, width, [ofP, ofQ, ofRise, ofFall], differences) => {
        const to = from + width, { p, q } = law.intervalMass!(from, to);
        const known = law.intervalDifference!(from, to);
        const rise = known?.rise ?? p - q * Math.exp(from);
        const off: LossLaw = {
          ...law,
          intervalMass: () => ({ p: p * ofP, q: q * ofQ }),
          intervalDifference: () =>
            differences && known
              ? { rise: known.rise * ofRise, fall: known.fall * ofFall }
              : undefined,
          relativeError: law.relativeError + error,
        };
        const { low, high, merged, middle } = lossCell(off, { from, to });
        const room = 1 + 1e-11;
        assert((low + high) * room >= p, `${low} + ${high} < ${p}`);
        assert(high * -Math.expm1(from - to) * room >= rise - 1e-15 * p, `${high}`);
        assert(merged <= p * room, `${merged} > ${p}`);
        // The loss of the merger, ln(p/q), from the rise: p − q·e^from = p·(1 − e^(from − loss)).
        const loss = from - Math.log1p(-rise / p);
        assert(middle <= loss + 1e-9 * width + 1e-15, `${middle} > ${loss}`);
        assert(middle >= from);
        // And no further from the truth than some dozens of errors.
        const most = 60 * error;
        assert(low + high <= p * (1 + most) * (differences || width > 0.01 ? 1 : 2));
        assert(merged >= p * (1 - most));
      },
    ),
    { seed: 192, numRuns: 1000 },
  );
});

// Mutants: no room for what probabilities and losses may be off, either part of it, or room the wrong way round.
Deno.test("dominatingLosses() and dominatedLosses() move atoms and tails to their safe side by the law's error and 16 roundings", () => {
  const u = 2 ** -53;
  for (const relativeError of [0, 1e-3]) {
    const law: LossLaw = {
      atoms: [{ loss: 1, p: 0.5, q: 0.25 }, { loss: 2, p: 0.25, q: 0.125 }, {
        loss: 5,
        p: 0.125,
        q: 0,
      }],
      intervalMass: (_, to) => to <= -3 ? { p: 0.0625, q: 0.5 } : { p: 0, q: 0 },
      infinite: 0,
      lowest: -3,
      highest: -2,
      deviation: 1,
      relativeError,
    };
    const off = relativeError + 16 * u, cut = { law, to: 3, cells: [] };
    const high = dominatingLosses(cut, { edge: 1 }), low = dominatedLosses(cut, { edge: 1 });
    // Loss 5 is above the cut; the tail is at the law's lowest, in upper bounds only.
    assertEquals([...high.below.losses], [1 + off, -3]);
    assertEquals([...high.below.masses], [0.5 * Math.exp(off), 0.0625 * Math.exp(off)]);
    assertEquals([...high.above.losses], [2 + off]);
    assertEquals([...high.above.masses], [0.25 * Math.exp(off)]);
    assertEquals([...low.below.losses, ...low.above.losses], [1 - off, 2 - off]);
    assertEquals([...low.below.masses, ...low.above.masses], [0.5 * (1 - off), 0.25 * (1 - off)]);
    // A loss that is the edge is not above it, but for the tail, whose loss is at most that.
    assertEquals([...dominatingLosses(cut, { edge: -3 }).above.losses], [1 + off, 2 + off, -3]);
  }
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
