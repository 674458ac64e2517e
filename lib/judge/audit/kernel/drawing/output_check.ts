import { sameRow } from "../../../../core/relations/relation.ts";
import { type Outputs, outputValues } from "../outputs.ts";
import { SubjectFailure, Thrown } from "../subject.ts";

/**
 * Checks the answers of a subject: that outputs are as many as were asked for, whether any output so far is not an error, and
 * whether any two differ.
 */
export class OutputCheck {
  readonly #name: string;
  #hasAnswered = false;
  #error: string | undefined;
  #first: { readonly value: unknown } | undefined;
  #differ = false;

  /** Messages call the subject by this name. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Checks one answer. @throws {SubjectFailure} when it has more or fewer than `count` outputs. */
  look(outputs: Outputs, count: number): void {
    const returned = numberOf(outputs);
    if (returned !== count) {
      throw new SubjectFailure(
        `${this.#name} returned ${returned} outputs where ${count} were asked for`,
      );
    }
    if (!this.#hasAnswered) this.#noteErrors(outputs);
    if (!this.#differ) this.#compare(outputs);
  }

  /** The value of every output so far, if there were any and no two differ. */
  get onlyValue(): { readonly value: unknown } | undefined {
    return this.#differ ? undefined : this.#first;
  }

  #compare(outputs: Outputs): void {
    for (const value of outputValues(outputs)) {
      this.#first ??= { value };
      this.#differ = !sameRow(value, this.#first.value);
      if (this.#differ) return;
    }
  }

  /** The message of the last error, if every output so far was an error; `undefined` without outputs. */
  get onlyErrors(): string | undefined {
    return this.#hasAnswered ? undefined : this.#error;
  }

  #noteErrors(outputs: Outputs): void {
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

/** Returns the number of outputs: not an integer where a block ends within an output. */
function numberOf(outputs: Outputs): number {
  if (outputs?.kind === "block") return outputs.values.length / outputs.width;
  return outputs?.kind === "values" ? outputs.values.length : 0;
}
