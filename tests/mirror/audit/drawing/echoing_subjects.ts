import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

export const pair = pairOf(replaceOne, { left: [0], right: [1] });
export const claim = pure({ epsilon: 1, relation: replaceOne });

/** A subject that answers with the row it was given, and keeps a list of the requests: blocks, as declared. */
export function echo(): Subject & { readonly requests: { row: number; count: number }[] } {
  const requests: { row: number; count: number }[] = [];
  return {
    name: "echo",
    independent: true,
    requests,
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      requests.push({ row, count });
      return { kind: "block", width: 1, values: new Float64Array(count).fill(row) };
    },
    close: () => Promise.resolve(),
  };
}

/** The same, with answers that come later. */
export function inWorker(): ReturnType<typeof echo> {
  const here = echo();
  return {
    ...here,
    drawsElsewhere: true,
    draw: async (data, count) => {
      const drawn = here.draw(data, count);
      await macrotask();
      return drawn;
    },
  };
}

export const labels = (): SeededSource => new SeededSource(5);

/** A subject that draws elsewhere: it answers with the row it was given when `answer` is called. */
export function elsewhere(): Subject & { readonly asked: number[]; answer(): void } {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  return {
    name: "elsewhere",
    independent: true,
    drawsElsewhere: true,
    asked,
    answer: () => waiting.splice(0).forEach((resolve) => resolve()),
    draw(data, count): Promise<Outputs> {
      asked.push(count);
      const values = new Float64Array(count).fill((data as number[])[0]!);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ kind: "block", width: 1, values }));
      });
    },
    close: () => Promise.resolve(),
  };
}

export const macrotask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A subject that never waits and takes so many milliseconds an output. */
export function busy(milliseconds: number): Subject {
  return {
    ...echo(),
    draw(_, count): Outputs {
      const end = performance.now() + milliseconds * count;
      while (performance.now() < end);
      return { kind: "block", width: 1, values: new Float64Array(count) };
    },
  };
}
