import { replaceRandomness } from "../../core/random/own_randomness.ts";

let calls = 0;

/** Returns the number of calls so far of `Math.random()` and of the global `crypto` in {@linkcode countingRandomness}. */
export function randomCalls(): number {
  return calls;
}

/** Does some work while calls of the randomness that every program has at hand are counted. */
export function countingRandomness<Result>(work: () => Result): Result {
  const restore = replaceRandomness((own) => ({
    random: () => (calls++, own.random()),
    getRandomValues: (out) => (calls++, own.getRandomValues(out)),
    randomUUID: () => (calls++, own.randomUUID()),
  }));
  try {
    return work();
  } finally {
    restore();
  }
}

/** Why a program that calls them is refused. */
export const OWN_RANDOMNESS =
  "it draws from Math.random() or crypto: it must draw from its source alone";
