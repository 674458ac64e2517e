import { assert, assertEquals } from "@std/assert";
import { nextGrowth } from "../../../../lib/audit/prediction/next_growth.ts";

// Mutants: a first tree on the first draws with every effort, or on a thousand with each; a factor of 1.
Deno.test("nextGrowth() grows a first tree at once in a quick audit, and later trees on more draws each time", () => {
  assertEquals(nextGrowth("quick", 0), 0);
  for (const effort of ["thorough", "sparing"] as const) assertEquals(nextGrowth(effort, 0), 1024);
  for (const effort of ["quick", "thorough", "sparing"] as const) {
    for (let grownAt = 32; grownAt < 1 << 19;) {
      const next = nextGrowth(effort, grownAt);
      assert(next >= 1.4 * grownAt, `${effort}: ${next} after ${grownAt}`);
      grownAt = next;
    }
  }
});
