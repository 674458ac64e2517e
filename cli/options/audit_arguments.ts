import type { Relation } from "../../lib/core/relations/relation.ts";
import type { JsonValue } from "./option_values.ts";

/** Where reports go. */
export interface OutputFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly sarif?: string;
  readonly markdown?: string;
  /** Annotations for GitHub Actions on standard output. */
  readonly github?: true;
  /** No report on standard output. */
  readonly quiet?: true;
}

/** What bounds a run, and how it is done. */
export interface RunArguments extends OutputFiles {
  readonly maxDraws?: number;
  readonly maxSeconds?: number;
  readonly seed?: number;
  readonly workers?: number;
}

/** The options of `dpcheck audit` as commander gives them, each value checked by itself. */
export interface AuditArguments extends RunArguments {
  readonly mechanism?: string;
  readonly module?: string;
  readonly exec?: string;
  readonly samples?: readonly string[];
  readonly url?: string;
  readonly fd?: number;
  readonly independent?: true;
  readonly epsilon?: number;
  readonly delta?: number;
  readonly order?: number;
  readonly rho?: number;
  readonly mu?: number;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
  readonly rows?: JsonValue;
  readonly withRows?: JsonValue;
  readonly require?: readonly string[];
  readonly size?: { readonly min: number; readonly max: number };
  readonly relation?: Relation;
  readonly except?: readonly string[];
  readonly all?: true;
  readonly alpha?: number;
  readonly timeout: number;
  readonly fullBudget?: true;
  readonly bits?: true;
  readonly shrink: boolean;
  /** Whether the noise of a program that records is watched. */
  readonly recording?: boolean;
  readonly oneAtATime?: true;
  readonly requirePower?: number;
  /** Where an audit whose end is drawn in shards keeps what they counted. */
  readonly checkpoint?: string;
  /** Redis, from which other machines take shards. */
  readonly queue?: string;
  /** The checkpoint that is resumed. */
  readonly resume?: string;
}
