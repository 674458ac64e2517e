import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { levelsOf } from "../../../lib/judge/audit/bound_on_pair.ts";
import { figures, isRefuted, type Run } from "../../../lib/judge/audit/run.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import type { Subject } from "../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** A run with this evidence, without a pair. */
function runWith(
  { wealth, bets, test }: {
    wealth: number;
    bets: number;
    test?: { refutes: boolean; bound: number };
  },
): Run {
  return {
    subject: { name: "f" },
    settings: {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      alpha: 0.05,
      seed: 1,
      bits: false,
      requirePower: 2,
      except: [],
      space: {},
      replay: "",
    },
    play: {
      sampler: { draws: 10 },
      evidence: { refuted: wealth >= 30, lowerBound: bets, logEValue: Math.log(wealth) },
    },
    betsShare: 2 / 3,
    finalBound: test && {
      bound: { refutes: () => test.refutes, lowerBound: () => test.bound },
      counted: () => undefined,
    },
    best: undefined,
    pairsTried: 0,
    limit: { seconds: 1, cut: [] },
    later: [],
  } as unknown as Run;
}

// The bets refute at level 2α/3, where their wealth is 30, and the test at α/3: at either one the e-value is 1/α = 20 or more.
Deno.test("figures() weighs the e-values of bets and test by their shares of α", () => {
  const refutes = { refutes: true, bound: 1.5 };
  const silent = { refutes: false, bound: 0.5 };
  for (
    const [run, eValue, refuted] of [
      [runWith({ wealth: 30, bets: 1 }), 20, true],
      [runWith({ wealth: 3, bets: 0.2 }), 2, false],
      [runWith({ wealth: 3, bets: 0.2, test: silent }), 2, false],
      [runWith({ wealth: 3, bets: 0.2, test: refutes }), 22, true],
      [runWith({ wealth: 60, bets: 1, test: refutes }), 60, true],
    ] as const
  ) {
    assertAlmostEquals(figures(run).eValue, eValue, 1e-9);
    assertEquals(isRefuted(run), refuted);
  }
});

Deno.test("figures() shows the larger bound of bets and test", () => {
  const test = { refutes: false, bound: 0.5 };
  assertEquals(figures(runWith({ wealth: 1, bets: 0.7, test })).epsilonLowerBound, 0.7);
  assertEquals(figures(runWith({ wealth: 1, bets: 0.3, test })).epsilonLowerBound, 0.5);
  assertEquals(figures(runWith({ wealth: 1, bets: 0.3 })).detectableEpsilon, null);
});

Deno.test("levelsOf() splits α between the bets and the test, whatever is audited", () => {
  const subject = functionSubject(() => 0, { name: "f", source: new SeededSource(1) });
  const recorded = { ...subject, recorded: {} } as unknown as Subject;
  for (const one of [subject, recorded]) {
    for (const effort of ["quick", "thorough"] as const) {
      const { betsShare, bets, test } = levelsOf({ subject: one, effort, alpha: 0.04 });
      assertAlmostEquals(bets + test, 0.04, 1e-17);
      assertAlmostEquals(bets, betsShare * 0.04, 1e-17);
      assert(bets > 0 && test > 0);
    }
  }
});
