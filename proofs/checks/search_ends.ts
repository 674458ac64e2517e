import { lowerCrossing, upperCrossing } from "../../lib/accounting/delta_crossing.ts";
import { lifetimeExample } from "../../lib/accounting/lifetime_example.ts";
import { capAll, infiniteBelow, levelsOf } from "../../lib/accounting/loss_levels.ts";
import { optimalDelta, optimalEpsilon } from "../../lib/accounting/optimal_composition.ts";
import { approximateLoss, gaussianLoss } from "../../lib/accounting/privacy_loss.ts";
import { gaussianDelta } from "../../lib/numeric/gaussian_delta.ts";
import { normalTail } from "../../lib/numeric/normal_tail.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";

/** Searches for ε and for levels end where they must. */
export function requireSearches(): void {
  const deltaAt = (epsilon: number): number => gaussianDelta(1, epsilon);
  for (const delta of [0.3, 1e-3, 1e-9]) {
    const above = upperCrossing({ upperAt: deltaAt }, { epsilon: 1, delta });
    for (const from of [0.5 * above, above, 3 * above]) {
      const up = upperCrossing({ upperAt: deltaAt }, { epsilon: from, delta });
      const down = lowerCrossing({ lowerAt: deltaAt }, { from: 3 * above, delta });
      requireThat(deltaAt(up) <= delta && deltaAt(down) > delta, `an ε from ${from}`);
      requireThat(up - down <= 1e-6 * up, `[${down}, ${up}] is wide`);
    }
  }
  requireEqual(upperCrossing({ upperAt: () => 0.1 }, { epsilon: 1, delta: 0.01 }), Infinity);
  requireEqual(upperCrossing({ upperAt: () => 0.1 }, { epsilon: 1, delta: 0.2 }), 0);
  requireEqual(lowerCrossing({ lowerAt: () => 0.1 }, { from: 1, delta: 0.2 }), 0);
  for (
    const [groups, delta] of [[[{ epsilon: 0.3, count: 9 }], 1e-3], [[{
      epsilon: 0.1,
      delta: 1e-4,
      count: 40,
    }, { epsilon: 1, count: 2 }], 0.01]] as const
  ) {
    const epsilon = optimalEpsilon(groups, { delta })!;
    requireThat(optimalDelta(groups, { epsilon }) <= delta, `ε of ${epsilon}`);
    requireThat(
      optimalDelta(groups, { epsilon: epsilon * (1 - 1e-10) }) > delta,
      `ε of ${epsilon} is not least`,
    );
  }
  requireEqual(optimalEpsilon([{ epsilon: 0.1, count: 1 }], { delta: 0.5 }), 0);
  requireEqual(optimalEpsilon([{ epsilon: 0.1, delta: 0.2, count: 1 }], { delta: 0.1 }), undefined);
  const all = optimalEpsilon([{ epsilon: 0.1, count: 3 }], { delta: 0 })!;
  requireThat(all >= 0.3 && all < 0.3 + 1e-14, `ε of ${all} for δ = 0`);
  const small = lifetimeExample({ count: 400, epsilon: 1, slack: 1e-4, publishedParts: 70 });
  const up = lifetimeExample({ count: 400, epsilon: 1, slack: 1e-4, publishedParts: 120 });
  requireEqual(
    [small.tailParts, small.deltaParts],
    [up.tailParts, up.deltaParts],
    "least parts from either side",
  );
  const deltaOf = (parts: number): number =>
    optimalDelta([{ epsilon: 1 / parts, count: 400 }], { epsilon: 1 });
  requireThat(
    deltaOf(small.deltaParts) <= 1e-4 && deltaOf(small.deltaParts - 1) > 1e-4,
    "the least parts",
  );
  const easy = lifetimeExample({ count: 1, epsilon: 1, slack: 0.3, publishedParts: 3 });
  requireEqual([easy.tailParts, easy.deltaParts], [1, 1]);
  const normal = gaussianLoss({ mu: 1 }).forward,
    leaking = approximateLoss({ epsilon: 0.2, delta: 0.01 }).forward;
  const laws = [{ law: normal, count: 3 }, { law: leaking, count: 2 }];
  for (const rare of [1e-3, 1e-9]) {
    const { cap, infinite } = capAll(laws, rare);
    const beyond = normalTail(cap - 0.5);
    requireThat(
      beyond <= rare / 5 && beyond > rare / 5 * 0.99,
      `${beyond} above a cap for ${rare}`,
    );
    requireNear(infinite, 1 - (1 - beyond) ** 3 * 0.99 ** 2, {
      relative: 1e-9,
      what: "what is beyond",
    });
    requireThat(infinite >= 1 - 0.99 ** 2, "what leaks");
  }
  requireThat(capAll([{ law: leaking, count: 1 }], 1e-3).cap === 0.2, "the cap of atoms");
  requireNear(infiniteBelow(laws), 1 - 0.99 ** 2, { relative: 1e-11 });
  requireThat(infiniteBelow(laws) < 1 - 0.99 ** 2, "rounded down");
  requireEqual(Math.abs(infiniteBelow([{ law: normal, count: 9 }])), 0);
  requireEqual(levelsOf([{ law: leaking, count: 1 }], { cap: 1, epsilon: 1 }), [{
    to: 1,
    edge: -Infinity,
  }]);
  requireEqual(levelsOf([{ law: leaking, count: 1 }], { cap: 4, epsilon: 1 }), [{
    to: 4,
    edge: -Infinity,
  }]);
  requireEqual(levelsOf([{ law: leaking, count: 1 }], { cap: 100, epsilon: 1 }), [
    { to: 100, edge: 12.5 },
    { to: 12.5, edge: 2 },
    { to: 2, edge: -Infinity },
  ]);
  requireEqual(levelsOf([{ law: normal, count: 4 }], { cap: 9, epsilon: 0 })[0]!.edge, 4);
}
