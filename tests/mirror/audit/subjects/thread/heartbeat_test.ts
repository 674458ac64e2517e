import { assert, assertEquals } from "@std/assert";
import { Heartbeat } from "../../../../../lib/audit/subjects/thread/heartbeat.ts";

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Mutants: time since the watch began; beats of a thread's own memory only; called again and again.
Deno.test("watch() of a Heartbeat calls once when no beat has come for so long", async () => {
  const own = new Heartbeat();
  const elsewhere = new Heartbeat(own.memory);
  let calls = 0;
  own.watch(200, () => calls++);
  for (let k = 0; k < 8; k++) {
    await pause(50);
    elsewhere.beat();
  }
  assertEquals(calls, 0);
  const start = performance.now();
  while (calls === 0 && performance.now() - start < 5000) await pause(10);
  assert(performance.now() - start >= 150);
  await pause(300);
  assertEquals(calls, 1);
});

// Mutant: a watch that cannot be stopped. The test would leave a timer behind, too.
Deno.test("watch() of a Heartbeat makes no call when it is stopped, however long it was to wait", async () => {
  const heartbeat = new Heartbeat();
  let calls = 0;
  heartbeat.watch(60, () => calls++)();
  const stop = heartbeat.watch(1e12, () => calls++);
  await pause(120);
  stop();
  assertEquals(calls, 0);
});
