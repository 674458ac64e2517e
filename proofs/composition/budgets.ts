import { openBudget } from "../../lib/accounting/budget.ts";
import { mapMechanism } from "../../lib/accounting/map_mechanism.ts";
import { privacyFilter } from "../../lib/accounting/privacy_filter.ts";
import { privacyOdometer } from "../../lib/accounting/privacy_odometer.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../lib/core/claim.ts";
import { addRemoveOne, replaceOne as relation } from "../../lib/core/relation.ts";
import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { release } from "../../lib/mechanisms/release.ts";
import { SecureSource } from "../../lib/random/secure_source.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";
import { claims, type Filter, requireFilters } from "../checks/filter_cases.ts";

/** What budgets, filters and odometers let through. */
export const budgets = theorem<Filter>({
  id: "composition/budgets",
  statement:
    "A budget lets a sequence of releases through, chosen adaptively, while what they cost by its rule (Σε and Σδ; Σρ with part of δ as slack; Σμ²; Rényi divergences at one order) fits its " +
    "limit, and refuses the first that does not; an odometer's ε grows with what was released; a release pays before it draws.",
  citation:
    "Rogers, Roth, Ullman, Vadhan 2016; Whitehouse, Ramdas, Rogers, Wu 2023; Feldman, Zrnic 2021; Dwork, Roth 2014, Theorem 3.16",
  source: "lib/accounting: budget, privacy_filter, privacy_odometer; lib/mechanisms: release",
  kind: "sampled",
  checked:
    "six limits, each offered 60 generated claims of seven; odometers tuned for one and three values; releases with a secure source and without",
  subject: privacyFilter,
  check: (filter, { seed }) =>
    casesOf({
      "what fits is let through, and nothing more": () => requireFilters(filter, seed),
      "the cheapest of several claims": () => {
        const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
        const both = [pure({ epsilon: 0.3, relation }), zcdp({ rho: 0.002, relation })] as const;
        requireEqual(filter(limit, { slack: 5e-7 }).cheapest(both[0], [both[1]]).kind, "zcdp");
        requireEqual(filter(limit).cheapest(both[0], [both[1]]).kind, "pure");
        requireEqual(
          filter(zcdp({ rho: 1, relation })).cheapest(both[1], [pure({ epsilon: 0.01, relation })])
            .kind,
          "pure",
        );
        // One that fits before one that is cheaper by share and does not.
        const spent = filter(limit, { slack: 5e-7 }).after(
          approximate({ epsilon: 0.001, delta: 4.9e-7, relation }),
        )!;
        requireEqual(
          spent.cheapest(approximate({ epsilon: 0.001, delta: 1e-7, relation }), [
            zcdp({ rho: 0.02, relation }),
          ]).kind,
          "zcdp",
        );
        // Far out, an ε counts as the μ of √(2ε) on either side.
        const wide = filter(gaussian({ mu: 100, relation }));
        for (const epsilon of [590, 610, 700]) {
          const { remaining } = wide.after(pure({ epsilon, relation }))!;
          requireNear((remaining as { mu: number }).mu, Math.sqrt(1e4 - 8 * epsilon), {
            relative: epsilon < 600 ? 2e-2 : 1e-10,
            what: "the μ that is left",
          });
        }
        // By the larger of both shares: .9 of δ is more than .3 of ε, whatever the smaller one is.
        for (const [epsilon, delta] of [[0.2, 9e-7], [0.5, 1e-8], [0.05, 4e-7]] as const) {
          const dear = approximate({ epsilon, delta, relation });
          const cheap = approximate({ epsilon: 0.3, delta: 1e-7, relation });
          for (const [first, second] of [[dear, cheap], [cheap, dear]] as const) {
            requireThat(filter(limit).cheapest(first, [second]) === cheap, "the cheaper of two");
          }
        }
        requireRefused(
          "claims that cannot be counted",
          () => filter(pure({ epsilon: 1, relation })).cheapest(zcdp({ rho: 1, relation }), []),
          "limit of kind pure",
        );
        for (const claim of [zcdp({ rho: 0.01, relation }), gaussian({ mu: 0.01, relation })]) {
          requireRefused("without slack", () => filter(limit).after(claim), "slack must be given");
        }
        for (const slack of [undefined, 5e-7]) {
          requireRefused(
            "Rényi privacy",
            () =>
              filter(limit, slack === undefined ? {} : { slack }).after(
                renyi({ order: 2, epsilon: 0.01, relation }),
              ),
            "claims that it can count",
          );
        }
      },
      "limits that cannot be": () => {
        const limit = approximate({ epsilon: 1, delta: 1e-6, relation });
        filter(limit, { slack: 1e-6 });
        for (const slack of [1.01e-6, 0, 1, -1, NaN]) {
          requireRefused(`slack of ${slack}`, () => filter(limit, { slack }), "slack");
        }
        requireRefused("slack for a pure limit", () =>
          filter(pure({ epsilon: 1, relation }), { slack: 0.1 }), "slack must be left out");
        requireRefused("another relation", () =>
          filter(limit).after(pure({ epsilon: 0.1, relation: addRemoveOne })), "relation");
        requireRefused("no claim", () =>
          filter({ kind: "pure", epsilon: 1 } as never));
        requireRefused("no claim to spend", () =>
          filter(limit).after({ kind: "pure", epsilon: 1, relation } as never));
      },
      "budgets": requireBudgets,
      "odometers": requireOdometers,
      "what is made of an output costs nothing": () => {
        const inner = mechanismNamed("quantile", { epsilon: 0.5 });
        const mapped = mapMechanism(inner, {
          name: "half",
          transform: (output) =>
            (output as number) / 2,
        });
        requireEqual([
          mapped.name,
          mapped.claim === inner.claim,
          mapped.alsoKeeps === inner.alsoKeeps,
          mapped.domain === inner.domain,
        ], ["half", true, true, true]);
        const [one, other] = [new SeededSource(seed), new SeededSource(seed)];
        requireEqual(mapped.sample([0.5], one), (inner.sample([0.5], other) as number) / 2);
        requireRefused("data that cannot be released", () =>
          mapped.check!([NaN]));
        requireEqual("logDensity" in mapped || "sampleMany" in mapped, false);
      },
    }),
  mutants: {
    "a limit a thousandth larger": (limit, options) =>
      privacyFilter(
        limit.kind === "pure" ? pure({ epsilon: limit.epsilon * 1.001, relation }) : limit,
        options,
      ),
    "ε in place of ε²/2": (limit, options) =>
      limit.kind === "zcdp"
        ? privacyFilter(pure({ epsilon: limit.rho, relation }))
        : privacyFilter(limit, options),
    "the slack is spent on claims too": (limit, options) =>
      privacyFilter(
        limit,
        limit.kind === "approximate" && options?.slack !== undefined
          ? { slack: options.slack / 4 }
          : options,
      ),
  },
});

function requireBudgets(): void {
  const half = pure({ epsilon: 0.5, relation });
  const budget = openBudget(pure({ epsilon: 1, relation }));
  requireEqual([budget.canSpend(half), budget.ledger.length], [true, 0]);
  budget.spend(half);
  requireEqual([budget.ledger.length, (budget.remaining as { epsilon: number }).epsilon], [1, 0.5]);
  // All or nothing.
  requireRefused(
    "more than is left",
    () => budget.spendAll([pure({ epsilon: 0.25, relation }), half]),
    "must fit",
  );
  requireEqual([budget.ledger.length, (budget.remaining as { epsilon: number }).epsilon], [1, 0.5]);
  budget.spendAll([pure({ epsilon: 0.25, relation }), pure({ epsilon: 0.25, relation })]);
  requireEqual([
    budget.ledger.length,
    budget.remaining,
    budget.canSpend(pure({ epsilon: 1e-9, relation })),
  ], [3, undefined, false]);
  requireEqual(budget.canSpend(zcdp({ rho: 0.1, relation })), false);
  requireRefused(
    "a hair more",
    () =>
      openBudget(pure({ epsilon: 0.3, relation })).spend(
        pure({ epsilon: 0.3 * (1 + 1e-13), relation }),
      ),
    "share(",
  );
  const other = openBudget(approximate({ epsilon: 1, delta: 1e-6, relation }), { slack: 5e-7 });
  other.spend(half, [zcdp({ rho: 0.001, relation })]);
  requireEqual(other.ledger[0]!.kind, "zcdp");
  // A release pays before it draws, by a secure source only.
  const mechanism = mechanismNamed("laplace", { epsilon: 0.5 });
  const paying = openBudget(pure({ epsilon: 1, relation: mechanism.claim.relation }));
  requireThat(typeof release(mechanism, [0.5], { budget: paying }) === "number", "an output");
  requireEqual(paying.ledger.length, 1);
  requireRefused(
    "a seeded source",
    () => release(mechanism, [0.5], { budget: paying, source: new SeededSource(1) as never }),
    "secure",
  );
  requireRefused("bad data", () => release(mechanism, [NaN], { budget: paying }), "Cannot release");
  requireRefused("no budget", () => release(mechanism, [0.5], {} as never), "budget must be given");
  requireEqual(paying.ledger.length, 1);
  release(mechanism, [0.5], { budget: paying, source: new SecureSource() });
  requireRefused(
    "nothing is left",
    () => release(mechanism, [0.5], { budget: paying }),
    "must fit",
  );
}

function requireOdometers(): void {
  const slack = 1e-6;
  for (const tunedFor of [[0.1], [0.01, 0.1, 1]]) {
    const rarity = Math.log(tunedFor.length / slack);
    let odometer = privacyOdometer({ slack, tunedFor });
    requireEqual([odometer.epsilon, odometer.delta, odometer.rho, odometer.relation], [
      0,
      slack,
      0,
      undefined,
    ]);
    let rho = 0, delta = slack;
    for (
      const claim of [
        claims[0],
        claims[2],
        claims[4],
        claims[5],
        approximate({ epsilon: 0.5, delta: 1e-4, relation }),
      ]
    ) {
      odometer = odometer.after(claim);
      rho += claim.kind === "zcdp"
        ? claim.rho
        : claim.kind === "gaussian"
        ? claim.mu ** 2 / 2
        : claim.epsilon ** 2 / 2;
      if (claim.kind === "approximate") delta += claim.delta;
      requireNear(odometer.rho, rho, { relative: 1e-12 });
      requireNear(odometer.delta, delta, { relative: 1e-12 });
      // The least over slopes a of ρ + aρ + ln(m/δ)/a, each tuned for a ρ: a = √(ln(m/δ)/ρ).
      const stated = Math.min(...tunedFor.map((tuned) => {
        const slope = Math.sqrt(rarity / tuned);
        return rho + slope * rho + rarity / slope;
      }));
      requireNear(odometer.epsilon, stated, { relative: 1e-12 });
      requireThat(
        odometer.epsilon >= stated * (1 - 1e-15) && odometer.relation === relation,
        "rounded up",
      );
    }
    // Where ρ is what it is tuned for, ε is ρ + 2√(ρ·ln(m/δ)).
    const tuned = tunedFor.at(-1)!;
    requireNear(
      privacyOdometer({ slack, tunedFor }).after(zcdp({ rho: tuned, relation })).epsilon,
      tuned + 2 * Math.sqrt(tuned * rarity),
      { relative: 1e-12 },
    );
    requireRefused(
      "another relation",
      () => odometer.after(pure({ epsilon: 1, relation: addRemoveOne })),
      "relation",
    );
  }
  const odometer = privacyOdometer({ slack, tunedFor: [1] });
  // Of several claims the one with the least δ, then the least ρ.
  requireNear(
    odometer.after(approximate({ epsilon: 0.1, delta: 1e-3, relation }), [
      pure({ epsilon: 1, relation }),
      zcdp({ rho: 0.2, relation }),
    ]).rho,
    0.2,
  );
  requireEqual(
    odometer.after(approximate({ epsilon: 0.1, delta: 0.9, relation })).after(
      approximate({ epsilon: 0.1, delta: 0.9, relation }),
    ).delta,
    1,
  );
  requireRefused(
    "Rényi privacy",
    () => odometer.after(renyi({ order: 2, epsilon: 0.1, relation })),
    "must imply zCDP",
  );
  for (const bad of [0, 1, NaN]) {
    requireRefused(`slack of ${bad}`, () => privacyOdometer({ slack: bad, tunedFor: [1] }));
  }
  for (const tunedFor of [[], [0], [1, -1]]) {
    requireRefused("what it is tuned for", () => privacyOdometer({ slack, tunedFor }));
  }
}
