import { type Outputs, packOutputs } from "../../kernel/outputs.ts";
import type { SideCounts } from "../../kernel/subject.ts";
import type { RequestLines } from "./request_lines.ts";

/** One draw: outputs on two datasets in an order, and where they are stored. */
export interface Draw {
  readonly lines: RequestLines;
  /** The side of each output. */
  readonly order: Uint8Array;
  /** Which outputs are still to be asked for, in this order. */
  readonly missing: Range[];
  /** The outputs, where they come as JSON. */
  readonly values: unknown[];
  /** The outputs, where they come as doubles. */
  numbers: Float64Array | undefined;
  /** Whether an output that was asked for together with others is asked for again; otherwise it is lost. */
  readonly mayAskAgain: boolean;
  /** Outputs that were asked for together, and answered by one error: their coins are known, and they are not asked for again. */
  readonly lost: Range[];
}

/** The outputs of a draw. */
export interface Drawn {
  readonly outputs: Outputs;
  /** The side of each output. */
  readonly order: Uint8Array;
  readonly lost?: SideCounts;
  readonly unasked?: SideCounts;
}

/** The outputs from place `from` of an order up to, but without, place `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the outputs of a draw that came, and how many did not: those that are lost, and those that are still missing. */
export function withoutMissing({ values, numbers, order, lost, missing }: Draw): Drawn {
  const isMissing = new Uint8Array(order.length);
  const countsOf = (ranges: readonly Range[]): SideCounts | undefined => {
    let left = 0, right = 0;
    for (const { from, to } of ranges) {
      isMissing.fill(1, from, to);
      for (let at = from; at < to; at++) order[at] === 0 ? left++ : right++;
    }
    return left + right === 0 ? undefined : { left, right };
  };
  const ofLost = countsOf(lost), unasked = countsOf(missing);
  const came = order.filter((_, at) => isMissing[at] === 0);
  return {
    outputs: numbers === undefined
      ? packOutputs(values.filter((_, at) => isMissing[at] === 0))
      : rowsThatCame(numbers, { isMissing, count: came.length }),
    order: came,
    ...(ofLost && { lost: ofLost }),
    ...(unasked && { unasked }),
  };
}

function rowsThatCame(
  numbers: Float64Array,
  { isMissing, count }: { readonly isMissing: Uint8Array; readonly count: number },
): Outputs {
  const width = numbers.length / isMissing.length, values = new Float64Array(count * width);
  let row = 0;
  isMissing.forEach((is, at) => {
    if (is === 0) values.set(numbers.subarray(at * width, (at + 1) * width), width * row++);
  });
  return { kind: "block", width, values };
}

/** Puts all of one side before all of the other. */
export function bySide(order: Uint8Array, leftFirst: boolean): void {
  order.sort();
  if (!leftFirst) order.reverse();
}
