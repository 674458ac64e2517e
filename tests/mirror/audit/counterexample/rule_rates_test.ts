import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Term } from "../../../../lib/audit/counterexample/event.ts";
import { RuleRates } from "../../../../lib/audit/counterexample/rule_rates.ts";

const holds: Readonly<Record<Term["operator"], (x: number, threshold: number) => boolean>> = {
  "<=": (x, threshold) => x <= threshold,
  ">": (x, threshold) => x > threshold,
  "=": (x, threshold) => x === threshold,
  "!=": (x, threshold) => x !== threshold && !Number.isNaN(x),
  is: (x) => Number.isNaN(x),
};

const value = fc.constantFrom(-1, 0, 1, 2, NaN, Infinity);
const rules = fc.array(
  fc.array(
    fc.record({
      index: fc.nat(1),
      operator: fc.constantFrom(...Object.keys(holds) as Term["operator"][]),
      threshold: value,
    }),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 1, maxLength: 6 },
);

Deno.test("rates of rules are those of outputs one by one, in any order of rules", () => {
  // Around a word of bits and around a chunk of 4,096 outputs; conditions of earlier rules come again.
  const lengths = fc.constantFrom(0, 1, 31, 32, 33, 4095, 4096, 4097, 8200);
  fc.assert(
    fc.property(
      lengths,
      fc.array(value, { minLength: 1, maxLength: 50 }),
      rules,
      fc.nat(9),
      (n, values, rules, excepted) => {
        const at = (i: number, column: number): number =>
          values[(2 * i + 5 * column) % values.length]!;
        const rows = Float64Array.from({ length: 2 * n }, (_, k) => at(k >> 1, k & 1));
        const features = [0, 1].map((index) => (
          { kind: "column", index, name: `output[${index}]` } as const
        ));
        const rates = new RuleRates(rows, { width: 2, excepted });
        for (const rule of [...rules, ...rules.toReversed()]) {
          let hits = 0;
          for (let i = 0; i < n; i++) {
            hits += Number(
              rule.every(({ index, operator, threshold }) =>
                holds[operator](at(i, index), threshold)
              ),
            );
          }
          const terms = rule.map(({ index, ...term }) => ({ ...term, feature: features[index]! }));
          assertEquals(rates.of(terms), { hits, draws: n + excepted });
        }
      },
    ),
    { numRuns: 40 },
  );
});
