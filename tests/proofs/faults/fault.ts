import type { Mechanism } from "../../../lib/core/mechanism.ts";

/** A module of the library as it was loaded from a copy. */
// What modules export is not known before they are loaded.
// deno-lint-ignore no-explicit-any
export type Loaded = any;

/** Who must notice a fault. */
export type Catcher =
  /** A theorem: its file below proofs, and the name that it is exported by. */
  | { readonly theorem: readonly [file: string, name: string] }
  /** The exact laws of shipped mechanisms (mechanisms/shipped_mechanisms), each of these by itself. */
  | { readonly shipped: readonly string[] }
  /** The exact law of a learner, on a pair of neighbours. */
  | { readonly law: LearnerPair }
  /** An audit of a learner's draws, on a pair of neighbours. */
  | { readonly audit: LearnerPair };

/** A learner as a mechanism, made of the modules of the copy, and where its claim breaks. */
export interface LearnerPair {
  /** Modules of the library: the file below lib. */
  readonly modules: readonly string[];
  /** Makes the mechanism of them. */
  // Rows and outputs are the learner's own.
  // deno-lint-ignore no-explicit-any
  readonly mechanism: (...modules: Loaded[]) => Mechanism<any, any>;
  readonly left: readonly unknown[];
  readonly right: readonly unknown[];
}

/** One constant of the library changed, and who must notice. */
export interface Fault {
  /** Below lib. */
  readonly file: string;
  /** Occurs once in it. */
  readonly from: string;
  readonly to: string;
  readonly caughtBy: Catcher;
  /** The shipped mechanisms that are broken by it, where `caughtBy` does not name them. */
  readonly breaks?: readonly string[];
}
