/** A program that tests did not find, and what they would have tested with it. */
export interface MissingProgram {
  readonly program: string;
  readonly tests: string;
}

/** Names the file in which missing programs are collected: `deno task test` lists them at its end. */
export const MISSING_PROGRAMS = "DPCHECK_MISSING_PROGRAMS";
