import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { programSource } from "../../../core/random/program_source.ts";
import { BranchingSource } from "./branching_source.ts";
import type { EnumeratedProgram } from "./enumerated_program.ts";
import { branchUniforms, UniformBranches } from "./uniform_branches.ts";

/** Returns a program that draws by the methods of its source; they are made once for a source, and not for each run. */
export function drawingFrom(
  run: (data: Dataset, source: ProgramSource) => unknown,
): EnumeratedProgram["run"] {
  let last: { readonly source: Source; readonly draws: ProgramSource } | undefined;
  return (data, source) => {
    if (last?.source !== source) last = { source, draws: drawsOf(source) };
    return run(data, last.draws);
  };
}

/** Returns the draws of a source; continuous ones are refused by name where paths are enumerated. */
function drawsOf(source: Source): ProgramSource {
  const draws = programSource(source);
  if (!(source instanceof BranchingSource)) return draws;
  const refusing = (name: string) => (): never =>
    source.refuse(
      `it draws continuous noise (${name}) beside discrete noise, or on few of the datasets: audit it`,
    );
  const refused = {
    laplace: refusing("laplace"),
    exponential: refusing("exponential"),
    gumbel: refusing("gumbel"),
    gaussian: refusing("gaussian"),
  };
  const discrete = (inner: ProgramSource): ProgramSource => ({
    ...inner,
    ...refused,
    split: (label) => discrete(inner.split(label)),
  });
  return branchUniforms(
    discrete(draws),
    new UniformBranches({
      next: () => void (source.comparesUniforms = true),
      choose: (law) => source.branch(law),
      refuse: (what) => source.refuse(what),
    }),
  );
}
