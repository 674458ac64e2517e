import { assert } from "@std/assert";
import { largestParameter } from "../../../../../lib/judge/audit/kernel/betting/largest_parameter.ts";

// Mutants: an end that is not moved, so that the search stays where it began; a parameter returned that was not seen to hold.
Deno.test("largestParameter() is the edge to the last digits, from below, wherever the search begins", () => {
  for (const edge of [1e-3, 0.1, 0.7, 1, 3.3, 1000, 123_456]) {
    for (const start of [0.01, 0.5, 1, 8, 4000]) {
      const seen = new Set<number>();
      const found = largestParameter((parameter) => {
        if (parameter <= edge) seen.add(parameter);
        return parameter <= edge;
      }, start);
      assert(seen.has(found) && found >= edge - 1e-15 * Math.max(edge, start), `${found} ${edge}`);
    }
  }
});
