import { requireDomains } from "../../../../proofs/checks/path_refusals.ts";

// Mutants: the largest value left out; short datasets, or long ones; a norm that bounds nothing; a field left out; a pair
// skipped; a dataset its own neighbour.
Deno.test("datasetsOfDomain() and neighboursAmong() give every dataset and every pair once", () => {
  requireDomains();
});
