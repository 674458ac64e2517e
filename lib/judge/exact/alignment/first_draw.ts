import type { Domain, RowSpec } from "../../../core/relations/dataset.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { isPromise } from "../asynchronous.ts";
import { drawingOwn } from "../own_randomness.ts";
import { comparesUniforms } from "../enumeration/uniform_branches.ts";
import { NotEnumerable } from "../enumeration/branching_source.ts";
import { textLengths } from "../../../core/relations/text_rows.ts";
import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { programSource } from "../../../core/random/program_source.ts";
import type { TracedProgram } from "./trace_program.ts";
import { KEPT, NotTraceable } from "./traced_value.ts";

/** What a program draws first: `uniform` from `uniform()` or `Math.random`, `bits` raw ones; `nothing` where it draws nothing. */
export type FirstDraw = "continuous" | "discrete" | "uniform" | "bits" | "nothing";

/** Runs a program on some data until its first draw, and returns the kind of that. */
export function firstDraw(program: TracedProgram, data: unknown): FirstDraw {
  let first: FirstDraw = "nothing";
  const end = (kind: FirstDraw) => (): never => {
    if (first === "nothing") first = kind;
    // Ends the run; a program that keeps this source will meet it again.
    throw new NotTraceable(KEPT);
  };
  const bits = end("bits"),
    uniform = end("uniform"),
    discrete = end("discrete"),
    continuous = end("continuous");
  const silent: Source = {
    kind: "seeded",
    uint32: bits,
    uniform,
    fillUint32: bits,
    split: () => silent,
    branch: discrete,
    merge: () => {},
  };
  const source: ProgramSource = {
    ...programSource(silent),
    bernoulli: discrete,
    integer: discrete,
    choice: discrete,
    laplace: continuous,
    exponential: continuous,
    gumbel: continuous,
    gaussian: continuous,
    split: () => source,
  };
  try {
    isPromise(drawingOwn(uniform, () => program(structuredClone(data), source)));
  } catch {
    // What it drew first is known, or that it drew nothing.
  }
  return first;
}

/** Datasets on which first draws are looked at, besides the largest one of least rows. */
const EXAMPLES = 16;

/**
 * Returns true if a program is traced: it draws continuous noise first on some of the data, or uniform numbers that it does more with than compare them, or nothing on any, where rows are real numbers.
 *
 * @throws {NotEnumerable} for a program that draws raw bits first.
 */
export function isTracedProgram(
  program: TracedProgram,
  { pair, domain }: {
    readonly pair?: { readonly left: unknown; readonly right: unknown };
    /** Needed where there is no pair. */
    readonly domain?: Domain;
  },
): boolean {
  const examples = pair === undefined
    ? [exampleDataset(domain!), ...exampleDatasets(domain!, EXAMPLES)]
    : [pair.left, pair.right];
  const draws = new Set(examples.map((data) => firstDraw(program, data)));
  if (draws.has("continuous")) return true;
  if (draws.has("uniform")) {
    return pair === undefined && hasReals(domain!.rows) ||
      !examples.every((data) => comparesUniforms(program, data));
  }
  if (draws.has("bits")) {
    throw new NotEnumerable(
      "it draws by raw bits alone: draw by laplace(), exponential(), gumbel() or gaussian() of its source, or by its discrete draws, or audit it",
    );
  }
  return !draws.has("discrete") && pair === undefined && hasReals(domain!.rows);
}

/** Returns true if rows are numbers without end, or lists or records with some. */
function hasReals(rows: RowSpec): boolean {
  if (rows.type === "record") return Object.values(rows.fields).some(hasReals);
  const of = rows.type === "vector" ? rows.of : rows;
  return of.type === "number" && of.min !== of.max;
}

/** Returns a dataset of a domain, as large as any. */
export function exampleDataset({ rows, size }: Domain): unknown[] {
  return Array.from({ length: size.max }, () => exampleRow(rows, () => 0));
}

/** Returns datasets of a domain, by chance but the same each time. */
export function exampleDatasets({ rows, size }: Domain, count: number): unknown[][] {
  const source = new SeededSource("example datasets");
  const lot = (): number => source.uniform();
  return Array.from({ length: count }, (_, i) => {
    const length = size.min + (i % (size.max - size.min + 1));
    return Array.from({ length }, () => exampleRow(rows, lot));
  });
}

/** Returns a row, chosen by lots in [0, 1). */
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
