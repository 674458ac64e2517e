import { outputValues } from "../outputs.ts";
import type { PairData, Subject } from "../subject.ts";
import { ComparedCopies } from "./compared_copies.ts";

/**
 * Compares what a subject draws after one start with what it draws after another. One that starts from the same seed
 * every time would confirm with the very outputs that are to be confirmed. Both copies are asked the same, one output at
 * a time, on the two datasets by turns, until they differ, or enough has been compared, or time is over. Outputs that
 * hardly vary may agree for ever: then nothing is said.
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
  const end = performance.now() + maxSeconds * 1000;
  for (let k = 0; !compared.isOver && performance.now() < end; k++) {
    const data = k % 2 === 0 ? left : right;
    const drawn = await Promise.all(copies.map(async (copy) => await copy.draw(data, 1)));
    compared.look(data, drawn.map((outputs) => outputValues(outputs).next().value));
  }
}
