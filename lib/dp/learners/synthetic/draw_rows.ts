import type { Source } from "../../../core/mechanism/source.ts";
import { shuffle } from "../../../core/random/shuffle.ts";
import type { MarginalModel } from "./marginal_model.ts";
import { grouped, placeIn, placesOf } from "./marginal_tables.ts";

/**
 * Draws rows of a model, clique by clique: those that agree on the separator are shared out among the cells by the conditional law.
 * Each cell gets its expected number, rounded up or down (systematic sampling), in random order, so that marginals are nearer to those of the model than
 * those of independent rows.
 */
export function drawRows(model: MarginalModel, source: Source, count: number): number[][] {
  const { shape } = model, rows = Array.from({ length: count }, () => shape.map(() => 0));
  for (const { attributes, separator, places, factors, scales } of model.cliques) {
    const codes = attributes.map((attribute) => placesOf(shape, attributes, [attribute]));
    const cellsAt = grouped(factors.keys(), (cell) => places[cell]!);
    for (const [at, group] of grouped(rows, placeIn(shape, separator))) {
      shuffle(source, group);
      const offset = source.uniform(), cells = cellsAt.get(at)!, last = cells.at(-1);
      let share = 0, next = 0;
      for (const cell of cells) {
        share += factors[cell]! * scales[at]!;
        const end = cell === last ? group.length : Math.floor(share * group.length + offset);
        for (; next < Math.min(end, group.length); next++) {
          attributes.forEach((attribute, i) => group[next]![attribute] = codes[i]![cell]!);
        }
      }
    }
  }
  return shuffle(source, rows);
}
