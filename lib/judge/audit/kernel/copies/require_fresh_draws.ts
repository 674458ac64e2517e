import { outputValues } from "../outputs.ts";
import { type PairData, type Subject, SubjectFailure } from "../subject.ts";
import { ComparedCopies, ENOUGH_NATS, MOST_COMPARED } from "./compared_copies.ts";
import { comparable, Entropy } from "./entropy.ts";

/** First draws of two starts of a subject. */
export interface ComparedStarts {
  /** Outputs of each that were compared. */
  readonly outputs: number;
  /** Whether they differ: where they do not, they vary too little to tell, or there was no time. */
  readonly differ: boolean;
}

/** Two starts drew the same, beyond chance. */
export class SameSeed extends SubjectFailure {}

/**
 * Compares the outputs of a subject after one start with those after another. A subject that starts from the same seed every
 * time gives everybody who runs it the noise of its next outputs, and would confirm a refutation with the same outputs. Both
 * copies are asked the same, one output at a time, on the two datasets by turns, until they differ, or the comparison is
 * over. Outputs that hardly vary may agree to the end: that is not a failure.
 *
 * @throws {SameSeed} when they agree beyond chance.
 * @throws {SubjectFailure} when a copy fails.
 */
export async function requireFreshDraws(
  copies: readonly [Subject, Subject],
  { left, right }: PairData,
): Promise<void> {
  const { name } = copies[0];
  const compared = new ComparedCopies(name, copies.length, {
    failure: (outputs) => sameSeed(name, outputs),
  });
  for (let k = 0; !compared.isOver; k++) {
    const data = k % 2 === 0 ? left : right;
    const drawn = await Promise.all(copies.map(async (copy) => await copy.draw(data, 1)));
    compared.look(data, drawn.map((outputs) => outputValues(outputs).next().value));
  }
}

/**
 * Compares the outputs of two starts, one after the other, for a program may not run twice at once. The first one is asked until an
 * independent start would draw the same with probability at most e⁻⁴⁰, or {@linkcode MOST_COMPARED} outputs; the
 * second one is asked the same until it differs.
 *
 * @throws {SameSeed} when they agree beyond chance.
 * @throws {SubjectFailure} when a start fails.
 */
export async function compareStarts(
  start: (place: "first" | "second") => Promise<Subject>,
  { left, right }: PairData,
): Promise<ComparedStarts> {
  const dataAt = (at: number): unknown => at % 2 === 0 ? left : right;
  const entropy = new Entropy(), texts: string[] = [];
  /** Asks for outputs one by one until they are enough, and closes the subject. */
  const ask = async (
    subject: Subject,
    isEnough: (text: string, at: number) => boolean,
  ): Promise<{ readonly name: string; readonly outputs: number }> => {
    try {
      for (let at = 0;; at++) {
        const text = comparable(outputValues(await subject.draw(dataAt(at), 1)).next().value);
        if (isEnough(text, at)) {
          return { name: subject.name, outputs: at + 1 };
        }
      }
    } finally {
      await subject.close();
    }
  };
  await ask(await start("first"), (text, at) => {
    texts.push(text);
    entropy.add(dataAt(at), text);
    return entropy.nats >= ENOUGH_NATS || texts.length >= MOST_COMPARED;
  });
  let differ = false;
  const { name, outputs } = await ask(await start("second"), (text, at) => {
    differ = text !== texts[at];
    return differ || at + 1 === texts.length;
  });
  if (!differ && outputs === texts.length && entropy.nats >= ENOUGH_NATS) {
    throw sameSeed(name, outputs);
  }
  return { outputs, differ };
}

function sameSeed(name: string, outputs: number): SameSeed {
  return new SameSeed(
    `${name} drew the same ${outputs} outputs after two starts: it starts from the same seed every time, ` +
      "so that anyone who runs it knows its noise; let it take another seed at every start",
  );
}
