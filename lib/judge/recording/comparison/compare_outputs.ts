import { bareJson } from "../../../core/text/bare_json.ts";
import type { Read, Recording } from "../recording.ts";
import { isChoice, onlyChooses, onlyUniform } from "./choices.ts";
import { type Observation, observed } from "./observation.ts";

/** Compares the outputs of two runs, where all that was read is the same; returns `undefined` where they are equal. */
export function compareOutputs(first: Recording, second: Recording): Observation | undefined {
  const { reads, error, atoms } = first;
  if (error === second.error && bareJson(first.output) === bareJson(second.output)) {
    return undefined;
  }
  if (reads.some(({ declared }) => declared?.logDensity !== undefined)) return undefined;
  const index = reads.length, last = reads.at(-1);
  if (onlyChooses(first)) {
    // Randomised response gives another output for the same draw, and keeps its claim by the chances of both.
    return observed("not-followed", last!, {
      index,
      detail:
        "it chooses among outputs by chance, which the same draws on both sides do not compare",
    });
  }
  const isRaw = (read: Read): boolean =>
    isChoice(read, atoms) ||
    read.kind === "value" && read.forms.length > 0 && onlyUniform(read, atoms);
  if (last !== undefined && reads.every(isRaw)) {
    return observed("not-followed", last, {
      index,
      detail:
        "all that it draws are choices and uniform numbers, which the same draws on both sides do not compare",
    });
  }
  const detail = second.error !== undefined && error === undefined
    ? `it ends with the error ${second.error} on one side`
    : error !== undefined && second.error === undefined
    ? `it ends with the error ${error} on one side`
    : undefined;
  return observed("uncovered-output", { at: last?.at ?? "" }, {
    index,
    ...(detail === undefined ? {} : { detail }),
    ...outputChange(first.output, second.output),
  });
}

/** Returns the change of an output, where it is a number. */
function outputChange(a: unknown, b: unknown): Partial<Observation> {
  return typeof a === "number" && typeof b === "number" ? { change: b - a } : {};
}
