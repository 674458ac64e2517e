import { numbersInProgram } from "../../core/text/numbers_in_program.ts";

/** Returns the numbers in the text of a function, or of a mechanism's sampler, and those that the mechanism was made with. */
export function numbersOfSubject(subject: object): number[] {
  const parts: unknown[] = typeof subject === "function" ? [subject] : Object.values(subject);
  return numbersInProgram(
    parts.filter((part) => typeof part === "function" || typeof part === "number").join(" "),
  );
}
