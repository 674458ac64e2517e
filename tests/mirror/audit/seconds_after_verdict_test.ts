import { assert, assertEquals } from "@std/assert";
import { SecondsAfterVerdict } from "../../../lib/audit/seconds_after_verdict.ts";

/** The most seconds that all steps take together, each taking all that it gets. */
function all(maxSeconds: number, seconds: number): number {
  const begun = performance.now();
  let now = begun;
  const clock = (): number => now;
  const budget = new SecondsAfterVerdict({ maxSeconds }, { seconds }, clock);
  const steps = [
    "forShrinking",
    "forConfirming",
    "forBound",
    "forEvent",
    "forEvent",
    "forEvent",
  ] as const;
  for (const step of steps) now += 1000 * budget[step]();
  return (now - begun) / 1000;
}

// Mutants: the clock stands still, the overrun is left out, a share is 1.
Deno.test("SecondsAfterVerdict ends a tenth or two seconds after the deadline, whatever the verdict took", () => {
  for (const maxSeconds of [0.5, 2, 10, 20, 60, 600]) {
    for (const share of [0.01, 0.3, 0.9, 1]) {
      const seconds = share * maxSeconds, after = all(maxSeconds, seconds);
      assert(
        seconds + after <= maxSeconds + Math.max(2, maxSeconds / 10),
        `${maxSeconds} ${share}`,
      );
      assert(after >= 1.5, `${after} s are left unused`);
    }
  }
});

Deno.test("SecondsAfterVerdict leaves the bound to draws where there is no deadline, and ends all else", () => {
  const budget = new SecondsAfterVerdict({ maxSeconds: Infinity }, { seconds: 1000 });
  assertEquals(budget.forBound(), Infinity);
  assertEquals([budget.forShrinking(), budget.forConfirming(), budget.forEvent()], [5, 3, 3]);
});
