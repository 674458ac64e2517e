import { requireOutputKeys } from "../../../../proofs/checks/path_refusals.ts";

// Mutants: −0 and 0 as one; a text that reads as a number; keys in the order in which they were written.
Deno.test("outputKey() is the same for equal outputs only, and refuses what cannot be compared", () => {
  requireOutputKeys();
});
