import { replaceOne } from "../../lib/core/relation.ts";
import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { snapping, snappingScale } from "../../lib/mechanisms/snapping.ts";
import type { Source } from "../../lib/core/source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import type { Parts } from "./mechanism_values.ts";

/** Cells of snapping have the chances of a Laplace law that is cut at their borders, and its scale is rounded up. */
export function requireSnapping(snappingScale: Parts["snappingScale"]): void {
  for (
    const [epsilon, bound, sensitivity] of [[1, 100, 1], [0.3, 90, 2], [5, 9, 0.5]] as const
  ) {
    const most = bound / sensitivity;
    requireNear(snappingScale({ epsilon, most }), (1 + most * 2 ** -49) / epsilon, {
      relative: 2 ** -49,
    });
    requireThat(
      snappingScale({ epsilon, most }) > (1 + most * 2 ** -49) / epsilon,
      "a scale rounded up",
    );
    const mechanism = snapping<number>({
      query: ([row]) => row!,
      epsilon,
      sensitivity,
      bound,
      relation: replaceOne,
    });
    // Steps of the least power of two that is not below the scale.
    const step = 2 ** Math.ceil(Math.log2(snappingScale({ epsilon, most }))) * sensitivity;
    const law = mechanism.distribution!([bound / 3]);
    const scale = snappingScale({ epsilon, most }) * sensitivity,
      last = Math.ceil(bound / step);
    const tail = (x: number): number =>
      x > 0 ? Math.exp(-x / scale) / 2 : 1 - Math.exp(x / scale) / 2;
    requireEqual(law.length, 2 * last + 1, "cells");
    law.forEach(({ output, probability }, i) => {
      const cell = i - last;
      requireNear(output, Math.min(bound, Math.max(-bound, cell * step)), { absolute: 1e-9 });
      const low = cell === -last ? 1 : tail((cell - 0.5) * step - bound / 3);
      const high = cell === last ? 0 : tail((cell + 0.5) * step - bound / 3);
      requireNear(probability, low - high, { absolute: 1e-12, what: `cell ${cell}` });
    });
  }
  const { name } = mechanismNamed("snapping", { epsilon: 0.01 });
  requireEqual(name, "snapping");
  // 10/ε is the bound of the registry's where that is more than 100.
  requireNear(
    mechanismNamed("snapping", { epsilon: 0.01 }).distribution!([0]).at(-1)!.output as number,
    1000,
  );
  requireNear(
    mechanismNamed("snapping", { epsilon: 1 }).distribution!([0]).at(-1)!.output as number,
    100,
  );
}

/** A source of these words, one after the other. */
function wordsOf(words: readonly number[]): Source {
  let at = 0;
  const none = (): never => {
    throw new Error("another draw than of words");
  };
  return {
    kind: "seeded",
    uint32: () => words[at++] ?? none(),
    uniform: none,
    fillUint32: none,
    split: none,
  };
}

/** Noise is the scale times the logarithm of a uniform number of 53 bits and any exponent: outputs change their cell where it says. */
export function requireSnappingDraws(): void {
  const options = { epsilon: 1, sensitivity: 1, bound: 100, relation: replaceOne };
  const scale = snappingScale({ epsilon: 1, most: 100 }), step = 2;
  const words: readonly (readonly number[])[] = [
    [2 ** 31, 0, 0],
    [2 ** 31, 2 ** 32 - 1, 2 ** 32 - 1],
    [2 ** 30 + 5, 2 ** 31, 2 ** 20],
    [1, 12345, 2 ** 32 - 1],
    [0, 2 ** 31, 7, 2 ** 31 + 4096],
    [0, 3, 2 ** 16, 1],
  ];
  for (const drawn of words) {
    let exponent = -1;
    for (const word of drawn.slice(0, -2)) exponent -= Math.clz32(word);
    const fraction = drawn.at(-2)! / 2 ** 32 + Math.floor(drawn.at(-1)! / 2 ** 12) / 2 ** 52;
    const noise = scale * Math.log((1 + fraction) * 2 ** exponent);
    for (const [word, sign] of [[2 ** 31 - 1, -1], [2 ** 31, 1]] as const) {
      for (const cell of [-1, 0, 2]) {
        // Just below and just above the border of a cell.
        for (const [beside, output] of [[-1e-12, cell * step], [1e-12, (cell + 1) * step]]) {
          const at = (cell + 0.5) * step - sign * noise + beside!;
          const mechanism = snapping<number>({ ...options, query: () => at });
          for (
            const found of [
              mechanism.sample([0], wordsOf([...drawn, word])),
              mechanism.sampleMany!([0], 1, wordsOf([...drawn, word]))[0],
            ]
          ) requireEqual(found, output, `words ${drawn} and ${word} beside ${cell}`);
        }
      }
    }
  }
  // A bound that is just one scale leaves three outputs, of which the middle one takes nearly all.
  let bound = 1;
  for (let i = 0; i < 9; i++) bound = snappingScale({ epsilon: 1, most: bound });
  requireEqual(snappingScale({ epsilon: 1, most: bound }), bound, "a bound of one scale");
  requireRefused(
    "a bound of one scale",
    () => snapping<number>({ ...options, bound, query: () => 0 }),
    "between 1 and",
  );
}
