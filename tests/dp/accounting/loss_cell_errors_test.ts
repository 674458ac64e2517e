import { assert } from "@std/assert";
import * as fc from "fast-check";
import { lossCell } from "../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import type { LossLaw } from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";

/** Outputs of a cell: the loss of each as a share of the way from the lower end to the upper one, and its weight. */
const outputs = fc.array(
  fc.tuple(
    fc.double({ min: 0.001, max: 1, noNaN: true }),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
  ),
  { minLength: 1, maxLength: 4 },
);
const off = fc.constantFrom(-1, 0, 1);

// A law may be right up to factors e^±r only. Whatever these are, the cell must be on the safe side of the truth.
// Mutants: any allowance for r left out, halved, or with another sign; the bounds of the two ends exchanged.
Deno.test("lossCell() is on the safe side of cells whose probabilities are right up to a factor", () => {
  fc.assert(
    fc.property(
      outputs,
      fc.double({ min: -30, max: 30, noNaN: true }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.constantFrom(0, 1e-6, 1e-4),
      fc.tuple(off, off, off, off),
      fc.boolean(),
      (parts, from, width, r, [a, b, c, d], differs) => {
        const to = from + width;
        let [p, q, rise, fall] = [0, 0, 0, 0];
        for (const [share, weight] of parts) {
          const loss = from + share * (to - from);
          p += weight;
          q += weight * Math.exp(-loss);
          // p − e^from·q and e^−from·p... of each output, without cancellation.
          rise += weight * -Math.expm1(from - loss);
          fall += weight * Math.exp(-loss) * -Math.expm1(loss - to);
        }
        const law = {
          relativeError: r,
          intervalMass: () => ({ p: p * Math.exp(a * r), q: q * Math.exp(b * r) }),
          ...(differs
            ? {
              intervalDifference: () => ({
                rise: rise * Math.exp(c * r),
                fall: fall * Math.exp(d * r),
              }),
            }
            : {}),
        } as unknown as LossLaw;
        const cell = lossCell(law, { from, to });
        const high = rise / -Math.expm1(from - to), low = p - high;
        const at = JSON.stringify({ parts, from, to, r, cell, p, high, low });
        const tiny = 1e-15 * p;
        assert(cell.high >= high - tiny && cell.high + cell.low >= p - tiny, at);
        if (differs) assert(cell.low >= low - tiny, at);
        assert(
          cell.merged <= p + tiny && cell.middle <= Math.log(p / q) + 1e-14 * (1 + Math.abs(from)),
          at,
        );
        // And near it: both ends within some r of the truth where differences are given, more where they cancel.
        if (differs) {
          const near = 12 * r + 1e-12 * (1 + Math.abs(to)) / width;
          assert(cell.high <= high * (1 + near) + tiny && cell.merged >= p * (1 - near), at);
        }
      },
    ),
    { seed: 2108, numRuns: 3000 },
  );
});
