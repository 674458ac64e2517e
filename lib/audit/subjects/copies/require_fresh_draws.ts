import { outputValues } from "../outputs.ts";
import { type PairData, type Subject, SubjectFailure } from "../subject.ts";
import { ComparedCopies } from "./compared_copies.ts";

/** What two starts of a subject drew. */
export interface ComparedStarts {
  /** Outputs of each that were compared. */
  readonly outputs: number;
  /** Whether they differ: where they do not, they vary too little to tell, or time was over. */
  readonly differ: boolean;
}

/** Two starts drew the same, beyond chance. */
export class SameSeed extends SubjectFailure {}

/**
 * Compares the outputs of a subject after one start with those after another. A subject that starts from the same seed every
 * time gives everybody who runs it the noise of its next outputs, and would confirm a refutation with the same outputs. Both copies are
 * asked the same, one output at a time, on the two datasets by turns, until they differ, or the comparison is over, or time
 * is. Outputs that hardly vary may agree to the end: that is no failure.
 *
 * @throws {SameSeed} when they agree beyond chance.
 * @throws {SubjectFailure} when a copy fails.
 */
export async function requireFreshDraws(
  copies: readonly [Subject, Subject],
  { left, right }: PairData,
  { maxSeconds }: { readonly maxSeconds: number },
): Promise<ComparedStarts> {
  const { name } = copies[0];
  const compared = new ComparedCopies(name, copies.length, {
    failure: (outputs) =>
      new SameSeed(
        `${name} drew the same ${outputs} outputs after two starts: it starts from the same seed every time, ` +
          "so that anyone who runs it knows its noise; let it take another seed at every start",
      ),
  });
  let end = Infinity, outputs = 0;
  for (; !compared.isOver && performance.now() < end; outputs++) {
    const data = outputs % 2 === 0 ? left : right;
    const drawn = await Promise.all(copies.map(async (copy) => await copy.draw(data, 1)));
    compared.look(data, drawn.map((outputs) => outputValues(outputs).next().value));
    // The first outputs come after the start-up, which takes no part of the time.
    if (outputs === 0) end = performance.now() + maxSeconds * 1000;
  }
  return { outputs, differ: compared.different.length === copies.length };
}
