import type { ProgramSource } from "../../core/continuous_draws.ts";
import type { Dataset } from "../../core/dataset.ts";
import type { Source } from "../../core/source.ts";
import { programSource } from "../../random/program_source.ts";
import type { EnumeratedProgram } from "./check_exactly.ts";

/** A program that draws by the methods of its source; they are made once for a source, and not for each run. */
export function drawingFrom(
  run: (data: Dataset, source: ProgramSource) => unknown,
): EnumeratedProgram["run"] {
  let last: { readonly source: Source; readonly draws: ProgramSource } | undefined;
  return (data, source) => {
    if (last?.source !== source) last = { source, draws: programSource(source) };
    return run(data, last.draws);
  };
}
