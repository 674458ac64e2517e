import { lifetimeExample } from "./checks/lifetime_example.ts";
import { all, atMost, equals, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The lifetime example counted exactly: the claim is true, though not by the theorem it is quoted from. */
export const lifetimeBudget = theorem<{ readonly parts: number }>({
  id: "composition/lifetime_budget",
  statement:
    "Someone in 10,000 databases, each 1/801-differentially private, loses more than 1 with " +
    "probability at most e^−32; 1/768 would do by that tail, 1/716 by δ, 1/812.4 by the theorem on composition, 1/806.2 by its smaller drift and " +
    "1/1600 by its corollary.",
  citation:
    "Dwork, Roth 2014, example after Theorem 3.20; Kairouz, Oh, Viswanath 2015, Theorem 3.3",
  source: "Haußmann’s slides, lifetime budget",
  remember: () => {
    const { tail, tailParts } = lifetimeExample();
    return `The chance of losing more than 1 is ${short(tail)}, where ${
      short(Math.exp(-32))
    } is allowed; 1/${tailParts} each would do.`;
  },
  kind: "exhaustive",
  checked: "the six figures that are stated",
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
        equals(768, { value: example.tailParts, detail: "parts by the tail", tolerance: 0 }),
        equals(716, { value: example.deltaParts, detail: "parts by δ", tolerance: 0 }),
        equals(812.3, { value: example.theoremParts, detail: "by the theorem", tolerance: 0.05 }),
        equals(806.2, { value: example.tanhParts, detail: "by tanh", tolerance: 0.05 }),
        equals(1600, { value: example.corollaryParts, detail: "by the corollary", tolerance: 0.5 }),
      ],
      `P(loss > 1) = ${short(example.tail)}, δ = ${short(example.delta)}, allowed ${
        short(slack)
      }; ` +
        `the tail allows 1/${example.tailParts}, δ allows 1/${example.deltaParts}`,
    );
  },
  mutants: { "1/760": { parts: 760 }, "1/715": { parts: 715 } },
});
