import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Coins } from "../../../../../lib/judge/audit/kernel/order/coins.ts";
import { outputValues } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { processSubject } from "../../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../../lib/judge/audit/subjects/process/split_command.ts";
import { SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

/** Answers each request with a count and a sum on this descriptor; all else goes to standard output. */
const answering = (descriptor: number): string =>
  `sh -c ${
    quoteWord(`k=0
echo starting
while read -r line; do
  k=$((k + 1))
  echo "log of request $k"
  printf '{"id":%s,"outputs":[%s]}\\n' "$k" "$k" >&${descriptor}
done
echo "the end" >&2`)
  }`;

const pair = { left: [1], right: [] };

// Mutants: answers read from standard output; standard output not read, so that it fills.
Deno.test("processSubject() reads answers from another descriptor, and keeps standard output with the errors", async () => {
  for (const answersOn of [3, 5, 9]) {
    const subject = processSubject(answering(answersOn), { answersOn });
    const coins = Coins.thrown(new SeededSource(2), 5000);
    const { left, right } = await subject.drawInOrder!(pair, coins);
    const seen = [...outputValues(left), ...outputValues(right)] as number[];
    assertEquals(seen.sort((a, b) => a - b), Array.from({ length: 5000 }, (_, k) => k + 1));
    await subject.close();
  }
  const wrong = processSubject("sh -c 'echo said aloud; exit 5'", { answersOn: 3 });
  const error = await assertRejects(async () => await wrong.draw([], 1), SubjectFailure);
  assertStringIncludes(error.message, "ended with exit status 5");
  assertStringIncludes(error.message, "said aloud");
  await wrong.close();
  for (const answersOn of [0, 2, 10, 3.5, NaN]) {
    assertThrows(() => processSubject("true", { answersOn }), RangeError, "answersOn must");
  }
});
