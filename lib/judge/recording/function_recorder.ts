import { declaredCall } from "../../core/mechanism/declared_call.ts";
import type { Place, Recorder } from "./recording.ts";
import { type Program, ReplayedProgram } from "./replay/replayed_program.ts";
import { forcedRecordings, replayedRecordings } from "./replay/replay_pair.ts";

/**
 * Records a function of this thread, a program of JavaScript: its draws are given to it, and changed one at a time, so that what it computes
 * by sums and multiples shows its form. It is called with copies of datasets.
 *
 * @param options.folder places are relative to it: an address that ends with a slash.
 */
export function functionRecorder(
  run: Program,
  options: {
    readonly name: string;
    readonly folder: string;
    /** Whether nothing else runs in its thread: else it must not answer by promises. Default false. */
    readonly isAlone?: boolean;
    /** Called after each run, to show that the program does not hang. */
    readonly onOutput?: () => void;
  },
): Recorder {
  const program = new ReplayedProgram(declaredCall(run).run, options),
    lines = new Map<string, readonly Place[]>();
  return {
    name: options.name,
    onePolicy: true,
    record: ({ force, ...request }) =>
      program.holding(() =>
        force === undefined
          ? replayedRecordings(program, request)
          : forcedRecordings(program, { ...request, force, lines })
      ),
    replay: (request) => program.replay(request),
    close: () => Promise.resolve(),
  };
}
