import { changedDraws } from "../kernel/order/changed_draws.ts";
import type { Coins } from "../kernel/order/coins.ts";
import {
  countOf,
  type Outputs,
  outputValues,
  packOutputs,
  type PairOutputs,
} from "../kernel/outputs.ts";
import type { PairData, Subject } from "../kernel/subject.ts";

/** The value in place of an output that satisfies an excepted event. */
class Excepted {}

/** The one value that all excepted outputs become: the cell of the output space that nothing is bet on. */
const EXCEPTED = new Excepted();

/**
 * Returns the subject with all outputs that satisfy an excepted event made one: a function of its output, chosen before the audit, so it
 * keeps every claim that the subject keeps (post-processing; Dwork, McSherry, Nissim, Smith 2006).
 */
export function exceptOutputs(
  subject: Subject,
  isExcepted: (output: unknown) => boolean,
): Subject {
  const merged = (outputs: Outputs): Outputs => {
    let any = false;
    const values = Array.from(outputValues(outputs), (value) => {
      if (!isExcepted(value)) return value;
      any = true;
      return EXCEPTED;
    });
    return any ? { kind: "values", values } : outputs;
  };
  const mergedOnPair = ({ left, right, ...rest }: PairOutputs): PairOutputs => ({
    ...rest,
    left: merged(left),
    right: merged(right),
  });
  return changedDraws(subject, {
    draw: (data, count): Outputs | Promise<Outputs> => {
      const drawn = subject.draw(data, count);
      return drawn instanceof Promise ? drawn.then(merged) : merged(drawn);
    },
    ...(subject.drawInOrder === undefined ? {} : {
      drawInOrder: (pair: PairData, coins: Coins): PairOutputs | Promise<PairOutputs> => {
        const drawn = subject.drawInOrder!(pair, coins);
        return drawn instanceof Promise ? drawn.then(mergedOnPair) : mergedOnPair(drawn);
      },
    }),
  });
}

/** Returns true if a value stands in place of an excepted output. */
export function isExceptedOutput(value: unknown): boolean {
  return value === EXCEPTED;
}

/** Returns the outputs that satisfy no excepted event, in their order. */
export function withoutExcepted(outputs: Outputs): Outputs {
  if (outputs.kind === "block" || !outputs.values.some(isExceptedOutput)) return outputs;
  return packOutputs(outputs.values.filter((value) => !isExceptedOutput(value)));
}

/** Counts the outputs that satisfy an excepted event. */
export function exceptedCount(outputs: Outputs): number {
  return countOf(outputs) - countOf(withoutExcepted(outputs));
}
