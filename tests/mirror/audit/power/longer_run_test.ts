import { assert, assertEquals } from "@std/assert";
import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import { detectableParameter } from "../../../../lib/audit/power/detectable_parameter.ts";
import { longerRun } from "../../../../lib/audit/power/longer_run.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const learned = {
  leaves: Int32Array.of(0, 1),
  counts: Float64Array.of(30, 70, 70, 30),
  logOdds: STANDARD_ERRORS.map(() => Float64Array.of(0.8, -0.8)),
};
const bets = { claim, alpha: 0.01, power: 0.9 };

function run(draws: number, seconds: number): ReturnType<typeof longerRun> {
  const detectable = detectableParameter(learned, { ...bets, draws });
  return longerRun(learned, { ...bets, draws, seconds, detectable });
}

// Mutants: a fast run called slow; the longest budget always; budgets no longer than that of the run; draws that do not grow with seconds.
Deno.test("longerRun() is the shortest budget by which half of what is missing is seen", () => {
  assertEquals([run(20_000, 20), run(20, 0.5), run(0, 20)], [undefined, undefined, undefined]);
  for (const [draws, seconds] of [[860, 20], [60, 20], [5000, 90], [200, 700]] as const) {
    const longer = run(draws, seconds)!, now = detectableParameter(learned, { ...bets, draws })!;
    const at = (budget: number): number =>
      detectableParameter(learned, { ...bets, draws: Math.floor(draws * budget / seconds) })!;
    assertEquals(longer.detectableEpsilon, at(longer.seconds));
    const wanted = now === Infinity ? 2 : (1 + now) / 2;
    const shorter = [60, 120, 300, 600, 1800, 3600, 7200].filter((budget) =>
      budget > seconds && budget < longer.seconds
    );
    assert(longer.seconds > seconds && longer.detectableEpsilon < now);
    assert(longer.detectableEpsilon <= wanted || longer.seconds === 7200);
    for (const budget of shorter) assert(at(budget) > wanted, `${draws} ${seconds} ${budget}`);
  }
});
