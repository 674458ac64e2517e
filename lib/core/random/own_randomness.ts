/** The randomness that every program of JavaScript has at hand. */
export interface OwnRandomness {
  random(): number;
  getRandomValues<Numbers extends ArrayBufferView>(out: Numbers): Numbers;
  randomUUID(): string;
}

/** Replaces `random` of `Math`, and what the global `crypto` draws, for all code of this thread. Returns what undoes this. */
export function replaceRandomness(by: (own: OwnRandomness) => OwnRandomness): () => void {
  const { crypto } = globalThis;
  const { random, ...ofCrypto } = by({
    random: Math.random,
    getRandomValues: crypto.getRandomValues.bind(crypto) as OwnRandomness["getRandomValues"],
    // Browsers have it on pages of secure origins alone.
    randomUUID: crypto.randomUUID?.bind(crypto),
  });
  const restore = [replaceMethods(Math, { random }), replaceMethods(crypto, ofCrypto)];
  return () => restore.forEach((each) => each());
}

/** Gives an object other methods. Returns what undoes this. */
export function replaceMethods(object: object, methods: object): () => void {
  const before = Object.keys(methods).map((name) =>
    [name, Object.getOwnPropertyDescriptor(object, name)] as const
  );
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, own] of before) {
      if (own === undefined) delete (object as Record<string, unknown>)[name];
      else Object.defineProperty(object, name, own);
    }
  };
}
