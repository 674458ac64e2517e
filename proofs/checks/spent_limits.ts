import { logLieProbabilities } from "../../lib/accounting/lie_probabilities.ts";
import { privacyFilter } from "../../lib/accounting/privacy_filter.ts";
import { renyiOfClaim } from "../../lib/accounting/renyi.ts";
import { largestRho } from "../../lib/accounting/zcdp.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { requireEqual, requireNear } from "../engine/requirement.ts";

/** Of a limit that is spent whole nothing remains, and after a part the rest. */
export function requireSpentLimits(): void {
  const order = 4, rho = largestRho({ epsilon: 1, delta: 1e-6 });
  const half = approximate({ epsilon: 0.5, delta: 1e-6, relation });
  for (
    const [limit, slack, whole, spending, part] of [
      [
        pure({ epsilon: 1, relation }),
        undefined,
        pure({ epsilon: 1, relation }),
        pure({ epsilon: 0.5, relation }),
        0.5,
      ],
      [
        zcdp({ rho: 1, relation }),
        undefined,
        zcdp({ rho: 1, relation }),
        zcdp({ rho: 0.5, relation }),
        0.5,
      ],
      [
        gaussian({ mu: 1, relation }),
        undefined,
        gaussian({ mu: 1, relation }),
        gaussian({ mu: 0.6, relation }),
        0.8,
      ],
      [
        approximate({ epsilon: 1, delta: 2e-6, relation }),
        undefined,
        pure({ epsilon: 1, relation }),
        pure({ epsilon: 0.5, relation }),
        0.5,
      ],
      [
        approximate({ epsilon: 1, delta: 2e-6, relation }),
        1e-6,
        zcdp({ rho, relation }),
        zcdp({ rho: rho / 2, relation }),
        rho / 2,
      ],
      [
        renyi({ order, epsilon: 1, relation }),
        undefined,
        renyi({ order, epsilon: 1, relation }),
        renyi({ order, epsilon: 0.5, relation }),
        0.5,
      ],
    ] as const
  ) {
    const name = `${limit.kind}, slack ${slack}`;
    const filter = privacyFilter(limit, slack === undefined ? {} : { slack });
    requireEqual(filter.after(whole)!.remaining, undefined, `what remains of ${name}`);
    const { remaining } = filter.after(spending)!;
    const { epsilon, rho: left, mu } = remaining as unknown as Record<string, number>;
    requireNear((epsilon ?? left ?? mu)!, part, { what: `what remains of ${name} after a part` });
  }
  // Concentrated: what is lost outright is counted beside ρ.
  const filter = privacyFilter(approximate({ epsilon: 1, delta: 2e-6, relation }), { slack: 1e-6 });
  requireEqual(
    filter.after(half)?.after(approximate({ epsilon: 1e-9, delta: 1e-9, relation })),
    undefined,
  );
  requireEqual(renyiOfClaim(renyi({ order, epsilon: 1, relation }))(order), 1, "at its own order");
  // Chances of lies beyond the doubles are 0, of all more lies.
  for (const [epsilon, count, known] of [[1e308, 5, 1], [1e307, 30, 17]] as const) {
    const logs = [...logLieProbabilities({ epsilon, count })];
    requireEqual(
      logs.map((log) => log === -Infinity),
      logs.map((_, lies) => lies > known),
      `chances of up to ${count} lies at ε = ${epsilon}`,
    );
  }
}
