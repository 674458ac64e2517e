import { replaceOne } from "../../lib/core/relation.ts";
import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
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
