import { assertEquals } from "@std/assert";
import { searchUntil } from "../../../../lib/audit/search/search_until.ts";

Deno.test("searchUntil() gives more time to a quick search with nothing in sight, and to a thorough one with few pairs", () => {
  const quick = (isInSight: boolean): number => searchUntil("quick", { isInSight, tried: 30 });
  assertEquals([quick(true), quick(false)], [0.35, 0.5]);
  for (const isInSight of [true, false]) {
    const shares = [5, 23, 24, 63, 64, 300].map((tried) =>
      searchUntil("thorough", { isInSight, tried })
    );
    assertEquals(shares, [0.14, 0.14, 0.2, 0.2, 0.14, 0.14]);
  }
});
