import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  compareStarts,
  SameSeed,
} from "../../../../../lib/audit/subjects/copies/require_fresh_draws.ts";
import { functionSubject } from "../../../../../lib/audit/subjects/function_subject.ts";
import type { Subject } from "../../../../../lib/audit/subjects/subject.ts";
import type { Source } from "../../../../../lib/core/source.ts";
import { SeededSource } from "../../../../../lib/random/seeded_source.ts";

const pair = { left: [0], right: [1] };

/** Starts of a program that may not run twice at once. */
function startsOf(
  output: (source: Source) => unknown,
  seedOf: (place: string) => string,
): (place: "first" | "second") => Promise<Subject> {
  let running = 0;
  return (place) => {
    assertEquals(++running, 1);
    const source = new SeededSource(9).split(seedOf(place));
    const subject = functionSubject((_, own) => output(own), { name: "program", source });
    return Promise.resolve({
      ...subject,
      close: () => {
        running--;
        return Promise.resolve();
      },
    });
  };
}

// Mutants: copies at the same time; frequent outputs alone count as the same seed; one output is enough.
Deno.test("compareStarts() tells one seed from two, one start after the other, and leaves outputs that hardly vary", async () => {
  const budget = { maxSeconds: 30 };
  for (
    const output of [
      (source: Source): unknown => source.uniform(),
      (source: Source): unknown => source.uniform() < 0.5,
    ]
  ) {
    await assertRejects(
      () => compareStarts(startsOf(output, () => "same"), pair, budget),
      SameSeed,
      "same seed every time",
    );
    const { outputs, differ } = await compareStarts(
      startsOf(output, (place) => place),
      pair,
      budget,
    );
    assert(differ && outputs < 60, `${outputs}`);
  }
  assertEquals(
    await compareStarts(startsOf(() => 7, () => "same"), pair, budget),
    { outputs: 8192, differ: false },
  );
});
