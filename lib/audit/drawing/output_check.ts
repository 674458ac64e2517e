import type { Outputs } from "../subjects/outputs.ts";
import { SubjectFailure, Thrown } from "../subjects/subject.ts";

/**
 * Looks at all that a subject answers: that there are as many outputs as were asked for, and whether any is more than
 * an error.
 */
export class OutputCheck {
  readonly #name: string;
  #hasAnswered = false;
  #error: string | undefined;

  /** Messages call the subject by this name. */
  constructor(name: string) {
    this.#name = name;
  }

  /** @throws {SubjectFailure} when there are more or fewer than `count`. */
  look(outputs: Outputs, count: number): void {
    const returned = numberOf(outputs);
    if (returned !== count) {
      throw new SubjectFailure(
        `${this.#name} returned ${returned} outputs where ${count} were asked for`,
      );
    }
    if (!this.#hasAnswered) this.#lookForErrors(outputs);
  }

  /** What the last error said, if every output was an error so far; `undefined` without outputs. */
  get onlyErrors(): string | undefined {
    return this.#hasAnswered ? undefined : this.#error;
  }

  #lookForErrors(outputs: Outputs): void {
    if (outputs.kind === "block") {
      this.#hasAnswered = outputs.values.length > 0;
      return;
    }
    for (const value of outputs.values) {
      if (!(value instanceof Thrown)) {
        this.#hasAnswered = true;
        return;
      }
      this.#error = value.message;
    }
  }
}

/** How many outputs these are: no whole number where a block holds a part of one. */
function numberOf(outputs: Outputs): number {
  if (outputs?.kind === "block") return outputs.values.length / outputs.width;
  return outputs?.kind === "values" ? outputs.values.length : 0;
}
