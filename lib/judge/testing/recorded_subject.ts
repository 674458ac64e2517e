import process from "node:process";
import { pathToFileURL } from "node:url";
import type { AuditOptions } from "../audit/options.ts";
import type { Subject } from "../audit/kernel/subject.ts";
import { validateOptions } from "../audit/validate_options.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { functionRecorder } from "../recording/function_recorder.ts";
import {
  FUNCTION_PAIRS,
  recordBefore,
  type RecordedBefore,
  runsBefore,
  secondsBefore,
} from "../recording/record_before.ts";
import type { Recorder } from "../recording/recording.ts";
import type { Program } from "../recording/replay/replayed_program.ts";

export { withRecording } from "../recording/record_before.ts";

/** Watches the noise of a function or a mechanism, in this thread; `undefined` for another subject. */
export function recorderOf(
  subject: object,
  own: { readonly name: string },
): Recorder | undefined {
  const options = { ...own, folder: `${pathToFileURL(process.cwd()).href}/` };
  if (typeof subject === "function") return functionRecorder(subject as Program, options);
  if ("draw" in subject) return undefined;
  const mechanism = subject as Mechanism;
  const run: Program = (data, source) => mechanism.sample(data as readonly unknown[], source);
  return functionRecorder(run, options);
}

/**
 * Watches a function or a mechanism before `audited`, the same as a subject, is audited with these settings. Its runs are a
 * share of the draws, so that it is the same each time.
 *
 * @throws {RangeError} naming what is wrong with the settings.
 */
export async function recordedSubject(
  subject: object,
  audited: Subject,
  settings: AuditOptions,
): Promise<RecordedBefore | undefined> {
  const recorder = recorderOf(subject, { name: audited.name });
  if (recorder === undefined) return undefined;
  const { claim, pair, space, withRows, seed, maxDraws, maxSeconds } = validateOptions(
    audited,
    settings,
  );
  return await recordBefore(recorder, {
    claim,
    withRows,
    seed,
    ...(pair === undefined ? { space } : { pair }),
    maxPairs: FUNCTION_PAIRS,
    maxRuns: runsBefore(maxDraws),
    maxSeconds: secondsBefore(maxSeconds),
  });
}
