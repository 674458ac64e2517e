// deno-lint-ignore no-external-import -- processor time has no other source
import process from "node:process";
import { logisticLoss } from "../../../lib/dp/learners/erm/losses/logistic_loss.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { squaredNorm } from "../../../lib/dp/learners/erm/losses/regulariser.ts";
import { compactRows, type Rows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** One timed minimisation. */
export interface Timing {
  readonly name: string;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly layout: "dense" | "sparse";
  /** Processor seconds of this process: what a busy machine does not change. */
  readonly seconds: number;
  readonly iterations: number;
  readonly gradientNorm: number;
}

/**
 * Processor seconds to ‖∇J‖ ≤ 1e-8 from zero, logistic loss, the least of `runs`; the change to the
 * sparse layout, where it pays, is counted.
 */
export function timeMinimise(
  name: string,
  { rows, signs, lambda, runs }: {
    rows: Rows;
    signs: Float64Array;
    lambda: number;
    runs: number;
  },
): Timing {
  let least: Timing | undefined;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage().user;
    const problem = {
      rows: compactRows(rows),
      signs,
      loss: logisticLoss,
      regulariser: squaredNorm,
      lambda,
      quadratic: 0,
    };
    const { iterations, gradientNorm } = minimise(problem, { tolerance: 1e-8 });
    const seconds = (process.cpuUsage().user - start) / 1e6;
    if (least !== undefined && least.seconds <= seconds) continue;
    const { rowCount, columnCount, kind } = rows;
    least = { name, rowCount, columnCount, layout: kind, seconds, iterations, gradientNorm };
  }
  if (least === undefined) throw new RangeError("runs must be at least 1");
  return least;
}

/** The same rows with every zero written out. */
export function denseCopy(rows: Rows): Rows {
  if (rows.kind === "dense") return rows;
  const { rowCount, columnCount, offsets, columns } = rows;
  const values = new Float64Array(rowCount * columnCount);
  for (let i = 0; i < rowCount; i++) {
    for (let k = offsets[i]!; k < offsets[i + 1]!; k++) {
      values[i * columnCount + columns[k]!] = rows.values[k]!;
    }
  }
  return { kind: "dense", rowCount, columnCount, values };
}

/** Measures scikit-learn on the same dense rows, as `sklearn_speed.py` says, or why it cannot. */
export async function timeScikitLearn(
  { rows, signs, lambda, runs, python, directory }: {
    rows: Rows;
    signs: Float64Array;
    lambda: number;
    runs: number;
    python: string;
    directory: string;
  },
): Promise<unknown> {
  const file = `${directory}/rows.f64`;
  const block = new Float64Array(rows.rowCount * (rows.columnCount + 1));
  block.set(denseCopy(rows).values);
  block.set(signs, rows.rowCount * rows.columnCount);
  await Deno.writeFile(file, new Uint8Array(block.buffer));
  const script = new URL("sklearn_speed.py", import.meta.url).pathname;
  const words = [file, rows.rowCount, rows.columnCount, lambda, runs].map(String);
  try {
    const { success, stdout } = await new Deno.Command(python, {
      args: [script, ...words],
      env: { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
      stderr: "inherit",
    }).output();
    return success ? JSON.parse(new TextDecoder().decode(stdout)) : { missing: "it failed" };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  } finally {
    await Deno.remove(file);
  }
}

/** Dense rows of norm about 1 with noisy labels, the same for a seed. */
export function generatedRows(
  { rowCount, columnCount, seed }: { rowCount: number; columnCount: number; seed: number },
): { rows: Rows; signs: Float64Array } {
  const source = new SeededSource(seed).split("speed");
  const values = floatNormal(source, new Float64Array(rowCount * columnCount), {
    scale: 1 / Math.sqrt(columnCount),
  });
  const signs = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    let score = 0;
    for (let j = 0; j < columnCount; j += 2) score += values[i * columnCount + j]!;
    signs[i] = score + 0.5 * (source.uniform() - 0.5) > 0 ? 1 : -1;
  }
  return { rows: { kind: "dense", rowCount, columnCount, values }, signs };
}
