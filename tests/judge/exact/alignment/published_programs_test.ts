import { assertEquals } from "@std/assert";
import { alignedForms } from "../../../../proofs/judge/exact/checks/aligned_forms.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import { alignmentCertificate } from "../../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { solverAnswers } from "../../../solver_answers.ts";
import { LONG } from "../../../long.ts";
import { rejection } from "../../../../lib/judge/certificates/check_alignment.ts";

// The theorem exact/alignments has shorter lists, and programs that break their claim. Mutants: a comparison left out of a region; the cost of one draw.
Deno.test("proveAlignment() proves published programs on lists of eight answers with the loss that is known", async () => {
  for (const { name, program, domain, relation: called, proved } of alignedForms) {
    if (domain.size.max <= 6) continue;
    const relation = relationNamed(called)!;
    const proof = await proveAlignment(
      { name, run: (data, source) => program(data as number[], source) },
      { claim: pure({ epsilon: 1, relation }), cases: neighbourCases(domain, relation)! },
    );
    assertEquals([proof.report.verdict, proof.report.epsilon], ["holds", proved], name);
    const certificate = alignmentCertificate(proof);
    assertEquals(rejection(certificate), undefined, name);
    // Those of shorter lists are put to them every day: tests/judge/certificates/check_alignment_test.ts.
    if (!LONG) continue;
    for (const { solver, answers } of await solverAnswers(certificate)) {
      assertEquals([...answers], ["unsat"], `${name}, ${solver}`);
    }
  }
});
