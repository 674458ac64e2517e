import { assert } from "@std/assert";
import { gridCurve, gridSpacing } from "../../../lib/accounting/grid_curve.ts";
import { approximateLoss, gaussianLoss } from "../../../lib/accounting/privacy_loss.ts";

const laws = [
  { law: gaussianLoss({ mu: 0.3 }).forward, count: 3 },
  { law: approximateLoss({ epsilon: 0.4 }).forward, count: 2 },
];

// P and Q right up to e^±r each over 5 runs: P' ≤ e^(5r)·P and Q' ≥ e^(−5r)·Q, so that δ' at ε is at most e^(5r) times δ at ε − 10r.
// Mutants: the errors of one law alone; ε moved by one error in place of two, or not at all; the factor e^(5r) left out.
Deno.test("gridCurve() allows for probabilities that are right up to a factor, in both bounds", () => {
  const spacing = gridSpacing(laws), r = 0.004;
  const exact = gridCurve(laws, { spacing });
  const off = gridCurve(
    laws.map(({ law, count }) => ({ law: { ...law, relativeError: r }, count })),
    { spacing },
  );
  for (const epsilon of [0.2, 0.5, 1, 2]) {
    const most = Math.exp(5 * r) * exact.upperAt(epsilon - 10 * r);
    const least = Math.exp(-5 * r) * exact.lowerAt(epsilon + 10 * r);
    const [upper, lower] = [off.upperAt(epsilon), off.lowerAt(epsilon)];
    assert(upper >= most * (1 - 1e-9) && upper <= most * (1 + 1e-6), `${upper} ${most}`);
    assert(lower <= least * (1 + 1e-9) && lower >= least * (1 - 1e-6), `${lower} ${least}`);
    assert(exact.lowerAt(epsilon) <= exact.upperAt(epsilon));
  }
  assert(exact.upperAt(-50) <= 1);
});
