import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/audit/audit.ts";
import { eventDraws, eventOn } from "../../../../lib/audit/counterexample/event_on.ts";
import type { EventReport } from "../../../../lib/audit/counterexample/event_report.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { mechanismSubject } from "../../../../lib/audit/subjects/mechanism_subject.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import type { Domain } from "../../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism.ts";
import { addRemoveOne, pairOf } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: addRemoveOne });
const domain: Domain = { rows: { type: "integer", min: 0, max: 4 }, size: { min: 0, max: 5 } };

function laplace(u: number): number {
  return -Math.sign(u - 0.5) * Math.log(1 - 2 * Math.abs(u - 0.5));
}

const count: Mechanism<number, number> = {
  name: "count",
  claim,
  sample: (data, source) => data.length + laplace(source.uniform()),
};

const histogram: Mechanism<number, number[]> = {
  name: "histogram",
  claim,
  sample: (data, source) =>
    [0, 1, 2, 3, 4].map((cell) =>
      data.filter((row) => row === cell).length + laplace(source.uniform())
    ),
};

// An event of a true claim cannot tell the sides apart by more than e, and these have one that does so on half of
// the outputs. Mutants: rules above the claim by chance come first; rules compared on the draws they are found on; as few
// draws however long the audit was.
for (const [mechanism, maxDraws] of [[count, 300_000], [histogram, 20_000]] as const) {
  Deno.test(`audit() shows an event that comes as close as can be when it does not refute a ${mechanism.name}`, async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const subject = mechanismSubject<number, unknown>(mechanism, {
        source: new SeededSource(seed),
      });
      const report = await audit(subject, { domain, maxDraws, seed });
      const { event } = report;
      assert(report.verdict === "not-refuted" && event !== null, `seed ${seed}`);
      // One audit in a hundred refutes a true claim. Its confirmation fails, and the event is counted on more draws.
      const draws = event.left.draws + event.right.draws;
      const expected = Math.max(20_000, maxDraws / 10);
      assert(report.unconfirmed === undefined ? draws === expected : draws > expected, `${draws}`);
      const [less, more] = [event.left, event.right].map(({ hits, draws }) => hits / draws)
        .toSorted((a, b) => a - b) as [number, number];
      assert(more > 0.1 && Math.log(more / less) > 0.8, `${event.description}: ${less}, ${more}`);
    }
  });
}

// Mutants: no draws for the claim that is not refuted; as many as the audit made; no limit; a third of them.
Deno.test("eventDraws() grows with the draws before, within limits", () => {
  assertEquals(eventDraws({ audited: 500, confirmed: 0, bounded: 0 }), 20_000);
  assertEquals(eventDraws({ audited: 5000, confirmed: 30_000, bounded: 0 }), 60_000);
  assertEquals(eventDraws({ audited: 987_654, confirmed: 0, bounded: 0 }), 98_765);
  assertEquals(eventDraws({ audited: 1e9, confirmed: 1e6, bounded: 0 }), 100_000);
  assertEquals(eventDraws({ audited: 500, confirmed: 0, bounded: 250_000 }), 25_000);
  assertEquals(eventDraws({ audited: 1e9, confirmed: 0, bounded: 3e6 }), 300_000);
  assertEquals(eventDraws({ audited: 500, confirmed: 0, bounded: 1e9 }), 500_000);
});

/** Outputs of so many numbers, the first of which is above 1 on the larger dataset. */
function wide(width: number): Subject {
  const source = new SeededSource(3);
  return {
    name: "wide",
    independent: true,
    draw(data, count): Outputs {
      const values = Float64Array.from({ length: count * width }, () => source.uniform());
      for (let i = 0; i < count; i++) values[i * width]! += (data as unknown[]).length;
      return { kind: "block", width, values };
    },
    close: () => Promise.resolve(),
  };
}

const pair = pairOf(addRemoveOne, { left: [1], right: [] });

/** The event on a subject, the samplers in which it was found and counted, and the draws made before each began. */
async function watch(
  subject: Subject,
  { draws, ...time }: { draws: number; seconds?: () => number; perSecond?: number },
): Promise<{ event: EventReport | null; samplers: Sampler[]; begun: number[] }> {
  const samplers: Sampler[] = [];
  const begun: number[] = [];
  const begin = (label: string): Sampler => {
    const labels = new SeededSource(4).split(label);
    const sampler = new Sampler(subject, { labels, maxDraws: Infinity, maxSeconds: Infinity });
    begun.push(samplers.reduce((sum, { draws }) => sum + draws, 0));
    samplers.push(sampler);
    return sampler;
  };
  const event = await eventOn(pair, { claim, bits: false, begin, draws, ...time });
  return { event, samplers, begun };
}

/** How wide outputs are, how many an event is found on, and how many it is counted on. */
const WIDE = [[2, 40_000, 20_000], [80, 25_000, 20_000], [1000, 10_000, 10_000]] as const;

// Mutants: as many whatever their width, or next to none where they are wide; the first thousand only, or twice;
// counted on the draws that it was found on; as many to find it as to count it.
Deno.test("eventOn() draws twice as many to find an event as to count it, fewer where they are wide", async () => {
  for (const [width, found, counted] of WIDE) {
    const { event, samplers } = await watch(wide(width), { draws: 20_000 });
    assertEquals(samplers.map(({ draws }) => draws), [found, counted]);
    assertEquals(event!.left.draws + event!.right.draws, counted);
    assert(Math.abs(event!.left.hits - event!.right.hits) > 0.4 * counted, event!.description);
  }
});

// The clock of a sampler starts when it is made. Mutants: one for both, two made together.
Deno.test("eventOn() makes the sampler to count an event when the event is found", async () => {
  const { samplers: [finding, counting], begun } = await watch(wide(1), { draws: 5000 });
  assertEquals(begun, [0, 10_000]);
  assert(finding !== counting);
});

// Mutant: an event reported whatever its counts are.
Deno.test("eventOn() gives null when the counts of the two sides do not differ", async () => {
  let drawn = 0;
  const fading: Subject = {
    ...wide(1),
    draw: (data, count) => wide(1).draw((drawn += count) > 10_000 ? [] : data, count),
  };
  const { event, samplers } = await watch(fading, { draws: 5000 });
  assertEquals([event, samplers.length], [null, 2]);
});

// Mutants: draws that take longer than there is time; outputs beyond the first ones looked at though time is over.
Deno.test("eventOn() draws nothing where time is too short, and finds a rule on as many outputs as time allows", async () => {
  const slow = await watch(wide(1), { draws: 5000, seconds: () => 1, perSecond: 10 });
  assertEquals([slow.event, slow.samplers.length], [null, 0]);
  // Nothing tells the sides of the first 4,000 outputs apart.
  const later = (): Subject => {
    let drawn = 0;
    return {
      ...wide(1),
      draw: (data, count) => wide(1).draw((drawn += count) <= 5000 ? [] : data, count),
    };
  };
  const short = await watch(later(), { draws: 20_000, seconds: () => 1e-6 });
  assertEquals(short.event, null);
  assert((await watch(later(), { draws: 20_000, seconds: () => 1e6 })).event !== null);
});
