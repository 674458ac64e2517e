import { largestLogRatio } from "../../../proofs/tools/density_ratio.ts";
import { largestChange } from "../../../proofs/tools/sensitivity.ts";
import { requireChanges, requireLogRatios } from "./search_cases.ts";

Deno.test("largestLogRatio() climbs to closed forms and starts where it is told to", () => {
  requireLogRatios(largestLogRatio);
});

// Mutants: pairs ranked the other way; climbs from pairs that are no better.
Deno.test("largestChange() takes the uncertainty off, and climbs from the pairs that change most", () => {
  requireChanges(largestChange);
});
