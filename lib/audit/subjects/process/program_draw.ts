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
  readonly lost: SideCounts | undefined;
}

/** The outputs from place `from` of an order up to, but without, place `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The outputs of a draw that came, and how many did not. */
export function withoutLost({ values, order, lost }: Draw): Drawn {
  const isLost = new Uint8Array(order.length);
  for (const { from, to } of lost) isLost.fill(1, from, to);
  const right = isLost.filter((is, at) => is === 1 && order[at] === 1).length;
  return {
    outputs: packOutputs(values.filter((_, at) => isLost[at] === 0)),
    order: order.filter((_, at) => isLost[at] === 0),
    lost: { left: isLost.filter((is) => is === 1).length - right, right },
  };
}

/** Puts all of one side before all of the other. */
export function bySide(order: Uint8Array, leftFirst: boolean): void {
  order.sort();
  if (!leftFirst) order.reverse();
}
