import type { Coins } from "../order/coins.ts";
import { drawInOrder } from "../order/draw_in_order.ts";
import { missingOf } from "../order/lost_outputs.ts";
import { joinOutputs, type Outputs, outputValues, type PairOutputs } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import { deferred } from "../deferred.ts";
import { ComparedCopies } from "./compared_copies.ts";

/**
 * Returns several copies of one subject that draw at the same time, each its share of the outputs.
 *
 * The copies must not share their randomness: equal outputs would count as evidence twice. A program that always starts from
 * the same seed is therefore refused. Until all copies have differed from each other, all are asked the same, the outputs of the
 * first one are used, and those of the others are dropped. Copies that still draw the same as another one when the comparison
 * is over are not asked again.
 *
 * Why that is sound: the copy that is asked for an output, and whether the output is used, are decided by earlier outputs. So
 * every output that is used follows the subject's law, independently of all outputs before it, as long as copies of different
 * seeds are independent, and those of one seed draw the same when they are asked the same: these never differ, so that
 * outputs of at most one of them are used, and never after those of another one of them.
 *
 * Each copy draws its share in the order of the coins, so that it may keep state. Copies draw at the same time: the outputs of
 * one must not depend on the requests to another at that time.
 */
export function inParallel(copies: readonly Subject[]): Subject {
  const first = copies[0]!;
  if (copies.length === 1) return first;
  const compared = new ComparedCopies(first.name, copies.length);
  /** Resolves when all requests so far have been passed on to the copies. */
  let lastAsked = Promise.resolve();
  /**
   * The first copy's outputs while copies are compared, then each one's share of the rest: consecutive places of the order,
   * equally many for each, whatever the coins.
   */
  const draw = async <Part>(
    count: number,
    { dataAt, ask }: {
      dataAt: (at: number) => unknown;
      ask: (copy: Subject, from: number, to: number) => Part | Promise<Part>;
    },
  ): Promise<{ alone: Outputs[]; shared: Part[] }> => {
    const before = lastAsked;
    const { promise, resolve } = deferred<void>();
    lastAsked = promise;
    // One request after the other, so that all copies are asked in the same order.
    await before;
    const alone: Outputs[] = [];
    let shared: Promise<Part[]>;
    try {
      while (alone.length < count && !compared.isOver) {
        // One output at a time: a larger request reaches a program in parts that depend on the speed of the copy.
        const data = dataAt(alone.length);
        const parts = await drawAll(copies.map((copy) => async () => await copy.draw(data, 1)));
        compared.look(data, parts.map((part) => outputValues(part).next().value));
        alone.push(parts[0]!);
      }
      const askable = compared.different.map((k) => copies[k]!);
      let from = alone.length;
      const asked = shares(count - from, askable.length).map((share, k) => {
        const [begin, end] = [from, from += share];
        return async () => await ask(askable[k]!, begin, end);
      });
      shared = drawAll(asked.slice(0, count - alone.length));
    } finally {
      resolve();
    }
    return { alone, shared: await shared };
  };
  return {
    ...first,
    async draw(data: unknown, count: number): Promise<Outputs> {
      const { alone, shared } = await draw(count, {
        dataAt: () => data,
        ask: (copy, from, to) => copy.draw(data, to - from),
      });
      return joinOutputs([...alone, ...shared]);
    },
    async drawInOrder(pair: PairData, coins: Coins): Promise<PairOutputs> {
      const { order } = coins;
      const { alone, shared } = await draw(coins.count, {
        dataAt: (at) => order[at] === 0 ? pair.left : pair.right,
        ask: (copy, from, to) => drawInOrder(copy, pair, coins.slice(from, to)),
      });
      const joined = (side: "left" | "right", label: 0 | 1): Outputs =>
        joinOutputs([
          ...alone.filter((_, at) => order[at] === label),
          ...shared.map((drawn) => drawn[side]),
        ]);
      return {
        left: joined("left", 0),
        right: joined("right", 1),
        ...missingOf(shared),
      };
    },
    ...(first.firstAnswerAt === undefined ? {} : { firstAnswerAt: () => lastOf(copies) }),
    close: async () => {
      await Promise.all(copies.map((copy) => copy.close()));
    },
  };
}

/** Returns when the last of the copies gave its first answer; all are asked at the beginning. */
function lastOf(copies: readonly Subject[]): number | undefined {
  let last = -Infinity;
  for (const copy of copies) last = Math.max(last, copy.firstAnswerAt?.() ?? Infinity);
  return last < Infinity ? last : undefined;
}

/** The most copies: each takes a thread or a process, and memory. */
export const MOST_WORKERS = 256;

/** @throws {RangeError} unless a number of workers is a whole number from 1 to {@linkcode MOST_WORKERS}. */
export function requireWorkers(workers: number): void {
  if (Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return;
  throw new RangeError(
    `Cannot start a subject: workers must be a whole number from 1 to ${MOST_WORKERS}: ` +
      `current value is ${workers}`,
  );
}

/** Returns a count in equal shares, the first ones larger by one where it does not divide. */
function shares(count: number, among: number): number[] {
  const share = Math.floor(count / among), rest = count % among;
  return Array.from({ length: among }, (_, k) => share + (k < rest ? 1 : 0));
}

/** Returns the draws of all copies. A failure is reported when all have ended, so that no copy is still drawing. */
async function drawAll<Part>(asked: readonly (() => Promise<Part>)[]): Promise<Part[]> {
  const drawn = await Promise.allSettled(asked.map((ask) => ask()));
  return drawn.map((part) => {
    if (part.status === "rejected") throw part.reason;
    return part.value;
  });
}
