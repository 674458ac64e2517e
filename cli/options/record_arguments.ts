import type { AuditArguments } from "./audit_arguments.ts";

/** Options that `dpcheck audit` has, too. */
type Shared =
  | "exec"
  | "module"
  | "fd"
  | "epsilon"
  | "delta"
  | "order"
  | "rho"
  | "mu"
  | "left"
  | "right"
  | "rows"
  | "size"
  | "relation"
  | "maxSeconds"
  | "seed"
  | "timeout"
  | "json"
  | "html"
  | "junit"
  | "sarif"
  | "markdown";

/** The options of `dpcheck record` as commander gives them, each value checked by itself. */
export interface RecordArguments extends Pick<AuditArguments, Shared> {
  readonly maxPairs?: number;
  readonly strict?: true;
}
