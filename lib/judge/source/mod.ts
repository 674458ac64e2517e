/**
 * Programs in JavaScript followed by their source: a module is rewritten so that each operation on a value that is followed is seen.
 *
 * @module
 */
export { type LoadedProgram, type LoadOptions, loadRewritten } from "./load_rewritten.ts";
export { OPERATIONS_KEY } from "./operations.ts";
export {
  type Condition,
  type Follower,
  type Note,
  type NoteKind,
  noteText,
  Run,
  type RunOptions,
} from "./run.ts";
export { trusting } from "./apply.ts";
export { ChangesLanguage, current } from "./current.ts";
export { isFollowed } from "./known_functions.ts";
export {
  begin,
  currentRun,
  handMethodsToPrograms,
  handToPrograms,
  lateCode,
  rest,
  traced,
} from "./runs.ts";
export { type Seal, seal } from "./seal.ts";
export { recompute } from "./recompute.ts";
export {
  type Base,
  isTraced,
  type Operation,
  operationOf,
  plainOf,
  type Traced,
  valueOf,
} from "./traced.ts";
export { holdsTraced, lifted, type TypedArray } from "./typed_arrays.ts";
export type { AnyFunction } from "./intrinsics.ts";
