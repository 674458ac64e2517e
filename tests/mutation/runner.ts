/**
 * Runs tests against mutants: a process of its own, for a mutant may loop for ever. Takes one command a
 * line, answers one line for each event. The first argument is the root of the instrumented copy, the
 * second the mutant that is on from the start (0 for none), the third the number of mutants.
 */
// deno-lint-ignore no-external-import -- part of Deno
import { cpuUsage } from "node:process";
import { type CollectedTest, collectTests, testsOf } from "./collected_tests.ts";
import { type Command, type Event, type TestName, WAITS } from "./messages.ts";
import type { Switches } from "./instrument.ts";

const [root, first = "0", mutants = "0"] = Deno.args;
const S = new Int32Array([Number(first), 0]), H = new Uint8Array(Number(mutants) + 1);
(globalThis as unknown as { $mutation: Switches }).$mutation = { S, H };

/** Milliseconds that loading a file of tests may take. */
const LOADING = 20_000;

const encoder = new TextEncoder();

function tell(event: Event): void {
  Deno.stdout.writeSync(encoder.encode(`\n\x01${JSON.stringify(event)}\n`));
}

/** The places that were reached since `H` was last cleared. */
function reached(): number[] {
  const places: number[] = [];
  for (let place = 1; place < H.length; place++) if (H[place] === 1) places.push(place);
  H.fill(0);
  return places;
}

const loaded = new Map<string, readonly CollectedTest[]>();

/** Closures that are made while a file loads must hold the mutants: `S[1]` is on. */
async function load(file: string): Promise<readonly CollectedTest[]> {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  S[1] = 1;
  try {
    const tests = await testsOf(new URL(file, `file://${root}/`));
    loaded.set(file, tests);
    return tests;
  } finally {
    S[1] = 0;
  }
}

/** Whether the test passes; a promise that is never kept counts as failed. */
async function passes(test: CollectedTest, limit: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = performance.now(), before = cpuUsage();
  const late = new Promise<false>((resolve) => {
    const look = (): void => {
      const { user, system } = cpuUsage(before), waited = performance.now() - start;
      if ((user + system) / 1000 < limit && waited < WAITS * limit) {
        timer = setTimeout(look, limit / 4);
      } else resolve(false);
    };
    timer = setTimeout(look, limit);
  });
  try {
    return await Promise.race([test.run().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function record(file: string): Promise<void> {
  H.fill(0);
  let tests: readonly CollectedTest[];
  try {
    tests = await load(file);
  } catch (error) {
    return tell({ event: "unusable", file, reason: String(error) });
  }
  tell({ event: "loaded", file, places: reached() });
  for (const [index, test] of tests.entries()) {
    tell({ event: "begin", file, index, limit: 300_000 });
    S[1] = 1;
    const start = performance.now(), work = cpuUsage();
    const ok = await passes(test, 300_000);
    S[1] = 0;
    const ms = performance.now() - start, { user, system } = cpuUsage(work);
    const cpu = (user + system) / 1000;
    tell({ event: "recorded", file, index, name: test.name, ms, cpu, ok, places: reached() });
  }
  tell({ event: "done" });
}

async function attempt(
  { id, place, tests }: { id: number; place: number; tests: readonly TestName[] },
): Promise<void> {
  H[place] = 0;
  for (const { file, index, limit } of tests) {
    tell({ event: "begin", file, index, limit: LOADING });
    S[0] = id;
    let test: CollectedTest;
    try {
      test = (await load(file))[index]!;
      if (test === undefined) throw new Error("there is no such test");
    } catch {
      return tell({ event: "killed", id, file, index, clean: false });
    }
    tell({ event: "begin", file, index, limit });
    const ok = await passes(test, limit);
    if (ok) continue;
    // What the mutant left behind must not kill the next one.
    S[0] = 0;
    tell({ event: "begin", file, index, limit });
    const clean = first === "0" && await passes(test, limit);
    return tell({ event: "killed", id, file, index, clean });
  }
  S[0] = 0;
  tell({ event: "survived", id, reached: H[place] === 1 });
}

await collectTests();
tell({ event: "done" });
let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const command = JSON.parse(line) as Command;
    if (command.command === "record") await record(command.file);
    else await attempt(command);
  }
}
