import { requireKnown } from "../../../../core/text/known_options.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import {
  requireFields,
  requireInteger,
  requireOneOf,
  requirePositive,
} from "../../../../core/numeric/require.ts";
import { floatNormal } from "../../../../core/random/float_normal.ts";
import type { DenseRows, Rows } from "./rows.ts";

/** A shift-invariant kernel and its width. */
export interface Kernel {
  /** `"gaussian"`: e^(−γ‖x−x′‖₂²). `"laplacian"`: e^(−γ‖x−x′‖₁). */
  readonly name: "gaussian" | "laplacian";
  /** γ > 0. Declared, not learned from the data. */
  readonly gamma: number;
}

/** Random cosine features, drawn without looking at the data; part of the model, and public. */
export interface RandomFeatures {
  /** The kernel that inner products of features stand for, up to the factor ½. */
  readonly kernel: Kernel;
  /** Columns of the rows that they are made from. */
  readonly inputCount: number;
  /** D, the number of features. */
  readonly count: number;
  /** D by inputCount, row-major: one frequency vector a feature. */
  readonly frequencies: Float64Array;
  /** D phases, uniform in [−π, π). */
  readonly phases: Float64Array;
}

/**
 * Draws random features for a kernel (Rahimi, Recht 2007; Chaudhuri, Monteleoni, Sarwate 2011,
 * Algorithm 3): frequencies from the kernel's Fourier transform, N(0, 2γ) in each coordinate for the
 * Gaussian kernel and Cauchy(γ) for the Laplacian one, and uniform phases.
 *
 * @throws {RangeError} unless gamma is positive and the counts are positive integers.
 *
 * @example
 * ```ts
 * import { SeededSource } from "../../../../core/random/seeded_source.ts";
 * import { drawRandomFeatures } from "./random_features.ts";
 * const kernel = { name: "gaussian", gamma: 1 } as const;
 * drawRandomFeatures(new SeededSource(1), { kernel, inputCount: 2, count: 100 }).count; // 100
 * ```
 */
export function drawRandomFeatures(
  source: Source,
  options: { kernel: Kernel; inputCount: number; count: number },
): RandomFeatures {
  const { kernel, inputCount, count } = requireFields("drawRandomFeatures", options, {
    kernel: "record",
  });
  requireKnown("call drawRandomFeatures()", options, ["kernel", "inputCount", "count"]);
  const action = "draw random features";
  requireOneOf(action, "kernel.name", kernel.name, ["gaussian", "laplacian"]);
  requirePositive(action, "kernel.gamma", kernel.gamma);
  requireInteger(action, "inputCount", inputCount, { min: 1 });
  requireInteger(action, "count", count, { min: 1 });
  const frequencies = new Float64Array(count * inputCount);
  if (kernel.name === "gaussian") {
    floatNormal(source, frequencies, { scale: Math.sqrt(2 * kernel.gamma) });
  } else {
    for (let k = 0; k < frequencies.length; k++) {
      frequencies[k] = kernel.gamma * Math.tan(Math.PI * (source.uniform() - 0.5));
    }
  }
  const phases = Float64Array.from({ length: count }, () => Math.PI * (2 * source.uniform() - 1));
  return { kernel, inputCount, count, frequencies, phases };
}

/**
 * Maps rows to features √(1/D)·cos(ω_j·x + ψ_j), j = 1…D: rows of norm at most 1, whatever x is. The
 * paper scales by √(2/D), with which half of the rows of the Gaussian kernel are longer than 1 and
 * its Theorem 22 fails by √2; here inner products stand for half the kernel.
 *
 * @throws {RangeError} when rows do not have `inputCount` columns.
 */
export function applyRandomFeatures(features: RandomFeatures, rows: Rows): DenseRows {
  const { inputCount, count, frequencies, phases } = features;
  if (rows.columnCount !== inputCount) {
    throw new RangeError(
      `Cannot map rows: columns must be ${inputCount}: current value is ${rows.columnCount}`,
    );
  }
  const values = new Float64Array(rows.rowCount * count);
  const scale = Math.sqrt(1 / count);
  const row = new Float64Array(inputCount);
  for (let i = 0; i < rows.rowCount; i++) {
    expandRow(rows, { row: i, into: row });
    for (let j = 0; j < count; j++) {
      let angle = phases[j]!;
      for (let k = 0; k < inputCount; k++) angle += frequencies[j * inputCount + k]! * row[k]!;
      // Products of huge values overflow: any feature will do then, for the row is as short as every other.
      values[i * count + j] = Number.isFinite(angle) ? scale * Math.cos(angle) : 0;
    }
  }
  return { kind: "dense", rowCount: rows.rowCount, columnCount: count, values };
}

function expandRow(rows: Rows, { row, into }: { row: number; into: Float64Array }): void {
  if (rows.kind === "dense") {
    into.set(rows.values.subarray(row * rows.columnCount, (row + 1) * rows.columnCount));
    return;
  }
  into.fill(0);
  for (let k = rows.offsets[row]!; k < rows.offsets[row + 1]!; k++) {
    into[rows.columns[k]!] = rows.values[k]!;
  }
}
