import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  advancedComposition,
  advancedEpsilonOfEach,
} from "../../../../lib/dp/accounting/composition/advanced_composition.ts";
import { parameters, slacks } from "../arbitraries.ts";

const counts = fc.integer({ min: 1, max: 1000 });

// Mutant: tanh(ε) in place of tanh(ε/2), which makes the "sharper" form the larger one for small ε.
Deno.test("advancedComposition() is sharper with the tanh form and grows with everything", () => {
  fc.assert(
    fc.property(parameters, counts, slacks, (part, count, slack) => {
      const printed = advancedComposition(part, { count, slack });
      const sharper = advancedComposition(part, { count, slack, form: "tanh" });
      assert(sharper.epsilon < printed.epsilon);
      assert(advancedComposition(part, { count: count + 1, slack }).epsilon > printed.epsilon);
      assert(advancedComposition(part, { count, slack: slack / 2 }).epsilon > printed.epsilon);
      assert(printed.delta >= Math.min(1, count * part.delta + slack));
    }),
    { seed: 21 },
  );
  assertEquals(advancedComposition({ epsilon: 1 }, { count: 0, slack: 0.1 }), {
    epsilon: 0,
    delta: 0,
  });
});

// Mutants: rounding the share up; stopping the bisection early.
Deno.test("advancedEpsilonOfEach() is the largest share that keeps the total", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 5, noNaN: true }),
      counts,
      slacks,
      (total, count, slack) => {
        for (const form of ["dwork-roth", "tanh"] as const) {
          const epsilon = advancedEpsilonOfEach({ epsilon: total, count, slack, form });
          assert(advancedComposition({ epsilon }, { count, slack, form }).epsilon <= total);
          const more = epsilon * (1 + 1e-12);
          assert(advancedComposition({ epsilon: more }, { count, slack, form }).epsilon > total);
        }
      },
    ),
    { seed: 22 },
  );
});

// Mutants: a part without δ counted as giving everything away; δ beyond 1.
Deno.test("advancedComposition() adds no δ for parts that have none, and promises nothing at 1", () => {
  const { delta } = advancedComposition({ epsilon: 1 }, { count: 5, slack: 0.25 });
  assert(delta >= 0.25 && delta <= 0.25 * (1 + 1e-13));
  assertEquals(advancedComposition({ epsilon: 1, delta: 0.5 }, { count: 5, slack: 0.5 }).delta, 1);
});

// Mutant: a bisection that begins below the answer, where one run has nearly all of the slack.
Deno.test("advancedEpsilonOfEach() is the largest share when the slack is nearly 1", () => {
  for (const form of ["dwork-roth", "tanh"] as const) {
    const options = { count: 1, slack: 0.9, form };
    const epsilon = advancedEpsilonOfEach({ epsilon: 1, ...options });
    assert(advancedComposition({ epsilon }, options).epsilon <= 1);
    assert(advancedComposition({ epsilon: epsilon * (1 + 1e-12) }, options).epsilon > 1);
  }
});
