import { assert, assertEquals } from "@std/assert";
import { DrawingRate } from "../../../../lib/audit/drawing/drawing_rate.ts";

function wait(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

// Mutants: batches that overlap are timed twice; the first batches have the weight of the last.
Deno.test("DrawingRate counts no time twice, and gives the first batches little weight", () => {
  const rate = new DrawingRate();
  assertEquals(rate.perSecond, 0);
  const begun = performance.now();
  wait(200);
  rate.note(begun, 1000);
  assert(rate.perSecond <= 5000);
  // Asked for at the same time, and there at once.
  rate.note(begun, 1000);
  assert(rate.perSecond > 6000, `${rate.perSecond}`);
  // A thousand a millisecond from now on, where the average of all is much less.
  const slow = new DrawingRate(), first = performance.now();
  wait(300);
  slow.note(first, 1000);
  for (let k = 0; k < 12; k++) {
    const next = performance.now();
    wait(2);
    slow.note(next, 2000);
  }
  const average = 25_000 / ((performance.now() - first) / 1000);
  assert(slow.perSecond > 1.5 * average, `${slow.perSecond} and ${average}`);
});
