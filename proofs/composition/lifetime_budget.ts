import { lifetimeExample } from "../../lib/accounting/lifetime_example.ts";
import { all, atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The lifetime example counted exactly: the claim is true, though not by the theorem it is quoted from. */
export const lifetimeBudget = theorem<{ readonly parts: number }>({
  id: "composition/lifetime_budget",
  statement:
    "Someone in 10,000 databases, each 1/801-differentially private, loses more than 1 with " +
    "probability at most e^−32.",
  citation:
    "Dwork, Roth 2014, example after Theorem 3.20; Kairouz, Oh, Viswanath 2015, Theorem 3.3",
  source: "Haußmann’s slides, lifetime budget; 1/768 by the tail, 1/716 by δ",
  kind: "exhaustive",
  checked: "the one case that is stated",
  subject: { parts: 801 },
  check: ({ parts }) => {
    const slack = Math.exp(-32);
    const example = lifetimeExample({ count: 10_000, epsilon: 1, slack, publishedParts: parts });
    return all(
      [
        atMost(slack, {
          value: example.tail,
          detail: "P(loss > 1)",
          witness: `P(loss > 1) is ${short(example.tail)}, above ${short(slack)}`,
        }),
        atMost(slack, {
          value: example.delta,
          detail: "δ",
          witness: `δ is ${short(example.delta)}`,
        }),
      ],
      `P(loss > 1) = ${short(example.tail)}, δ = ${short(example.delta)}, allowed ${
        short(slack)
      }; ` +
        `the tail allows 1/${example.tailParts}, δ allows 1/${example.deltaParts}`,
    );
  },
  mutants: { "1/760": { parts: 760 }, "1/715": { parts: 715 } },
});
