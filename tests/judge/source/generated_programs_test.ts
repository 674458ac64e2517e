import { assertEquals } from "@std/assert";
import { noteText } from "../../../lib/judge/source/mod.ts";
import { longTest } from "../../long.ts";
import { once, type Program, shownOutput, withModule } from "./followed.ts";
import { ProgramGenerator } from "./generated_programs.ts";

/** Programs in one module. */
const TOGETHER = 50;

/** Compares what programs return as written and rewritten, at the same draws. @returns the texts of those that differ. */
async function differing(seeds: readonly number[]): Promise<string[]> {
  const texts = seeds.map((seed) => new ProgramGenerator(seed).program());
  const found: string[] = [];
  for (let from = 0; from < texts.length; from += TOGETHER) {
    const some = texts.slice(from, from + TOGETHER);
    const module = some.map((text, i) => `export const p${i} = ${text};`).join("\n");
    await withModule(module, async (loaded, written) => {
      for (const [i, text] of some.entries()) {
        const how = { rows: [0.75, 2, -1], seed: from + i };
        const plain = await once(written[`p${i}`]!, { ...how, isFollowed: false });
        const followed = await once(loaded.module[`p${i}`] as Program, {
          ...how,
          isFollowed: true,
        });
        if (shownOutput(plain.output) === shownOutput(followed.output)) continue;
        // What was said is not silent. Asynchronous functions, of which it is always said, return the same.
        if (followed.run.notes.some(({ kind }) => kind !== "later")) continue;
        found.push(
          `seed ${seeds[from + i]}: ${text}\nas written ${shownOutput(plain.output)}\nrewritten  ${
            shownOutput(followed.output)
          }\n${followed.run.notes.map(noteText).join("\n")}`,
        );
      }
    });
  }
  return found;
}

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);

// Mutants of the operations: one that computes, iterates, assigns or calls otherwise.
Deno.test("programs by chance return rewritten what they return as written", async () => {
  assertEquals(await differing(range(1, 150)), []);
});

longTest(
  "a hundred thousand programs by chance return rewritten what they return as written",
  async () => {
    for (let from = 1_000; from < 101_000; from += 1_000) {
      assertEquals(await differing(range(from, 1_000)), []);
    }
  },
);
