/** What waits, or is held up by other processes, may take so many times its limit by the clock. */
export const WAITS = 10;

/** A test by its place, and how many milliseconds of the processor it may take. */
export interface TestName {
  readonly file: string;
  readonly index: number;
  readonly limit: number;
}

/** What the runner is asked: which places each test of a file reaches, or whether a mutant is noticed. */
export type Command =
  | { readonly command: "record"; readonly file: string }
  | {
    readonly command: "attempt";
    readonly id: number;
    readonly place: number;
    readonly tests: readonly TestName[];
  };

/** A test that was recorded. */
export interface RecordedTest {
  readonly file: string;
  readonly index: number;
  readonly name: string;
  /** Milliseconds by the clock. */
  readonly ms: number;
  /** Milliseconds of the processor, which do not depend on what else it does. */
  readonly cpu: number;
  readonly ok: boolean;
  readonly places: readonly number[];
}

/** What the runner answers. */
export type Event =
  | { readonly event: "done" }
  | { readonly event: "unusable"; readonly file: string; readonly reason: string }
  | { readonly event: "loaded"; readonly file: string; readonly places: readonly number[] }
  | { readonly event: "begin" } & TestName
  | { readonly event: "recorded" } & RecordedTest
  | {
    readonly event: "killed";
    readonly id: number;
    readonly file: string;
    readonly index: number;
    /** Whether the test passes without the mutant afterwards. */
    readonly clean: boolean;
  }
  | {
    readonly event: "survived";
    readonly id: number;
    /** Not if what it computes was remembered from a run without it. */
    readonly reached: boolean;
  };
