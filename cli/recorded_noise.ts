import { SubjectFailure } from "../lib/audit/kernel/subject.ts";
import type { RecordedNoise } from "../lib/audit/report.ts";
import type { SearchSpace } from "../lib/audit/search/mutate_pairs.ts";
import { seedPairs } from "../lib/audit/search/seed_pairs.ts";
import { DEFAULT_SECONDS } from "../lib/audit/validate_options.ts";
import type { Claim } from "../lib/core/claim.ts";
import { type Pair, pairOf } from "../lib/core/relation.ts";
import { programRecorder } from "../lib/recording/program_recorder.ts";
import { record, type RecordReport } from "../lib/recording/record.ts";
import type { Recorder } from "../lib/recording/recording.ts";
import type { AuditArguments } from "./audit.ts";
import { reading } from "./bad_input.ts";

/** The share of an audit's seconds that recordings may take, and the most seconds. */
const SECONDS = { share: 0.2, most: 4 };
/** Suspected pairs that an audit looks at before all others. */
const MOST_SUSPECTED = 4;

/** What was recorded before an audit, and what that means for it. */
export interface RecordedBefore {
  readonly recording: RecordedNoise;
  /** Pairs to look at first. */
  readonly suspected: readonly Pair[];
  /** What it takes of the audit's seconds: a last run that took longer is not the audit's loss. */
  readonly seconds: number;
}

/**
 * Watches the noise of `--exec`, in a process of its own, before an audit draws; `undefined` where the program does not record, or is not to
 * be recorded. The audit's draws are made without it, by another start of the program.
 */
export async function recordedBefore(
  exec: string,
  options: AuditArguments,
  { claim, pair, space, withRows, seed, signal }: {
    readonly claim: Claim;
    readonly pair: Pair | undefined;
    readonly space: SearchSpace | undefined;
    readonly withRows: readonly unknown[];
    readonly seed: number;
    /** Ends the recording. */
    readonly signal: AbortSignal;
  },
): Promise<RecordedBefore | undefined> {
  const { fd = 1, timeout, maxSeconds = DEFAULT_SECONDS } = options;
  const first = pair ?? seedPairs(space!)[0];
  if (first === undefined) return undefined;
  const before = (data: unknown): unknown =>
    withRows.length === 0 ? data : [...withRows, ...data as unknown[]];
  const seconds = Math.min(SECONDS.most, SECONDS.share * maxSeconds);
  let recorder: Recorder | undefined;
  let begun = performance.now();
  const taken = (): number => Math.min(seconds, (performance.now() - begun) / 1000);
  try {
    recorder = await reading(
      "--exec",
      exec,
      () =>
        programRecorder(exec, {
          timeoutSeconds: timeout,
          startSeconds: Math.min(timeout, seconds),
          signal,
          answersOn: fd,
          first: before(first.left),
        }),
    );
    if (recorder === undefined) return undefined;
    const { record: ask, replay } = recorder;
    begun = performance.now();
    const recording = await record({
      ...recorder,
      record: (request) => ask({ ...request, datasets: request.datasets.map(before) }),
      ...(replay && {
        replay: (request) => replay({ ...request, datasets: request.datasets.map(before) }),
      }),
    }, {
      claim,
      seed,
      ...(pair === undefined ? {} : { pair }),
      ...(space === undefined ? {} : { space }),
      maxSeconds: seconds,
    });
    const { claim: _, seed: __, furthest: ___, ...shown } = recording;
    return {
      recording: shown,
      suspected: pair === undefined ? suspectedPairs(recording) : [],
      seconds: taken(),
    };
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    // The audit itself says what is wrong with a program that fails there too; one that is slow to start is not watched.
    if (recorder === undefined) return undefined;
    const notFollowed = { reason: error.message, pairs: 0 };
    return {
      recording: {
        verdict: "nothing found",
        findings: [],
        cost: null,
        runs: 0,
        pairs: 0,
        notFollowed,
      },
      suspected: [],
      seconds: taken(),
    };
  } finally {
    await recorder?.close();
  }
}

/** Pairs that something is suspected of, then those that outputs at the same seeds tell apart. */
function suspectedPairs({ findings, furthest = [], claim: { relation } }: RecordReport): Pair[] {
  return [...findings.map(({ pair }) => pair), ...furthest].slice(0, MOST_SUSPECTED)
    .map((pair) => pairOf(relation, pair as Pick<Pair, "left" | "right">));
}
