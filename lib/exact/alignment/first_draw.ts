import type { Domain, RowSpec } from "../../core/dataset.ts";
import type { Source } from "../../core/source.ts";
import { textLengths } from "../../core/text_rows.ts";
import type { ProgramSource } from "../../core/continuous_draws.ts";
import { SeededSource } from "../../random/seeded_source.ts";
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
  return Array.from({ length: size.max }, () => exampleRow(rows, () => 0));
}

/** Datasets of a domain, by chance but the same each time. */
export function exampleDatasets({ rows, size }: Domain, count: number): unknown[][] {
  const source = new SeededSource("example datasets");
  const lot = (): number => source.uniform();
  return Array.from({ length: count }, (_, i) => {
    const length = size.min + (i % (size.max - size.min + 1));
    return Array.from({ length }, () => exampleRow(rows, lot));
  });
}

/** A row, chosen by lots in [0, 1). */
function exampleRow(spec: RowSpec, lot: () => number): unknown {
  switch (spec.type) {
    case "number":
      return spec.min + (spec.max - spec.min) * lot();
    case "integer":
      return spec.min + Math.floor((spec.max - spec.min + 1) * lot());
    case "boolean":
      return lot() > 0.5;
    case "category":
      return spec.values[Math.floor(spec.values.length * lot())];
    case "text":
      return spec.values?.[Math.floor(spec.values.length * lot())] ??
        "a".repeat(textLengths(spec.length)!.min);
    case "vector": {
      const row = Array.from({ length: spec.length }, () => exampleRow(spec.of, lot));
      if (spec.norm === undefined) return row;
      const norm = Math.hypot(...row as number[]);
      return norm <= spec.norm ? row : (row as number[]).map((x) => x * spec.norm! / norm);
    }
    case "record":
      return Object.fromEntries(
        Object.entries(spec.fields).map(([name, field]) => [name, exampleRow(field, lot)]),
      );
  }
}
