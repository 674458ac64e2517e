import { assert, assertEquals } from "@std/assert";
import { theorems } from "../../proofs/book.ts";
import { rejection as ofAlignment } from "../../lib/judge/certificates/check_alignment.ts";
import { rejection as ofEnumeration } from "../../lib/judge/certificates/check_enumeration.ts";
import { dailyOf } from "../long.ts";
import { solverAnswers } from "../solver_answers.ts";
import { PROOF_SEED } from "../../proofs/engine/prove.ts";

const checkers = {
  "scripts/check_alignment.ts": ofAlignment,
  "scripts/check_certificate.ts": ofEnumeration,
};

// The page of `dpcheck prove` shows these. Mutants: certificates of another mechanism, or for the checker of the other kind.
Deno.test("theorems about shipped mechanisms and published programs hold; the script that they name accepts their certificates, and none with a digit changed", async () => {
  for (
    const [id, least] of dailyOf(
      [
        ["exact/alignments", 5],
        ["mechanisms/shipped_by_enumeration", 10],
        ["mechanisms/shipped_by_enumeration_certified", 2],
      ] as const,
      (_, place) => place < 1,
    )
  ) {
    const { check } = theorems.find((theorem) => theorem.id === id)!;
    const { holds, witness, certificates = [] } = await check({ seed: PROOF_SEED });
    assert(holds, `${id}: ${witness}`);
    assert(certificates.length >= least, `${id}: ${certificates.length}`);
    for (const { name, text } of dailyOf(certificates, (_, place) => place % 4 === 0)) {
      for (const { solver, answers } of await solverAnswers(text)) {
        assertEquals([...answers], ["unsat"], `${id}: ${name}, ${solver}`);
      }
    }
    for (const { name, text, checker } of certificates) {
      assertEquals(checkers[checker](text), undefined, `${id}: ${name}`);
      // A claim of a hundredth.
      const tampered = text.replace(/"epsilon":(\d)/, '"epsilon":0.00$1');
      assert(tampered !== text && checkers[checker](tampered) !== undefined, `${id}: ${name}`);
    }
  }
});
