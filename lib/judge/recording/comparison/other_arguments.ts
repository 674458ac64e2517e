import { expressionOf } from "../noise_law.ts";
import type { Recording } from "../recording.ts";

/** Returns places of derived atoms whose arguments differ between the runs. */
export function placesOfOtherArguments(first: Recording, second: Recording): string[] {
  const places = new Set<string>();
  for (let i = 0; i < Math.min(first.atoms.length, second.atoms.length); i++) {
    const [a, b] = [first.atoms[i]!, second.atoms[i]!];
    if (a.law !== "derived" || b.law !== "derived" || a.at !== b.at) continue;
    const [own, other] = [first, second].map(({ atoms }) =>
      expressionOf([0, [[i, 1]]], atoms, new Map())
    );
    if (own !== other) places.add(a.in === undefined ? a.at : `${a.at} in ${a.in}`);
  }
  return [...places];
}
