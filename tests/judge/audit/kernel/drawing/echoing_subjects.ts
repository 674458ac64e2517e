import type { Outputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { pure } from "../../../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

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

const macrotask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
