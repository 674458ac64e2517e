import type { Progress } from "../../lib/judge/audit/kernel/drawing/progress.ts";
import type { AuditReport, RecordedFinding } from "../../lib/judge/audit/report.ts";
import type { RowSpec } from "../../lib/core/relations/dataset.ts";

/** A function with its claim, and the datasets that it is for. */
export interface Claimed {
  /** The language of the code; JavaScript where nothing is said. */
  readonly language?: "javascript" | "python";
  readonly code: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly rows: RowSpec;
  readonly size: { readonly min: number; readonly max: number };
  readonly relation: string;
  /** True if the bits of doubles are looked at. */
  readonly bits: boolean;
}

/** Two datasets. */
export interface Datasets {
  readonly left: unknown;
  readonly right: unknown;
}

/** Request to the worker: to audit, to decide the claim, or to name lines. */
export interface Request extends Claimed {
  readonly kind: "audit" | "exact" | "lines";
  readonly seed: number;
  readonly maxSeconds: number;
  /** A pair that refuted the claim, if lines are to be named. */
  readonly pair?: Datasets;
  /** The solver of linear programs, as WebAssembly: audits need none. */
  readonly solver?: ArrayBuffer;
  /** Files of Python and of the adapter, by their names. */
  readonly python?: {
    readonly files: Readonly<Record<string, ArrayBuffer>>;
    readonly adapter: Readonly<Record<string, string>>;
    /** Version of Python, and that it has no packages. */
    readonly lock: unknown;
  };
}

/** A report without its claim, and with the datasets of its pair alone. */
export type SentReport = Omit<AuditReport, "claim" | "pair"> & { readonly pair: Datasets | null };

/** Answer of the worker. */
export type Answer =
  /** The function returned, or was loaded: it does not hang. */
  | { readonly kind: "alive" }
  | { readonly kind: "progress"; readonly progress: Progress }
  | {
    readonly kind: "report";
    readonly report: SentReport;
    /** The line of the error of a function that failed. */
    readonly line?: number;
  }
  /** Output of `exact`, as a terminal shows it. */
  | { readonly kind: "end"; readonly text: string }
  | { readonly kind: "lines"; readonly findings: readonly RecordedFinding[] }
  | { readonly kind: "failed"; readonly message: string; readonly line?: number };
