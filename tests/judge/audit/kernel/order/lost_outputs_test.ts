import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { inParallel } from "../../../../../lib/judge/audit/kernel/copies/in_parallel.ts";
import { Coins } from "../../../../../lib/judge/audit/kernel/order/coins.ts";
import { missingOf } from "../../../../../lib/judge/audit/kernel/order/lost_outputs.ts";
import { oneAtATime } from "../../../../../lib/judge/audit/kernel/order/one_at_a_time.ts";
import { countOf, type PairOutputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import type { SideCounts, Subject } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const PAIR = { left: [0], right: [1] };

/** A subject that loses every output for whose number in time `isLost`, and counts what it lost. */
function losing(
  isLost: (number: number) => boolean,
  seed: number,
): { readonly subject: Subject; readonly lost: SideCounts } {
  const lost = { left: 0, right: 0 };
  const noise = new SeededSource(seed);
  let number = 0;
  const next = (): number => (number++, noise.uniform());
  return {
    lost,
    subject: {
      name: "losing",
      drawsElsewhere: true,
      draw: (_, count) => ({
        kind: "values",
        values: Array.from({ length: count }, next),
      }),
      drawInOrder(_, { order }): Promise<PairOutputs> {
        const own = { left: 0, right: 0 };
        const sides: [number[], number[]] = [[], []];
        for (const label of order) {
          const value = next();
          if (isLost(number)) own[label === 0 ? "left" : "right"]++;
          else sides[label as 0 | 1].push(value);
        }
        lost.left += own.left;
        lost.right += own.right;
        return Promise.resolve({
          left: { kind: "values", values: sides[0] },
          right: { kind: "values", values: sides[1] },
          ...(own.left + own.right === 0 ? {} : { lost: own }),
        });
      },
      close: () => Promise.resolve(),
    },
  };
}

Deno.test("lost outputs of parts add up, by side", () => {
  const none = { kind: "values", values: [] } as const;
  const counts = fc.record({ left: fc.nat(5), right: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(fc.option(counts)), (parts) => {
      const sum = (side: "left" | "right"): number =>
        parts.reduce((total, lost) => total + (lost?.[side] ?? 0), 0);
      const shown = missingOf(
        parts.map((lost) => ({ left: none, right: none, ...(lost === null ? {} : { lost }) })),
      ).lost;
      const expected = { left: sum("left"), right: sum("right") };
      assertEquals(shown, expected.left + expected.right === 0 ? undefined : expected);
    }),
    { seed: 61 },
  );
});

// A program that falls silent where it is about to lose must pay for it, however its draws are asked for.
Deno.test("outputs that are lost one at a time, or in one of several copies, are counted on their side", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.nat(), async (every, seed) => {
      const coins = Coins.thrown(new SeededSource(seed), 60);
      const parts = [1, 2].map((own) =>
        losing((number) => number > 8 && number % every === 0, own)
      );
      const single = losing((number) => number % every === 0, 3);
      for (
        const { subject, lost } of [
          { subject: oneAtATime(single.subject), lost: () => single.lost },
          {
            subject: inParallel(parts.map(({ subject }) => subject)),
            lost: () => ({
              left: parts[0]!.lost.left + parts[1]!.lost.left,
              right: parts[0]!.lost.right + parts[1]!.lost.right,
            }),
          },
        ]
      ) {
        const drawn = await subject.drawInOrder!(PAIR, coins);
        const shown = drawn.lost ?? { left: 0, right: 0 };
        assertEquals(shown, lost());
        assertEquals(
          [countOf(drawn.left) + shown.left, countOf(drawn.right) + shown.right],
          [coins.left, coins.right],
        );
      }
    }),
    { seed: 62, numRuns: 40 },
  );
});
