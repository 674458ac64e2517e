import { requireOutputKeys } from "./path_refusals.ts";

// Mutants: −0 and 0 as one; a text that reads as a number; holes taken for undefined; errors by their messages alone.
Deno.test("outputKey() is the same for equal outputs only, and refuses what cannot be compared", () => {
  requireOutputKeys();
});
