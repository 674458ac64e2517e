let calls = 0;

/** Calls so far of `Math.random()` and of the global `crypto` in {@linkcode countingRandomness}. */
export function randomCalls(): number {
  return calls;
}

/** Does some work while calls of the randomness that every program has at hand are counted. */
export function countingRandomness<Result>(work: () => Result): Result {
  const restore = [
    counted(Math, "random"),
    counted(globalThis.crypto, "getRandomValues"),
    counted(globalThis.crypto, "randomUUID"),
  ];
  try {
    return work();
  } finally {
    for (const each of restore) each();
  }
}

/** Counts calls of a method. @returns what undoes this. */
function counted(object: object, name: string): () => void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  const method = (object as Record<string, (...words: unknown[]) => unknown>)[name]!;
  Object.defineProperty(object, name, {
    value: (...words: unknown[]): unknown => (calls++, method.apply(object, words)),
    configurable: true,
    writable: true,
  });
  return () => {
    if (own === undefined) delete (object as Record<string, unknown>)[name];
    else Object.defineProperty(object, name, own);
  };
}

/** Why a program that calls them is refused. */
export const OWN_RANDOMNESS =
  "it draws from Math.random() or crypto: it must draw from its source alone";
