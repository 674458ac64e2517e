// The steps of alignments, each by a check of its own.
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { steps } from "./alignment_kinds.ts";
import { requireAlignmentEdges } from "./alignment_edges.ts";
import { requireTraces } from "./alignment_refusals.ts";
import { requireCertificates, requireShifts, requireTightPairs } from "./alignment_steps.ts";
import { requireClaims } from "./claims_of_noise.ts";
import { linear, requireFarkas, requireForms } from "./linear_parts.ts";
import { requireSolutions } from "./linear_solutions.ts";
import { requireBothWays, requirePlainOutputs } from "./compared_both_ways.ts";
import { requireNames } from "./names_of_noise.ts";
import { requireCases } from "./neighbour_cases.ts";

const source = (): SeededSource => new SeededSource(2811);

Deno.test("forms add, scale and substitute as numbers do", () => requireForms(source()));

Deno.test("linear inequalities follow or exclude each other as elimination says", () =>
  requireFarkas(linear, source()));

Deno.test("equations are solved in fractions", () => requireSolutions(linear, source()));

Deno.test("claims follow from losses to the last bit", () => requireClaims(steps));

Deno.test("cases are all neighbours and no others", () => requireCases(steps));

Deno.test("names of noise are those of draws, and of no data", requireNames);

Deno.test("programs that cannot be traced, or put out something else with numbers, are refused", () =>
  requireTraces(proveAlignment));

Deno.test("shifts with one part changed are rejected", () => requireShifts(steps));

Deno.test("certificates say what was proved", requireCertificates);

Deno.test("tight pairs attain the loss that is proved", requireTightPairs);

Deno.test("losses, bounds and tight pairs of programs for which they are known", () =>
  requireAlignmentEdges(proveAlignment));

Deno.test("data that are compared both ways are traced both ways", () =>
  requireBothWays(proveAlignment));

Deno.test("what loses nothing has a certificate for every claim", () =>
  requirePlainOutputs(proveAlignment));
