import { assertEquals } from "@std/assert";
import { alignedForms } from "../../../../proofs/exact/checks/aligned_forms.ts";
import { brokenForms } from "../../../../proofs/exact/checks/broken_forms.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { relationNamed } from "../../../../lib/core/relation_named.ts";
import { alignmentCertificate } from "../../../../lib/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../../lib/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/exact/alignment/prove_alignment.ts";
import { rejection } from "../../../../scripts/check_alignment.ts";

// Mutants: a comparison left out of a region; the cost of one draw; shifts of exponential noise below 0.
Deno.test("proveAlignment() proves published programs with the loss that is known, for all answers at once", async () => {
  for (const { name, program, domain, relation: called, proved } of alignedForms) {
    const relation = relationNamed(called)!;
    const proof = await proveAlignment(
      { name, run: (data, source) => program(data as number[], source) },
      { claim: pure({ epsilon: 1, relation }), cases: neighbourCases(domain, relation)! },
    );
    assertEquals([proof.report.verdict, proof.report.epsilon], ["holds", proved], name);
    assertEquals(rejection(alignmentCertificate(proof)), undefined, name);
  }
});

Deno.test("proveAlignment() does not prove programs that break their claim, and shows what they keep", async () => {
  for (const { name, program, domain, relation: called, proved } of brokenForms) {
    const relation = relationNamed(called)!;
    const { report } = await proveAlignment(
      { name, run: (data, source) => program(data as number[], source) },
      { claim: pure({ epsilon: 1, relation }), cases: neighbourCases(domain, relation)! },
    );
    assertEquals([report.verdict, report.epsilon], ["not proved", proved], name);
    const { left, right } = report.worst!.pair as { left: number[]; right: number[] };
    assertEquals(relation.violation(left, right), undefined, name);
  }
});
