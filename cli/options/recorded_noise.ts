import { SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { randomPair } from "../../lib/judge/audit/search/mutate_pairs.ts";
import { seedPairs } from "../../lib/judge/audit/search/seed_pairs.ts";
import type { SubjectDescription } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { DEFAULT_SECONDS } from "../../lib/judge/audit/validate_options.ts";
import {
  FUNCTION_PAIRS,
  notWatched,
  recordBefore,
  type RecordedBefore,
  runsBefore,
  secondsBefore,
} from "../../lib/judge/recording/record_before.ts";
import type { Recorder } from "../../lib/judge/recording/recording.ts";
import type { AuditArguments } from "./command_options.ts";
import { openRecorder, type RecordedAbout } from "./open_recorder.ts";

/** The reason in reports when a program neither records nor can be seeded. */
const NO_RECORDER =
  "the program does not record its noise, and cannot be seeded (docs/recording.md)";

function nothing(reason: string): RecordedBefore {
  return { recording: notWatched(reason), suspected: [], seconds: 0 };
}

/** Least number of recorded runs before an audit, and the number if the audit has no number of draws. */
const FEWEST_RUNS = 1000, USUAL_RUNS = 10_000;

/**
 * Watches the noise of `--exec` or `--module`, in a process or a thread of its own, before an audit draws; `undefined` where there is no
 * claim to compare it with. The seconds of a recording begin when the program has started. The audit's draws are made without it, by
 * another start of the program.
 *
 * @param options.about the claim and the pairs, of a module with those that it declares; `undefined` where there is nothing to record.
 */
export async function recordedBefore(
  options: AuditArguments,
  { about, withRows, seed, signal }: {
    readonly about: (declared: SubjectDescription) => RecordedAbout | undefined;
    readonly withRows: readonly unknown[];
    readonly seed: number;
    /** Ends the recording. */
    readonly signal: AbortSignal;
  },
): Promise<RecordedBefore | undefined> {
  let own: RecordedAbout | undefined, recorder: Recorder | undefined;
  try {
    recorder = await openRecorder(options, {
      signal,
      first(declared): unknown {
        own = about(declared);
        const pair = own && (own.pair ?? seedPairs(own.space!)[0] ??
          randomPair(own.space!, new SeededSource(seed)));
        return pair && (withRows.length === 0 ? pair.left : [...withRows, ...pair.left]);
      },
    });
  } catch (error) {
    if (error instanceof SubjectFailure) return nothing(error.message);
    throw error;
  }
  if (recorder === undefined) {
    return own === undefined ? undefined : nothing(NO_RECORDER);
  }
  try {
    const { claim, pair, space } = own!;
    return await recordBefore(recorder, {
      claim,
      withRows,
      seed,
      ...(pair === undefined ? {} : { pair }),
      ...(space === undefined ? {} : { space }),
      ...(options.module === undefined ? {} : { maxPairs: FUNCTION_PAIRS }),
      maxRuns: options.maxDraws === undefined
        ? USUAL_RUNS
        : Math.max(FEWEST_RUNS, runsBefore(options.maxDraws)),
      maxSeconds: secondsBefore(options.maxSeconds ?? DEFAULT_SECONDS),
    });
  } finally {
    await recorder.close();
  }
}
