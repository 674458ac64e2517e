import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import { eventInSamples } from "../../../../lib/judge/audit/counterexample/event_in_samples.ts";
import type { EventReport } from "../../../../lib/judge/audit/counterexample/event_report.ts";
import type { Outputs } from "../../../../lib/judge/audit/kernel/outputs.ts";
import {
  samplesPair,
  samplesSubject,
} from "../../../../lib/judge/audit/subjects/recorded/samples_subject.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { asserted } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: asserted });
const pair = samplesPair({ left: "a.csv", right: "b.csv" });

function eventIn(left: Outputs, right: Outputs, seed = 1): EventReport | null {
  const source = new SeededSource(seed);
  return eventInSamples({ left, right }, { pair, claim, centres: undefined, source });
}

/** So many numbers from 0 to `top`, in order, as a drift would have them. */
function drifting(count: number, top: number): Outputs {
  const values = Float64Array.from({ length: count }, (_, i) => top * (i + 0.5) / count);
  return { kind: "block", width: 1, values };
}

// Mutants: halves in the order of the files; all outputs counted; a half of the smaller side for both.
Deno.test("eventInSamples() counts on one random half of each side", () => {
  const { left, right, halves, conditions } = eventIn(drifting(6000, 1.1), drifting(4001, 2.5))!;
  assertEquals([left.draws, right.draws, halves, conditions.length], [3000, 2000, true, 1]);
  const [{ operator, value }] = conditions as [typeof conditions[0]];
  assertEquals(operator, ">");
  // What is above the value among all outputs is so among half of them, but for three standard errors.
  const share = (top: number): number => Math.max(0, 1 - Number(value) / top);
  assert(Math.abs(left.hits / 3000 - share(1.1)) < 0.03, `${left.hits} above ${value}`);
  assert(Math.abs(right.hits / 2000 - share(2.5)) < 0.03, `${right.hits} above ${value}`);
});

// Mutants: counted on the half that the event was found on; shuffled again to be counted.
Deno.test("eventInSamples() counts on other outputs than those it found the event on", () => {
  const read = new Set<object>();
  const watched = (value: number): Outputs => ({
    kind: "values",
    values: Array.from({ length: 400 }, (_, i) => ({
      get part(): number {
        read.add(this);
        return value + i / 400;
      },
    })),
  });
  const event = eventIn(watched(0), watched(1))!;
  assert(Math.abs(event.left.hits - event.right.hits) > 150);
  assertEquals(read.size, 800);
});

// Mutant: another shuffle each time.
Deno.test("eventInSamples() depends on its source alone, and gives no event where the samples agree", () => {
  const noise = (seed: number): Outputs => {
    const source = new SeededSource(seed);
    const values = Float64Array.from({ length: 3000 }, () => source.uniform());
    return { kind: "block", width: 1, values };
  };
  assertEquals(
    eventIn(drifting(600, 1.1), drifting(400, 2.5), 2),
    eventIn(drifting(600, 1.1), drifting(400, 2.5), 2),
  );
  for (let seed = 1; seed <= 5; seed++) {
    assertEquals(eventIn(noise(2 * seed), noise(2 * seed + 1), seed), null);
  }
});

// Mutant: a refuted pair is confirmed on more draws than were recorded.
Deno.test("audit() of recorded outputs draws no more of them than there are, and shows an event", async () => {
  const left = drifting(1000, 1.1), right = drifting(1000, 9);
  const subject = samplesSubject({ left, right, pair, source: new SeededSource(1) });
  const report = await audit(subject, { claim, pair, maxDraws: 1500, seed: 1, effort: "thorough" });
  assertEquals([report.verdict, report.confirmation], ["refuted", undefined]);
  assertEquals(report.event!.left.draws + report.event!.right.draws, 1000);
});

// Mutants: no cap but the option's, or a cap that ignores the option; one that looks at the longer side.
Deno.test("audit() of recorded outputs ends while there are enough on both sides, or at maxDraws", async () => {
  const left = drifting(400, 1.1), right = drifting(90, 1.1);
  const drawn: number[] = [];
  for (const seed of [1, 2, 3, 4]) {
    for (const limit of [{}, { maxDraws: 64 }, { maxDraws: 5000 }]) {
      const subject = samplesSubject({ left, right, pair, source: new SeededSource(seed) });
      const { draws, verdict } = await audit(subject, { claim, pair, seed, ...limit });
      // So few draws show nothing about this claim.
      assertEquals(verdict, "inconclusive");
      drawn.push(draws);
    }
  }
  // Of 124 labels more than 90 are the right one's with a chance of 1e-7.
  assertEquals(drawn, Array(4).fill([124, 64, 124]).flat());
});
