import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pairOf, pure, replaceOne } from "../../../mod.ts";
import { auditProgram } from "../../../lib/judge/dialogue/audit_program.ts";
import { processSessions } from "../../../lib/judge/dialogue/line_program.ts";
import type { SessionReport } from "../../../lib/judge/dialogue/session_report.ts";
import { asked } from "../../../fixtures/judge/services/audited_service.ts";
import { testsWith } from "../../has_program.ts";

const withPython = await testsWith(["python3", "--version"], "sessions of programs in Python");

const questions = { below: { x: { type: "number", min: 0, max: 1000 } } } as const;

/** Two places that round alike: where noise is shared, their difference tells. */
const strategy = [500.1, 500.3].map((x) => asked("below", { x }));

/** An audit by these questions, for a session takes a message for each. */
async function audited(fault: string, maxDraws = 100): Promise<SessionReport> {
  const program = await processSessions(
    `python3 fixtures/judge/services/programs/counts.py ${fault}`,
    { timeoutSeconds: 2 },
  );
  try {
    return await auditProgram(program, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      questions,
      pair: pairOf(replaceOne, { left: [500.2], right: [0] }),
      strategy,
      seed: 1,
      maxDraws,
    });
  } finally {
    await program.close();
  }
}

withPython(
  "sessions of a program are refuted where noise is shared, and not where it is its own",
  async () => {
    assertEquals((await audited("shared", 200)).verdict, "refuted");
    assert((await audited("")).verdict !== "refuted");
  },
);

// Mutants: an answer that is taken for that of another session; a failure that is taken for an answer.
withPython(
  "a program that dies, floods, changes its protocol or answers another session fails, and is not refuted",
  async () => {
    const faults: [string, string][] = [
      ["dies", "crashed"],
      ["flood", "more than"],
      ["other session", "another session"],
      ["changes", "changed its protocol"],
      ["hangs", "hung"],
    ];
    for (const [fault, words] of faults) {
      const { verdict, failure } = await audited(fault);
      assertEquals(verdict, "failed", fault);
      assertStringIncludes(failure!, words);
    }
  },
);
