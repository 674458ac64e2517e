import { assertAlmostEquals, assertEquals } from "@std/assert";
import { gaussianLoss } from "../../../lib/accounting/privacy_loss.ts";
import { poissonSubsampledLoss } from "../../../lib/accounting/subsampled_loss.ts";

// Bounds take the error from the law. Mutants: that of the law or of the mixture left out.
Deno.test("poissonSubsampledLoss() adds the rounding of the mixture to what the law may be off by", () => {
  const plain = gaussianLoss({ mu: 1 }).forward;
  for (const relativeError of [0, 1e-12, 1e-3]) {
    const law = { ...plain, relativeError };
    const { forward, backward } = poissonSubsampledLoss({ forward: law, backward: law }, {
      rate: 0.1,
    });
    assertEquals([forward.relativeError, backward.relativeError], [
      relativeError + 1e-14,
      relativeError + 1e-14,
    ]);
  }
});

// What a grid or a cell has to resolve. Mutants: a rate left out, the wider of the two, no end of the exponential.
Deno.test("poissonSubsampledLoss() spreads like the rate times e to the spread less 1, and no wider than the law", () => {
  for (
    const [mu, rate, deviation] of [
      [0.5, 0.1, 0.1 * Math.expm1(0.5)],
      [1e-6, 1e-3, 1e-9],
      [2, 0.9, 2],
      [40, 1e-20, 1e-20 * Math.expm1(30)],
    ] as const
  ) {
    const { forward } = poissonSubsampledLoss(gaussianLoss({ mu }), { rate });
    assertAlmostEquals(forward.deviation, deviation, 1e-5 * deviation);
  }
});
