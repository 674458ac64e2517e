import { replaceMethods, replaceRandomness } from "../../core/random/own_randomness.ts";
import { handToPrograms } from "../source/runs.ts";

let calls = 0;
/** What `Math.random()` gives programs, where their source takes its place. */
let drawn: (() => number) | undefined;

const random = (): number => drawn === undefined ? (calls++, NaN) : drawn();
handToPrograms(random);

/** Runs a program whose `Math.random()` draws from its source. */
export function drawingOwn<Result>(uniform: () => number, work: () => Result): Result {
  const before = drawn, restore = replaceMethods(Math, { random });
  drawn = uniform;
  try {
    return work();
  } finally {
    restore();
    drawn = before;
  }
}

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
