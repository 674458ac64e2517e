import { fileURLToPath } from "node:url";
import type { Pair } from "../../lib/core/relations/relation.ts";
import { FollowedProgram } from "../../lib/judge/recording/followed/followed_program.ts";
import { followedRecorder } from "../../lib/judge/recording/followed/followed_recorder.ts";
import { keepAtHand } from "../../lib/judge/recording/followed/keep_at_hand.ts";
import {
  FUNCTION_PAIRS,
  recordBefore,
  runsBefore,
} from "../../lib/judge/recording/record_before.ts";
import {
  type Program,
  ReplayedProgram,
} from "../../lib/judge/recording/replay/replayed_program.ts";
import { loadRewritten } from "../../lib/judge/source/mod.ts";
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
  const options = { name, folder: folder.href, isAlone: true };
  const program = await FollowedProgram.load(async () => {
    const { module, notes } = await loadRewritten(fileURLToPath(url), {
      root: fileURLToPath(folder),
    });
    const programs = module.programs as readonly Mechanism[];
    return { value: programs.find((one) => one.name === name), notes };
  }, { takesSource: () => true });
  const recorder = followedRecorder(program, {
    name,
    written: new ReplayedProgram(run, options),
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
