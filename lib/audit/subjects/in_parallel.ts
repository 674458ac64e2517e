import type { Outputs, Subject } from "../subject.ts";
import { ComparedCopies } from "./compared_copies.ts";
import { joinOutputs, outputValues } from "./pack_outputs.ts";

/**
 * Several copies of one subject that draw at the same time, each its share of the outputs.
 *
 * The copies must not share their randomness: outputs that come twice would be taken for twice the
 * evidence. A program that always starts from the same seed is therefore refused. Until all copies have shown
 * that they differ, all are asked the same, the first one's outputs are handed out, and the others' dropped.
 * Copies that still draw what another one does when enough is compared are not asked again.
 *
 * Why that is sound: whom to ask for an output, and whether it is handed out, is decided by what was drawn
 * before. So whatever is handed out is drawn by the subject's law, independently of all before it, as long as
 * copies of different seeds are independent, and those of one seed draw the same when they are asked the same:
 * these never differ, so that one of them at most is handed out from, and never after another one of them.
 */
export function inParallel(copies: readonly Subject[]): Subject {
  const first = copies[0]!;
  if (copies.length === 1) return first;
  const compared = new ComparedCopies(first.name, copies.length);
  /** Resolves when the copies have been asked for all that was asked for so far. */
  let lastAsked = Promise.resolve();
  return {
    ...first,
    async draw(data: unknown, count: number): Promise<Outputs> {
      const before = lastAsked;
      const { promise, resolve } = Promise.withResolvers<void>();
      lastAsked = promise;
      // In turn, so that all copies are asked in the same order, and in the same one each time.
      await before;
      const alone: Outputs[] = [];
      let shared: Promise<Outputs[]>;
      try {
        while (alone.length < count && !compared.isOver) {
          // One output at a time: a larger request is put to a program in parts, by the speed of the copy.
          const parts = await drawAll(copies, { data, counts: copies.map(() => 1) });
          compared.look(data, parts.map((part) => outputValues(part).next().value));
          alone.push(parts[0]!);
        }
        const askable = compared.different.map((k) => copies[k]!);
        shared = drawAll(askable, { data, counts: shares(count - alone.length, askable.length) });
      } finally {
        resolve();
      }
      return joinOutputs([...alone, ...await shared]);
    },
    close: async () => {
      await Promise.all(copies.map((copy) => copy.close()));
    },
  };
}

/** Copies that may be asked for: each takes a thread or a process, and memory. */
export const MOST_WORKERS = 256;

/** @throws {RangeError} unless it is a whole number from 1 to {@linkcode MOST_WORKERS}. */
export function requireWorkers(workers: number): void {
  if (Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return;
  throw new RangeError(
    `Cannot start a subject: workers must be a whole number from 1 to ${MOST_WORKERS}: ` +
      `current value is ${workers}`,
  );
}

/** A count in equal shares, the first ones larger by one where it does not divide. */
function shares(count: number, among: number): number[] {
  const share = Math.floor(count / among), rest = count % among;
  return Array.from({ length: among }, (_, k) => share + (k < rest ? 1 : 0));
}

/** What each copy draws. A failure is reported when all have ended: no copy is left drawing. */
async function drawAll(
  copies: readonly Subject[],
  { data, counts }: { data: unknown; counts: readonly number[] },
): Promise<Outputs[]> {
  const drawn = await Promise.allSettled(
    copies.map(async (copy, k) => counts[k] === 0 ? undefined : await copy.draw(data, counts[k]!)),
  );
  const parts: Outputs[] = [];
  for (const part of drawn) {
    if (part.status === "rejected") throw part.reason;
    if (part.value !== undefined) parts.push(part.value);
  }
  return parts;
}
