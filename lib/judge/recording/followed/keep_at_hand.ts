import { replaceRandomness } from "../../../core/random/own_randomness.ts";

let isKept = false;

/**
 * Has functions of randomness that a program takes when it is loaded, as by `const { random } = Math`, draw from what takes their place
 * when they are called: for all programs of this thread that are loaded from now on.
 */
export function keepAtHand(): void {
  if (isKept) return;
  isKept = true;
  replaceRandomness((own) => {
    const random = (): number => {
      const { random: now } = Math;
      return now === random ? own.random() : now();
    };
    const getRandomValues: typeof own.getRandomValues = (out) =>
      crypto.getRandomValues as unknown === getRandomValues
        ? own.getRandomValues(out)
        : crypto.getRandomValues(out as never) as typeof out;
    return { ...own, random, getRandomValues };
  });
}
