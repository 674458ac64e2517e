import type { Domain, RowSpec } from "../../core/dataset.ts";
import type { Source } from "../../core/source.ts";
import type { ProgramSource } from "../../core/continuous_draws.ts";
import { programSource } from "../../random/program_source.ts";
import type { TracedProgram } from "./trace_program.ts";

/** Ends the run at its first draw. */
class FirstDraw extends Error {}

/** Whether the first draw of a program on some data is continuous noise of its source; false where it draws nothing. */
export function drawsContinuousNoise(program: TracedProgram, data: unknown): boolean {
  let continuous: boolean | undefined;
  const end = (isContinuous: boolean) => (): never => {
    continuous ??= isContinuous;
    throw new FirstDraw();
  };
  const silent: Source = {
    kind: "seeded",
    uint32: end(false),
    uniform: end(false),
    fillUint32: end(false),
    split: () => silent,
    branch: end(false),
    merge: () => {},
  };
  const source: ProgramSource = {
    ...programSource(silent),
    bernoulli: end(false),
    integer: end(false),
    choice: end(false),
    laplace: end(true),
    exponential: end(true),
    gumbel: end(true),
    gaussian: end(true),
    split: () => source,
  };
  try {
    program(structuredClone(data), source);
  } catch {
    // What it drew first is known, or that it drew nothing.
  }
  return continuous ?? false;
}

/** A dataset of a domain, as large as any. */
export function exampleDataset({ rows, size }: Domain): unknown[] {
  return Array.from({ length: size.max }, () => exampleRow(rows));
}

function exampleRow(spec: RowSpec): unknown {
  switch (spec.type) {
    case "number":
    case "integer":
      return spec.min;
    case "boolean":
      return false;
    case "category":
      return spec.values[0];
    case "vector":
      return Array.from({ length: spec.length }, () => exampleRow(spec.of));
    case "record":
      return Object.fromEntries(
        Object.entries(spec.fields).map(([name, field]) => [name, exampleRow(field)]),
      );
  }
}
