import type { Relation } from "../../lib/core/relations/relation.ts";
import type { JsonValue } from "./option_values.ts";

/** The options of `dpcheck exact` as commander gives them, each value checked by itself. */
export interface ExactArguments {
  readonly mechanism?: string;
  readonly module?: string;
  readonly epsilon?: number;
  readonly delta?: number;
  readonly rho?: number;
  readonly mu?: number;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
  readonly rows?: JsonValue;
  readonly size?: { readonly min: number; readonly max: number };
  readonly relation?: Relation;
  readonly maxBranches?: number;
  readonly maxSeconds?: number;
  readonly remainder?: number;
  readonly json?: string;
  readonly certificate?: string;
  readonly smt?: string;
}
