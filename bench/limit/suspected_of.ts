import { fileURLToPath } from "node:url";
import type { Pair } from "../../lib/core/relations/relation.ts";
import { FollowedProgram } from "../../lib/judge/recording/followed/followed_program.ts";
import { followedRecorder } from "../../lib/judge/recording/followed/followed_recorder.ts";
import { keepAtHand } from "../../lib/judge/recording/followed/keep_at_hand.ts";
import { functionRecorder } from "../../lib/judge/recording/function_recorder.ts";
import {
  FUNCTION_PAIRS,
  recordBefore,
  runsBefore,
} from "../../lib/judge/recording/record_before.ts";
import {
  type Program,
  ReplayedProgram,
} from "../../lib/judge/recording/replay/replayed_program.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { LimitRow } from "./rows.ts";

/** The fewest runs of a recording. */
const FEWEST_RUNS = 1000;

/** Returns the pairs of a program that its watched noise makes an audit look at first, as it does for a module. */
export async function suspectedOf(
  { mechanism, claim, name, maxDraws }: LimitRow,
  seed: number,
): Promise<readonly Pair[]> {
  keepAtHand();
  const url = new URL("./programs.ts", import.meta.url), folder = new URL("../../", url);
  const run: Program = (data, source) => mechanism.sample(data as readonly unknown[], source);
  const options = { name, folder: folder.href, isAlone: true, samples: false };
  const program = await FollowedProgram.load(fileURLToPath(url), {
    exported: ({ programs }) => (programs as readonly Mechanism[]).find((one) => one.name === name),
    root: fileURLToPath(folder),
    takesSource: true,
  });
  const recorder = followedRecorder(program, {
    written: new ReplayedProgram(run, options),
    other: functionRecorder(run, options),
  });
  const { suspected } = await recordBefore(recorder, {
    claim,
    space: { domain: mechanism.domain!, relation: claim.relation },
    seed,
    maxPairs: FUNCTION_PAIRS,
    maxRuns: Math.max(FEWEST_RUNS, runsBefore(maxDraws)),
    withRows: [],
  });
  return suspected;
}
