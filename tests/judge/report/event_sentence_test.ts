import { assertEquals } from "@std/assert";
import type { EventReport } from "../../../lib/judge/audit/counterexample/event_report.ts";
import type { Condition } from "../../../lib/judge/audit/model/encoding/condition.ts";
import { eventSentence } from "../../../lib/judge/report/event_sentence.ts";

/** Counts of 5 of 2,000 on the left and 1,500 of 3,000 on the right. */
function sentence(
  conditions: readonly (readonly [string, Condition["operator"], number | string])[],
  facts: Partial<EventReport> = {},
): string {
  return eventSentence({
    description: conditions.map((parts) => parts.join(" ")).join(" and "),
    conditions: conditions.map(([feature, operator, value]) => ({ feature, operator, value })),
    left: { hits: 5, draws: 2000 },
    right: { hits: 1500, draws: 3000 },
    ...facts,
  });
}

const counts = "in 1,500 of 3,000 outputs on the right dataset, and in 5 of 2,000 on the left.";

// Mutants: the side of fewer hits first; operators exchanged.
Deno.test("eventSentence() says what outputs were, how often of how many", () => {
  for (
    const [condition, words] of [
      [["output", ">", 0.5], "output was above 0.5"],
      [["output[1]", "<=", 2], "output[1] was at most 2"],
      [["output", "=", "two words"], 'The program said "two words"'],
      [["output.old", "=", "true"], "output.old was true"],
      [["form(output)", "=", "-0"], "output was -0"],
      [["output", "!=", 3], "output was not 3"],
      [["output.a", "is", NaN], "output.a was missing or no number"],
      [["number 1 in output", "is", NaN], "The text of output had no number in it"],
      [["number 2 in output", "is", NaN], "The text of output had fewer numbers in it"],
      [["kind(output)", "=", "error"], "The program failed"],
      [["kind(output)", "!=", "error"], "The program did not fail"],
      [["kind(output)", "=", "string"], "The output was a string"],
      [["kind(output)", "!=", "number"], "The output was no number"],
      [["kind(output)", "=", "null"], "The output was null"],
      [["keys(output)", "=", "a,b"], "The keys of output were just a,b"],
      [["repeats(output)", ">", 0], "The output had the same number twice"],
    ] as const
  ) assertEquals(sentence([condition]), `${words} ${counts}`);
  assertEquals(
    sentence([["output[0]", "=", "b"], ["output[1]", "<=", 1]]),
    `output[0] was "b" and output[1] was at most 1 ${counts}`,
  );
});

Deno.test("eventSentence() shows an output, in few digits, and values that never change", () => {
  assertEquals(
    sentence([["output.c", ">", 0]], { example: { a: -0.123456, c: 1 }, constant: { right: 1 } }),
    'output.c was above 0 in 1,500 of 3,000 outputs on the right dataset, as in {"a":-0.1235,"c":1}, and in 5 of 2,000 ' +
      "on the left. On the right output.c was 1 every time.",
  );
  assertEquals(
    sentence([["output", ">", 0]], { example: 1.5, constant: { left: 0, right: 1 } }),
    `output was above 0 ${counts} On the left output was 0, on the right output was 1 every time.`,
  );
  for (const [example, said] of [["no", '"no"'], [true, "yes"], [false, "no"]] as const) {
    const value = String(example);
    assertEquals(
      sentence([["output", "=", value]], { example }),
      `The program said ${said} ${counts}`,
    );
  }
  assertEquals(
    sentence([["output.a", "is", NaN]], { constant: { left: "NaN" } }),
    `output.a was missing or no number ${counts}`,
  );
});
