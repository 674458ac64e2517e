import { outputValues } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import { ComparedCopies } from "./compared_copies.ts";

/**
 * Compares the outputs of a subject after one start with those after another. A subject that starts from the same seed every
 * time would confirm a refutation with the same outputs. Both copies are asked the same, one output at a time, on the two
 * datasets by turns, until they differ, or the comparison is over, or time is. Outputs that hardly vary may agree to the end:
 * that is no failure.
 *
 * @throws {SubjectFailure} when they agree beyond chance.
 */
export async function requireFreshDraws(
  copies: readonly [Subject, Subject],
  { left, right }: PairData,
  { maxSeconds }: { readonly maxSeconds: number },
): Promise<void> {
  const { name } = copies[0];
  const compared = new ComparedCopies(name, copies.length, {
    complaint: (outputs) =>
      `${name} drew the same ${outputs} outputs after two starts: it starts from the same seed every time, ` +
      "so that nothing it draws is fresh; let it take another seed at every start",
  });
  let end = Infinity;
  for (let k = 0; !compared.isOver && performance.now() < end; k++) {
    const data = k % 2 === 0 ? left : right;
    const drawn = await Promise.all(copies.map(async (copy) => await copy.draw(data, 1)));
    compared.look(data, drawn.map((outputs) => outputValues(outputs).next().value));
    // The first outputs come after the start-up, which takes no part of the time.
    if (k === 0) end = performance.now() + maxSeconds * 1000;
  }
}
