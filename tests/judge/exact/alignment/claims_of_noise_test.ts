import { approximate, gaussian, pure, renyi, zcdp } from "../../../../lib/core/mod.ts";
import { replaceOne } from "../../../../lib/core/relations/relation.ts";
import { keepsByFractions, muUp } from "../../../../lib/judge/exact/alignment/keeps_claim.ts";
import { compare, multiply, rational } from "../../../../lib/core/numeric/rational.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";
import { requireEqual, requireThat } from "../../../../proofs/engine/requirement.ts";

Deno.test("claims follow from losses to the last bit", () => {
  const relation = replaceOne, none = rational(0);
  const pureLoss = { epsilon: rational(1, 2), muSquared: none };
  const normal = { epsilon: none, muSquared: rational(1, 4) };
  const both = { epsilon: rational(1, 2), muSquared: rational(1, 4) };
  const nothing = { epsilon: none, muSquared: none };
  const less = (value: number): number => value * (1 - 2 ** -52);
  const cases: [
    Parameters<typeof keepsByFractions>[0],
    Parameters<typeof keepsByFractions>[1],
    boolean,
  ][] = [
    [pure({ epsilon: 0.5, relation }), pureLoss, true],
    [pure({ epsilon: less(0.5), relation }), pureLoss, false],
    [pure({ epsilon: 50, relation }), normal, false],
    [pure({ epsilon: 50, relation }), both, false],
    [gaussian({ mu: 0.5, relation }), normal, true],
    [gaussian({ mu: less(0.5), relation }), normal, false],
    [gaussian({ mu: 50, relation }), pureLoss, false],
    [gaussian({ mu: 50, relation }), both, false],
    [zcdp({ rho: 0.125, relation }), normal, true],
    [zcdp({ rho: less(0.125), relation }), normal, false],
    [zcdp({ rho: 0.125, relation }), pureLoss, true],
    [zcdp({ rho: less(0.125), relation }), pureLoss, false],
    [zcdp({ rho: 50, relation }), both, false],
    [renyi({ order: 4, epsilon: 0.5, relation }), normal, true],
    [renyi({ order: 4, epsilon: less(0.5), relation }), normal, false],
    [renyi({ order: 4, epsilon: 0.5, relation }), pureLoss, true],
    [renyi({ order: 4, epsilon: less(0.5), relation }), pureLoss, false],
    [renyi({ order: 4, epsilon: 50, relation }), both, false],
    [approximate({ epsilon: 0.5, delta: 1e-9, relation }), pureLoss, true],
    [approximate({ epsilon: 0.4, delta: 1e-9, relation }), pureLoss, false],
    [approximate({ epsilon: 0.4, delta: 0.9, relation }), both, false],
    ...[
      pure({ epsilon: 1e-9, relation }),
      gaussian({ mu: 1e-9, relation }),
      zcdp({ rho: 1e-9, relation }),
    ]
      .map((claim): [typeof claim, typeof nothing, boolean] => [claim, nothing, true]),
  ];
  for (const [mu, epsilon] of [[0.5, 1], [0.5, 8], [2, 0.1], [1.5, 10]] as const) {
    for (const spent of [0, 0.5]) {
      if (spent >= epsilon) continue;
      const delta = gaussianDelta(mu, epsilon - spent);
      const loss = { epsilon: rational(spent), muSquared: rational(mu * mu) };
      // Twelve digits of δ are right, and it is rounded up by 1e-11.
      const shares = [[1 + 1e-6, true], [1 + 1.2e-11, true], [1 + 8e-12, false], [1 - 1e-9, false]];
      for (const [share, holds] of shares as [number, boolean][]) {
        cases.push([approximate({ epsilon, delta: delta * share, relation }), loss, holds]);
      }
    }
  }
  for (const [claim, loss, holds] of cases) {
    requireEqual(
      keepsByFractions(claim, loss),
      holds,
      `${JSON.stringify({ ...claim, relation: "" })}`,
    );
  }
  const far = { epsilon: none, muSquared: rational(1) };
  requireThat(
    keepsByFractions(approximate({ epsilon: 1e200, delta: 1e-300, relation }), far),
    "no tail",
  );
  requireEqual(muUp(none), 0);
  for (let k = 1; k < 200; k++) {
    const square = rational(BigInt(k), 7n), mu = muUp(square);
    const squared = multiply(rational(mu), rational(mu));
    requireThat(compare(squared, square) >= 0, `μ of ${k}/7 is ${mu}`);
    requireThat(mu <= Math.sqrt(k / 7) * (1 + 5e-16), `μ of ${k}/7 is ${mu}`);
  }
  requireEqual([muUp(rational(4)), muUp(rational(9, 4))], [2, 1.5]);
});
