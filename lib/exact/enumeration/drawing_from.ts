import type { Dataset } from "../../core/dataset.ts";
import type { DiscreteSource } from "../../core/discrete_source.ts";
import type { Source } from "../../core/source.ts";
import { discreteSource } from "../../random/discrete_source.ts";
import type { EnumeratedProgram } from "./check_exactly.ts";

/** A program that draws by the methods of its source; they are made once for a source, and not for each run. */
export function drawingFrom(
  run: (data: Dataset, source: DiscreteSource) => unknown,
): EnumeratedProgram["run"] {
  let last: { readonly source: Source; readonly draws: DiscreteSource } | undefined;
  return (data, source) => {
    if (last?.source !== source) last = { source, draws: discreteSource(source) };
    return run(data, last.draws);
  };
}
