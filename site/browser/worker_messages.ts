import type { Progress } from "../../lib/judge/audit/kernel/drawing/progress.ts";
import type { RecordedFinding } from "../../lib/judge/audit/report.ts";
import type { RowSpec } from "../../lib/core/relations/dataset.ts";
import type { OutputCounts } from "./output_counts.ts";

/** A function with its claim, and the datasets that it is for. */
export interface Claimed {
  readonly code: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly rows: RowSpec;
  readonly size: { readonly min: number; readonly max: number };
  readonly relation: string;
  /** Whether the bits of doubles are looked at. */
  readonly bits: boolean;
}

/** Two datasets. */
export interface Datasets {
  readonly left: unknown;
  readonly right: unknown;
}

/** What the worker is asked for: to audit, to decide the claim, or to name lines. */
export interface Request extends Claimed {
  readonly kind: "audit" | "exact" | "lines";
  readonly seed: number;
  readonly maxSeconds: number;
  /** Where lines are named: a pair that refuted the claim. */
  readonly pair?: Datasets;
  /** The solver of linear programs, as WebAssembly: audits need none. */
  readonly solver?: ArrayBuffer;
}

/** What it answers. */
export type Answer =
  | {
    readonly kind: "progress";
    readonly progress: Progress;
    readonly pair: Datasets | undefined;
    readonly counts: OutputCounts;
  }
  | {
    readonly kind: "end";
    /** The report, as a terminal shows it. */
    readonly text: string;
    /** The pair of an audit that refuted the claim. */
    readonly pair?: Datasets;
  }
  | { readonly kind: "lines"; readonly findings: readonly RecordedFinding[] }
  | { readonly kind: "failed"; readonly message: string };
