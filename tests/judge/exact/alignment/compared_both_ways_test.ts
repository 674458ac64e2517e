import { pure, renyi } from "../../../../lib/core/mod.ts";
import type { Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { alignmentCertificate } from "../../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { requireEqual } from "../../../../proofs/engine/requirement.ts";
import {
  changedAnswers,
  eachByOne as relation,
} from "../../../../proofs/judge/exact/checks/changed_answers.ts";

Deno.test("data that are compared both ways are traced both ways", async () => {
  // Where a is below b, where it is above, and where they are equal.
  const places = ["below", "above", "equal"] as const;
  for (const order of [[0, 1], [1, 0]]) {
    for (const leak of [...places, undefined]) {
      const run: TracedProgram = (data, source) => {
        const [a, b] = order.map((i) => (data as Real[])[i]!) as [Real, Real];
        const noisy = source.sum(a, source.laplace({ scale: 1 }));
        const below = source.less(a, b), above = source.less(b, a);
        const place = below ? above ? "both" : "below" : above ? "above" : "equal";
        return place === leak ? a : noisy;
      };
      const { report } = await proveAlignment({ name: `leaks ${leak}`, run }, {
        claim: pure({ epsilon: 1, relation }),
        cases: changedAnswers(2, { min: -4, max: 6 }),
      });
      requireEqual(
        [report.verdict, report.open.length > 0],
        leak === undefined ? ["holds", false] : ["not proved", true],
        `a program that gives a datum away where it is ${leak}`,
      );
      // What is open is what a report shows: a value, or a class of them.
      if (leak !== undefined) requireEqual(report.worst!.output, null, "what is shown");
    }
  }
});

Deno.test("what loses nothing has a certificate for every claim", async () => {
  const cases = changedAnswers(1, { min: -4, max: 6 });
  const constant = await proveAlignment({ name: "constant", run: () => 1 }, {
    claim: renyi({ order: 2, epsilon: 1, relation }),
    cases,
  });
  const certified = JSON.parse(alignmentCertificate(constant)).claim;
  requireEqual(certified.kind, "pure", "what is certified of a constant");
  const run: TracedProgram = (data, source) =>
    Object.assign(Object.create(null), {
      value: source.sum((data as Real[])[0]!, source.laplace({ scale: 1 })),
    });
  const { report } = await proveAlignment({ name: "a record", run }, {
    claim: pure({ epsilon: 1, relation }),
    cases,
  });
  requireEqual([report.verdict, report.epsilon], ["holds", 1], "a record without a prototype");
  // Of pure noise a certificate states what it loses.
  const pureNoise = await proveAlignment({ name: "a record", run }, {
    claim: renyi({ order: 2, epsilon: 1, relation }),
    cases,
  });
  const { claim } = JSON.parse(alignmentCertificate(pureNoise));
  requireEqual([claim.kind, claim.epsilon], ["pure", 1], "the claim of a certificate");
});
